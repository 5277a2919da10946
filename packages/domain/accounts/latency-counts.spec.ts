import fc from "fast-check";
import { expect, test } from "vitest";
import { countLatency, type LatencyCounts, summarizeLatency } from "./day-usage.ts";

test("the median and the 95th and 99th percentile are within the range of the job that has them", () => {
  // Below the end of the first range, which begins at 0, no ratio is promised.
  const latencies = fc.array(fc.integer({ min: 101, max: 20_000_000 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(latencies, (ms) => {
      const counts = ms.reduce<LatencyCounts | undefined>((before, one) => countLatency(before, one), undefined)!;
      const sorted = ms.toSorted((a, b) => a - b);
      const { jobs, meanMs, medianMs, p95Ms, p99Ms } = summarizeLatency(counts);
      expect(jobs).toBe(ms.length);
      expect(meanMs).toBe(Math.round(ms.reduce((a, b) => a + b, 0) / ms.length));
      for (const [share, found] of [
        [0.5, medianMs],
        [0.95, p95Ms],
        [0.99, p99Ms],
      ] as const) {
        const exact = sorted[Math.ceil(share * jobs) - 1]!;
        expect(found / exact).toBeGreaterThan(0.7);
        expect(found / exact).toBeLessThan(1.42);
      }
    }),
  );
});

test("a clock that went back, and a wait of a week, are counted all the same", () => {
  const counts = countLatency(countLatency(undefined, -5_000), 7 * 24 * 3600 * 1000);
  expect(counts).toMatchObject({ jobs: 2, byRange: { 0: 1, 40: 1 } });
  expect(summarizeLatency(counts).jobs).toBe(2);
});
