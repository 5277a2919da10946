import { jobDeadlineMs, type ProcessingJob } from "@packshot/domain/jobs/job.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";
import { expect, it } from "vitest";
import { createWorkerMetrics } from "./worker-metrics.ts";

const job = { id: "job", tool: "ai-bg", live: true, attempts: 2 } as ProcessingJob;

it("tells stages of image models apart up to the time that a job has", async () => {
  const metrics = createMetrics("test");
  const worker = createWorkerMetrics(metrics);
  const seconds = [20, 45, 100, jobDeadlineMs / 1000 - 1];
  for (const each of seconds) worker.ended(job, { outcome: "completed", timings: { "ai-bg.paint": 1000 * each } });
  const { values } = (await metrics.registry.getSingleMetric("packshot_stage_duration_seconds")!.get()) as {
    readonly values: readonly { readonly value: number; readonly labels: { readonly le?: number | string } }[];
  };
  const counted = values.filter(({ labels: { le } }) => typeof le === "number" && le >= 30).map(({ value }) => value);
  expect(counted).toEqual([1, 2, 3, 4]);
});
