import type { ProcessingJob } from "@packshot/domain/job.ts";
import type { Metrics } from "@packshot/platform/telemetry/metrics.ts";
import { Counter, Gauge, Histogram } from "prom-client";

/**
 * `given_back`: requeued, and the attempt does not count. `lost`: the edit's thread died or was ended, or a fault that the
 * job may have caused ended the attempt, which counts. `left`: the log could not record the outcome, so the message will be
 * delivered again.
 */
export type JobOutcome = "completed" | "failed" | "cancelled" | "given_back" | "lost" | "left";

export interface WorkerMetrics {
  started(job: ProcessingJob): void;
  ended(job: ProcessingJob, outcome: JobOutcome, errorCode?: string): void;
}

export function createWorkerMetrics({ registry }: Metrics): WorkerMetrics {
  const registers = [registry];
  const running = new Gauge({
    name: "packshot_worker_jobs_in_flight",
    help: "Jobs that this worker has claimed and not finished. Formerly packshot_worker_jobs_in_hand.",
    registers,
  });
  const jobs = new Counter({
    name: "packshot_worker_jobs_total",
    help: "Jobs that ended, by tool, outcome and error code.",
    labelNames: ["tool", "outcome", "code"],
    registers,
  });
  const waitSeconds = new Histogram({
    name: "packshot_job_wait_seconds",
    help: "Time from acceptance to the first claim.",
    labelNames: ["lane"],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800],
    registers,
  });
  const runSeconds = new Histogram({
    name: "packshot_job_run_seconds",
    help: "Time from claim to outcome.",
    labelNames: ["tool"],
    buckets: [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 60, 300],
    registers,
  });
  const startedAtMs = new Map<string, number>();

  return {
    started(job) {
      running.inc();
      startedAtMs.set(job.id, Date.now());
      if (job.attempts === 1)
        waitSeconds.observe({ lane: job.lane }, Math.max(0, (Date.now() - Date.parse(job.createdAt)) / 1000));
    },
    ended(job, outcome, errorCode) {
      running.dec();
      jobs.inc({ tool: job.tool, outcome, code: errorCode ?? "" });
      runSeconds.observe({ tool: job.tool }, (Date.now() - (startedAtMs.get(job.id) ?? Date.now())) / 1000);
      startedAtMs.delete(job.id);
    },
  };
}
