/** Finds what is to be reviewed: a completed job, or, once its record has expired, what its batch has kept of it. */
import { type Batch, type BatchRef, segmentOf } from "@packshot/domain/batches/batch.ts";
import type { ReportSummary } from "@packshot/domain/edits/edit-report.ts";
import { isoTime, isUuid, uuidv7TimeMs } from "@packshot/domain/ids.ts";
import type { CompletedJob, Job } from "@packshot/domain/jobs/job.ts";
import {
  cutOutOfJob,
  isFreeRepeatTaken,
  type ReviewedCutOut,
  type ReviewRecord,
} from "@packshot/domain/jobs/review.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Versioned } from "@packshot/domain/write.ts";
import type { Log, LogRecord } from "@packshot/log/log.ts";
import { readBatch } from "../batches/batch-actions.ts";
import type { OutcomeFiles } from "../batches/rows/outcome-files.ts";
import type { RowOutcome, ValidRow } from "../batches/rows/row.ts";
import { keptKeys } from "../batches/rows/row-outputs.ts";
import type { RowSegments } from "../batches/rows/row-segments.ts";
import { isExpired, type JobRef, jobNotFound } from "../jobs/job-actions.ts";

export interface FindCutOutDeps {
  readonly log: Log;
  readonly nowMs: () => number;
  readonly segments: Pick<RowSegments, "read">;
  readonly outcomes: Pick<OutcomeFiles, "read">;
}

/** The row of a batch that a job was made of. */
export interface BatchPlace {
  readonly id: string;
  /** From 0. */
  readonly row: number;
}

export interface FoundCutOut {
  readonly cutOut: ReviewedCutOut;
  /** undefined: it has expired or was deleted, and the batch has kept its result. */
  readonly job: Versioned<CompletedJob> | undefined;
  /** Only for a row of a batch. */
  readonly record: LogRecord<ReviewRecord> | undefined;
}

/**
 * What the batch's files have of a row whose job is gone, read once: a caller who looks again while it holds the account reads
 * no storage.
 */
export function keptRowReader(
  deps: FindCutOutDeps,
  { realm, jobId }: JobRef,
  place: BatchPlace | undefined,
): () => Promise<ReviewedCutOut> {
  let kept: Promise<ReviewedCutOut> | undefined;
  async function read(): Promise<ReviewedCutOut> {
    if (place === undefined) throw jobNotFound();
    return await cutOutOfRow(deps, await readBatch(deps, { realm, batchId: place.id }), jobId, place.row);
  }
  return () => (kept ??= read());
}

/**
 * From the leader. `keptRow` is asked only where there is no job. Throws `not_found`, and `not_reviewable` for a job that
 * has not completed.
 */
export async function findCutOut(
  { log, nowMs }: FindCutOutDeps,
  { realm, jobId }: JobRef,
  keptRow: () => Promise<ReviewedCutOut>,
): Promise<FoundCutOut> {
  if (!isUuid(jobId)) throw jobNotFound();
  const { value: job, sequence } = await log.read<Job>(subjects.job(realm.accountId, jobId));
  if (job === undefined || job.live !== realm.live || isExpired(job, nowMs())) {
    return await withRecord(log, { cutOut: await keptRow(), job: undefined });
  }
  const cutOut = cutOutOfJob(job, await readRepeat(log, realm.accountId, freeRepeatOf(job)));
  const found = { value: job as CompletedJob, sequence };
  if (cutOut.batch === undefined) return { cutOut, job: found, record: undefined };
  return await withRecord(log, { cutOut, job: found });
}

/** What was decided last, and whether a repeat runs that is free: the batch's files may not know it yet. */
async function withRecord(log: Log, found: Omit<FoundCutOut, "record">): Promise<FoundCutOut> {
  const { accountId, jobId, review } = found.cutOut;
  const record = await log.read<ReviewRecord>(subjects.review(accountId, jobId));
  const { freeRepeat } = record.value ?? {};
  const isRepeated =
    found.cutOut.isRepeated ||
    (found.job === undefined && isFreeRepeatTaken(freeRepeat, await readRepeat(log, accountId, freeRepeat)));
  return { ...found, record, cutOut: { ...found.cutOut, isRepeated, review: record.value?.review ?? review } };
}

function freeRepeatOf(job: Job): string | undefined {
  return job.status === "completed" ? job.freeRepeat : undefined;
}

async function readRepeat(log: Log, accountId: string, id: string | undefined): Promise<Job | undefined> {
  return id === undefined ? undefined : (await log.read<Job>(subjects.job(accountId, id))).value;
}

async function cutOutOfRow(
  { segments, outcomes }: FindCutOutDeps,
  batch: Batch,
  jobId: string,
  number: number,
): Promise<ReviewedCutOut> {
  const segment = segmentOf(number);
  if (number >= batch.rows) throw jobNotFound();
  const outcome = (await outcomes.read(batch, segment)).get(number);
  const row = (await segments.read(batch, segment))?.find((each) => each.row === number);
  if (outcome?.jobId !== jobId || outcome.status !== "completed" || row === undefined || "fault" in row) {
    throw jobNotFound();
  }
  return rowCutOut(batch, row, outcome);
}

/** A completed row, as its batch's files have it. */
function rowCutOut(batch: Batch, row: ValidRow, outcome: RowOutcome): ReviewedCutOut {
  const jobId = outcome.jobId!;
  const ref: BatchRef = { id: batch.id, row: row.row, try: outcome.try, ref: row.ref };
  const startedAt = outcome.milliseconds === null ? null : isoTime(Date.parse(outcome.at) - outcome.milliseconds);
  return {
    accountId: batch.accountId,
    jobId,
    tool: row.tool,
    live: batch.live,
    metadata: {},
    report: { quality: (outcome.quality ?? "ok") as ReportSummary["quality"], reasons: outcome.reasons ?? [] },
    credits: outcome.credits,
    period: outcome.period,
    jobCreatedAt: isoTime(uuidv7TimeMs(jobId)),
    startedAt,
    finishedAt: outcome.at,
    expiresAt: batch.expiresAt,
    result: outcome.result,
    keptKeys: keptKeys(batch, outcome),
    isInBucket: outcome.destination !== null,
    isRepeated: outcome.isMended === true,
    batch: ref,
    review: outcome.review,
  };
}
