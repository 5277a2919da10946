import { expect, test } from "vitest";
import { findKnee, type RampStep, rampSteps } from "./knee.ts";
import type { Point } from "./points.ts";

const startedMs = 1_000_000;
const ramp = { seconds: 40, concurrencies: [1, 2, 4, 8] };

/** Jobs of a deployment that ends one every `everyMs`, however many clients there are. */
function jobs(step: number, everyMs: number): Point[] {
  const count = 10_000 / everyMs;
  return Array.from({ length: count }, (_, n) => ({
    metric: "completed_ms",
    atMs: startedMs + step * 10_000 + (n + 0.5) * everyMs,
    value: everyMs * 2 ** step,
    tags: { step: String(step) },
  }));
}

test("each step's throughput is that of its own seconds, and its latency that of its own jobs", () => {
  const points = [...jobs(0, 1_000), ...jobs(1, 500), ...jobs(2, 400), ...jobs(3, 400)];
  const steps = rampSteps(points, startedMs, ramp);
  expect(steps.map(({ clients, perSecond }) => [clients, perSecond])).toEqual([
    [1, 1],
    [2, 2],
    [4, 2.5],
    [8, 2.5],
  ]);
  expect(steps.map(({ p50Ms }) => p50Ms)).toEqual([1_000, 1_000, 1_600, 3_200]);
});

test("what a step's clients complete late counts where it ends", () => {
  const late = jobs(0, 1_000).map((point) => ({ ...point, atMs: point.atMs + 10_000 }));
  expect(rampSteps(late, startedMs, ramp).map(({ perSecond }) => perSecond)).toEqual([0, 1, 0, 0]);
});

const step = (clients: number, perSecond: number): RampStep => ({ clients, jobs: 9, perSecond, p50Ms: 1, p95Ms: 1 });

test("the knee is the first step as good as the best, with the rate that is kept beyond it", () => {
  const steps = [step(1, 4), step(2, 7), step(4, 9.5), step(8, 10), step(16, 9)];
  expect(findKnee(steps)).toEqual({ clients: 4, perSecond: 9.5 });
});

test("a deployment that does nothing has no knee", () => {
  expect(findKnee([step(1, 0), step(2, 0)])).toBeUndefined();
  expect(findKnee([])).toBeUndefined();
});
