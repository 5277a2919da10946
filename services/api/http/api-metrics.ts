import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { Counter, Histogram, type Registry } from "prom-client";

/** `replayed`: an earlier request with the same idempotency key. `refused`: the account may not, or the input is wrong. */
type AcceptOutcome = "accepted" | "replayed" | "refused" | "failed";

export interface ApiMetrics {
  onResponse(operation: string, status: number, durationMs: number): void;
  /** An edit's way into the log, whichever process commits it. */
  onAccept(outcome: AcceptOutcome, durationMs: number): void;
  onBatch(accepts: number): void;
  onForward(): void;
  onConflict(): void;
}

export function createApiMetrics(registry: Registry): ApiMetrics {
  const registers = [registry];
  const responses = new Counter({
    name: "packshot_http_requests_total",
    help: "HTTP requests by operation and status.",
    labelNames: ["operation", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "packshot_http_request_duration_seconds",
    help: "Time from a request's headers to its response.",
    labelNames: ["operation"],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 30, 60],
    registers,
  });
  const acceptDurations = new Histogram({
    name: "packshot_accept_duration_seconds",
    help: "Time from a checked edit to its place in the log, by outcome: accepted, replayed, refused, failed.",
    labelNames: ["outcome"],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    registers,
  });
  const batches = new Histogram({
    name: "packshot_accept_batch_size",
    help: "Edits that one write to the log accepted.",
    buckets: [1, 2, 5, 10, 20, 50, 100, 200],
    registers,
  });
  const forwards = new Counter({
    name: "packshot_accepts_forwarded_total",
    help: "Edits forwarded to the process that owns their account.",
    registers,
  });
  const conflicts = new Counter({
    name: "packshot_accept_conflicts_total",
    help: "Accounts in accept batches that another process had written first.",
    registers,
  });
  /** Looking a child up by its labels costs more than counting. Operations and statuses are few, so children are cached. */
  const children = new Map<string, unknown>();
  function cachedChild<T>(name: string, create: () => T): T {
    if (!children.has(name)) children.set(name, create());
    return children.get(name) as T;
  }

  return {
    onResponse(operation, status, durationMs) {
      cachedChild(`${operation} ${status}`, () => responses.labels(operation, String(status))).inc();
      cachedChild(operation, () => durations.labels(operation)).observe(durationMs / 1000);
    },
    onAccept: (outcome, durationMs) => acceptDurations.observe({ outcome }, durationMs / 1000),
    onForward: () => forwards.inc(),
    onConflict: () => conflicts.inc(),
    onBatch: (accepts) => batches.observe(accepts),
  };
}

/** Told of ledger entries when they are committed. A process that dies in between has committed more than it counted. */
export type CountCredits = (entries: readonly LedgerEntry[]) => void;

export function createCreditMetrics(registry: Registry): CountCredits {
  const common = { labelNames: ["tool"], registers: [registry] };
  const debited = new Counter({
    ...common,
    name: "packshot_credits_debited_total",
    help: "Credits debited for accepted jobs, by tool.",
  });
  const refunded = new Counter({
    ...common,
    name: "packshot_credits_refunded_total",
    help: "Credits refunded for failed and cancelled jobs, by tool.",
  });
  return (entries) => {
    for (const { kind, tool = "none", amount } of entries) {
      if (kind === "debit") debited.inc({ tool }, -amount);
      if (kind === "refund") refunded.inc({ tool }, amount);
    }
  };
}
