/**
 * Claims: a claim is a worker's fenced right to a job. Claiming, finishing and requeueing are one compare-and-set on
 * the job's record each; a worker that loses the compare-and-set has lost the job. A claim is fenced by an attempt id and by
 * the sequence of its message in `PS_READY`. A worker that lost its claim learns of it at its next write, deletes only the files
 * of its own attempt, and leaves the message to the new holder. The fifth claim of a job fails it, so that a photo that kills
 * its worker cannot kill all workers.
 */
import type { RequeueReason } from "@packshot/domain/edits/engine.ts";
import { type JobError, PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import {
  claimJob,
  completeJob,
  defaultQueueDeadlines,
  type EndedJob,
  failJob,
  isEnded,
  type Job,
  type JobResult,
  type ProcessingJob,
  type QueueDeadlines,
  requeueJob,
} from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { eventWrite, jobEndedEvent } from "@packshot/domain/webhooks/event.ts";
import type { Write } from "@packshot/domain/write.ts";
import type { Decision, Log, RetryPolicy } from "@packshot/log/log.ts";
import { LogConflict } from "@packshot/log/nats/errors.ts";
import { traceField } from "@packshot/platform/telemetry/tracing.ts";
import type { ReadyMessage } from "./ready-queue.ts";

export interface Claim {
  readonly job: ProcessingJob;
  /** Sequence of the job's record, which finishing and requeueing expect. */
  readonly sequence: number;
}

/**
 * `drop`: the job needs no run, so its message is acked. `skip`: another worker holds the message, so it is neither
 * acked nor nakked: a late nak would take the message from its holder, and a late ack would delete it.
 */
export type ClaimOutcome =
  | { readonly kind: "claimed"; readonly claim: Claim }
  | { readonly kind: "drop" }
  | { readonly kind: "skip" };

/** A worker that stops, or an edit that ends at its deadline, tries as often as this. */
const recordAttemptsMin = 12;

/**
 * `recorded`: this attempt's outcome is on the record. `superseded`: another outcome is. `lost`: another attempt runs.
 */
export type FinishOutcome = "recorded" | "superseded" | "lost";

/**
 * While the log is out of reach, recording an outcome is tried again until the claim's deadline, or until `giveUp` aborts:
 * otherwise the edit would be done for nothing.
 */
export interface Claims {
  claim(message: ReadyMessage): Promise<ClaimOutcome>;
  /**
   * Records that the edit is done and its result may leave for a customer's bucket, so that nobody cancels the job. Resolves
   * with the claim as it is then; undefined: the job has ended, or another attempt runs.
   */
  startDelivery(claim: Claim): Promise<Claim | undefined>;
  complete(claim: Claim, result: JobResult, giveUp?: AbortSignal): Promise<FinishOutcome>;
  fail(claim: Claim, error: JobError, giveUp?: AbortSignal): Promise<FinishOutcome>;
  /** Resolves with true when the job is `queued` again, so that its message may be nakked. */
  requeue(claim: Claim, giveUp?: AbortSignal, reason?: RequeueReason): Promise<boolean>;
}

export interface ClaimsDeps {
  readonly log: Log;
  /** How long an ended job is kept. */
  readonly retentionMs: number;
  readonly queueDeadlines?: QueueDeadlines;
  /** Told of each failure to record an outcome, other than a conflict. */
  readonly onLogFault?: (error: unknown) => void;
}

export function createClaims(deps: ClaimsDeps): Claims {
  const { log, retentionMs, queueDeadlines = defaultQueueDeadlines, onLogFault = () => {} } = deps;
  async function claim(message: ReadyMessage): Promise<ClaimOutcome> {
    const subject = subjects.job(message.accountId, message.jobId);
    const attemptId = uuidv7();
    const eventId = uuidv7();
    /** Sequence of the record on which a conflict was met. */
    let conflictedOn: number | undefined;
    return await log.transact<ClaimOutcome>("claim", async () => {
      const { value: job, sequence } = await log.read<Job>(subject);
      if (job?.status === "processing" && job.attemptId === attemptId) {
        return { done: { kind: "claimed", claim: { job, sequence } } };
      }
      // Another write came first, unless the record is as it was: then nobody has claimed the job.
      if (conflictedOn !== undefined && conflictedOn !== sequence)
        return { done: job === undefined || isEnded(job) ? { kind: "drop" } : { kind: "skip" } };
      const times = { nowMs: Date.now(), retentionMs, queueDeadlines };
      const decision = claimJob(job, { attemptId, readySequence: message.sequence, ...times });
      if (decision.kind === "drop") return { done: { kind: "drop" } };
      if (decision.kind === "failed")
        return { writes: endWrites(decision.job, sequence, eventId), result: { kind: "drop" } };
      const claimed = decision.job;
      return await commitClaim(
        {
          writes: [{ subject, value: claimed, expected: sequence }],
          result: (at) => ({ kind: "claimed", claim: { job: claimed, sequence: at } }),
        },
        () => (conflictedOn = sequence),
      );
    });
  }

  /** Commits inside the decision, which distinguishes a lost compare-and-set from a lost reply. */
  async function commitClaim(
    decision: Extract<Decision<ClaimOutcome>, { writes: unknown }>,
    onConflict: () => void,
  ): Promise<Decision<ClaimOutcome>> {
    try {
      const { firstSequence } = await log.commit("claim", decision.writes);
      return { done: typeof decision.result === "function" ? decision.result(firstSequence) : decision.result };
    } catch (error) {
      if (error instanceof LogConflict) onConflict();
      throw error;
    }
  }

  function untilDeadline({ job }: Claim, giveUp: AbortSignal | undefined): Partial<RetryPolicy> {
    return {
      attemptsMax: Number.POSITIVE_INFINITY,
      onFailure(error, attempt) {
        if (!(error instanceof LogConflict)) onLogFault(error);
        const isOver = giveUp?.aborted === true || Date.now() > Date.parse(job.deadlineAt);
        if (attempt < recordAttemptsMin || !isOver) return;
        throw new PackshotError("unavailable", "The log is out of reach.", { cause: error });
      },
    };
  }

  async function finish(claim: Claim, ended: EndedJob, giveUp: AbortSignal | undefined): Promise<FinishOutcome> {
    const { job, sequence } = claim;
    const subject = subjects.job(job.accountId, job.id);
    const eventId = uuidv7();
    return await log.transact<FinishOutcome>(
      "finish",
      async (attempt) => {
        if (attempt > 1) {
          const now = await log.read<Job>(subject);
          if (now.sequence !== sequence) return { done: await outcomeOnRecord(now.value, ended, eventId) };
        }
        return { writes: endWrites(ended, sequence, eventId), result: "recorded" };
      },
      untilDeadline(claim, giveUp),
    );
  }

  async function outcomeOnRecord(now: Job | undefined, mine: EndedJob, eventId: string): Promise<FinishOutcome> {
    if (now === undefined) return "superseded";
    if (!isEnded(now)) return "lost";
    if (now.status !== mine.status || now.finishedAt !== mine.finishedAt) return "superseded";
    const event = await log.read<{ eventId: string }>(subjects.event(mine.accountId, mine.id, mine.status));
    return event.value === undefined || event.value.eventId === eventId ? "recorded" : "superseded";
  }

  async function startDelivery({ job, sequence }: Claim): Promise<Claim | undefined> {
    const subject = subjects.job(job.accountId, job.id);
    const delivering: ProcessingJob = { ...job, deliveringSince: isoTime(Date.now()) };
    return await log.transact<Claim | undefined>("start-delivery", async (attempt) => {
      if (attempt > 1) {
        const { value: now, sequence: at } = await log.read<Job>(subject);
        if (at !== sequence) {
          const isOurs = now?.status === "processing" && now.attemptId === job.attemptId;
          return { done: isOurs ? { job: now, sequence: at } : undefined };
        }
      }
      const writes = [{ subject, value: delivering, expected: sequence }];
      return { writes, result: (at) => ({ job: delivering, sequence: at }) };
    });
  }

  return {
    claim,
    startDelivery,
    complete: (claim, result, giveUp) =>
      finish(claim, completeJob(claim.job, result, result.model, { nowMs: Date.now(), retentionMs }), giveUp),
    fail: (claim, error, giveUp) =>
      finish(claim, failJob(claim.job, error, { nowMs: Date.now(), retentionMs }), giveUp),

    async requeue(claim, giveUp, reason) {
      const { job, sequence } = claim;
      const subject = subjects.job(job.accountId, job.id);
      return await log.transact<boolean>(
        "give-back",
        async (attempt) => {
          if (attempt > 1) {
            const now = await log.read<Job>(subject);
            if (now.sequence !== sequence) return { done: now.value?.status === "queued" };
          }
          return { writes: [{ subject, value: requeueJob(job, reason), expected: sequence }], result: true };
        },
        untilDeadline(claim, giveUp),
      );
    },
  };

  function endWrites(ended: EndedJob, expected: number, eventId: string): Write[] {
    return [
      {
        subject: subjects.job(ended.accountId, ended.id),
        value: ended,
        expected,
        ttlSeconds: Math.ceil(retentionMs / 1000),
      },
      eventWrite(jobEndedEvent(ended, eventId, traceField())),
    ];
  }
}

/** The model server refused the request or cannot be reached, so the job is requeued and the attempt is not counted. */
export function shouldRequeue(error: unknown): boolean {
  return error instanceof PackshotError && error.code === "model_unavailable" && error.details?.refused === true;
}
