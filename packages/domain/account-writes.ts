import type { Account, AccountChange, DayUsage } from "./account.ts";
import { ledgerWrite } from "./ledger.ts";
import { subjects, ttlSeconds } from "./subjects.ts";
import type { Versioned, Write } from "./write.ts";

/** A day's usage as stored, overwritten with each change of that day. */
export interface UsageRecord extends DayUsage {
  readonly v: 1;
}

export function usageWrite({ accountId, usage }: Account): Write {
  const value: UsageRecord = { v: 1, ...usage };
  return { subject: subjects.usage(accountId, usage.day), value, ttlSeconds: ttlSeconds.usage };
}

/** The account as changed, its ledger entries, and the day's usage where that changed. */
export function accountWrites(before: Versioned<Account>, { account, entries }: AccountChange): Write[] {
  return [
    { subject: subjects.account(account.accountId), value: account, expected: before.sequence },
    ...entries.map(ledgerWrite),
    ...(account.usage === before.value.usage ? [] : [usageWrite(account)]),
  ];
}
