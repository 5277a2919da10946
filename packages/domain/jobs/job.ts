/**
 * The job's state machine: pure decisions over plain records. API, worker and followers read the records, decide here,
 * and commit the decision as one atomic batch.
 */

import type { Lane } from "../accounts/lane.ts";
import type { BatchRef } from "../batches/batch.ts";
import type { BucketFile } from "../connections/bucket-key.ts";
import type { Check } from "../edits/edit-report.ts";
import { type PaintingFacts, type RequeueReason, unpaintedAfter } from "../edits/engine.ts";
import type { Pictures } from "../edits/pictures.ts";
import { unearnedCredits } from "../edits/price.ts";
import type { ToneGains } from "../edits/tone.ts";
import type { EditParameters, ToolId } from "../edits/tools.ts";
import { errorCatalog, type JobError, type JobErrorCode, PackshotError } from "../errors.ts";
import { extensionOf } from "../file-extension.ts";
import { isoTime } from "../ids.ts";

export interface FileRef {
  /** Storage key. */
  readonly key: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly width?: number;
  readonly height?: number;
}

export type JobSource = (
  | { readonly kind: "file"; readonly file: FileRef }
  /** Fetched by the worker when the job runs; also `s3://<connection>/<key>`. */
  | { readonly kind: "url"; readonly imageUrl: string }
) & {
  /** Only of a picture whose light is matched, where its own job has changed that light: what is matched is the changed one. */
  readonly gains?: ToneGains;
};

export type Metadata = Readonly<Record<string, string>>;

/** With the pictures that the edit has beside its photo. */
interface JobFacts extends Pictures<JobSource>, PaintingFacts {
  readonly v: 1;
  readonly id: string;
  readonly accountId: string;
  readonly tool: ToolId;
  /** false: made with a test key. The job is free, and a sandbox stands in for inference. */
  readonly live: boolean;
  readonly parameters: EditParameters & { readonly seed: number };
  readonly metadata: Metadata;
  readonly source: JobSource;
  /** The customer's bucket, where the result goes too. */
  readonly destination?: BucketFile;
  readonly creditsCharged: number;
  /** What each file after the first costs; only of an edit with `outputs`. */
  readonly creditsPerFurtherOutput?: number;
  /** What a scene costs that an image model paints; only of an edit that asks for one. */
  readonly creditsPerGeneratedScene?: number;
  /** Credit period of the debit. */
  readonly period: number;
  readonly maxFileSizeBytes: number;
  /** What its account counts for the source until the job ends. */
  readonly sourceBytes: number;
  readonly lane: Lane;
  readonly createdAt: string;
  /** The row of which it was made; absent: a request made it. */
  readonly batch?: BatchRef;
  /** W3C trace context of its accept, if the request was traced: the spans of whoever works on the job continue it. */
  readonly traceparent?: string;
  /** Only for the free repeat of a job: which one. */
  readonly repeatOf?: string;
  /** The row of a batch whose result this one replaces: its job's free repeat. */
  readonly mends?: BatchRef;
  /** Claims so far. */
  readonly attempts: number;
  readonly startedAt: string | null;
}

/** One of several results of a job, or a layer of its result. */
export interface ResultFile extends Required<FileRef> {
  /** Unique in the job; it names its file, and follows the key of the job's destination. */
  readonly name: string;
  /** An edit with this seed makes this result alone. */
  readonly seed?: number;
  /** Only for a file with a preset. */
  readonly checks?: readonly Check[];
  /** What the job's report has for the first result, as far as it differs. */
  readonly report?: Readonly<Record<string, unknown>>;
}

/** With its key in the bucket of the job's destination; absent: the job has none. */
export type PlacedResult = ResultFile & { readonly destinationKey?: string };

/** One of the files of `outputs` that could not be made. It costs nothing. */
export interface FailedResult {
  readonly name: string;
  /** In the order of the request, from 0. The first file never is one: without it the job fails. */
  readonly position: number;
  readonly error: JobError;
}

export interface JobResult {
  readonly result: FileRef;
  /** All of them, `result` first; absent where there is no other, unless the edit has `outputs`. */
  readonly results?: readonly ResultFile[];
  /** Absent where every file was made. */
  readonly failedResults?: readonly FailedResult[];
  /** The layers of the result, the lowest first; absent where they were not asked for. */
  readonly layers?: readonly ResultFile[];
  readonly thumbnail: FileRef;
  /** The product's own shadow, where it was asked for and found. */
  readonly shadow?: FileRef;
  /** Only for a doubtful cut-out. */
  readonly proof?: Proof;
  /** `name@version` of the model that made the matte; null: the source brought it. */
  readonly model: string | null;
  /** The version of the pipeline that made it. Workers since v0.2.0 write it always. */
  readonly pipeline?: string;
  readonly report: Readonly<Record<string, unknown>>;
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
  /** Its share of the time in which models computed. */
  readonly inferenceMs: number;
  /** Absent: the job has no destination. */
  readonly delivery?: BucketDelivery;
}

/** What a person looks at, and mends: photo and matte, of the same size. */
export interface Proof {
  readonly photo: FileRef;
  readonly matte: FileRef;
}

export type Verdict = "approved" | "rejected";

/** A person's verdict on the result; `review.ts` decides what follows from it. */
export interface JobReview {
  readonly verdict: Verdict;
  readonly at: string;
  /** 0 for an approved one. */
  readonly creditsRefunded: number;
}

/** What became of the result on its way to the customer's bucket. */
export type BucketDelivery =
  | { readonly status: "stored"; readonly attempts: number }
  | {
      readonly status: "failed";
      /** Deliveries so far, with the worker's. */
      readonly attempts: number;
      readonly error: JobError;
      /** Another delivery, while it runs. */
      readonly running?: { readonly id: string; readonly until: string };
    };

export type QueuedJob = JobFacts & { readonly status: "queued" };
export type ProcessingJob = JobFacts & {
  readonly status: "processing";
  readonly startedAt: string;
  readonly attemptId: string;
  /** Sequence in `PS_READY` of the message that the claim's holder has. */
  readonly readySequence: number;
  readonly deadlineAt: string;
  /**
   * Its edit is done, and its bytes may reach the customer's bucket from now on: it cannot be cancelled any more, since a
   * cancelled job costs nothing.
   */
  readonly deliveringSince?: string;
};
interface EndFields {
  readonly finishedAt: string;
  readonly expiresAt: string;
}
export type CompletedJob = JobFacts &
  EndFields &
  JobResult & {
    readonly status: "completed";
    /**
     * What came back for files that failed, and for scenes that the renderer painted in an image model's place: `creditsCharged`
     * is without it. Absent: nothing.
     */
    readonly creditsOfFailed?: number;
    /** Absent: nobody has reviewed it. */
    readonly review?: JobReview;
    /** The job that took its free repeat. */
    readonly freeRepeat?: string;
  };
export type FailedJob = JobFacts & EndFields & { readonly status: "failed"; readonly error: JobError };
export type CancelledJob = JobFacts & EndFields & { readonly status: "cancelled" };
export type EndedJob = CompletedJob | FailedJob | CancelledJob;
export type Job = QueuedJob | ProcessingJob | EndedJob;

const jobStatuses = ["queued", "processing", "completed", "failed", "cancelled"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** From the first claim. */
export const jobDeadlineMs = 5 * 60 * 1000;

/** How long after its acceptance a job may be claimed; one that is still queued then fails. */
export interface QueueDeadlines {
  readonly liveMs: number;
  readonly sandboxMs: number;
}

export const defaultQueueDeadlines: QueueDeadlines = { liveMs: 24 * 3600 * 1000, sandboxMs: 3600 * 1000 };

/** The claim with this number fails the job, so that a photo that kills its worker cannot kill all workers. */
export const attemptsMax = 5;

/** A job's files that a client can have. */
export type ResultPart = "result" | "thumbnail" | "shadow" | "photo" | "matte";

/** The file name under which a browser saves the file of a job's link. `part`: or the name of a result or a layer. */
export function downloadName(
  tool: ToolId,
  jobId: string,
  file: FileRef,
  part: ResultPart | ResultFile["name"],
): string {
  return `${tool}-${jobId}${part === "result" ? "" : `-${part}`}.${extensionOf(file.contentType)}`;
}

/** Files and failures, in the order of the request. */
export function allResults<T extends ResultFile>({
  results = [],
  failedResults = [],
}: {
  readonly results?: readonly T[];
  readonly failedResults?: readonly FailedResult[];
}): readonly (T | FailedResult)[] {
  const all: (T | FailedResult)[] = [...results];
  for (const failed of failedResults) all.splice(failed.position, 0, failed);
  return all;
}

/** The name of an edit's first file; undefined: it makes one file, which needs none. */
export function firstOutputName({ parameters }: Pick<Job, "parameters">): string | undefined {
  return parameters.outputs?.[0]?.name;
}

/** Files beside the first result, which go to the destination's key with their names after it. */
export function furtherResults({
  results = [],
  layers = [],
}: Pick<JobResult, "results" | "layers">): readonly ResultFile[] {
  return [...results.slice(1), ...layers];
}

export function isEnded(job: Job): job is EndedJob {
  return job.status === "completed" || job.status === "failed" || job.status === "cancelled";
}

function isDelivering(job: Job): boolean {
  return job.status === "processing" && job.deliveringSince !== undefined;
}

export interface ClaimRequest {
  readonly attemptId: string;
  readonly readySequence: number;
  readonly nowMs: number;
  readonly retentionMs: number;
  readonly queueDeadlines?: QueueDeadlines;
}

export type ClaimDecision =
  | { readonly kind: "claimed"; readonly job: ProcessingJob }
  | { readonly kind: "failed"; readonly job: FailedJob }
  /** The job has ended or was deleted, or the message is a duplicate: ack it and go on. */
  | { readonly kind: "drop" };

/** `job` as the stream's leader has it; undefined when absent or a tombstone. */
export function claimJob(job: Job | undefined, request: ClaimRequest): ClaimDecision {
  if (job === undefined || isEnded(job)) return { kind: "drop" };
  if (job.status === "processing") {
    if (job.readySequence !== request.readySequence) return { kind: "drop" };
    // The same message was delivered again: its holder is lost.
    if (request.nowMs > Date.parse(job.deadlineAt)) {
      return {
        kind: "failed",
        job: failJob(job, createJobError("deadline_exceeded", "The edit did not finish in 5 minutes."), request),
      };
    }
  } else if (request.nowMs > queueDeadlineMs(job, request.queueDeadlines)) {
    return { kind: "failed", job: failJob(job, queuedTooLong, request) };
  }
  if (job.attempts + 1 >= attemptsMax) {
    const error = createJobError("internal_error", `The edit was tried ${attemptsMax - 1} times and never finished.`);
    return { kind: "failed", job: failJob(job, error, request) };
  }
  return {
    kind: "claimed",
    job: {
      ...job,
      status: "processing",
      attempts: job.attempts + 1,
      startedAt: job.startedAt ?? isoTime(request.nowMs),
      attemptId: request.attemptId,
      readySequence: request.readySequence,
      deadlineAt: job.status === "processing" ? job.deadlineAt : isoTime(request.nowMs + jobDeadlineMs),
    },
  };
}

interface EndTimes {
  readonly nowMs: number;
  readonly retentionMs: number;
}

export function completeJob(
  job: ProcessingJob,
  result: JobResult,
  model: string | null,
  times: EndTimes,
): CompletedJob {
  const parameters = model === null ? job.parameters : { ...job.parameters, model };
  const creditsOfFailed = Math.min(job.creditsCharged, unearnedCredits(job, result));
  const refunded = { creditsCharged: job.creditsCharged - creditsOfFailed, creditsOfFailed };
  return {
    ...jobFacts(job),
    ...(creditsOfFailed > 0 && refunded),
    parameters,
    ...result,
    ...endFields(times),
    status: "completed",
  };
}

export function failJob(job: Job, error: JobError, times: EndTimes): FailedJob {
  return { ...jobFacts(job), ...endFields(times), status: "failed", error };
}

/** Throws `job_already_finished`, except that a cancelled job stays cancelled. */
export function cancelJob(job: Job, times: EndTimes): CancelledJob {
  if (job.status === "cancelled") return job;
  if (isEnded(job)) throw new PackshotError("job_already_finished", `The job has ${job.status} already.`);
  if (isDelivering(job)) {
    throw new PackshotError("job_already_finished", "The edit is done, and its result is on its way to your bucket.");
  }
  return { ...jobFacts(job), ...endFields(times), status: "cancelled" };
}

/** Gives a claimed job back to the queue. The claim does not count as an attempt, and the deadline starts anew. */
export function requeueJob(job: ProcessingJob, reason: RequeueReason = {}): QueuedJob {
  const { unpaintedSince: before, ...facts } = jobFacts(job);
  return {
    ...facts,
    ...unpaintedAfter(before, reason),
    status: "queued",
    attempts: Math.max(0, job.attempts - 1),
    startedAt: null,
  };
}

/** How long after its deadline the repair sweep fails a job that nobody finished. */
export const repairGraceMs = 60_000;

const queuedTooLong = createJobError("deadline_exceeded", "The job was queued too long: no worker started it in time.");

/** When a job fails unless it has been claimed, in milliseconds since the epoch. */
export function queueDeadlineMs(
  { live, createdAt }: Pick<Job, "live" | "createdAt">,
  { liveMs, sandboxMs }: QueueDeadlines = defaultQueueDeadlines,
): number {
  return Date.parse(createdAt) + (live ? liveMs : sandboxMs);
}

export interface RepairTimes extends EndTimes {
  readonly queueDeadlines?: QueueDeadlines;
}

export type RepairDecision =
  | { readonly kind: "unchanged" }
  | { readonly kind: "failed"; readonly job: FailedJob }
  /** The job needs a new ready message. */
  | { readonly kind: "requeued"; readonly job: QueuedJob };

/**
 * What the repair sweep does with a job as the leader has it. `isQueued`: the job has a wait record or a ready message.
 * Attempts stay counted, so that a photo that kills its worker still fails in the end.
 */
export function repairJob(job: Job | undefined, isQueued: boolean, times: RepairTimes): RepairDecision {
  if (job === undefined || isEnded(job)) return { kind: "unchanged" };
  if (job.status === "processing" && times.nowMs > Date.parse(job.deadlineAt) + repairGraceMs) {
    const error = createJobError("deadline_exceeded", "The edit did not finish in 5 minutes.");
    return { kind: "failed", job: failJob(job, error, times) };
  }
  if (job.status === "queued" && times.nowMs > queueDeadlineMs(job, times.queueDeadlines)) {
    return { kind: "failed", job: failJob(job, queuedTooLong, times) };
  }
  return isQueued ? { kind: "unchanged" } : { kind: "requeued", job: { ...jobFacts(job), status: "queued" } };
}

export function createJobError(code: JobErrorCode, message: string): JobError {
  return { code, message, retryable: errorCatalog[code].retryable };
}

type FieldOf<T> = T extends unknown ? keyof T : never;
type StateField = Exclude<FieldOf<Job>, keyof JobFacts>;

const stateFields: Readonly<Record<StateField, true>> = {
  status: true,
  attemptId: true,
  readySequence: true,
  deadlineAt: true,
  finishedAt: true,
  expiresAt: true,
  result: true,
  results: true,
  failedResults: true,
  creditsOfFailed: true,
  layers: true,
  thumbnail: true,
  model: true,
  report: true,
  timings: true,
  pipeline: true,
  shadow: true,
  inferenceMs: true,
  error: true,
  delivery: true,
  deliveringSince: true,
  proof: true,
  review: true,
  freeRepeat: true,
};

/**
 * What a change of state leaves as it is. Fields that this release does not know stay, too: a later one, which runs beside
 * it during an upgrade or ran before a rollback, has written them and reads them again.
 */
function jobFacts(job: Job): JobFacts {
  const facts = Object.entries(job).filter(([name]) => !Object.hasOwn(stateFields, name));
  return Object.fromEntries(facts) as unknown as JobFacts;
}

function endFields({ nowMs, retentionMs }: EndTimes): EndFields {
  return { finishedAt: isoTime(nowMs), expiresAt: isoTime(nowMs + retentionMs) };
}

/** The response to the first request with an `Idempotency-Key`, kept for 24 h. */
export interface IdempotencyRecord {
  readonly v: 1;
  /** Hex SHA-256 of the operation, the canonical parameters and the file's hash or reference. */
  readonly fingerprint: string;
  readonly status: number;
  readonly body: unknown;
  /** The job, upload or webhook that the first request created. */
  readonly subjectId: string;
}
