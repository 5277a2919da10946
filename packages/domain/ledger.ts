import { subjects, ttlSeconds } from "./subjects.ts";
import type { Write } from "./write.ts";

export type LedgerKind = "debit" | "refund" | "grant" | "expire";

/** One entry of the audit trail. The `amount`s of an account's entries add up to its balance. */
export interface LedgerEntry {
  readonly v: 1;
  readonly kind: LedgerKind;
  readonly accountId: string;
  /** Number of the credit period, counted from 1. */
  readonly period: number;
  /** The job's id, else a fresh UUIDv7. */
  readonly entryId: string;
  /** Credits: negative for debit and expire. */
  readonly amount: number;
  readonly balanceAfter: number;
  readonly at: string;
  readonly tool?: string;
  readonly note?: string;
}

export function ledgerWrite(entry: LedgerEntry): Write {
  return {
    subject: subjects.ledger(entry.accountId, entry.period, entry.entryId, entry.kind),
    value: entry,
    ttlSeconds: ttlSeconds.outbox,
  };
}
