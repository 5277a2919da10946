/** What a client does with a job: read it, wait for it, cancel and delete it. */

import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid, uuidv7 } from "@packshot/domain/ids.ts";
import { endedJobWrite } from "@packshot/domain/jobs/ended-job-write.ts";
import { type CancelledJob, isEnded, type Job, cancelJob as toCancelled } from "@packshot/domain/jobs/job.ts";
import { type ReviewRecord, reviewRecordWrite } from "@packshot/domain/jobs/review.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import { eventWrite, jobDeletedEvent, jobEndedEvent } from "@packshot/domain/webhooks/event.ts";
import type { Versioned, Write } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/log/log.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import { traceField } from "@packshot/platform/telemetry/tracing.ts";
import type { Realm } from "../../access/caller.ts";
import type { JobView } from "./job-view.ts";

export interface EndJobDeps extends ReadJobDeps {
  readonly retentionMs: number;
  /** Told of each change committed here, so that this process's list of jobs waits for it. */
  readonly onCommit: (accountId: string, sequence: number) => void;
  /** Told of each job ended here: its credits come back when what follows `sequence` is settled. */
  readonly onRefund: (accountId: string, sequence: number) => void;
}

/** Cancelling a cancelled job changes nothing. Throws `not_found`, `job_already_finished`. */
export async function cancelJob(deps: EndJobDeps, ref: JobRef): Promise<CancelledJob> {
  const { log, nowMs, retentionMs, onCommit, onRefund } = deps;
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
        onRefund(after.accountId, firstSequence);
        return after;
      },
    };
  });
  failpoint("cancel:before-ack");
  log.connection.publish(subjects.abort(ref.jobId));
  return job;
}

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

/**
 * The record becomes a tombstone; the same batch cancels an unfinished job. Resolves with the job as it was; undefined: another request
 * has deleted it. Throws `not_found`, and `job_already_finished` while the result is on its way to a bucket, unless `evenDelivering`.
 */
export async function deleteJob(
  deps: EndJobDeps,
  ref: JobRef,
  { evenDelivering = false }: { readonly evenDelivering?: boolean } = {},
): Promise<Job | undefined> {
  const { log, nowMs, retentionMs, onCommit, onRefund } = deps;
  const cancelledEventId = uuidv7(nowMs());
  const deletedEventId = uuidv7(nowMs());
  const deleted = await log.transact<Job | undefined>("delete", async (attempt) => {
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
    const cancelled = isEnded(job) ? undefined : toCancelled(evenDelivering ? withoutDelivery(job) : job, times);
    return {
      writes: [
        tombstone,
        ...(await givenBack(log, cancelled ?? job, now)),
        ...(cancelled === undefined ? [] : [eventWrite(jobEndedEvent(cancelled, cancelledEventId, traceField()))]),
        eventWrite(jobDeletedEvent(job, deletedEventId, now)),
      ],
      result: (firstSequence) => {
        onCommit(job.accountId, firstSequence);
        if (cancelled !== undefined) onRefund(job.accountId, firstSequence);
        return job;
      },
    };
  });
  failpoint("delete:before-ack");
  log.connection.publish(subjects.abort(ref.jobId));
  return deleted;
}

/** The free repeat that a failed or cancelled job had taken: nobody will see any more that it failed. */
export async function givenBack(
  log: Log,
  { accountId, id, status, repeatOf, mends }: Pick<Job, "accountId" | "id" | "status" | "repeatOf" | "mends">,
  nowMs: number,
): Promise<Write[]> {
  if (repeatOf === undefined || (status !== "failed" && status !== "cancelled")) return [];
  const writes: Write[] = [];
  const { value: original, sequence } = await log.read<Job>(subjects.job(accountId, repeatOf));
  if (original?.status === "completed" && original.freeRepeat === id) {
    const { freeRepeat: _, ...job } = original;
    writes.push(endedJobWrite(job, { expected: sequence, nowMs }));
  }
  if (mends === undefined) return writes;
  const record = await log.read<ReviewRecord>(subjects.review(accountId, repeatOf));
  if (record.value?.freeRepeat !== id) return writes;
  const { freeRepeat: _, ...noted } = record.value;
  return [...writes, reviewRecordWrite({ accountId, jobId: repeatOf }, noted, record.sequence)];
}

function withoutDelivery(job: Job): Job {
  if (job.status !== "processing") return job;
  const { deliveringSince: _, ...rest } = job;
  return rest;
}

export interface WaitForJobDeps {
  readonly log: Log;
  readonly view: Pick<JobView, "onChange">;
}

export interface JobWait {
  readonly job: Job;
  readonly waitMs: number;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * The job as soon as it has ended, or as it is after `waitMs` or when the signal aborts; undefined when it was deleted
 * meanwhile. It listens before it reads, so that it misses no change.
 */
export async function waitForJob(
  { log, view }: WaitForJobDeps,
  { job, waitMs, signal }: JobWait,
): Promise<Job | undefined> {
  if (isEnded(job) || waitMs <= 0 || signal.aborted) return job;
  const over = Promise.withResolvers<Job | "unknown">();
  const giveUp = () => over.resolve("unknown");
  const timer = setTimeout(giveUp, waitMs);
  const stopListening = view.onChange(job.id, (change) => {
    // An end is final, and the view has it from the log: it is not read again.
    if (change === undefined) giveUp();
    else if (isEnded(change)) over.resolve(change);
  });
  signal.addEventListener("abort", giveUp, { once: true });
  const subject = subjects.job(job.accountId, job.id);
  try {
    const { value: current } = await log.read<Job>(subject);
    if (current === undefined || isEnded(current)) return current;
    const end = await over.promise;
    if (end !== "unknown") return end;
  } finally {
    clearTimeout(timer);
    stopListening();
  }
  return (await log.read<Job>(subject)).value;
}
