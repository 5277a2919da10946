/** On a CPU only the first bucket is warmed; the batcher finds out what the others cost when rows wait for them. */
import { expect, it } from "vitest";
import { createBatcher } from "./batcher.ts";
import { createCostModel } from "./cost-model.ts";

const buckets = [1, 2, 4, 8, 16];

/** Serves `rounds` batches, with 16 requests queued before each; returns the buckets that ran. */
function bucketsRun(costMs: (bucket: number) => number, rounds: number, queuedRows = 16): number[] {
  const costs = createCostModel();
  costs.observe(1, costMs(1));
  const batcher = createBatcher({ buckets, queueRowsMax: 64, instances: 1, costs });
  let nowMs = 0;
  let id = 0;
  return Array.from({ length: rounds }, () => {
    while (batcher.queuedRows() < queuedRows) {
      id += 1;
      const request = { id, rows: 1, tenant: `${id % 4}`, priority: 1, arrivedAtMs: nowMs, unbatched: false };
      batcher.enqueue({ ...request, deadlineAtMs: Number.POSITIVE_INFINITY }, nowMs);
    }
    const batch = batcher.nextBatch(nowMs).batch!;
    batcher.batchStarted(batch, nowMs);
    const startedAtMs = nowMs;
    nowMs += costMs(batch.bucket);
    batcher.batchFinished(batch, startedAtMs, nowMs);
    return batch.bucket;
  });
}

it("tries larger buckets while rows wait and each gains, the first run of each uncounted, and then uses the best", () => {
  const ran = bucketsRun((rows) => 40 + 10 * rows, 40);
  expect(ran.slice(0, 8)).toEqual([2, 2, 4, 4, 8, 8, 16, 16]);
  expect(ran.slice(8).filter((bucket) => bucket === 16).length).toBeGreaterThan(24);
});

it("does not go on where a larger bucket gained nothing", () => {
  const ran = bucketsRun((rows) => 40 * rows, 40);
  expect(ran.slice(0, 3)).toEqual([2, 2, 1]);
  expect(Math.max(...ran)).toBe(2);
});

it("tries no larger bucket of a slow network, and none for which too few rows wait", () => {
  expect(new Set(bucketsRun((rows) => 700 + 10 * rows, 20))).toEqual(new Set([1]));
  expect(new Set(bucketsRun((rows) => 40 + 10 * rows, 20, 1))).toEqual(new Set([1]));
});
