import { isoTime, uuidv7 } from "../ids.ts";
import { subjects, ttlSeconds } from "../subjects.ts";
import type { Write } from "../write.ts";

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
  /** Only for credits that come back of a completed job, for what it did not do: what is left may come back later, by a rejection. */
  readonly part?: "outputs";
}

/** `account` is the account as the entry leaves it. */
export function createLedgerEntry(
  account: { readonly accountId: string; readonly credits: { readonly remaining: number; readonly period: number } },
  kind: LedgerKind,
  amount: number,
  nowMs: number,
  about: { entryId?: string; tool?: string; note?: string; period?: number; part?: LedgerEntry["part"] },
): LedgerEntry {
  return {
    v: 1,
    kind,
    accountId: account.accountId,
    period: about.period ?? account.credits.period,
    entryId: about.entryId ?? uuidv7(nowMs),
    amount,
    balanceAfter: account.credits.remaining,
    at: isoTime(nowMs),
    tool: about.tool,
    note: about.note,
    ...(about.part && { part: about.part }),
  };
}

export function ledgerWrite(entry: LedgerEntry): Write {
  // The log keeps the last message of a subject: two refunds of a job are two subjects.
  const kind = entry.part === undefined ? entry.kind : `${entry.kind}-${entry.part}`;
  return {
    subject: subjects.ledger(entry.accountId, entry.period, entry.entryId, kind),
    value: entry,
    ttlSeconds: ttlSeconds.outbox,
  };
}

/** Follows the balance of each account from entry to entry. */
export interface LedgerTrail {
  /**
   * Credits by which the account's balance changed between its entry before and this one: other than 0, entries are
   * missing. 0 for the first entry of an account that is seen.
   */
  missingBefore(entry: LedgerEntry): number;
  /** One that knows the same balances and goes on by itself. */
  copy(): LedgerTrail;
}

/** Accounts beyond `accountsMax` make it forget those before. */
export function createLedgerTrail(
  accountsMax = Number.POSITIVE_INFINITY,
  known: ReadonlyMap<string, number> = new Map(),
): LedgerTrail {
  const balances = new Map(known);
  return {
    copy: () => createLedgerTrail(accountsMax, balances),
    missingBefore({ accountId, amount, balanceAfter }) {
      const before = balances.get(accountId);
      if (before === undefined && balances.size >= accountsMax) balances.clear();
      balances.set(accountId, balanceAfter);
      return before === undefined ? 0 : balanceAfter - amount - before;
    },
  };
}
