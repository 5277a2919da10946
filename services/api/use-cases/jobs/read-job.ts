import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import { isEnded, type Job } from "@packshot/domain/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Versioned } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Caller } from "../../access/caller.ts";

export function noSuchJob(): PackshotError {
  return new PackshotError("not_found", "There is no such job in this account.");
}

/** From the leader. Another account's job, a test job asked for by a live key and an expired one are all unknown. */
export async function readJob(
  log: Log,
  { account, key }: Caller,
  jobId: string,
  nowMs: number,
): Promise<Versioned<Job>> {
  if (!isUuid(jobId)) throw noSuchJob();
  const { value, sequence } = await log.read<Job>(subjects.job(account.accountId, jobId));
  if (value === undefined || value.live !== key.live || isPast(value, nowMs)) throw noSuchJob();
  return { value, sequence };
}

/** The record goes by itself a moment after `expiresAt`; to the client it is gone at that moment. */
export function isPast(job: Job, nowMs: number): boolean {
  return isEnded(job) && Date.parse(job.expiresAt) <= nowMs;
}
