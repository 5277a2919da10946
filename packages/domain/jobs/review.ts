/**
 * A person approves or rejects a cut-out. A rejection refunds its credits, as often in a day as the plan allows, and a job may
 * be run again for free once, with a mask of the caller's own. Pure decisions: the shell reads the records, removes a rejected
 * result, and commits the decision as one atomic batch.
 */
import { type Account, type AccountChange, refundJob } from "../accounts/account.ts";
import { usageOfDay } from "../accounts/day-usage.ts";
import type { BatchRef } from "../batches/batch.ts";
import type { ReportSummary } from "../edits/edit-report.ts";
import type { ToolId } from "../edits/tools.ts";
import { PackshotError } from "../errors.ts";
import { isoTime } from "../ids.ts";
import { subjects, ttlSeconds } from "../subjects.ts";
import type { Write } from "../write.ts";
import type { CompletedJob, FileRef, Job, JobReview, Metadata, Verdict } from "./job.ts";

/**
 * The review of a batch's row, which outlives the row's job. The batch's files have it a moment later; until then this is
 * what a second decision is made from.
 */
export interface ReviewRecord {
  readonly v: 1;
  /** Absent: nobody has reviewed it. */
  readonly review?: JobReview;
  /**
   * The job that took the free repeat of the row's job. It may end when that job is gone, and the batch's files have its
   * result later still.
   */
  readonly freeRepeat?: string;
}

/** `expected`: the sequence that it was read with. */
export function reviewRecordWrite(
  { accountId, jobId }: Pick<ReviewedCutOut, "accountId" | "jobId">,
  record: ReviewRecord,
  expected: number,
): Write {
  const lifetime = record.freeRepeat === undefined ? ttlSeconds.review : ttlSeconds.freeRepeat;
  return { subject: subjects.review(accountId, jobId), value: record, expected, ttlSeconds: lifetime };
}

/** A completed job, or what a batch still has of one. */
export interface ReviewedCutOut {
  readonly accountId: string;
  readonly jobId: string;
  readonly tool: ToolId;
  readonly live: boolean;
  readonly metadata: Metadata;
  readonly report: ReportSummary;
  /** What it cost. */
  readonly credits: number;
  /** Credit period of the debit; undefined: it is not known any more, so nothing is refunded. */
  readonly period: number | undefined;
  readonly jobCreatedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string;
  /** When it can be reviewed no more; null: its batch has not ended. */
  readonly expiresAt: string | null;
  /** null: it is in a customer's bucket only. */
  readonly result: FileRef | null;
  /** Storage keys of the copies that its batch has, where the job is gone; absent: there is the job. */
  readonly keptKeys?: readonly string[];
  /** A customer's bucket has it, and keeps it whatever becomes of it here. */
  readonly isInBucket: boolean;
  /** Its free repeat was taken, and neither failed nor was cancelled. */
  readonly isRepeated: boolean;
  readonly batch?: BatchRef;
  /** undefined: nobody has. */
  readonly review: JobReview | undefined;
}

export interface ReviewRequest {
  readonly verdict: Verdict;
  readonly nowMs: number;
}

export interface ReviewDecision extends AccountChange {
  readonly review: JobReview;
}

/**
 * undefined: that is its review already. An approved cut-out may still be rejected; a rejected one has no result that could
 * be approved: `not_reviewable`.
 */
export function decideReview(
  account: Account,
  cutOut: ReviewedCutOut,
  { verdict, nowMs }: ReviewRequest,
): ReviewDecision | undefined {
  if (cutOut.review?.verdict === verdict) return undefined;
  if (cutOut.review?.verdict === "rejected") {
    throw new PackshotError("not_reviewable", "The job was rejected, and its result removed: it cannot be approved.");
  }
  const at = isoTime(nowMs);
  if (verdict === "approved" || !isRefunded(account, cutOut, nowMs)) {
    return { account, entries: [], review: { verdict, at, creditsRefunded: 0 } };
  }
  const { jobId, tool, credits, period } = cutOut;
  const refunded = refundJob(account, { jobId, tool, credits, period: period! }, nowMs);
  const usage = usageOfDay(refunded.account.usage, nowMs);
  return {
    account: { ...refunded.account, usage: { ...usage, reviewRefunds: (usage.reviewRefunds ?? 0) + 1 } },
    entries: refunded.entries,
    review: { verdict, at, creditsRefunded: credits },
  };
}

/** Whoever keeps the result, in a bucket of theirs or mended by a free repeat, has what was paid for. */
function isRefunded(account: Account, { credits, period, isInBucket, isRepeated }: ReviewedCutOut, nowMs: number) {
  if (credits === 0 || period === undefined || isInBucket || isRepeated) return false;
  return reviewRefundsLeft(account, nowMs) > 0;
}

/** How many rejected jobs are refunded for the rest of this UTC day. */
export function reviewRefundsLeft({ limits, usage }: Account, nowMs: number): number {
  const { reviewRefunds = 0 } = usageOfDay(usage, nowMs);
  return Math.max(0, (limits.reviewRefundsPerDay ?? 0) - reviewRefunds);
}

/** Throws `not_reviewable` for a job that has not completed. `repeat`: the job that took its free repeat, if it is there. */
export function cutOutOfJob(job: Job, repeat?: Job): ReviewedCutOut {
  if (job.status !== "completed") {
    throw new PackshotError("not_reviewable", `The job is ${job.status}: only a completed one has a result to review.`);
  }
  const { quality, reasons } = job.report as unknown as ReportSummary;
  return {
    accountId: job.accountId,
    jobId: job.id,
    tool: job.tool,
    live: job.live,
    metadata: job.metadata,
    report: { quality, reasons },
    credits: job.creditsCharged,
    period: job.period,
    jobCreatedAt: job.createdAt,
    startedAt: job.startedAt,
    finishedAt: job.finishedAt,
    expiresAt: job.expiresAt,
    result: job.result,
    // A delivery that runs may bring it there yet.
    isInBucket:
      job.delivery?.status === "stored" || (job.delivery?.status === "failed" && job.delivery.running !== undefined),
    isRepeated: isFreeRepeatTaken(job.freeRepeat, repeat),
    batch: job.batch ?? job.mends,
    review: job.review,
  };
}

/**
 * Whether the job `repeatId` took a free repeat and keeps it: one that failed or was cancelled has given it back. `repeat`:
 * that job, if it is still there. A client that deletes it after it failed gives it back by that (`job-actions.ts`).
 */
export function isFreeRepeatTaken(repeatId: string | undefined, repeat: Job | undefined): boolean {
  return repeatId !== undefined && !(repeat !== undefined && givesBackFreeRepeat(repeat));
}

function givesBackFreeRepeat({ status }: Job): boolean {
  return status === "failed" || status === "cancelled";
}

/**
 * The job with its free repeat taken by the job `repeatId`; undefined: that one costs what an edit costs. `earlier`: the job
 * that took it before, if it is still there. `record`: of a batch's row.
 */
export function takeFreeRepeat(
  job: Job | undefined,
  repeatId: string,
  earlier: Job | undefined,
  record?: ReviewRecord,
): CompletedJob | undefined {
  if (job?.status !== "completed" || job.creditsCharged === 0) return undefined;
  // A free repeat has none of its own, and whoever has the credits back pays for the next edit.
  const review = record?.review ?? job.review;
  if (job.repeatOf !== undefined || (review?.creditsRefunded ?? 0) > 0) return undefined;
  return isFreeRepeatTaken(job.freeRepeat, earlier) ? undefined : { ...job, freeRepeat: repeatId };
}
