import { eventWrite, jobEndedEvent } from "@packshot/domain/event.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { type CancelledJob, cancelJob as toCancelled, isEnded } from "@packshot/domain/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import { traceField } from "@packshot/platform/telemetry/tracing.ts";
import { type JobRef, type ReadJobDeps, readJob } from "./read-job.ts";

export interface EndJobDeps extends ReadJobDeps {
  readonly retentionMs: number;
  /** Told of each change committed here, so that this process's list of jobs waits for it. */
  readonly onCommit: (accountId: string, sequence: number) => void;
}

/** Cancelling a cancelled job changes nothing. Throws `not_found`, `job_already_finished`. */
export async function cancelJob(deps: EndJobDeps, ref: JobRef): Promise<CancelledJob> {
  const { log, nowMs, retentionMs, onCommit } = deps;
  const eventId = uuidv7(nowMs());
  const job = await log.transact<CancelledJob>("cancel", async () => {
    const { value: before, sequence } = await readJob(deps, ref);
    const after = toCancelled(before, { nowMs: nowMs(), retentionMs });
    if (isEnded(before)) return { done: after };
    return {
      writes: [
        {
          subject: subjects.job(before.accountId, before.id),
          value: after,
          expected: sequence,
          ttlSeconds: Math.max(1, Math.ceil(retentionMs / 1000)),
        },
        eventWrite(jobEndedEvent(after, eventId, traceField())),
      ],
      result: (firstSequence) => {
        onCommit(after.accountId, firstSequence);
        return after;
      },
    };
  });
  failpoint("cancel:before-ack");
  log.connection.publish(subjects.abort(ref.jobId));
  return job;
}
