/**
 * A projection keeps a view of some subjects of a stream in memory. It applies each message once, in order, and resumes
 * by itself after an outage or when its consumer is lost. The view may lag; `catchUp` waits until it does not.
 *
 *   createProjection({ name: "webhook view", stream: streams.state, filters: ["ps.webhook.>"], from: "first", apply, … })
 */
import { type JsMsg, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Component } from "../lifecycle/component.ts";
import type { Logger } from "../telemetry/logger.ts";
import { readLastMessage } from "./leader-read.ts";
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
  /** Resolves when the projection has applied all that the stream held; rejects when the log does not answer. */
  start(): Promise<void>;
  /** false: `timeoutMs` has passed, or the projection was stopped, before it applied this sequence. */
  reached(sequence: number, timeoutMs: number): Promise<boolean>;
  /** Why the view is behind: it has not applied all that there was when it began to read, or began again. */
  lag(): string | undefined;
  /**
   * Resolves when what was committed to `subjects` before this call is applied; rejects after `timeoutMs`. All filters
   * when absent: whoever calls it often names subjects without wildcards, because a wildcard makes the server search.
   */
  catchUp(timeoutMs: number, subjects?: readonly string[]): Promise<void>;
}

/** The leader's last sequence is read again after so long, in case that message expired and is never delivered. */
const startCheckMs = 1_000;

interface Waiter {
  readonly sequence: number;
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
    };
    const reading = { connection, stream, filters, fromSequence, signal, logger, onPending };
    for await (const message of readInOrder(reading)) {
      try {
        apply(message);
      } catch (error) {
        logger.error({ err: error, projection: name, subject: message.subject }, "a message could not be applied");
      }
      if (missing !== undefined && missing > 0) missing = Math.min(missing - 1, message.info.pending);
      advance(message.seq);
    }
  }

  function advance(sequence: number): void {
    appliedSequence = sequence;
    for (const waiter of waiters) if (waiter.sequence <= sequence) waiter.resolve();
  }

  async function reached(sequence: number, timeoutMs: number): Promise<boolean> {
    if (sequence > appliedSequence && !stopping.signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiter = { sequence, resolve };
      waiters.add(waiter);
      const timer = setTimeout(resolve, timeoutMs);
      await promise;
      clearTimeout(timer);
      waiters.delete(waiter);
    }
    return sequence <= appliedSequence;
  }

  async function lastSequence(subjects: readonly string[]): Promise<number> {
    const last = await Promise.all(subjects.map((filter) => readLastMessage(connection, stream, filter)));
    return Math.max(0, ...last.map((message) => message?.sequence ?? 0));
  }

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
      while (!stopping.signal.aborted && !(await reached(await lastSequence(filters), startCheckMs)));
    },
    async stop() {
      stopping.abort();
      for (const waiter of waiters) waiter.resolve();
      await following;
    },
    reached,
    lag() {
      if (missing === undefined) return `the ${name} does not follow the log`;
      return missing === 0 ? undefined : `the ${name} has ${missing} records to read`;
    },
    async catchUp(timeoutMs, subjects = filters) {
      const sequence = await lastSequence(subjects);
      if (await reached(sequence, timeoutMs)) return;
      throw new Error(`${name} is behind: it applied ${appliedSequence} of ${sequence}`);
    },
  };
}
