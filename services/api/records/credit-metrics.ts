import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { Counter, type Registry } from "prom-client";

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
