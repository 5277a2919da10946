/** Cancels the open jobs of a cancelled batch. The index of jobs names them; the settler counts them when they have ended. */
import { type Batch, isBatchEnded } from "@packshot/domain/batches/batch.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import type { JobView } from "../jobs/job-view.ts";
import { cancelJob, type EndJobDeps } from "../jobs/job-actions.ts";
import { listJobs } from "../jobs/list-jobs.ts";
import type { FeedBatch } from "./feeder.ts";

export interface CancelJobsDeps extends EndJobDeps {
  readonly view: Pick<JobView, "caughtUp" | "find">;
}

const jobsMax = 200;
const cancelsMax = 16;

export function createCancelJobs(deps: CancelJobsDeps): FeedBatch {
  async function cancel(realm: { accountId: string; live: boolean }, jobId: string): Promise<void> {
    try {
      await cancelJob(deps, { realm, jobId });
    } catch (error) {
      const hasEnded = error instanceof PackshotError && /^(job_already_finished|not_found)$/.test(error.code);
      if (!hasEnded) throw error;
    }
  }

  return async ({ accountId, batchId }, signal) => {
    const { value: batch } = await deps.log.read<Batch>(subjects.batch(accountId, batchId));
    if (batch === undefined || batch.status !== "cancelled" || isBatchEnded(batch)) return "nothing";
    const realm = { accountId, live: batch.live };
    const limit = createLimiter(cancelsMax);
    for (const status of ["queued", "processing"] as const) {
      let beforeId: string | undefined;
      do {
        const filter = { status, batch: batchId, metadata: {} };
        const page = await listJobs(deps, { realm, filter, beforeId, limit: jobsMax });
        await Promise.all(page.jobs.map(({ id }) => limit(() => cancel(realm, id))));
        beforeId = page.nextId;
      } while (beforeId !== undefined && !signal.aborted);
    }
    // The index may lag, and what was cancelled is not settled yet: it is looked at again until the batch has ended.
    return "waits";
  };
}
