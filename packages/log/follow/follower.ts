/**
 * A follower handles the events of a state stream (keeper, janitor, webhooks). One process at a time holds its lease, reads
 * the events in order from the cursor record on, and moves the cursor to the low-water mark of a window of bounded size.
 * `handle` must be idempotent: after a crash, or when two processes work at once, events come again. For example:
 *   createFollower({ name: "webhooks", log, logger, parallelMax: 16, wants: (event) => …, handle: async ([followed]) => … })
 */
import { subjects } from "@packshot/domain/subjects.ts";
import type { PackshotEvent } from "@packshot/domain/webhooks/event.ts";
import { jitteredBackoffMs, pause } from "@packshot/platform/flow/pause.ts";
import { createWindowedProcessor, type WindowedProcessor } from "@packshot/platform/flow/windowed-processor.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { isTracing, tracedBatch } from "@packshot/platform/telemetry/tracing.ts";
import type { Log, LogRecord } from "../log.ts";
import { isRetryableLogError, LogConflict } from "../nats/errors.ts";
import type { StateStream } from "../nats/state-streams.ts";
import type { BypassFrom } from "../operate/watch.ts";
import type { FollowerLag } from "./follower-lag.ts";
import { acquireLease } from "./lease.ts";
import {
  bypassStart,
  type Cursor,
  copyStart,
  type FollowedEvent,
  type ReadEvent,
  readEvents,
  retryMsMax,
  retryMsMin,
} from "./read-events.ts";

export interface FollowerDeps {
  /** Names cursor and lease: `ps.log0.cursor.<name>`. */
  readonly name: string;
  readonly log: Log;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly nowMs?: () => number;
  /** Events that are not wanted only move the cursor. */
  readonly wants: (event: PackshotEvent) => boolean;
  /** Events of one group are handled in order, one batch at a time. Absent: each event is a group of its own. */
  readonly groupOf?: (event: PackshotEvent) => string;
  /** The event and all after it wait until then. */
  readonly dueAtMs?: (event: PackshotEvent) => number;
  /**
   * How long new events wait until they are due. After one that waits longer, of a time when this was more, events that are due
   * earlier are handled past it, and once more in their turn. Absent: the times grow along the stream.
   */
  readonly waitMs?: number;
  /** Calls of `handle` at once. */
  readonly parallelMax: number;
  /** Events of one group in one call; 1 when absent. */
  readonly batchEventsMax?: number;
  /** Events read and after the low-water mark; 10,000 when absent. */
  readonly capacity?: number;
  /** When it rejects it is called again, with growing delays. `signal` aborts when the follower stops. */
  readonly handle: (events: readonly FollowedEvent[], signal: AbortSignal) => Promise<void>;
  /** While the copy of the events stands still, what follows them is read in the state stream, where it lives an hour. */
  readonly bypassFrom?: BypassFrom;
  readonly lag?: FollowerLag | undefined;
  /** Failpoint between the work and the cursor: `settle:before-ack`. */
  readonly failpoint?: string;
}

const capacityDefault = 10_000;
const cursorEveryMs = 500;
const bypassCheckEveryMs = 1_000;

/** One follower for each state stream of the log: sequences, cursors and leases are a stream's own. */
export function createFollower(deps: FollowerDeps): Component {
  const followers = deps.log.stateStreams.map((stream) => createStreamFollower({ ...deps, stream }));
  return {
    name: `follower ${deps.name}`,
    async start() {
      for (const follower of followers) await follower.start();
    },
    async stop() {
      await Promise.all(followers.map((follower) => follower.stop()));
    },
  };
}

interface StreamFollowerDeps extends FollowerDeps {
  readonly stream: StateStream;
}

function createStreamFollower(deps: StreamFollowerDeps): Omit<Component, "name"> {
  const { name, log, logger, stream } = deps;
  const stopping = new AbortController();
  let following: Promise<void> | undefined;

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      const lease = await acquireLease({ log, name, logger, streamIndex: stream.index }, stopping.signal);
      if (lease === undefined) return;
      try {
        await followWhileHeld(deps, AbortSignal.any([stopping.signal, lease.signal]));
      } catch (error) {
        if (!stopping.signal.aborted) logger.warn({ err: error, follower: name }, "the follower starts again");
      } finally {
        await lease.release();
      }
      await pause(retryMsMin, stopping.signal);
    }
  }

  return {
    async start() {
      following ??= follow();
    },
    async stop() {
      stopping.abort();
      await following;
    },
  };
}

async function followWhileHeld(deps: StreamFollowerDeps, held: AbortSignal): Promise<void> {
  const { log, logger, name, stream } = deps;
  const cursor = await log.read<Cursor>(subjects.cursor(stream.index, name));
  /** Not before everything that the copy has is handled: the state stream may not have it any more. */
  const shouldBypass = (handledThrough: number) => {
    const from = deps.bypassFrom?.(stream.events);
    return from !== undefined && handledThrough >= from;
  };
  const isBypass = shouldBypass(cursor.value?.stateSequence ?? 0);
  const start = isBypass ? bypassStart(cursor.value) : await copyStart(deps, cursor.value);
  if (start.isBypass) logger.warn({ follower: name, stream: stream.events }, "events are read past their copy");
  const ending = new AbortController();
  const signal = AbortSignal.any([held, ending.signal]);
  const processor = createProcessor(deps, signal);
  const lag = deps.lag?.begin(deps, processor.unfinished);
  const cursorWrites = writeCursor(deps, cursor, processor, signal).finally(() => ending.abort());
  // Awaited below; a rejection before that must not count as unhandled.
  cursorWrites.catch(() => {});
  const switching = setInterval(() => {
    const handledThrough = processor.lowWaterMark()?.sequence ?? start.after;
    if (shouldBypass(handledThrough) !== start.isBypass) ending.abort();
  }, bypassCheckEveryMs);
  try {
    const createOvertaking = (until: AbortSignal) => createProcessor(deps, until);
    await readEvents(
      { ...deps, onMessage: ({ info }) => lag?.setUnread(info.pending) },
      { start, processor, createOvertaking, signal },
    );
  } finally {
    clearInterval(switching);
    lag?.end();
    ending.abort();
    await processor.stop();
    await cursorWrites;
  }
}

function createProcessor(deps: StreamFollowerDeps, signal: AbortSignal): WindowedProcessor<ReadEvent> {
  const { name, logger } = deps;
  const processor = createWindowedProcessor<ReadEvent>({
    parallelMax: deps.parallelMax,
    batchItemsMax: deps.batchEventsMax ?? 1,
    capacity: deps.capacity ?? capacityDefault,
    handle: (events) => traceEvents(deps, events, () => deps.handle(events, signal)),
    retryAfterMs(error, events, failures) {
      const delayMs = jitteredBackoffMs(failures + 1, { firstMs: retryMsMin, maxMs: retryMsMax });
      logger.warn(
        { err: error, follower: name, sequence: events[0]!.sequence, failures, delayMs },
        "events are handled again later",
      );
      return delayMs;
    },
  });
  signal.addEventListener("abort", () => void processor.stop(), { once: true });
  return processor;
}

/** Writes the cursor twice a second, and a last time at the end. Rejects after a conflict: another process follows. */
async function writeCursor(
  { log, name, logger, stream, ...deps }: StreamFollowerDeps,
  found: LogRecord<Cursor>,
  processor: WindowedProcessor<ReadEvent>,
  signal: AbortSignal,
): Promise<void> {
  const subject = subjects.cursor(stream.index, name);
  let expected = found.sequence;
  let written = found.value?.stateSequence ?? 0;
  let lastTried: number | undefined;

  async function write(): Promise<void> {
    const mark = processor.lowWaterMark();
    if (mark === undefined || mark.sequence <= written) return;
    if (deps.failpoint !== undefined) failpoint(deps.failpoint);
    const value: Cursor = { v: 1, stateSequence: mark.sequence, eventSequence: mark.eventSequence };
    try {
      const tried = lastTried;
      lastTried = mark.sequence;
      if (tried !== undefined) expected = await adopt(tried);
      expected = (await log.commit("cursor", [{ subject, value, expected }])).firstSequence;
    } catch (error) {
      if (error instanceof LogConflict || !isRetryableLogError(error)) throw error;
      return;
    }
    written = mark.sequence;
    lastTried = undefined;
  }

  /** The expected sequence after a lost answer: of the record as it was, or as this process wrote it. */
  async function adopt(tried: number): Promise<number> {
    const record = await log.read<Cursor>(subject);
    if (record.sequence === expected || record.value?.stateSequence === tried) return record.sequence;
    throw new LogConflict("cursor");
  }

  while (!signal.aborted) {
    await pause(cursorEveryMs, signal);
    await write();
  }
  await processor.stop();
  await write().catch((error: unknown) =>
    logger.debug({ err: error, follower: name }, "the last cursor was not written"),
  );
}

interface TracedFollower {
  readonly name: string;
  readonly stream: StateStream;
  readonly dueAtMs?: unknown;
}

/** A span for the handling of these events, in the trace of each. An event that waits for its time is not traced: its trace ended long ago. */
function traceEvents(
  { name, stream, dueAtMs }: TracedFollower,
  events: readonly { readonly event: PackshotEvent }[],
  act: () => Promise<void>,
): Promise<void> {
  if (!isTracing() || dueAtMs !== undefined) return act();
  const attributes = {
    "messaging.system.name": "nats",
    "messaging.operation.name": "process",
    "messaging.operation.type": "process",
    "messaging.destination.name": stream.events,
    "messaging.consumer.group.name": name,
    "messaging.batch.message_count": events.length,
  };
  const causes = events.map(({ event }) => ("traceparent" in event ? event.traceparent : undefined));
  return tracedBatch(`process ${stream.events}`, { kind: "consumer", attributes }, causes, act);
}
