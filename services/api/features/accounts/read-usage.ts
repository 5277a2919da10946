import type { Account } from "@packshot/domain/accounts/account.ts";
import type { UsageRecord } from "@packshot/domain/accounts/account-writes.ts";
import type { DayUsage } from "@packshot/domain/accounts/day-usage.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import type { UsageIndex } from "@packshot/domain/accounts/record-index.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import type { Log, LogRecord } from "@packshot/log/log.ts";
import { isRetryableLogError } from "@packshot/log/nats/errors.ts";
import { type AccountDeps, assertAccountId, readAccount } from "../../records/commit-account.ts";
import { readRecords } from "../../records/read-records.ts";

const usageDaysMax = 400;
const dayMs = 24 * 3600 * 1000;

export interface UsageRequest {
  readonly accountId: string;
  readonly from: string;
  readonly to: string;
}

/**
 * The days from `from` to `to` (`2026-11-20`, both included) on which the account was used, oldest first, and the account
 * as the leader has it, with the usage of its last day; days before that one do not change any more. Throws `not_found`.
 */
export async function readUsage(
  deps: AccountDeps,
  { accountId, from, to }: UsageRequest,
): Promise<{ readonly account: Account; readonly days: readonly DayUsage[] }> {
  assertAccountId(accountId);
  // At once: each is a block of 8 MB where nobody has read it for a while.
  const [account, index] = await Promise.all([
    readAccount(deps, accountId),
    deps.log.read<UsageIndex>(subjects.index(accountId, "usage")),
  ]);
  const finished = await readFinishedDays(deps.log, account, index);
  const all = wasUsed(account.usage) ? [...finished, account.usage] : finished;
  return { account, days: all.filter(({ day }) => day >= from && day <= to) };
}

async function readFinishedDays(
  log: Log,
  { accountId, usage }: Account,
  index: LogRecord<UsageIndex>,
): Promise<readonly DayUsage[]> {
  const known = index.value;
  // An index that is newer than the account has its last day, too.
  if (known !== undefined && known.before >= usage.day) return known.days.filter(({ day }) => day < usage.day);
  const names =
    known === undefined || daysApart(known.before, usage.day) > usageDaysMax
      ? await Array.fromAsync(listRecordSubjects(log, subjects.usage(accountId, "*")))
      : daysBetween(known.before, usage.day).map((day) => subjects.usage(accountId, day));
  const records = await readRecords<UsageRecord>(log, names);
  const ended = records
    .map(({ value: { v: _, ...day } }) => day)
    .filter(({ day }) => day < usage.day && (known === undefined || day >= known.before))
    .sort((a, b) => (a.day < b.day ? -1 : 1));
  const days = [...(known?.days ?? []), ...ended].slice(-usageDaysMax);
  if (days.length > 0) await writeIndex(log, index, { v: 1, before: usage.day, days });
  return days;
}

/** Not retried: who wrote first has written the same days. */
async function writeIndex(log: Log, { subject, sequence }: LogRecord<UsageIndex>, value: UsageIndex): Promise<void> {
  await log.commit("index", [{ subject, value, expected: sequence }]).catch((error: unknown) => {
    if (!isRetryableLogError(error)) throw error;
  });
}

function wasUsed({ edits, creditsDebited, creditsRefunded, latency }: DayUsage): boolean {
  return Object.keys(edits).length > 0 || creditsDebited > 0 || creditsRefunded > 0 || latency !== undefined;
}

function daysApart(from: string, until: string): number {
  return Math.round((Date.parse(until) - Date.parse(from)) / dayMs);
}

/** With `from`, without `until`. */
function daysBetween(from: string, until: string): string[] {
  return Array.from({ length: daysApart(from, until) }, (_, i) => isoTime(Date.parse(from) + i * dayMs).slice(0, 10));
}
