/**
 * Watches whether the log has room and whether its copies (`PS_READY`, `PS_EVENTS`, `PS_LEDGER`) follow the state streams.
 * What a copy lacks lives for an hour in the state stream. So edits are refused when a copy has stood still for a quarter
 * of that, or when a stream has little room left: claims, ends and settlements of the jobs that are there still fit, in bytes
 * and in time. Followers read the state stream itself while the copy of its events stands still. Edits are not refused
 * because deliveries wait or attempts are many: what one account's endpoints leave must not stop the others.
 *
 *   const watch = createLogWatch({ log, logger, registry });
 *   watch.assertAccepting();
 */
import { PackshotError } from "@packshot/domain/errors.ts";
import { streams, ttlSeconds } from "@packshot/domain/subjects.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { Gauge, type Registry } from "prom-client";
import type { Log } from "../log.ts";
import { type CopySource, readStreamInfo, type StreamInfo } from "../nats/jetstream-request.ts";
import { readNextMessage } from "../nats/leader-read.ts";
import { bytesMaxMetadata, fillMax } from "../nats/streams.ts";

export interface LogWatchDeps {
  readonly log: Log;
  readonly logger: Logger;
  /** undefined: no metrics. */
  readonly registry?: Registry;
  /** Milliseconds since the epoch. */
  readonly nowMs?: () => number;
  readonly times?: Partial<LogWatchTimes>;
}

export interface LogWatchTimes {
  readonly everyMs: number;
  /** Followers then read the state stream. */
  readonly bypassAfterMs: number;
  /** Edits are then refused. */
  readonly refuseAfterMs: number;
}

export type BypassFrom = (copy: string) => number | undefined;

export interface LogWatch extends Component {
  /** Throws `unavailable` while the log should take no further jobs. */
  assertAccepting(): void;
  /**
   * While the copy of one state stream has stood still for long: the sequence there up to which it has everything. Whoever
   * has read so far should go on in the state stream; undefined while the copy follows.
   */
  readonly bypassFrom: BypassFrom;
  /** As last found. */
  readings(): LogReadings & { readonly refusal: string | undefined };
  /** The part of its bytes that a stream had when it was last read; 0 where there is no limit. */
  fill(stream: string): number;
}

const timesDefault: LogWatchTimes = {
  everyMs: 2_000,
  bypassAfterMs: 60_000,
  refuseAfterMs: (ttlSeconds.outbox * 1000) / 4,
};

/** Neither refuses edits: deliveries stop waiting for failing endpoints, and the oldest attempts go by themselves. */
const neverRefusing: readonly string[] = [streams.deliveries, streams.attempts];
/** The queue has room again below this part of the bytes at which it has none, so that the lines do not alternate. */
const roomAgain = 0.8;

export function createLogWatch(deps: LogWatchDeps): LogWatch {
  const { log, logger, registry, nowMs = Date.now } = deps;
  const times = { ...timesDefault, ...deps.times };
  const readings: LogReadings = { bytes: new Map(), lagMs: new Map() };
  /** In the state stream: a copy lacks nothing up to there. */
  const searchedTo = new Map<string, number>();
  const copiedThrough = new Map<string, number>();
  const stopping = new AbortController();
  let refusal: string | undefined;
  let hasQueueRoom = true;
  let watching: Promise<void> | undefined;
  if (registry !== undefined) registerLogMetrics(registry, readings, () => refusal !== undefined);

  async function look(): Promise<void> {
    const { connection, stateStreams } = log;
    const read = async (name: string) => {
      const info = await readStreamInfo(connection, name);
      noteBytes(name, info);
      return info;
    };
    // The copies after them: what stands in a state stream by now is to be in its copies soon.
    const states = await Promise.all(stateStreams.map(async ({ state }) => [state, await read(state)] as const));
    const lastSequences = new Map(states.map(([name, info]) => [name, info.state.last_seq]));
    const copies = [streams.ready, streams.ledger, ...stateStreams.map(({ events }) => events)];
    await Promise.all([
      ...neverRefusing.map(read),
      ...copies.map(async (copy) => {
        const { sources = [] } = await read(copy);
        if (sources.length === 1) copiedThrough.set(copy, sources[0]!.seq ?? 0);
        const lags = sources.map((source) => lagOf(copy, source, lastSequences.get(source.name) ?? 0));
        // Without its sources it will never copy anything.
        const lagMs = sources.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...(await Promise.all(lags)));
        readings.lagMs.set(copy, lagMs);
      }),
    ]);
  }

  function noteBytes(name: string, { config, state }: StreamInfo): void {
    const max = Number(config.metadata?.[bytesMaxMetadata] ?? Math.max(0, config.max_bytes ?? 0));
    readings.bytes.set(name, { used: state.bytes, max });
  }

  /**
   * Age of the first record that the copy lacks. What nats-server calls lag is 0 while a single message cannot be stored,
   * so the record is looked for: only in what was written since the last look, because a search to the end of the stream
   * holds up commits. A process that has just started begins where the copy stands if that has a lag.
   */
  async function lagOf(copy: string, { name, seq = 0, lag, ...source }: CopySource, last: number): Promise<number> {
    const key = `${copy} ${name}`;
    const from = Math.max(seq, searchedTo.get(key) ?? (lag > 0 ? seq : last));
    const filter = source.subject_transforms?.[0]?.src ?? source.filter_subject!;
    const missing = await readNextMessage(log.connection, name, filter, from + 1);
    if (missing !== undefined) return Math.max(0, nowMs() - missing.storedAtMs);
    searchedTo.set(key, last);
    return 0;
  }

  function findRefusal(): string | undefined {
    for (const [name, lagMs] of readings.lagMs) {
      if (lagMs === Number.POSITIVE_INFINITY) return `${name} has no sources: run "packshot migrate"`;
      if (lagMs > times.refuseAfterMs) return `${name} has copied nothing for ${Math.round(lagMs / 60_000)} minutes`;
    }
    for (const [name, { used, max }] of readings.bytes) {
      if (!neverRefusing.includes(name) && fill(name) > fillMax(name))
        return `${name} has ${used} of the ${max} bytes that it may have`;
    }
    return undefined;
  }

  function fill(stream: string): number {
    const { used, max } = readings.bytes.get(stream) ?? { used: 0, max: 0 };
    return max > 0 ? used / max : 0;
  }

  function noteQueueRoom(): void {
    const queue = streams.deliveries;
    const hadRoom = hasQueueRoom;
    hasQueueRoom = fill(queue) <= (hadRoom ? 1 : roomAgain) * fillMax(queue);
    if (hasQueueRoom === hadRoom) return;
    if (hasQueueRoom) {
      logger.info({}, `${queue} has room again`);
      return;
    }
    const { used, max } = readings.bytes.get(queue)!;
    const found = `${queue} has ${used} of the ${max} bytes that it may have`;
    logger.error({ used, max }, `${found}: deliveries to failing endpoints end as failed`);
  }

  async function lookOnce(): Promise<void> {
    try {
      await look();
    } catch (error) {
      // The check of the connection says so; what was found last counts on.
      logger.debug({ err: error }, "the log was not watched this time");
      return;
    }
    noteQueueRoom();
    const found = findRefusal();
    if (found !== undefined && refusal === undefined) logger.error({ reason: found }, `edits are refused: ${found}`);
    if (found === undefined && refusal !== undefined) logger.info({ before: refusal }, "edits are accepted again");
    refusal = found;
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(times.everyMs, stopping.signal);
      if (!stopping.signal.aborted) await lookOnce();
    }
  }

  return {
    name: "log watch",
    async start() {
      if (watching !== undefined) return;
      await lookOnce();
      watching = watch();
    },
    async stop() {
      stopping.abort();
      await watching;
    },
    assertAccepting() {
      if (refusal === undefined) return;
      throw new PackshotError("unavailable", "No further edits can be taken at present; try again later.");
    },
    fill,
    readings: () => ({ ...readings, refusal }),
    bypassFrom: (copy) => ((readings.lagMs.get(copy) ?? 0) > times.bypassAfterMs ? copiedThrough.get(copy) : undefined),
  };
}

/** As last found. */
export interface LogReadings {
  readonly bytes: Map<string, { readonly used: number; readonly max: number }>;
  /** Age of the oldest record that each copy lacks. */
  readonly lagMs: Map<string, number>;
}

function registerLogMetrics(registry: Registry, { bytes, lagMs }: LogReadings, isRefusing: () => boolean): void {
  const registers = [registry];
  new Gauge({
    name: "packshot_log_stream_bytes",
    help: "Bytes of each stream of the log.",
    labelNames: ["stream"],
    registers,
    collect() {
      for (const [stream, { used }] of bytes) this.set({ stream }, used);
    },
  });
  new Gauge({
    name: "packshot_log_stream_bytes_max",
    help: "Bytes that each stream may have; edits are refused above half of them in a state stream, above nine tenths in its copies. 0: no limit.",
    labelNames: ["stream"],
    registers,
    collect() {
      for (const [stream, { max }] of bytes) this.set({ stream }, max);
    },
  });
  new Gauge({
    name: "packshot_log_copy_lag_seconds",
    help: "Age of the oldest record that each copy of the state streams lacks. What it lacks expires after an hour.",
    labelNames: ["stream"],
    registers,
    collect() {
      for (const [stream, ms] of lagMs) this.set({ stream }, ms / 1000);
    },
  });
  new Gauge({
    name: "packshot_log_refuses_edits",
    help: "1 while edits are refused because the log is nearly full or a copy stands still.",
    registers,
    collect() {
      this.set(isRefusing() ? 1 : 0);
    },
  });
}
