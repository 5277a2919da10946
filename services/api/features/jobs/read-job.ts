import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import { isEnded, type Job } from "@packshot/domain/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Versioned } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Realm } from "../../access/caller.ts";

export interface ReadJobDeps {
  readonly log: Log;
  readonly nowMs: () => number;
}

export interface JobRef {
  readonly realm: Realm;
  readonly jobId: string;
}

export function jobNotFound(): PackshotError {
  return new PackshotError("not_found", "Job not found.");
}

/**
 * From the leader. Another account's job, a test key's job to a live key (and the other way round) and an expired job
 * are all unknown. Throws `not_found`.
 */
export async function readJob({ log, nowMs }: ReadJobDeps, { realm, jobId }: JobRef): Promise<Versioned<Job>> {
  if (!isUuid(jobId)) throw jobNotFound();
  const { value, sequence } = await log.read<Job>(subjects.job(realm.accountId, jobId));
  if (value === undefined || value.live !== realm.live || isExpired(value, nowMs())) throw jobNotFound();
  return { value, sequence };
}

/** To the client, a job is gone at its `expiresAt`; the log removes its record a moment later. */
export function isExpired(job: Job, nowMs: number): boolean {
  return isEnded(job) && Date.parse(job.expiresAt) <= nowMs;
}
