import { subjects, ttlSeconds } from "../subjects.ts";
import type { Versioned, Write } from "../write.ts";
import type { Account, AccountChange } from "./account.ts";
import { type DayUsage, daysToStore } from "./day-usage.ts";
import { ledgerWrite } from "./ledger.ts";

/** A day's usage as stored. Later ones of that day overwrite it. */
export interface UsageRecord extends DayUsage {
  readonly v: 1;
}

function usageWrite(accountId: string, usage: DayUsage): Write {
  const value: UsageRecord = { v: 1, ...usage };
  return { subject: subjects.usage(accountId, usage.day), value, ttlSeconds: ttlSeconds.usage };
}

/** Writes the changed account, its ledger entries, and the day's usage when that changed. */
export function accountWrites(before: Versioned<Account>, { account, entries }: AccountChange): Write[] {
  return [
    { subject: subjects.account(account.accountId), value: account, expected: before.sequence },
    ...entries.map(ledgerWrite),
    ...daysToStore(before.value.usage, account.usage).map((day) => usageWrite(account.accountId, day)),
  ];
}
