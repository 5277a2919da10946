import { expect, it } from "vitest";
import { createInferenceMetrics } from "./inference-metrics.ts";
import { type SlowBucket, watchRuns } from "./slow-runs.ts";

const warmed = [
  { bucket: 1, ms: [4, 3] },
  { bucket: 4, ms: [9, 10] },
  { bucket: 4, ms: [10, 11] },
];

function watch() {
  const { registry, forVersion } = createInferenceMetrics();
  const slow: SlowBucket[] = [];
  let nowMs = 0;
  const metrics = watchRuns(
    forVersion("m", "1", { count: 1, provider: "cuda", precision: "original" }),
    warmed,
    (each) => slow.push(each),
    () => nowMs,
  );
  return {
    slow,
    /** Runs of so many milliseconds, one after the other, for so long. */
    run(bucket: number, ms: number, forMs: number): void {
      for (const endMs = nowMs + forMs; nowMs < endMs; ) {
        nowMs += ms;
        metrics.batchRan({ requests: [], rows: bucket, bucket }, ms);
      }
    },
    wait(forMs: number): void {
      nowMs += forMs;
    },
    slowBuckets: async () => /^packshot_inference_slow_buckets\{.*\} (\d+)$/m.exec(await registry.metrics())?.[1],
  };
}

it("reports a bucket once whose runs take over five times the warm-up's for a minute, and no other", async () => {
  const { slow, run, slowBuckets } = watch();
  run(1, 3, 10_000);
  run(4, 320, 50_000);
  expect(slow).toEqual([]);
  expect(await slowBuckets()).toBe("0");
  run(4, 320, 60_000);
  expect(slow).toEqual([{ bucket: 4, warmedMs: 10, medianMs: 320 }]);
  expect(await slowBuckets()).toBe("1");
});

it("takes it back when the runs are as fast again, and reports it when they are slow anew", async () => {
  const { slow, run, slowBuckets } = watch();
  run(4, 320, 90_000);
  run(4, 12, 1_000);
  expect(await slowBuckets()).toBe("0");
  run(4, 320, 90_000);
  expect(slow.map(({ bucket }) => bucket)).toEqual([4, 4]);
});

it("forgets what ran before a pause of some minutes", async () => {
  const { slow, run, wait, slowBuckets } = watch();
  run(4, 320, 90_000);
  wait(4 * 60_000);
  expect(await slowBuckets()).toBe("1");
  wait(2 * 60_000);
  expect(await slowBuckets()).toBe("0");
  run(4, 320, 50_000);
  expect(await slowBuckets()).toBe("0");
  run(4, 320, 60_000);
  expect(slow).toHaveLength(2);
});

it("is not misled by a busy machine, by single slow runs, or by buckets that were not warmed", () => {
  const { slow, run } = watch();
  run(4, 45, 120_000);
  for (let round = 0; round < 100; round += 1) {
    run(1, 1_000, 1_000);
    run(1, 3, 9);
  }
  run(2, 5_000, 120_000);
  expect(slow).toEqual([]);
});
