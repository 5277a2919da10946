import type { Account, AccountChange, DayUsage } from "./account.ts";
import { ledgerWrite } from "./ledger.ts";
import { subjects, ttlSeconds } from "./subjects.ts";
import type { Versioned, Write } from "./write.ts";

/** A day's usage as stored. Each change of that day overwrites it. */
export interface UsageRecord extends DayUsage {
  readonly v: 1;
}

function usageWrite({ accountId, usage }: Account): Write {
  const value: UsageRecord = { v: 1, ...usage };
  return { subject: subjects.usage(accountId, usage.day), value, ttlSeconds: ttlSeconds.usage };
}

/** Writes the changed account, its ledger entries, and the day's usage when that changed. */
export function accountWrites(before: Versioned<Account>, { account, entries }: AccountChange): Write[] {
  return [
    { subject: subjects.account(account.accountId), value: account, expected: before.sequence },
    ...entries.map(ledgerWrite),
    ...(account.usage === before.value.usage ? [] : [usageWrite(account)]),
  ];
}
