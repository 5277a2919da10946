/** What the server tells Prometheus, by model and version. */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Batch } from "./batcher.ts";
import type { ProviderProof } from "./instance-protocol.ts";

export type RefusedReason = "full" | "late" | "displaced" | "overran";

export interface ModelMetrics {
  answered(seconds: number): void;
  failed(): void;
  refused(reason: RefusedReason): void;
  abandoned(): void;
  queued(rows: number): void;
  ran(batch: Batch, ms: number): void;
  /** The cost model's line, t = base + perRow · rows. */
  costs(fit: { readonly baseMs: number; readonly perRowMs: number }): void;
  proved(proof: readonly ProviderProof[]): void;
}

export interface InferenceMetrics {
  readonly registry: Registry;
  of(model: string, version: string): ModelMetrics;
  /** The version is gone: its gauges with it. */
  forget(model: string, version: string): void;
}

export function createInferenceMetrics(registry: Registry = new Registry()): InferenceMetrics {
  const registers = [registry];
  const labelNames = ["model", "version"] as const;
  const requests = new Counter({
    name: "packshot_inference_requests_total",
    help: "Requests by how they ended: answered, failed, full, late, displaced, overran, abandoned.",
    labelNames: [...labelNames, "outcome"] as const,
    registers,
  });
  const seconds = new Histogram({
    name: "packshot_inference_seconds",
    help: "From the arrival of a request to its answer.",
    labelNames,
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30],
    registers,
  });
  const runSeconds = new Histogram({
    name: "packshot_inference_run_seconds",
    help: "One run of the session, by bucket.",
    labelNames: [...labelNames, "bucket"] as const,
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
    registers,
  });
  const rows = new Counter({
    name: "packshot_inference_rows_total",
    help: "Rows that ran: asked for, and padding up to the bucket.",
    labelNames: [...labelNames, "kind"] as const,
    registers,
  });
  const queue = new Gauge({
    name: "packshot_inference_queue_rows",
    help: "Rows that wait.",
    labelNames,
    registers,
  });
  const cost = new Gauge({
    name: "packshot_inference_cost_seconds",
    help: "The cost model, refreshed by every run: base of a run, and each row beyond.",
    labelNames: [...labelNames, "part"] as const,
    registers,
  });
  const nodes = new Gauge({
    name: "packshot_model_provider_nodes",
    help: "Nodes of the graph by the execution provider that took them, proved at start-up.",
    labelNames: [...labelNames, "provider"] as const,
    registers,
  });

  return {
    registry,
    of(model, version) {
      const labels = { model, version };
      return {
        answered(value) {
          requests.inc({ ...labels, outcome: "answered" });
          seconds.observe(labels, value);
        },
        failed: () => requests.inc({ ...labels, outcome: "failed" }),
        refused: (reason) => requests.inc({ ...labels, outcome: reason }),
        abandoned: () => requests.inc({ ...labels, outcome: "abandoned" }),
        queued: (waiting) => queue.set(labels, waiting),
        ran(batch, ms) {
          runSeconds.observe({ ...labels, bucket: batch.bucket }, ms / 1000);
          rows.inc({ ...labels, kind: "asked" }, batch.rows);
          rows.inc({ ...labels, kind: "padding" }, batch.bucket - batch.rows);
        },
        costs({ baseMs, perRowMs }) {
          cost.set({ ...labels, part: "base" }, baseMs / 1000);
          cost.set({ ...labels, part: "row" }, perRowMs / 1000);
        },
        proved(proof) {
          for (const { provider, nodes: count } of proof) nodes.set({ ...labels, provider }, count);
        },
      };
    },
    forget(model, version) {
      queue.remove({ model, version });
      nodes.remove({ model, version });
    },
  };
}
