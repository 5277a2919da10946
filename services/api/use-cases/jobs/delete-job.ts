import { eventWrite, jobDeletedEvent, jobEndedEvent } from "@packshot/domain/event.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { cancelJob, isEnded, type Job } from "@packshot/domain/job.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import type { Write } from "@packshot/domain/write.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Caller } from "../../access/caller.ts";
import type { EndJobDeps } from "./cancel-job.ts";
import { readJob } from "./read-job.ts";

/** The record becomes a tombstone; an unfinished job is cancelled by the same batch. Throws `not_found`. */
export async function deleteJob(parts: EndJobDeps, caller: Caller, jobId: string): Promise<void> {
  const { log, nowMs, retentionMs } = parts;
  const [cancelledEventId, deletedEventId] = [uuidv7(nowMs()), uuidv7(nowMs())];
  await log.transact<undefined>("delete", async (attempt) => {
    const now = nowMs();
    let found: { value: Job; sequence: number };
    try {
      found = await readJob(log, caller, jobId, now);
    } catch (error) {
      // Gone after an earlier try of mine: by that try, or by another's deletion. Either way it is deleted.
      if (attempt > 1 && error instanceof PackshotError && error.code === "not_found") return { done: undefined };
      throw error;
    }
    const { value: job, sequence } = found;
    const writes: Write[] = [
      {
        subject: subjects.job(job.accountId, job.id),
        value: null,
        expected: sequence,
        ttlSeconds: ttlSeconds.seenTombstone,
      },
    ];
    if (!isEnded(job)) {
      writes.push(eventWrite(jobEndedEvent(cancelJob(job, { nowMs: now, retentionMs }), cancelledEventId)));
    }
    writes.push(eventWrite(jobDeletedEvent(job, deletedEventId, now)));
    return {
      writes,
      answer: (firstSequence) => {
        parts.onCommit(job.accountId, firstSequence);
        return undefined;
      },
    };
  });
  failpoint("delete:before-ack");
  log.connection.publish(subjects.abort(jobId));
}
