import { type Account, grantCredits } from "@packshot/domain/account.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { ledgerWrite } from "@packshot/domain/ledger.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";

export interface CreditGrant {
  readonly accountId: string;
  /** Negative to take credits; the balance never goes below zero. */
  readonly amount: number;
  readonly note: string;
}

/** Throws `not_found`. */
export async function grantAccountCredits(
  deps: AccountDeps,
  { accountId, amount, note }: CreditGrant,
): Promise<Account> {
  // All attempts use one id, so that a lost response is not followed by a second grant.
  const entryId = uuidv7(deps.nowMs());
  return await commitAccount(deps, { transition: "grant", accountId }, async (before, attempt) => {
    const change = grantCredits(before, amount, note, deps.nowMs());
    const entries = change.entries.map((entry) => ({ ...entry, entryId }));
    if (attempt > 1) {
      for (const entry of entries) {
        if ((await deps.log.read(ledgerWrite(entry).subject)).sequence > 0) return { done: before };
      }
    }
    return { account: change.account, entries, result: change.account };
  });
}
