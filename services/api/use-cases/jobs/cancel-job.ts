import { eventWrite, jobEndedEvent } from "@packshot/domain/event.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { type CancelledJob, cancelJob as cancelled, isEnded } from "@packshot/domain/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Caller } from "../../access/caller.ts";
import { readJob } from "./read-job.ts";

export interface EndJobDeps {
  readonly log: Log;
  readonly nowMs: () => number;
  readonly retentionMs: number;
  /** The list of this process must show it. */
  readonly onCommit: (accountId: string, sequence: number) => void;
}

/** Cancelling a cancelled job changes nothing. Throws `not_found`, `job_already_finished`. */
export async function cancelJob(parts: EndJobDeps, caller: Caller, jobId: string): Promise<CancelledJob> {
  const { log, nowMs, retentionMs } = parts;
  const eventId = uuidv7(nowMs());
  const job = await log.transact<CancelledJob>("cancel", async () => {
    const now = nowMs();
    const { value: before, sequence } = await readJob(log, caller, jobId, now);
    const after = cancelled(before, { nowMs: now, retentionMs });
    if (isEnded(before)) return { done: after };
    return {
      writes: [
        {
          subject: subjects.job(before.accountId, before.id),
          value: after,
          expected: sequence,
          ttlSeconds: Math.max(1, Math.ceil(retentionMs / 1000)),
        },
        eventWrite(jobEndedEvent(after, eventId)),
      ],
      answer: (firstSequence) => {
        parts.onCommit(after.accountId, firstSequence);
        return after;
      },
    };
  });
  failpoint("cancel:before-ack");
  log.connection.publish(subjects.abort(jobId));
  return job;
}
