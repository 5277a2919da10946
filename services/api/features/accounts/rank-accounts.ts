import type { Account } from "@packshot/domain/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { inferenceMsOfDay } from "@packshot/domain/inference-usage.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { JobView } from "../jobs/job-view.ts";
import { readRecords } from "../../records/read-records.ts";

/** `waiting`: live jobs beyond the window. `inferenceSeconds`: what models computed today, and then in all. */
export type AccountRank = "waiting" | "inferenceSeconds";

export interface RankAccountsDeps {
  readonly log: Log;
  readonly view: Pick<JobView, "accounts" | "lag">;
  readonly nowMs: () => number;
}

/** Records that one request reads: of the accounts with the most queued jobs, or with the most unexpired ones. */
const candidatesMax = 2_000;

/** The largest first. Throws `unavailable` while this process still reads the jobs. */
export async function rankAccounts(
  { log, view, nowMs }: RankAccountsDeps,
  { by, limit }: { readonly by: AccountRank; readonly limit: number },
): Promise<Account[]> {
  const lag = view.lag();
  if (lag !== undefined) throw new PackshotError("unavailable", `The accounts cannot be ranked yet: ${lag}.`);
  const candidates = [...view.accounts()]
    .map(({ accountId, jobs, queued }) => ({ accountId, load: by === "waiting" ? queued : jobs }))
    .filter(({ load }) => load > 0)
    .sort((a, b) => b.load - a.load)
    .slice(0, candidatesMax);
  const names = candidates.map(({ accountId }) => subjects.account(accountId));
  const accounts = (await readRecords<Account>(log, names)).map(({ value }) => value);
  const now = nowMs();
  const rankOf = (account: Account): readonly [number, number] =>
    by === "waiting"
      ? [account.waiting, account.running]
      : [inferenceMsOfDay(account.inference, now), account.inference?.totalMs ?? 0];
  return accounts
    .map((account) => ({ account, rank: rankOf(account) }))
    .sort((a, b) => b.rank[0] - a.rank[0] || b.rank[1] - a.rank[1])
    .slice(0, limit)
    .map(({ account }) => account);
}
