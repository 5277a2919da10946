/** Deliveries per second, and the time from an event to the first byte at its receiver. */
import type { ChildProcess } from "node:child_process";
import type { Log } from "@packshot/log/log.ts";
import { emit, endedEvent } from "../../testing/webhooks/webhook-records.ts";
import { quantile } from "../measuring/statistics.ts";

const eventsAtOnceMax = 200;

export interface Ports {
  readonly healthy: readonly number[];
  readonly control: readonly number[];
  readonly unhealthy: readonly number[];
}

/** When the first byte of each event arrived, as the receivers' process reports it. */
export interface Arrivals {
  readonly ports: Ports;
  readonly atMs: Map<string, number>;
  /** Resolves when so many events have arrived since `atMs` was cleared. */
  until(count: number): Promise<void>;
}

export async function followArrivals(receivers: ChildProcess): Promise<Arrivals> {
  const atMs = new Map<string, number>();
  let onArrival = () => {};
  const ports = await new Promise<Ports>((resolve) => {
    receivers.on("message", (said: Partial<Ports> & { arrivals?: [string, number][] }) => {
      if (said.healthy !== undefined) resolve(said as Ports);
      for (const [id, at] of said.arrivals ?? []) if (!atMs.has(id)) atMs.set(id, at);
      onArrival();
    });
  });
  return {
    ports,
    atMs,
    until: (count) =>
      new Promise<void>((resolve) => {
        onArrival = () => {
          if (atMs.size >= count) resolve();
        };
        onArrival();
      }),
  };
}

export interface Setup {
  readonly log: Log;
  readonly arrivals: Arrivals;
  readonly accounts: readonly string[];
}

const nowMs = () => performance.timeOrigin + performance.now();

/** All events are committed as fast as they go; the clock runs from the first commit to the last first byte. */
export async function measureThroughput({ log, arrivals, accounts }: Setup, events: number): Promise<number> {
  arrivals.atMs.clear();
  const startedMs = nowMs();
  for (let sent = 0; sent < events; sent += eventsAtOnceMax) {
    const some = Array.from({ length: eventsAtOnceMax }, (_, n) => endedEvent(accounts[(sent + n) % accounts.length]!));
    await emit(log, ...some);
  }
  await arrivals.until(events);
  return events / ((Math.max(...arrivals.atMs.values()) - startedMs) / 1000);
}

/** Milliseconds to the receiver's first byte, from before the event's commit and from its answer. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly p50Committed: number;
  readonly p90Committed: number;
  readonly p99Committed: number;
}

/** Single events at a steady rate. */
export async function measureLatency(
  { log, arrivals, accounts }: Setup,
  samples: number,
  perSecond: number,
): Promise<Latency> {
  arrivals.atMs.clear();
  const begunAtMs = new Map<string, number>();
  const committedAtMs = new Map<string, number>();
  const commits: Promise<void>[] = [];
  const startedMs = nowMs();
  for (let n = 0; n < samples; n++) {
    const waitMs = startedMs + (n * 1000) / perSecond - nowMs();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const event = endedEvent(accounts[n % accounts.length]!);
    begunAtMs.set(event.eventId, nowMs());
    commits.push(emit(log, event).then(() => void committedAtMs.set(event.eventId, nowMs())));
  }
  await Promise.all(commits);
  await arrivals.until(samples);
  const since = (from: ReadonlyMap<string, number>) =>
    [...arrivals.atMs].map(([id, at]) => at - from.get(id)!).sort((a, b) => a - b);
  const begun = since(begunAtMs);
  const committed = since(committedAtMs);
  return {
    p50: quantile(begun, 0.5),
    p99: quantile(begun, 0.99),
    p50Committed: quantile(committed, 0.5),
    p90Committed: quantile(committed, 0.9),
    p99Committed: quantile(committed, 0.99),
  };
}
