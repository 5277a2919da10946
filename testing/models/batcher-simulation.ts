/** Simulates arrivals at one batcher on a virtual clock: arrivals and costs in, outcomes out. No real time passes. */
import { expect } from "vitest";
import { type Batch, createBatcher } from "../../services/inference/model-server/batcher.ts";
import { createCostModel } from "../../services/inference/model-server/cost-model.ts";
import type { QueuedRequest } from "../../services/inference/model-server/fair-queue.ts";

export interface Arrival {
  readonly atMs: number;
  readonly tenant: string;
  readonly rows: number;
  readonly priority: number;
  /** Counted from the arrival. */
  readonly patienceMs: number;
  /** The client cancels this long after the arrival; null: never. */
  readonly cancelledAfterMs: number | null;
}

export type Outcome =
  | {
      readonly kind: "answered";
      readonly afterMs: number;
      readonly late: boolean;
      readonly startedAtMs: number;
      readonly order: number;
    }
  | { readonly kind: "rejected"; readonly reason: string }
  | { readonly kind: "cancelled" };

export interface SimulatedServer {
  readonly buckets: readonly number[];
  readonly instances: number;
  readonly queueRowsMax: number;
  readonly costMs: (bucket: number) => number;
}

export interface SimulationResult {
  readonly outcomes: readonly (Outcome | undefined)[];
  readonly queuedRowsMax: number;
  readonly endedAtMs: number;
}

/** Runs events in the order of their times; an event may schedule others. */
function createVirtualClock() {
  const events: { readonly atMs: number; readonly run: () => void }[] = [];
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    at: (atMs: number, run: () => void): void => void events.push({ atMs, run }),
    runAll(): void {
      while (events.length > 0) {
        let first = 0;
        for (let each = 1; each < events.length; each += 1) if (events[each]!.atMs < events[first]!.atMs) first = each;
        const [event] = events.splice(first, 1);
        nowMs = event!.atMs;
        event!.run();
      }
    },
  };
}

/** `onBatch` is called with every batch that starts. */
export function simulate(
  server: SimulatedServer,
  arrivals: readonly Arrival[],
  onBatch: (batch: Batch) => void = () => {},
): SimulationResult {
  const costs = createCostModel();
  for (const bucket of server.buckets) costs.observe(bucket, server.costMs(bucket));
  const batcher = createBatcher({ ...server, costs });
  const outcomes: (Outcome | undefined)[] = arrivals.map(() => undefined);
  const { nowMs, at, runAll } = createVirtualClock();
  let idle = server.instances;
  let queuedRowsMax = 0;
  let order = 0;

  function end(request: QueuedRequest, outcome: Outcome): void {
    if (outcomes[request.id]?.kind === "cancelled") return;
    expect(outcomes[request.id]).toBeUndefined();
    outcomes[request.id] = outcome;
  }

  function dispatch(): void {
    while (idle > 0) {
      const { batch, rejected } = batcher.nextBatch(nowMs());
      for (const { request, reason } of rejected) end(request, { kind: "rejected", reason });
      if (!batch) return;
      onBatch(batch);
      start(batch);
    }
  }

  function start(batch: Batch): void {
    idle -= 1;
    const startedAtMs = nowMs();
    batcher.batchStarted(batch, startedAtMs);
    for (const request of batch.requests) expect(outcomes[request.id]).toBeUndefined();
    const running = batch.requests.map((request) => ({ request, order: order++ }));
    at(startedAtMs + server.costMs(batch.bucket), () => {
      idle += 1;
      batcher.batchFinished(batch, startedAtMs, nowMs());
      for (const { request, order } of running) {
        const afterMs = nowMs() - request.arrivedAtMs;
        const late = nowMs() > request.deadlineAtMs;
        end(request, { kind: "answered", afterMs, late, startedAtMs, order });
      }
      dispatch();
    });
  }

  function arrive(id: number, { tenant, rows, priority, patienceMs }: Arrival): void {
    const times = { arrivedAtMs: nowMs(), deadlineAtMs: nowMs() + patienceMs };
    const rejected = batcher.enqueue({ id, tenant, rows, priority, ...times, unbatched: false }, nowMs());
    for (const { request, reason } of rejected) end(request, { kind: "rejected", reason });
    queuedRowsMax = Math.max(queuedRowsMax, batcher.queuedRows());
    dispatch();
  }

  for (const [id, arrival] of arrivals.entries()) {
    at(arrival.atMs, () => arrive(id, arrival));
    if (arrival.cancelledAfterMs === null) continue;
    at(arrival.atMs + arrival.cancelledAfterMs, () => {
      if (outcomes[id] === undefined && batcher.cancel(id)) outcomes[id] = { kind: "cancelled" };
    });
  }
  runAll();
  return { outcomes, queuedRowsMax, endedAtMs: nowMs() };
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
    cancelledAfterMs: null,
  });
  return Array.from({ length: count }, (_, at) => each(at));
}

/** Poisson arrivals: exponential gaps from a fixed seed. */
export function poisson(tenant: string, everyMs: number, untilMs: number, seed: number): Arrival[] {
  const arrivals: Arrival[] = [];
  let state = seed;
  for (let atMs = 0; atMs < untilMs; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    atMs += -Math.log((state + 1) / 2 ** 32) * everyMs;
    arrivals.push({ ...steady(tenant, 1, 1)[0]!, atMs });
  }
  return arrivals;
}
