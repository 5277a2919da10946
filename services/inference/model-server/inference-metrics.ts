/** The model server's metrics, by model and version. */
import { jobDeadlineMs } from "@packshot/domain/jobs/job.ts";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Batch, RejectReason } from "./batcher.ts";
import type { NodePlacement } from "./instance-protocol.ts";
import type { Precision } from "./model-precision.ts";

export interface ModelMetrics {
  /** `queueSeconds` of it the request was queued. */
  answered(seconds: number, queueSeconds: number): void;
  failed(): void;
  rejected(reason: RejectReason): void;
  /** The run ended after the request's deadline. */
  overran(): void;
  cancelled(): void;
  rowsQueued(rows: number): void;
  /** An instance begins to compute a batch. The returned function ends that. */
  runStarted(): () => void;
  batchRan(batch: Batch, ms: number): void;
  /** A step of so many pictures has run, of a model that runs in steps. */
  stepRan(pictures: number): void;
  /** The fitted cost model, t = base + perRow · rows. */
  costFitted(fit: { readonly baseMs: number; readonly perRowMs: number }): void;
  nodesPlaced(placements: readonly NodePlacement[]): void;
  /** `count` is asked at each scrape. */
  bucketsSlow(count: () => number): void;
}

export interface InstanceCount {
  readonly count: number;
  /** The execution provider that they prefer. */
  readonly provider: "cpu" | "cuda";
  readonly precision: Precision;
  /** Its requests run alone, and their steps together. */
  readonly runsInSteps?: boolean;
}

export interface InferenceMetrics {
  readonly registry: Registry;
  forVersion(model: string, version: string, instances: InstanceCount): ModelMetrics;
  /** Removes the gauges of an unloaded version. */
  removeVersion(model: string, version: string): void;
}

/** Seconds of requests to image models, up to the time that a job has. */
const longBuckets = [30, 60, 120, jobDeadlineMs / 1000];

export function createInferenceMetrics(registry: Registry = new Registry()): InferenceMetrics {
  const registers = [registry];
  const labelNames = ["model", "version"] as const;
  const requests = new Counter({
    name: "packshot_inference_requests_total",
    help: "Requests of the model server by outcome: answered, failed, full, late, displaced, overran, abandoned (cancelled by the client).",
    labelNames: [...labelNames, "outcome"] as const,
    registers,
  });
  const seconds = new Histogram({
    name: "packshot_inference_request_duration_seconds",
    help: "Time from the arrival of a request to its answer.",
    labelNames,
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, ...longBuckets],
    registers,
  });
  const queueSeconds = new Histogram({
    name: "packshot_inference_queue_duration_seconds",
    help: "Time from the arrival of a request to the start of its run.",
    labelNames,
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, ...longBuckets],
    registers,
  });
  const batchRows = new Histogram({
    name: "packshot_inference_batch_size",
    help: "Rows of requests that ran as one batch, without padding; of an image model, pictures whose step ran as one.",
    labelNames,
    buckets: [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64],
    registers,
  });
  const runSeconds = new Histogram({
    name: "packshot_inference_run_duration_seconds",
    help: "Duration of one run of the session, by bucket.",
    labelNames: [...labelNames, "bucket"] as const,
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, ...longBuckets],
    registers,
  });
  const rows = new Counter({
    name: "packshot_inference_rows_total",
    help: "Rows that ran, by kind: asked (of requests), padding (up to the bucket).",
    labelNames: [...labelNames, "kind"] as const,
    registers,
  });
  const queue = new Gauge({
    name: "packshot_inference_queue_rows",
    help: "Rows in the model server's queue.",
    labelNames,
    registers,
  });
  const cost = new Gauge({
    name: "packshot_inference_expected_duration_seconds",
    help: "Expected duration of a run, fitted, by part: base (per run), row (per row).",
    labelNames: [...labelNames, "part"] as const,
    registers,
  });
  const nodes = new Gauge({
    name: "packshot_model_provider_nodes",
    help: "Nodes of the graph by the execution provider that runs them, read at start-up.",
    labelNames: [...labelNames, "provider"] as const,
    registers,
  });
  const precisions = new Gauge({
    name: "packshot_model_precision",
    help: "1 for the precision that the model runs in: int8, fp16, or original, as its file has it.",
    labelNames: [...labelNames, "precision"] as const,
    registers,
  });

  const slowOf = new Map<string, { readonly labels: VersionLabels; readonly count: () => number }>();
  const slowBuckets = new Gauge({
    name: "packshot_inference_slow_buckets",
    help: "Buckets whose runs have taken over five times what the warm-up measured, for a minute.",
    labelNames,
    registers,
    collect() {
      for (const { labels, count } of slowOf.values()) this.set({ ...labels }, count());
    },
  });

  const usage = registerUsage(registers);

  /** By model and version: `remove` needs every label of a series, so the providers must be known. */
  const placedOn = new Map<string, readonly string[]>();

  function removePlacements(model: string, version: string): void {
    const key = `${model}@${version}`;
    for (const provider of placedOn.get(key) ?? []) nodes.remove({ model, version, provider });
    placedOn.delete(key);
  }

  function removePrecisions(model: string, version: string): void {
    for (const precision of ["original", "fp16", "int8"]) precisions.remove({ model, version, precision });
  }

  return {
    registry,
    forVersion(model, version, instances) {
      const labels = { model, version };
      const { begin } = usage.add(labels, instances);
      removePrecisions(model, version);
      precisions.set({ ...labels, precision: instances.precision }, 1);
      return {
        answered(value, queued) {
          requests.inc({ ...labels, outcome: "answered" });
          seconds.observe(labels, value);
          queueSeconds.observe(labels, queued);
        },
        runStarted: begin,
        failed: () => requests.inc({ ...labels, outcome: "failed" }),
        rejected: (reason) => requests.inc({ ...labels, outcome: reason }),
        overran: () => requests.inc({ ...labels, outcome: "overran" }),
        cancelled: () => requests.inc({ ...labels, outcome: "abandoned" }),
        rowsQueued: (queued) => queue.set(labels, queued),
        bucketsSlow: (count) => slowOf.set(`${model}@${version}`, { labels, count }),
        batchRan(batch, ms) {
          runSeconds.observe({ ...labels, bucket: batch.bucket }, ms / 1000);
          if (!instances.runsInSteps) batchRows.observe(labels, batch.rows);
          rows.inc({ ...labels, kind: "asked" }, batch.rows);
          rows.inc({ ...labels, kind: "padding" }, batch.bucket - batch.rows);
        },
        stepRan: (pictures) => batchRows.observe(labels, pictures),
        costFitted({ baseMs, perRowMs }) {
          cost.set({ ...labels, part: "base" }, baseMs / 1000);
          cost.set({ ...labels, part: "row" }, perRowMs / 1000);
        },
        nodesPlaced(placements) {
          removePlacements(model, version);
          for (const { provider, nodes: count } of placements) nodes.set({ ...labels, provider }, count);
          placedOn.set(
            `${model}@${version}`,
            placements.map(({ provider }) => provider),
          );
        },
      };
    },
    removeVersion(model, version) {
      queue.remove({ model, version });
      slowOf.delete(`${model}@${version}`);
      slowBuckets.remove({ model, version });
      usage.remove({ model, version });
      for (const part of ["base", "row"]) cost.remove({ model, version, part });
      removePlacements(model, version);
      removePrecisions(model, version);
    },
  };
}

interface VersionLabels {
  readonly model: string;
  readonly version: string;
}

/** How many instances there are, and how long they have computed, also by the runs that have not ended. */
function registerUsage(registers: readonly Registry[]) {
  const versions = new Map<
    string,
    { labels: VersionLabels; usage: InstanceUsage; provider: string; countedMs: number }
  >();
  const keyOf = ({ model, version }: VersionLabels) => `${model}@${version}`;
  const instances = new Gauge({
    name: "packshot_inference_instances",
    help: "Instances that can compute at once, by the execution provider that they prefer.",
    labelNames: ["model", "version", "provider"],
    registers: [...registers],
  });
  new Counter({
    name: "packshot_inference_busy_seconds_total",
    help: "Time in which instances computed, all of them added up; its rate over the number of instances is their busy share.",
    labelNames: ["model", "version"],
    registers: [...registers],
    collect() {
      for (const version of versions.values()) {
        const busyMs = version.usage.busyMs();
        this.inc({ ...version.labels }, Math.max(0, busyMs - version.countedMs) / 1000);
        version.countedMs = Math.max(busyMs, version.countedMs);
      }
    },
  });
  return {
    add(labels: VersionLabels, { count, provider }: InstanceCount): InstanceUsage {
      const usage = createInstanceUsage();
      versions.set(keyOf(labels), { labels, usage, provider, countedMs: 0 });
      instances.set({ ...labels, provider }, count);
      return usage;
    },
    remove(labels: VersionLabels) {
      const known = versions.get(keyOf(labels));
      if (known === undefined) return;
      instances.remove({ ...labels, provider: known.provider });
      versions.delete(keyOf(labels));
    },
  };
}

/** How much of the time the instances of a version compute: the runs that ended, and what has passed of those that run. */
export interface InstanceUsage {
  /** The returned function ends the run. */
  begin(): () => void;
  busyMs(): number;
}

export function createInstanceUsage(nowMs: () => number = () => performance.now()): InstanceUsage {
  const startedAtMs = new Set<{ readonly atMs: number }>();
  let endedMs = 0;
  return {
    begin() {
      const run = { atMs: nowMs() };
      startedAtMs.add(run);
      return () => {
        if (startedAtMs.delete(run)) endedMs += nowMs() - run.atMs;
      };
    },
    busyMs() {
      const now = nowMs();
      return [...startedAtMs].reduce((sum, { atMs }) => sum + now - atMs, endedMs);
    },
  };
}
