/**
 * Reads the events that a follower handles, in order, and waits at each until it is due.
 *
 * Events that wait are not held in memory: an hour of them may be millions. So those after one wait, too, which delays none while
 * each waits equally long. Where that time has been shortened, a second reader goes on from the event that waits for longer, to
 * those that wait for less; it ends when the first one has come to where it is. Neither keeps more than its window, and after a
 * restart the cursor, which is the first one's alone, brings all of it again.
 */
import type { JsMsg } from "@nats-io/jetstream";
import { subjects } from "@packshot/domain/subjects.ts";
import type { PackshotEvent } from "@packshot/domain/webhooks/event.ts";
import { jitteredBackoffMs, pause } from "@packshot/platform/flow/pause.ts";
import type { WindowedProcessor } from "@packshot/platform/flow/windowed-processor.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { isApiAnswer, type Log } from "../log.ts";
import { readMessage } from "../nats/leader-read.ts";
import type { StateStream } from "../nats/state-streams.ts";
import { readInOrder } from "./ordered-reader.ts";
import { sourceSequence, streamSource, streamSourceIn } from "./stream-source.ts";

export interface FollowedEvent {
  readonly event: PackshotEvent;
  /** The event's sequence in its state stream; cursors and `settledThrough` count in it. */
  readonly sequence: number;
}

export interface ReadEvent extends FollowedEvent {
  readonly eventSequence: number;
}

export interface Cursor {
  readonly v: 1;
  /** Sequence in the state stream of the last event with nothing unfinished before it. */
  readonly stateSequence: number;
  /** In the events stream, of that event or of an earlier one: a hint, valid only if that message says so. */
  readonly eventSequence: number;
}

/** Where reading begins, in the copy of the events or past it. */
export interface ReadingStart {
  readonly isBypass: boolean;
  readonly fromSequence: number;
  /** Events up to here, in the state stream, are handled. */
  readonly after: number;
  /** The cursor's sequence in the copy of the events. */
  readonly eventSequence: number;
}

export function bypassStart(cursor: Cursor | undefined): ReadingStart {
  const { stateSequence: after, eventSequence } = cursor ?? { stateSequence: 0, eventSequence: 0 };
  return { isBypass: true, fromSequence: after + 1, after, eventSequence };
}

export async function copyStart(
  { log, stream }: { readonly log: Log; readonly stream: StateStream },
  cursor: Cursor | undefined,
): Promise<ReadingStart> {
  const fromTheFirst = { isBypass: false, fromSequence: 1, after: cursor?.stateSequence ?? 0, eventSequence: 0 };
  if (cursor === undefined || cursor.eventSequence === 0) return fromTheFirst;
  const message = await readMessage(log.connection, stream.events, cursor.eventSequence);
  const sequence = sourceSequence(streamSourceIn(message?.headerText), stream.state);
  if (sequence === undefined || sequence > cursor.stateSequence) return fromTheFirst;
  return { ...fromTheFirst, fromSequence: cursor.eventSequence + 1 };
}

export interface ReadEventsDeps {
  readonly name: string;
  readonly log: Log;
  readonly logger: Logger;
  readonly stream: StateStream;
  readonly nowMs?: () => number;
  readonly wants: (event: PackshotEvent) => boolean;
  readonly groupOf?: (event: PackshotEvent) => string;
  readonly dueAtMs?: (event: PackshotEvent) => number;
  readonly waitMs?: number;
  readonly onMessage: (message: JsMsg) => void;
}

export interface Reading {
  readonly start: ReadingStart;
  readonly processor: WindowedProcessor<ReadEvent>;
  /** A processor for events that are read past others, until the signal aborts. */
  readonly createOvertaking: (signal: AbortSignal) => WindowedProcessor<ReadEvent>;
  readonly signal: AbortSignal;
}

/** Until what failed is tried again. */
export const retryMsMin = 100;
export const retryMsMax = 30_000;

/** Readers past another at once: each is for a time to wait that was shortened again. */
const overtakingMax = 3;

/** Resolves when `signal` aborts. */
export async function readEvents(deps: ReadEventsDeps, reading: Reading, overtaken = 0): Promise<void> {
  const { log, logger, name, stream, nowMs = Date.now, dueAtMs = () => 0, waitMs = Number.POSITIVE_INFINITY } = deps;
  const { start, processor, signal } = reading;
  const { isBypass, fromSequence } = start;
  const from = isBypass
    ? { stream: stream.state, filters: [subjects.event("*", "*", "*")] }
    : { stream: stream.events };
  let overtaking: Overtaking | undefined;
  try {
    for await (const message of readInOrder({ connection: log.connection, ...from, fromSequence, signal, logger })) {
      const read = isBypass ? parseOriginal(message, start) : parseCopy(message, stream);
      deps.onMessage(message);
      if (read === undefined) {
        logger.error({ follower: name, eventSequence: message.seq, subject: message.subject }, "not an event: skipped");
        continue;
      }
      if (read.sequence <= start.after) continue;
      const { event } = read;
      await processor.waitForCapacity();
      if (!deps.wants(event)) {
        processor.skip(read);
        continue;
      }
      const dueMs = dueAtMs(event);
      const waitsMs = dueMs - Date.parse(event.createdAt);
      if (waitsMs <= waitMs) {
        if (overtaking?.isReachedBy(message.seq)) overtaking = await overtaking.end();
      } else if (nowMs() < dueMs && overtaken < overtakingMax) {
        overtaking ??= overtake(deps, reading, { sequence: message.seq, waitsMs, overtaken });
      }
      while (!signal.aborted && nowMs() < dueMs) await pause(dueMs - nowMs(), signal);
      if (signal.aborted) break;
      processor.add(read, deps.groupOf?.(event) ?? String(read.sequence));
    }
  } finally {
    await overtaking?.end();
  }
}

interface Overtaking {
  /** Whether it has read no further than this message. */
  isReachedBy(sequence: number): boolean;
  end(): Promise<undefined>;
}

/** Reads on from a message whose event waits for long, to those that wait for less. */
function overtake(
  deps: ReadEventsDeps,
  { start, createOvertaking, signal: ofOvertaken }: Reading,
  past: { readonly sequence: number; readonly waitsMs: number; readonly overtaken: number },
): Overtaking {
  const { dueAtMs = () => 0 } = deps;
  const ending = new AbortController();
  const signal = AbortSignal.any([ofOvertaken, ending.signal]);
  const processor = createOvertaking(signal);
  let readThrough = past.sequence;
  let failures = 0;
  const wants = (event: PackshotEvent) =>
    deps.wants(event) && dueAtMs(event) - Date.parse(event.createdAt) < past.waitsMs;
  const onMessage = ({ seq }: JsMsg) => {
    // The message at which it failed comes again before anything else.
    if (seq > readThrough) failures = 0;
    readThrough = seq;
  };

  /** After a failure again from the message at which it failed: the one that it reads past waits for too long to be wanted. */
  async function readOn(): Promise<void> {
    while (!signal.aborted) {
      const reading = { start: { ...start, fromSequence: readThrough }, processor, createOvertaking, signal };
      try {
        await readEvents({ ...deps, wants, onMessage }, reading, past.overtaken + 1);
      } catch (error) {
        failures += 1;
        const delayMs = jitteredBackoffMs(failures, { firstMs: retryMsMin, maxMs: retryMsMax });
        const { name, logger } = deps;
        logger.warn({ err: error, follower: name, delayMs }, "events that are due wait for those before them");
        await pause(delayMs, signal);
      }
    }
  }

  const done = readOn();
  return {
    isReachedBy: (sequence) => sequence >= readThrough,
    async end() {
      ending.abort();
      await done;
      await processor.stop();
      return undefined;
    },
  };
}

function parseCopy(message: JsMsg, { state }: StateStream): ReadEvent | undefined {
  const sequence = sourceSequence(streamSource(message.headers?.get("Nats-Stream-Source")), state);
  return sequence === undefined ? undefined : parseEvent(message, { sequence, eventSequence: message.seq });
}

function parseOriginal(message: JsMsg, { eventSequence }: ReadingStart): ReadEvent | undefined {
  return parseEvent(message, { sequence: message.seq, eventSequence });
}

function parseEvent(message: JsMsg, at: Pick<ReadEvent, "sequence" | "eventSequence">): ReadEvent | undefined {
  if (message.data.length === 0 || isApiAnswer(message.data)) return undefined;
  try {
    return { event: message.json<PackshotEvent>(), ...at };
  } catch {
    return undefined;
  }
}
