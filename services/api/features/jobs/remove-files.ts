/** What a client's deletion of a job removes at once: its files, and its batch's copies of them. */

import type { BatchRef } from "@packshot/domain/batches/batch.ts";
import { allResults, type CompletedJob, type Job } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

export interface RemoveFilesDeps {
  readonly storage: Pick<Storage, "deletePrefix">;
  readonly logger: Pick<Logger, "warn">;
}

/** The answer to a deletion waits no longer for storage. */
const removalMsMax = 5_000;

/**
 * So that no link serves them once the client knows that the job is gone. Where this fails, or ends before it is done, those who follow
 * the event of the deletion do the same again: the janitor with the job's own files, the batch's settlement with its copies. Only the
 * settlement knows whether the row is undone by this: a free repeat may have mended it.
 */
export async function removeFiles(deps: RemoveFilesDeps, job: Job): Promise<void> {
  const removed = new AbortController();
  const removal = removeAll(deps, job)
    .catch((err: unknown) => deps.logger.warn({ err, jobId: job.id }, "files of a deleted job stay for a while"))
    .finally(() => removed.abort());
  await Promise.race([removal, pause(removalMsMax, removed.signal)]);
}

async function removeAll({ storage }: RemoveFilesDeps, job: Job): Promise<void> {
  // First, because a settlement that finds none makes no copy.
  await storage.deletePrefix(storageKeys.job(job.accountId, job.id));
  const batch = job.mends ?? job.batch;
  if (job.status !== "completed" || batch === undefined) return;
  for (const key of batchCopiesOf(job, batch)) await storage.deletePrefix(key);
}

/** Where the settlement of the rows keeps the job's files, or will. */
export function batchCopiesOf(job: CompletedJob, batch: BatchRef): string[] {
  const mendedBy = job.mends === undefined ? undefined : job.id;
  const result = storageKeys.batchResult(job.accountId, batch.id, batch.row, mendedBy);
  const further = allResults(job).map((_, position) => storageKeys.batchFile(result, position));
  return [...new Set([result, ...further])];
}
