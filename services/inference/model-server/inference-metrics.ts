/** The model server's metrics, by model and version. */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Batch, RejectReason } from "./batcher.ts";
import type { NodePlacement } from "./instance-protocol.ts";

export interface ModelMetrics {
  answered(seconds: number): void;
  failed(): void;
  rejected(reason: RejectReason): void;
  /** The run ended after the request's deadline. */
  overran(): void;
  cancelled(): void;
  rowsQueued(rows: number): void;
  batchRan(batch: Batch, ms: number): void;
  /** The fitted cost model, t = base + perRow · rows. */
  costFitted(fit: { readonly baseMs: number; readonly perRowMs: number }): void;
  nodesPlaced(placements: readonly NodePlacement[]): void;
}

export interface InferenceMetrics {
  readonly registry: Registry;
  forVersion(model: string, version: string): ModelMetrics;
  /** Removes the gauges of an unloaded version. */
  removeVersion(model: string, version: string): void;
}

export function createInferenceMetrics(registry: Registry = new Registry()): InferenceMetrics {
  const registers = [registry];
  const labelNames = ["model", "version"] as const;
  const requests = new Counter({
    name: "packshot_inference_requests_total",
    help: "Requests by outcome: answered, failed, full, late, displaced, overran, abandoned (cancelled by the client).",
    labelNames: [...labelNames, "outcome"] as const,
    registers,
  });
  const seconds = new Histogram({
    name: "packshot_inference_seconds",
    help: "Time from the arrival of a request to its answer.",
    labelNames,
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30],
    registers,
  });
  const runSeconds = new Histogram({
    name: "packshot_inference_run_seconds",
    help: "Duration of one run of the session, by bucket.",
    labelNames: [...labelNames, "bucket"] as const,
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
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
    help: "Rows in the queue.",
    labelNames,
    registers,
  });
  const cost = new Gauge({
    name: "packshot_inference_cost_seconds",
    help: "Fitted cost of a run, by part: base (per run), row (per row).",
    labelNames: [...labelNames, "part"] as const,
    registers,
  });
  const nodes = new Gauge({
    name: "packshot_model_provider_nodes",
    help: "Nodes of the graph by the execution provider that runs them, read at start-up.",
    labelNames: [...labelNames, "provider"] as const,
    registers,
  });

  /** By model and version: `remove` needs every label of a series, so the providers must be known. */
  const placedOn = new Map<string, readonly string[]>();

  function removePlacements(model: string, version: string): void {
    const key = `${model}@${version}`;
    for (const provider of placedOn.get(key) ?? []) nodes.remove({ model, version, provider });
    placedOn.delete(key);
  }

  return {
    registry,
    forVersion(model, version) {
      const labels = { model, version };
      return {
        answered(value) {
          requests.inc({ ...labels, outcome: "answered" });
          seconds.observe(labels, value);
        },
        failed: () => requests.inc({ ...labels, outcome: "failed" }),
        rejected: (reason) => requests.inc({ ...labels, outcome: reason }),
        overran: () => requests.inc({ ...labels, outcome: "overran" }),
        cancelled: () => requests.inc({ ...labels, outcome: "abandoned" }),
        rowsQueued: (queued) => queue.set(labels, queued),
        batchRan(batch, ms) {
          runSeconds.observe({ ...labels, bucket: batch.bucket }, ms / 1000);
          rows.inc({ ...labels, kind: "asked" }, batch.rows);
          rows.inc({ ...labels, kind: "padding" }, batch.bucket - batch.rows);
        },
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
      for (const part of ["base", "row"]) cost.remove({ model, version, part });
      removePlacements(model, version);
    },
  };
}
