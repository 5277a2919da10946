/**
 * How many jobs wait for a worker, and how long the oldest has, by lane. Every API process asks and reports the same numbers,
 * every five seconds, so that a scrape costs the log no request and no work that grows with accounts or jobs.
 */
import { type Lane, lanes } from "@packshot/domain/accounts/lane.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { readConsumerBacklog } from "@packshot/log/nats/jetstream-request.ts";
import { readNextMessage } from "@packshot/log/nats/leader-read.ts";
import { laneConsumerName } from "@packshot/log/nats/streams.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { createSampler } from "@packshot/platform/lifecycle/periodic-check.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { Gauge, type Registry } from "prom-client";

export interface QueueWatchDeps {
  readonly log: Log;
  readonly registry: Registry;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  readonly everyMs?: number;
}

export interface QueueWatch extends Component {
  /** As last found; empty before that, and after an outage of the log. */
  readings(): ReadonlyMap<Lane, LaneReading>;
}

export interface LaneReading {
  readonly pending: number;
  readonly taken: number;
  /** When the oldest of the pending jobs entered the queue. */
  readonly oldestSinceMs: number | undefined;
}

export function createQueueWatch({ log, registry, logger, nowMs, everyMs = 5_000 }: QueueWatchDeps): QueueWatch {
  const readings = new Map<Lane, LaneReading>();
  const { connection } = log;

  async function readLane(lane: Lane): Promise<void> {
    const backlog = await readConsumerBacklog(connection, streams.ready, laneConsumerName(lane));
    const { pending, taken, takenThrough } = backlog;
    // There is a message to be found, because one is pending: the search ends there.
    const filter = subjects.ready(lane, "*", "*");
    const oldest =
      pending === 0 ? undefined : await readNextMessage(connection, streams.ready, filter, takenThrough + 1);
    readings.set(lane, { pending, taken, oldestSinceMs: oldest?.storedAtMs });
  }

  registerQueueMetrics(registry, readings, nowMs);
  const sampler = createSampler({
    name: "queue watch",
    everyMs,
    logger,
    sample: async () => void (await Promise.all(lanes.map(readLane))),
    forget: () => readings.clear(),
  });
  return { ...sampler, readings: () => readings };
}

function registerQueueMetrics(registry: Registry, readings: ReadonlyMap<Lane, LaneReading>, nowMs: () => number): void {
  const common = { labelNames: ["lane"], registers: [registry] };

  function collectInto(gauge: Gauge, measure: (reading: LaneReading) => number): void {
    gauge.reset();
    for (const [lane, reading] of readings) gauge.set({ lane: String(lane) }, measure(reading));
  }

  new Gauge({
    ...common,
    name: "packshot_queue_ready_jobs",
    help: "Jobs that wait for a worker, by lane: 0 to 3 are live, 4 is of sandbox jobs. Every API process reports all of them.",
    collect() {
      collectInto(this, ({ pending }) => pending);
    },
  });
  new Gauge({
    ...common,
    name: "packshot_queue_taken_jobs",
    help: "Jobs that a worker has taken from the lane and not finished, or returned for a later time.",
    collect() {
      collectInto(this, ({ taken }) => taken);
    },
  });
  new Gauge({
    ...common,
    name: "packshot_queue_oldest_job_age_seconds",
    help: "How long the oldest job of the lane has waited for a worker; 0 when none waits.",
    collect() {
      collectInto(this, ({ oldestSinceMs }) =>
        oldestSinceMs === undefined ? 0 : Math.max(0, (nowMs() - oldestSinceMs) / 1000),
      );
    },
  });
}
