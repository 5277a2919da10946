/**
 * A projection keeps a view of some subjects of a stream in memory. It applies each message once, in order, and resumes
 * by itself after an outage or when its consumer is lost. The view may lag; `caughtUp` waits until it does not.
 *
 *   createProjection({ name: "webhook view", stream: streams.state, filters: ["ps.webhook.>"], from: "first", apply, … })
 */
import { type JsMsg, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { isApiAnswer, type Log } from "../log.ts";
import { readLastMessage } from "../nats/leader-read.ts";
import { readInOrder } from "./ordered-reader.ts";

export interface ProjectionDeps {
  readonly name: string;
  readonly connection: NatsConnection;
  readonly logger: Logger;
  readonly stream: string;
  readonly filters: readonly string[];
  /** `first`: all that the stream holds, then what follows. `next`: only what follows the start. */
  readonly from: "first" | "next";
  /** When it throws, the error is logged and the message skipped. */
  readonly apply: (message: JsMsg) => void;
}

export interface Projection extends Component {
  /** Begins to read and does not wait for what the stream holds: a million records take seconds. */
  start(): Promise<void>;
  /** false: `timeoutMs` has passed, or the projection was stopped, while the view lagged. */
  caughtUp(timeoutMs: number): Promise<boolean>;
  /** false: `timeoutMs` has passed, or the projection was stopped, before it applied this sequence. */
  reached(sequence: number, timeoutMs: number): Promise<boolean>;
  /** Why the view is behind: it has not applied all that there was when it began to read, or began again. */
  lag(): string | undefined;
  /**
   * Resolves when what was committed to `subject` before this call is applied; rejects after `timeoutMs`. It has no
   * wildcard, because the server searches the stream for the last message of one.
   */
  catchUp(timeoutMs: number, subject: string): Promise<void>;
}

interface Waiter {
  readonly isMet: () => boolean;
  resolve(): void;
}

export function createProjection(deps: ProjectionDeps): Projection {
  const { name, connection, logger, stream, filters, from, apply } = deps;
  const stopping = new AbortController();
  const waiters = new Set<Waiter>();
  let following: Promise<void> | undefined;
  let appliedSequence = 0;
  /** Messages still to come of those that there were when the reader attached; undefined while it is not attached. */
  let missing: number | undefined;

  async function follow(fromSequence: number): Promise<void> {
    const { signal } = stopping;
    const onPending = (pending: number | undefined) => {
      missing = pending;
      wake();
    };
    const reading = { connection, stream, filters, fromSequence, signal, logger, onPending };
    for await (const message of readInOrder(reading)) {
      try {
        if (isApiAnswer(message.data)) throw new Error("somebody with a service's credentials has overwritten it");
        apply(message);
      } catch (error) {
        logger.error({ err: error, projection: name, subject: message.subject }, "a message could not be applied");
      }
      if (missing !== undefined && missing > 0) missing = Math.min(missing - 1, message.info.pending);
      appliedSequence = message.seq;
      wake();
    }
  }

  function wake(): void {
    for (const waiter of waiters) if (waiter.isMet()) waiter.resolve();
  }

  async function waitUntil(isMet: () => boolean, timeoutMs: number): Promise<boolean> {
    if (!isMet() && !stopping.signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiter = { isMet, resolve };
      waiters.add(waiter);
      const timer = setTimeout(resolve, timeoutMs);
      await promise;
      clearTimeout(timer);
      waiters.delete(waiter);
    }
    return isMet();
  }

  const reached = (sequence: number, timeoutMs: number) => waitUntil(() => sequence <= appliedSequence, timeoutMs);

  async function startFrom(): Promise<number> {
    if (from === "first") return 1;
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { state } = await manager.streams.info(stream);
    appliedSequence = state.last_seq;
    return state.last_seq + 1;
  }

  return {
    name,
    async start() {
      following ??= follow(await startFrom());
    },
    async stop() {
      stopping.abort();
      for (const waiter of waiters) waiter.resolve();
      await following;
    },
    reached,
    caughtUp: (timeoutMs) => waitUntil(() => missing === 0, timeoutMs),
    lag() {
      if (missing === undefined) return `the ${name} does not follow the log`;
      return missing === 0 ? undefined : `the ${name} has ${missing} records to read`;
    },
    async catchUp(timeoutMs, subject) {
      const sequence = (await readLastMessage(connection, stream, subject))?.sequence ?? 0;
      if (await reached(sequence, timeoutMs)) return;
      throw new Error(`${name} is behind: it applied ${appliedSequence} of ${sequence}`);
    },
  };
}

/**
 * A projection of records, which lie in several state streams: one projection for each stream. Sequences count within a
 * stream, so that whoever waits for one says whose it is by a subject.
 */
export interface StateProjectionDeps extends Omit<ProjectionDeps, "connection" | "stream"> {
  readonly log: Log;
}

export interface StateProjection extends Component {
  /** Whether it has applied `sequence` of the stream that stores `subject`; waits for that for `timeoutMs`. */
  reached(subject: string, sequence: number, timeoutMs: number): Promise<boolean>;
  /** Whether the view of the stream that stores `subject` does not lag; waits for that for `timeoutMs`. */
  caughtUp(subject: string, timeoutMs: number): Promise<boolean>;
  /** Why the view is behind: see `Projection`. */
  lag(): string | undefined;
  /** Resolves when what was committed to `subject`, which has no wildcard, is applied; rejects after `timeoutMs`. */
  catchUp(subject: string, timeoutMs: number): Promise<void>;
}

export function createStateProjection({ log, ...deps }: StateProjectionDeps): StateProjection {
  const projections = log.stateStreams.map(({ state }) =>
    createProjection({ ...deps, connection: log.connection, stream: state }),
  );
  const projectionOf = (subject: string) => projections[log.streamOf(subject).index]!;
  return {
    name: deps.name,
    async start() {
      await Promise.all(projections.map((projection) => projection.start()));
    },
    async stop() {
      await Promise.all(projections.map((projection) => projection.stop()));
    },
    reached: (subject, sequence, timeoutMs) => projectionOf(subject).reached(sequence, timeoutMs),
    caughtUp: (subject, timeoutMs) => projectionOf(subject).caughtUp(timeoutMs),
    lag: () => projections.map((projection) => projection.lag()).find((reason) => reason !== undefined),
    catchUp: (subject, timeoutMs) => projectionOf(subject).catchUp(timeoutMs, subject),
  };
}
