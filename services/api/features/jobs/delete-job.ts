import { PackshotError } from "@packshot/domain/errors.ts";
import { eventWrite, jobDeletedEvent, jobEndedEvent } from "@packshot/domain/event.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { cancelJob, isEnded, type Job } from "@packshot/domain/job.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import type { Versioned, Write } from "@packshot/domain/write.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import { traceField } from "@packshot/platform/telemetry/tracing.ts";
import type { EndJobDeps } from "./cancel-job.ts";
import { type JobRef, readJob } from "./read-job.ts";

/**
 * The record becomes a tombstone; the same batch cancels an unfinished job. Throws `not_found`, and `job_already_finished`
 * while the result is on its way to a bucket, unless `evenDelivering`.
 */
export async function deleteJob(
  deps: EndJobDeps,
  ref: JobRef,
  { evenDelivering = false }: { readonly evenDelivering?: boolean } = {},
): Promise<void> {
  const { log, nowMs, retentionMs, onCommit } = deps;
  const [cancelledEventId, deletedEventId] = [uuidv7(nowMs()), uuidv7(nowMs())];
  await log.transact<void>("delete", async (attempt) => {
    let found: Versioned<Job>;
    try {
      found = await readJob(deps, ref);
    } catch (error) {
      // An earlier attempt or another request has deleted the job: either way it is deleted.
      if (attempt > 1 && error instanceof PackshotError && error.code === "not_found") return { done: undefined };
      throw error;
    }
    const { value: job, sequence } = found;
    const now = nowMs();
    const tombstone: Write = {
      subject: subjects.job(job.accountId, job.id),
      value: null,
      expected: sequence,
      ttlSeconds: ttlSeconds.followedTombstone,
    };
    const times = { nowMs: now, retentionMs };
    const cancelled = isEnded(job) ? undefined : cancelJob(evenDelivering ? withoutDelivery(job) : job, times);
    return {
      writes: [
        tombstone,
        ...(cancelled === undefined ? [] : [eventWrite(jobEndedEvent(cancelled, cancelledEventId, traceField()))]),
        eventWrite(jobDeletedEvent(job, deletedEventId, now)),
      ],
      result: (firstSequence) => onCommit(job.accountId, firstSequence),
    };
  });
  failpoint("delete:before-ack");
  log.connection.publish(subjects.abort(ref.jobId));
}

function withoutDelivery(job: Job): Job {
  if (job.status !== "processing") return job;
  const { deliveringSince: _, ...rest } = job;
  return rest;
}
