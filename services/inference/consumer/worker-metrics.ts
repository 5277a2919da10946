import type { ToolId } from "@packshot/domain/edits/tools.ts";
import { jobDeadlineMs, type ProcessingJob } from "@packshot/domain/jobs/job.ts";
import { metricOfStage } from "@packshot/domain/jobs/stages.ts";
import type { Metrics } from "@packshot/platform/telemetry/metrics.ts";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { ModelClient, Prediction, PredictRequest } from "../model-client/model-client.ts";
import type { Painter, Painting, PaintRequest } from "../model-client/painter.ts";

/**
 * `given_back`: requeued, and the attempt does not count. `lost`: the edit's thread died or was ended, or a fault that the
 * job may have caused ended the attempt, which counts. `left`: the log could not record the outcome, so the message will be
 * delivered again.
 */
export type JobOutcome = "completed" | "failed" | "cancelled" | "given_back" | "lost" | "left";

export interface WorkerMetrics {
  started(job: ProcessingJob): void;
  ended(job: ProcessingJob, end: EndedAttempt): void;
  inferred(job: ProcessingJob, inference: Inference): void;
}

interface EndedAttempt {
  readonly outcome: JobOutcome;
  readonly errorCode?: string;
  readonly timings?: Readonly<Record<string, number>>;
}

export function createWorkerMetrics({ registry }: Metrics): WorkerMetrics {
  const registers = [registry];
  const running = new Gauge({
    name: "packshot_worker_jobs_in_flight",
    help: "Jobs that this worker has claimed and not finished.",
    registers,
  });
  const jobs = new Counter({
    name: "packshot_worker_jobs_total",
    help: "Attempts that ended, by tool, mode (live, test), outcome and error code.",
    labelNames: ["tool", "mode", "outcome", "code"],
    registers,
  });
  const waitSeconds = new Histogram({
    name: "packshot_job_wait_duration_seconds",
    help: "Time from acceptance to the first claim.",
    labelNames: ["lane"],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800],
    registers,
  });
  const runSeconds = new Histogram({
    name: "packshot_job_run_duration_seconds",
    help: "Time from claim to outcome.",
    labelNames: ["tool"],
    buckets: [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 60, jobDeadlineMs / 1000],
    registers,
  });
  const stages = createStageMetrics(registry);
  const startedAtMs = new Map<string, number>();

  return {
    started(job) {
      running.inc();
      startedAtMs.set(job.id, Date.now());
      if (job.attempts === 1)
        waitSeconds.observe({ lane: job.lane }, Math.max(0, (Date.now() - Date.parse(job.createdAt)) / 1000));
    },
    ended(job, { outcome, errorCode = "", timings = {} }) {
      running.dec();
      jobs.inc({ tool: job.tool, mode: job.live ? "live" : "test", outcome, code: errorCode });
      if (job.live) stages.timed(job.tool, timings);
      runSeconds.observe({ tool: job.tool }, (Date.now() - (startedAtMs.get(job.id) ?? Date.now())) / 1000);
      startedAtMs.delete(job.id);
    },
    inferred: ({ tool }, inference) => stages.inferred(tool, inference),
  };
}

function createStageMetrics(registry: Registry) {
  const registers = [registry];
  const durations = new Histogram({
    name: "packshot_stage_duration_seconds",
    help: "Duration of the stages of live jobs; infer_wait and infer, the wait for a batch and its run, are within predict; scene and paint (the image model) are within compose.",
    labelNames: ["tool", "stage"],
    // An image model may paint for minutes.
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, jobDeadlineMs / 1000],
    registers,
  });
  const inferenceSeconds = new Counter({
    name: "packshot_inference_seconds_total",
    help: "Time in which models computed for live jobs, each batch shared among its photos, by tool, model and execution provider.",
    labelNames: ["tool", "model", "provider"],
    registers,
  });
  return {
    timed(tool: ToolId, timings: Readonly<Record<string, number>>) {
      for (const [name, ms] of Object.entries(timings)) {
        const stage = metricOfStage(name);
        if (stage !== undefined) durations.observe({ tool, stage }, ms / 1000);
      }
    },
    inferred(tool: ToolId, { modelName: model, provider, totalMs, runMs, shareMs }: Inference) {
      durations.observe({ tool, stage: "infer_wait" }, Math.max(0, totalMs - runMs) / 1000);
      durations.observe({ tool, stage: "infer" }, runMs / 1000);
      inferenceSeconds.inc({ tool, model, provider }, shareMs / 1000);
    },
  };
}

/** Adds up what the model server computed for one job, whatever becomes of the job. */

/** One prediction. Where the server does not say what it took, all of it counts as computing, of a provider `unknown`. */
export interface Inference {
  readonly modelName: string;
  readonly provider: string;
  /** From the request to the answer, in the worker. */
  readonly totalMs: number;
  /** The whole batch's time. */
  readonly runMs: number;
  /** The job's share of that. */
  readonly shareMs: number;
}

export interface InferenceMeter {
  readonly models: ModelClient;
  readonly painter: Painter | undefined;
  /** Shares of all predictions so far. */
  readonly computedMs: number;
}

export function meterInference(
  models: ModelClient,
  onInference: (inference: Inference) => void,
  painter?: Painter,
): InferenceMeter {
  let computedMs = 0;

  async function paint(request: PaintRequest): Promise<Painting> {
    const startedAtMs = performance.now();
    const painting = await painter!.paint(request);
    const totalMs = performance.now() - startedAtMs;
    const { runMs = totalMs, provider, modelName } = painting;
    computedMs += runMs;
    onInference({ modelName, provider, totalMs, runMs, shareMs: runMs });
    return painting;
  }

  async function predict(request: PredictRequest): Promise<Prediction> {
    const startedAtMs = performance.now();
    const prediction = await models.predict(request);
    const totalMs = performance.now() - startedAtMs;
    const { runMs, shareMs, provider } = prediction.times ?? { runMs: totalMs, shareMs: totalMs, provider: "unknown" };
    computedMs += shareMs;
    onInference({ modelName: prediction.modelName, provider, totalMs, runMs, shareMs });
    return prediction;
  }

  return {
    models: { describe: models.describe, predict },
    painter: painter && { describe: painter.describe, paint },
    get computedMs() {
      return computedMs;
    },
  };
}
