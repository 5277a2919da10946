/** Plays arrivals against one batcher on a virtual clock: arrivals and costs in, outcomes out, no real time passes. */
import { expect } from "vitest";
import { type Batch, type Batcher, createBatcher } from "./batcher.ts";
import { createCostModel } from "./cost-model.ts";
import type { Waiting } from "./fair-queue.ts";

export interface Arrival {
  readonly atMs: number;
  readonly tenant: string;
  readonly rows: number;
  readonly priority: number;
  /** From the arrival on. */
  readonly patienceMs: number;
  /** Taken back so long after the arrival; null: never. */
  readonly abandonedAfterMs: number | null;
}

export type Outcome =
  | {
      readonly kind: "answered";
      readonly afterMs: number;
      readonly late: boolean;
      readonly startedAtMs: number;
      readonly order: number;
    }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "abandoned" };

export interface Server {
  readonly buckets: readonly number[];
  readonly instances: number;
  readonly queueRowsMax: number;
  readonly costMs: (bucket: number) => number;
}

export interface Result {
  readonly outcomes: readonly (Outcome | undefined)[];
  readonly queueRowsSeen: number;
  readonly endedAtMs: number;
}

/** `check` sees every batch that starts. */
export function simulate(
  server: Server,
  arrivals: readonly Arrival[],
  check: (batch: Batch, batcher: Batcher) => void = () => {},
): Result {
  const costs = createCostModel();
  for (const bucket of server.buckets) costs.observe(bucket, server.costMs(bucket));
  const batcher = createBatcher({ ...server, costs });
  const outcomes: (Outcome | undefined)[] = arrivals.map(() => undefined);
  type Event = { atMs: number; run: () => void };
  const events: Event[] = [];
  const at = (atMs: number, run: () => void): void => void events.push({ atMs, run });
  let nowMs = 0;
  let idle = server.instances;
  let queueRowsSeen = 0;
  let order = 0;

  const settle = (request: Waiting, outcome: Outcome): void => {
    if (outcomes[request.id]?.kind === "abandoned") return;
    expect(outcomes[request.id]).toBeUndefined();
    outcomes[request.id] = outcome;
  };
  function dispatch(): void {
    while (idle > 0) {
      const { batch, refused } = batcher.take(nowMs);
      for (const { request, reason } of refused) settle(request, { kind: "refused", reason });
      if (!batch) return;
      check(batch, batcher);
      start(batch);
    }
  }
  function start(batch: Batch): void {
    idle -= 1;
    const startedAtMs = nowMs;
    batcher.started(batch, nowMs);
    for (const request of batch.requests) expect(outcomes[request.id]).toBeUndefined();
    const started = batch.requests.map((request) => ({ request, order: order++ }));
    at(nowMs + server.costMs(batch.bucket), () => {
      idle += 1;
      batcher.finished(batch, startedAtMs, nowMs);
      for (const each of started) {
        const afterMs = nowMs - each.request.arrivedAtMs;
        settle(each.request, {
          kind: "answered",
          afterMs,
          late: nowMs > each.request.deadlineAtMs,
          startedAtMs,
          order: each.order,
        });
      }
      dispatch();
    });
  }
  for (const [id, arrival] of arrivals.entries()) {
    at(arrival.atMs, () => {
      const { tenant, rows, priority, patienceMs } = arrival;
      const request = {
        id,
        tenant,
        rows,
        priority,
        arrivedAtMs: nowMs,
        deadlineAtMs: nowMs + patienceMs,
        alone: false,
      };
      for (const { request: gone, reason } of batcher.offer(request, nowMs)) settle(gone, { kind: "refused", reason });
      queueRowsSeen = Math.max(queueRowsSeen, batcher.waitingRows());
      dispatch();
    });
    if (arrival.abandonedAfterMs !== null) {
      at(arrival.atMs + arrival.abandonedAfterMs, () => {
        if (outcomes[id] !== undefined) return;
        if (batcher.abandon(id)) outcomes[id] = { kind: "abandoned" };
      });
    }
  }
  while (events.length > 0) {
    let first = 0;
    for (let each = 1; each < events.length; each += 1) if (events[each]!.atMs < events[first]!.atMs) first = each;
    const [event] = events.splice(first, 1);
    nowMs = event!.atMs;
    event!.run();
  }
  return { outcomes, queueRowsSeen, endedAtMs: nowMs };
}

export function steady(
  tenant: string,
  everyMs: number,
  untilMs: number,
  patienceMs = Number.POSITIVE_INFINITY,
  startMs = 0,
): Arrival[] {
  const count = Math.floor((untilMs - startMs) / everyMs);
  const each = (at: number) => ({
    atMs: startMs + at * everyMs,
    tenant,
    rows: 1,
    priority: 1,
    patienceMs,
    abandonedAfterMs: null,
  });
  return Array.from({ length: count }, (_, at) => each(at));
}

/** Comes by chance, as people do: exponential gaps from a fixed seed. */
export function byChance(tenant: string, everyMs: number, untilMs: number, seed: number): Arrival[] {
  const arrivals: Arrival[] = [];
  let state = seed;
  for (let atMs = 0; atMs < untilMs; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    atMs += -Math.log((state + 1) / 2 ** 32) * everyMs;
    arrivals.push({ ...steady(tenant, 1, 1)[0]!, atMs });
  }
  return arrivals;
}
