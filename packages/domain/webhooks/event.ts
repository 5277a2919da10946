import type { Lane } from "../accounts/lane.ts";
import type { Batch, BatchNews, BatchRef, FedOutcome } from "../batches/batch.ts";
import { type ReportSummary, summarizeReport } from "../edits/edit-report.ts";
import { hasUnpaintedScene } from "../edits/engine.ts";
import type { ToolId } from "../edits/tools.ts";
import type { JobError } from "../errors.ts";
import { isoTime } from "../ids.ts";
import { type DeliveredFile, deliveredFile, placedResults } from "../jobs/bucket-delivery.ts";
import type {
  CompletedJob,
  EndedJob,
  FailedResult,
  FileRef,
  Job,
  JobReview,
  Metadata,
  PlacedResult,
  ResultFile,
} from "../jobs/job.ts";
import type { ReviewedCutOut } from "../jobs/review.ts";
import { subjects, ttlSeconds } from "../subjects.ts";
import type { Write } from "../write.ts";

/** Events that a webhook can receive. */
export const webhookEventKinds = [
  "webhook.test",
  "job.completed",
  "job.failed",
  "job.cancelled",
  "job.reviewed",
  "batch.progress",
  "batch.completed",
  "webhook.disabled",
] as const;
export type WebhookEventKind = (typeof webhookEventKinds)[number];

export type JobOutcome = "completed" | "failed" | "cancelled";

/** Everything that a follower needs of an ended job: the record may be gone when the event is read. */
export interface JobEndedEvent {
  readonly v: 1;
  readonly kind: JobOutcome;
  readonly eventId: string;
  readonly createdAt: string;
  readonly accountId: string;
  readonly jobId: string;
  readonly tool: ToolId;
  readonly live: boolean;
  readonly lane: Lane;
  readonly metadata: Metadata;
  readonly credits: number;
  /** What comes back beside them, for what the job did not do; absent: nothing. */
  readonly creditsOfFailed?: number;
  readonly sourceBytes: number;
  /** Absent where the job did not complete. */
  readonly inferenceMs?: number;
  /** Absent where the job did not complete. */
  readonly report?: ReportSummary;
  /** The renderer painted a scene whose image model did not in time; absent: nothing is to be gained by another try. */
  readonly isUnpainted?: true;
  /** Milliseconds by stage; absent like `report`. */
  readonly timings?: Readonly<Record<string, number>>;
  readonly period: number;
  readonly jobCreatedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string;
  readonly expiresAt: string;
  readonly result: FileRef | null;
  /** As the job has them, without reports. */
  readonly results?: readonly PlacedResult[];
  readonly failedResults?: readonly FailedResult[];
  /** The lowest first; absent where they were not asked for. */
  readonly layers?: readonly ResultFile[];
  readonly thumbnail: FileRef | null;
  /** Absent where the job has none. */
  readonly shadow?: FileRef;
  /** Where a completed job's result went too; absent: nowhere. */
  readonly destination?: DeliveredFile;
  readonly error: JobError | null;
  /** As the job has it. */
  readonly batch?: BatchRef;
  readonly mends?: BatchRef;
  /** The job whose free repeat it took; only beside `mends`. */
  readonly repeatOf?: string;
  /** W3C trace context of what ended the job, or else of the job. */
  readonly traceparent?: string;
}

/** A later delivery has brought the result of a batch's job to its bucket. The rest is as when the job ended. */
export type JobDeliveredEvent = Omit<JobEndedEvent, "kind"> & {
  readonly kind: "delivered";
  /** What was decided before: the row's line is written anew. */
  readonly review?: JobReview | undefined;
};

/** A person approved or rejected the result of a completed job. */
export interface JobReviewedEvent
  extends Pick<
    ReviewedCutOut,
    | "accountId"
    | "jobId"
    | "tool"
    | "live"
    | "metadata"
    | "report"
    | "jobCreatedAt"
    | "startedAt"
    | "finishedAt"
    | "expiresAt"
    | "batch"
  > {
  readonly v: 1;
  readonly kind: "reviewed";
  readonly eventId: string;
  readonly createdAt: string;
  readonly review: JobReview;
  /** What is left of them after a refund. */
  readonly credits: number;
  /** null: it was rejected, or is in a customer's bucket only. */
  readonly result: FileRef | null;
  /** W3C trace context of the request. */
  readonly traceparent?: string;
}

/** A client deleted the job: its files are removed at once. */
export interface JobDeletedEvent {
  readonly v: 1;
  readonly kind: "deleted";
  readonly eventId: string;
  readonly createdAt: string;
  readonly accountId: string;
  readonly jobId: string;
  /** The row of a batch that has a copy of its result; absent: there is none. */
  readonly row?: BatchRef;
  /** Beside `row`. */
  readonly finishedAt?: string;
}

/** A client asked for a test of one webhook. */
export interface WebhookTestEvent {
  readonly v: 1;
  readonly kind: "test";
  readonly eventId: string;
  readonly createdAt: string;
  readonly accountId: string;
  readonly webhookId: string;
  /** W3C trace context of the request. */
  readonly traceparent?: string;
}

/** The service disabled a webhook: the account's others are told. */
export interface WebhookDisabledEvent {
  readonly v: 1;
  readonly kind: "webhookdisabled";
  readonly eventId: string;
  readonly createdAt: string;
  readonly accountId: string;
  readonly webhook: {
    readonly id: string;
    readonly url: string;
    readonly live: boolean;
    readonly metadata: Metadata;
    readonly createdAt: string;
    readonly failingSince: string | null;
  };
  readonly reason: "gone" | "failing";
}

/** Waiting jobs may enter the account's window: its limits were raised, or a batch of changes had no room for all. The keeper promotes them. */
export interface PromoteEvent {
  readonly v: 1;
  readonly kind: "limits";
  readonly eventId: string;
  readonly createdAt: string;
  readonly accountId: string;
}

/** Outcomes of rows that were handed out without a job. */
export interface BatchRowsEvent {
  readonly v: 1;
  readonly kind: "batchrows";
  readonly eventId: string;
  readonly createdAt: string;
  readonly accountId: string;
  readonly batchId: string;
  readonly try: number;
  readonly outcomes: readonly FedOutcome[];
}

/** A tenth of a batch's rows has ended, or all have. */
export interface BatchNewsEvent {
  readonly v: 1;
  readonly kind: "batchprogress" | "batchcompleted";
  readonly eventId: string;
  readonly createdAt: string;
  readonly accountId: string;
  readonly batch: Pick<
    Batch,
    | "id"
    | "live"
    | "status"
    | "rows"
    | "counts"
    | "credits"
    | "deliveriesFailed"
    | "createdAt"
    | "finishedAt"
    | "expiresAt"
  >;
}

export type PackshotEvent =
  | JobEndedEvent
  | JobDeliveredEvent
  | JobReviewedEvent
  | JobDeletedEvent
  | WebhookTestEvent
  | WebhookDisabledEvent
  | PromoteEvent
  | BatchRowsEvent
  | BatchNewsEvent;

export function isJobEndedEvent(event: PackshotEvent): event is JobEndedEvent {
  return event.kind === "completed" || event.kind === "failed" || event.kind === "cancelled";
}

export function isBatchNewsEvent(event: PackshotEvent): event is BatchNewsEvent {
  return event.kind === "batchprogress" || event.kind === "batchcompleted";
}

export function batchNewsEvent(batch: Batch, news: BatchNews, eventId: string, nowMs: number): BatchNewsEvent {
  const { id, accountId, live, status, rows, counts, credits, deliveriesFailed = 0 } = batch;
  const { createdAt, finishedAt, expiresAt } = batch;
  return {
    v: 1,
    kind: `batch${news}`,
    eventId,
    createdAt: isoTime(nowMs),
    accountId,
    batch: { id, live, status, rows, counts, credits, deliveriesFailed, createdAt, finishedAt, expiresAt },
  };
}

/** `traceparent`: of what ended the job; the job's own when absent. */
export function jobEndedEvent(
  job: EndedJob,
  eventId: string,
  { traceparent = job.traceparent }: { readonly traceparent?: string } = {},
): JobEndedEvent {
  const destination = deliveredFile(job);
  return {
    v: 1,
    kind: job.status,
    eventId,
    createdAt: job.finishedAt,
    accountId: job.accountId,
    jobId: job.id,
    tool: job.tool,
    live: job.live,
    lane: job.lane,
    metadata: job.metadata,
    credits: job.creditsCharged,
    ...(job.status !== "completed" || job.creditsOfFailed === undefined
      ? {}
      : { creditsOfFailed: job.creditsOfFailed }),
    sourceBytes: job.sourceBytes,
    ...(job.status === "completed"
      ? { inferenceMs: job.inferenceMs, report: summarizeReport(job.report), timings: job.timings }
      : {}),
    ...(job.status === "completed" && hasUnpaintedScene(job) ? { isUnpainted: true } : {}),
    period: job.period,
    jobCreatedAt: job.createdAt,
    startedAt: job.startedAt,
    finishedAt: job.finishedAt,
    expiresAt: job.expiresAt,
    result: job.status === "completed" ? job.result : null,
    ...(job.status !== "completed" ? {} : resultsOfEvent(job)),
    ...(job.status !== "completed" || job.layers === undefined ? {} : { layers: job.layers }),
    thumbnail: job.status === "completed" ? job.thumbnail : null,
    ...(job.status !== "completed" || job.shadow === undefined ? {} : { shadow: job.shadow }),
    destination,
    error: job.status === "failed" ? job.error : null,
    batch: job.batch,
    ...(job.mends === undefined ? {} : { mends: job.mends, repeatOf: job.repeatOf }),
    traceparent,
  };
}

function resultsOfEvent(job: CompletedJob): Pick<JobEndedEvent, "results" | "failedResults"> {
  const results = placedResults(job);
  const { failedResults } = job;
  return {
    ...(results === undefined ? {} : { results: results.map(({ report: _, ...file }) => file) }),
    ...(failedResults === undefined ? {} : { failedResults }),
  };
}

export function jobDeliveredEvent(job: CompletedJob, eventId: string, nowMs: number): JobDeliveredEvent {
  return { ...jobEndedEvent(job, eventId), kind: "delivered", createdAt: isoTime(nowMs), review: job.review };
}

export function jobReviewedEvent(
  cutOut: ReviewedCutOut,
  review: JobReview,
  { eventId, ...trace }: { readonly eventId: string; readonly traceparent?: string },
): JobReviewedEvent {
  const {
    credits,
    result,
    period: _period,
    keptKeys: _keptKeys,
    isInBucket: _isInBucket,
    isRepeated: _isRepeated,
    review: _review,
    ...facts
  } = cutOut;
  return {
    ...facts,
    v: 1,
    kind: "reviewed",
    eventId,
    createdAt: review.at,
    review,
    credits: credits - review.creditsRefunded,
    result: review.verdict === "rejected" ? null : result,
    ...trace,
  };
}

export function jobDeletedEvent(job: Job, eventId: string, nowMs: number): JobDeletedEvent {
  const row = job.status === "completed" ? (job.mends ?? job.batch) : undefined;
  return {
    v: 1,
    kind: "deleted",
    eventId,
    createdAt: isoTime(nowMs),
    accountId: job.accountId,
    jobId: job.id,
    ...(job.status === "completed" && row !== undefined ? { row, finishedAt: job.finishedAt } : {}),
  };
}

export function eventWrite(event: PackshotEvent): Write {
  // A job may be reviewed twice within the time in which a copy of the log stands still.
  const about = "jobId" in event && event.kind !== "reviewed" ? event.jobId : event.eventId;
  return {
    subject: subjects.event(event.accountId, about, event.kind),
    value: event,
    ttlSeconds: ttlSeconds.outbox,
  };
}
