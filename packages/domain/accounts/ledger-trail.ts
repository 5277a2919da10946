import type { LedgerEntry } from "./ledger.ts";

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
