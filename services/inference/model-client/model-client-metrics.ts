/**
 * What a worker's client does with its model servers. No label names a server, because pods come and go: each server
 * counts its own requests, which Prometheus tells apart by instance.
 */
import { Counter, Gauge, Registry } from "prom-client";
import type { RetryReason, ServerPool } from "./server-pool.ts";

export interface ModelClientMetrics {
  retried(reason: RetryReason): void;
  /** Reports the servers that `counts` returns at each scrape. */
  watch(counts: ServerPool["counts"]): void;
}

export function createModelClientMetrics(registry: Registry = new Registry()): ModelClientMetrics {
  const registers = [registry];
  const retries = new Counter({
    name: "packshot_model_server_retries_total",
    help: "Requests that another model server was asked after one did not answer them, by reason: refused, failed (the run failed), lost (the connection broke).",
    labelNames: ["reason"] as const,
    registers,
  });
  for (const reason of ["refused", "failed", "lost"] as const) retries.inc({ reason }, 0);
  return {
    retried: (reason) => retries.inc({ reason }),
    watch(counts) {
      new Gauge({
        name: "packshot_model_servers",
        help: "Model servers that this worker knows, by state: ready, not_ready, ejected (none of its last requests was answered).",
        labelNames: ["state"] as const,
        registers,
        collect() {
          for (const [state, count] of Object.entries(counts())) this.set({ state }, count);
        },
      });
    },
  };
}
