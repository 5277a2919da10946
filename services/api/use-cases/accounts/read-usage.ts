import type { DayUsage } from "@packshot/domain/account.ts";
import type { UsageRecord } from "@packshot/domain/account-writes.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { listRecords } from "../../records/list-records.ts";

const usageDaysMax = 400;

/** The days from `from` to `to` (`2026-11-20`, both included) on which the account was used, oldest first. */
export async function readUsage(
  { log }: { readonly log: Log },
  { accountId, from, to }: { readonly accountId: string; readonly from: string; readonly to: string },
): Promise<DayUsage[]> {
  const records = await listRecords<UsageRecord>(log, `ps.usage.${accountId}.*`, usageDaysMax);
  return records
    .map(({ value: { v: _, ...usage } }) => usage)
    .filter(({ day }) => day >= from && day <= to)
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}
