/** The batcher's promises, checked on a virtual clock. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Arrival,
  type Outcome,
  poisson,
  type SimulatedServer,
  type SimulationResult,
  simulate,
  steady,
} from "../../../testing/models/batcher-simulation.ts";
import { createBatcher } from "./batcher.ts";
import { createCostModel } from "./cost-model.ts";
import type { QueuedRequest } from "./fair-queue.ts";

/** A GPU: a batch of 16 costs 4 times a single one. A CPU: rows cost the same in any batch. */
const gpu: SimulatedServer = { buckets: [1, 2, 4, 8, 16], instances: 1, queueRowsMax: 64, costMs: (n) => 8 + 2 * n };
const cpu: SimulatedServer = { buckets: [1, 2, 4, 8, 16], instances: 1, queueRowsMax: 64, costMs: (n) => 190 * n };

const answered = (result: SimulationResult) => result.outcomes.filter((outcome) => outcome?.kind === "answered");
function p99(arrivals: readonly Arrival[], result: SimulationResult, tenant: string): number {
  const waits = result.outcomes.flatMap((outcome, id) =>
    arrivals[id]!.tenant === tenant && outcome?.kind === "answered" ? [outcome.afterMs] : [],
  );
  waits.sort((a, b) => a - b);
  return waits[Math.ceil(waits.length * 0.99) - 1]!;
}

const anyArrivals = fc.array(
  fc.record({
    atMs: fc.integer({ min: 0, max: 400 }),
    tenant: fc.constantFrom("a", "b", "c"),
    rows: fc.integer({ min: 1, max: 16 }),
    priority: fc.integer({ min: 1, max: 3 }),
    patienceMs: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 0, max: 500 })),
    cancelledAfterMs: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 100 })),
  }),
  { maxLength: 60 },
);
const anyServer = fc
  .record({
    buckets: fc.constantFrom([1], [1, 2, 4, 8, 16], [4, 16], [16]),
    instances: fc.integer({ min: 1, max: 3 }),
    queueRowsMax: fc.constantFrom(16, 64),
    costMs: fc.constantFrom(
      (n: number) => 8 + 2 * n,
      (n: number) => 20 * n,
      () => 30,
    ),
  })
  .map((server) => ({ ...server, buckets: server.buckets.at(-1) === 16 ? server.buckets : [1, 16] }));

describe("the batcher under any arrivals", () => {
  it("gives every request exactly one outcome, and answers none after its deadline", () => {
    fc.assert(
      fc.property(anyServer, anyArrivals, (server, arrivals) => {
        const { outcomes } = simulate(server, arrivals);
        expect(outcomes.filter((outcome) => outcome === undefined)).toEqual([]);
        expect(outcomes.filter((outcome) => outcome?.kind === "answered" && outcome.late)).toEqual([]);
      }),
    );
  });

  it("keeps its queue and its batches within bounds", () => {
    fc.assert(
      fc.property(anyServer, anyArrivals, (server, arrivals) => {
        const result = simulate(server, arrivals, (batch) => {
          expect(batch.rows).toBeGreaterThan(0);
          expect(batch.rows).toBeLessThanOrEqual(batch.bucket);
          expect(server.buckets).toContain(batch.bucket);
          expect(batch.rows).toBe(batch.requests.reduce((sum, { rows }) => sum + rows, 0));
        });
        expect(result.queuedRowsMax).toBeLessThanOrEqual(server.queueRowsMax);
      }),
    );
  });

  it("never leaves an instance idle while a request is queued", () => {
    const isSame = (aMs: number, bMs: number) => Math.abs(aMs - bMs) < 1e-6;
    const one = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(one, (times) => {
        const arrivals = times.map((atMs) => ({ ...steady("a", 1, 1)[0]!, atMs }));
        const { outcomes } = simulate({ ...gpu, queueRowsMax: 1_000 }, arrivals);
        const runs = outcomes.map((outcome, id) => ({
          outcome: outcome as Extract<Outcome, { kind: "answered" }>,
          ...arrivals[id]!,
        }));
        const ends = runs.map(({ atMs, outcome }) => atMs + outcome.afterMs);
        for (const { atMs, outcome } of runs) {
          // It started at once, or exactly when a run ended: the instance had work all the while.
          if (outcome.startedAtMs > atMs) expect(ends.some((endMs) => isSame(endMs, outcome.startedAtMs))).toBe(true);
        }
      }),
    );
  });

  it("serves one tenant's requests of one priority in the order of their arrival", () => {
    fc.assert(
      fc.property(anyServer, anyArrivals, (server, arrivals) => {
        const { outcomes } = simulate(server, arrivals);
        const order = (id: number): number => (outcomes[id] as { order: number }).order;
        const byQueue = Map.groupBy(
          arrivals.map((arrival, id) => ({ ...arrival, id })).filter(({ id }) => outcomes[id]?.kind === "answered"),
          ({ tenant, priority }) => `${tenant}/${priority}`,
        );
        for (const queue of byQueue.values()) {
          const sorted = [...queue].sort((a, b) => a.atMs - b.atMs || a.id - b.id).map(({ id }) => order(id));
          expect(sorted).toEqual([...sorted].sort((a, b) => a - b));
        }
      }),
    );
  });
});

describe("the batcher under load", () => {
  it("runs single requests where batching gains nothing, and full batches where it does", () => {
    const sizes: number[] = [];
    const burst = steady("a", 0.001, 0.064);
    simulate(cpu, burst, (batch) => sizes.push(batch.bucket));
    expect(new Set(sizes)).toEqual(new Set([1]));
    sizes.length = 0;
    simulate(gpu, burst, (batch) => sizes.push(batch.bucket));
    expect(sizes.slice(0, 2)).toEqual([1, 16]);
  });

  it.each([
    ["a CPU", cpu],
    ["a GPU", gpu],
  ])("at twice the capacity of %s, answers in time as many requests as at its best", (_, server) => {
    const largest = server.costMs(16);
    const peak = 16 / largest;
    const untilMs = 200 * largest;
    const arrivals = steady("a", 1 / (2 * peak), untilMs, 3 * largest);
    const result = simulate(server, arrivals);
    const inTime = answered(result).length;
    expect(inTime / result.endedAtMs).toBeGreaterThanOrEqual(0.95 * peak);
    expect(result.outcomes.some((outcome) => outcome?.kind === "answered" && outcome.late)).toBe(false);
  });

  it.each([
    ["a CPU", cpu],
    ["a GPU", gpu],
  ])("a tenant flooded 10 to 1 on %s waits at most one largest running batch longer than alone", (_, server) => {
    const capacity = 16 / server.costMs(16);
    // The modest tenant uses a tenth of the capacity and the other one all of it: together more than the capacity.
    const untilMs = 200 * server.costMs(16);
    const modest = poisson("modest", 10 / capacity, untilMs, 1);
    const flood = poisson("flood", 1 / capacity, untilMs, 2);
    const together = [...modest, ...flood];
    const shared = simulate(server, together);
    const without = simulate(server, modest);
    const ran = new Set<number>();
    simulate(server, together, (batch) => ran.add(batch.bucket));
    const largestRunning = server.costMs(Math.max(...ran));
    const unanswered = shared.outcomes.filter(
      (outcome, id) => together[id]!.tenant === "modest" && outcome?.kind !== "answered",
    );
    expect(unanswered).toEqual([]);
    expect(p99(together, shared, "modest")).toBeLessThanOrEqual(p99(modest, without, "modest") + largestRunning);
  });

  it("runs the more urgent priority first", () => {
    const later = steady("a", 0.001, 0.02).map((arrival) => ({ ...arrival, priority: 2 }));
    const urgent = { ...steady("b", 1, 1)[0]!, atMs: 1, priority: 1 };
    const { outcomes } = simulate(cpu, [...later, urgent]);
    // One request runs when it arrives, and it runs next.
    expect(outcomes.at(-1)).toMatchObject({ order: 1 });
  });

  it("drops cancelled requests before they cost anything", () => {
    const burst = steady("a", 0.001, 0.016).map((arrival, at) => ({
      ...arrival,
      cancelledAfterMs: at === 0 ? null : 1,
    }));
    const { outcomes, endedAtMs } = simulate(cpu, burst);
    expect(answered({ outcomes } as SimulationResult)).toHaveLength(1);
    expect(endedAtMs).toBeLessThanOrEqual(190);
  });
});

describe("after other processes used the machine while one bucket ran", () => {
  /** Keeps eight requests queued. Returns the bucket and the start of each run until `untilMs`. */
  function bucketsOf(server: SimulatedServer, slowBucket: number, untilMs: number): { bucket: number; atMs: number }[] {
    const costs = createCostModel();
    for (let run = 0; run < 20; run += 1) {
      for (const bucket of server.buckets) costs.observe(bucket, server.costMs(bucket));
    }
    for (let run = 0; run < 20; run += 1) costs.observe(slowBucket, 1.7 * server.costMs(slowBucket));
    const batcher = createBatcher({ ...server, costs });
    const ran: { bucket: number; atMs: number }[] = [];
    let id = 0;
    for (let nowMs = 0; nowMs < untilMs; ) {
      while (batcher.queuedRows() < 8) {
        const deadlineAtMs = Number.POSITIVE_INFINITY;
        const request = {
          id: id++,
          tenant: "t",
          priority: 1,
          rows: 1,
          arrivedAtMs: nowMs,
          deadlineAtMs,
          unbatched: false,
        };
        batcher.enqueue(request, nowMs);
      }
      const batch = batcher.nextBatch(nowMs).batch!;
      batcher.batchStarted(batch, nowMs);
      ran.push({ bucket: batch.bucket, atMs: nowMs });
      const endMs = nowMs + server.costMs(batch.bucket);
      batcher.batchFinished(batch, nowMs, endMs);
      nowMs = endMs;
    }
    return ran;
  }

  it("returns to runs of one where batching gains nothing, within a minute", () => {
    const ran = bucketsOf(cpu, 1, 120_000);
    expect(ran[0]!.bucket).toBeGreaterThan(1);
    const late = ran.filter(({ atMs }) => atMs > 60_000);
    expect(late.filter(({ bucket }) => bucket === 1).length / late.length).toBeGreaterThan(0.95);
  });

  it("wastes no runs on buckets that never were fast enough", () => {
    const ran = bucketsOf(gpu, 1, 10_000);
    expect(ran.filter(({ bucket }) => bucket < 4)).toEqual([]);
  });
});

describe("after a stall that made every run look slow", () => {
  const answers = (patienceMs: number): number => {
    const costs = createCostModel();
    for (let run = 0; run < 5; run += 1) costs.observe(1, 20);
    for (let run = 0; run < 5; run += 1) costs.observe(1, 60_000);
    const batcher = createBatcher({ buckets: [1], queueRowsMax: 4, instances: 1, costs });
    let answered = 0;
    for (let id = 0; id < 200; id += 1) {
      const nowMs = id * 1_000;
      const request = {
        id,
        tenant: "t",
        priority: 2,
        rows: 1,
        deadlineAtMs: nowMs + patienceMs,
        unbatched: false,
      } as QueuedRequest;
      if (batcher.enqueue(request, nowMs).length > 0) continue;
      const { batch } = batcher.nextBatch(nowMs);
      if (batch === null) continue;
      batcher.batchStarted(batch, nowMs);
      batcher.batchFinished(batch, nowMs, nowMs + 20);
      answered += 1;
    }
    return answered;
  };

  it("answers again soon, and still rejects what was never possible", () => {
    expect(answers(600)).toBeGreaterThan(150);
    expect(answers(15)).toBe(0);
  });
});
