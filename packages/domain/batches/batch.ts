/**
 * A batch: many rows of a catalog that become ordinary jobs, as many at a time as the account's window takes. Its record
 * has counts and a cursor, and nothing of a single row: rows and their outcomes are files of storage. At any
 * time `rows = pending + open + completed + failed + skipped + cancelled`. `batch-changes.ts` decides how it changes.
 */
import type { BucketFile } from "../connections/bucket-key.ts";
import type { EditParameters, ToolId } from "../edits/tools.ts";
import type { ErrorCode } from "../errors.ts";

/** Rows of one file in storage. */
export const segmentRows = 1_000;
export const batchRowsMax = 1_000_000;
/** A row is done anew when it was done so long ago. */
export const fingerprintLifetimeMs = 90 * 86_400_000;

export type OnExisting = "skip" | "redo";

/** What a row's job says of its batch. */
export interface BatchRef {
  readonly id: string;
  /** From 0, in the order of the file. */
  readonly row: number;
  /** From 1; a retry adds one. */
  readonly try: number;
  /** The row's name, as the client gave it. */
  readonly ref: string;
  /** SHA-256, in hex, of what makes two rows the same edit; absent with `redo`, and for a source that was not read. */
  readonly fingerprint?: string;
}

/** Where a row was made: in this batch or in another of the account. */
export interface SameAs {
  readonly batchId: string;
  readonly row: number;
}

/** An outcome that the feeder decides, without a job: the row is faulty, was done before, or its source cannot be read. */
export type FedOutcome =
  | { readonly row: number; readonly status: "skipped"; readonly sameAs: SameAs }
  | { readonly row: number; readonly status: "failed"; readonly code: ErrorCode; readonly message: string };

export type BatchInput =
  | { readonly kind: "inline" }
  /** Stays below the batch's prefix until the batch ends. */
  | { readonly kind: "file"; readonly format: "csv" | "ndjson" };

export interface BatchCounts {
  /** Not handed out. */
  readonly pending: number;
  /** Handed out and not settled. */
  readonly open: number;
  readonly completed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly cancelled: number;
}

/** Rows that had ended at a time, from which the rate is told. */
export interface Pace {
  readonly at: string;
  readonly ended: number;
}

export interface BatchFacts {
  readonly v: 1;
  readonly id: string;
  readonly accountId: string;
  /** false: made with a test key, so its jobs are sandbox jobs. */
  readonly live: boolean;
  /** The default for rows that name none. */
  readonly tool: ToolId | null;
  readonly parameters: EditParameters;
  readonly onExisting: OnExisting;
  /** Where results go instead of staying with the batch; the key may have placeholders. */
  readonly destination: BucketFile | null;
  readonly input: BatchInput;
  readonly createdAt: string;
  /** 0 until the rows are validated. */
  readonly rows: number;
  readonly counts: BatchCounts;
  /** How often the reading of its file has ended by itself; absent: never. */
  readonly readFaults?: number;
  /** 1, and one more with each retry. */
  readonly try: number;
  /** The cursor: the first row that this try has not looked at. */
  readonly nextRow: number;
  /** The segments that this try reads, in order; absent: all. */
  readonly segments?: readonly number[];
  /** Segments in which rows of this try failed, in order. */
  readonly failedSegments: readonly number[];
  /** Credits of completed rows. */
  readonly credits: number;
  /** Completed rows whose results their buckets did not take; absent: none. */
  readonly deliveriesFailed?: number;
  /** Sequence in the state stream of the last event that is counted. */
  readonly settledThrough: number;
  /** The last tenth that an event told of. */
  readonly tenths: number;
  /** Oldest first, two at most. */
  readonly paces: readonly Pace[];
}

export type PauseReason = "requested" | "insufficient_credits" | "api_disabled";

interface NotEnded {
  readonly finishedAt: null;
  readonly expiresAt: null;
}
export interface Ended {
  readonly finishedAt: string;
  /** When its files are removed. */
  readonly expiresAt: string;
}

/** Why a file's rows could not be read. */
export interface BatchError {
  readonly code: "invalid_request" | "internal_error" | "unavailable";
  readonly message: string;
}

export type Batch = BatchFacts &
  (
    | (NotEnded & { readonly status: "validating" | "running" })
    | (NotEnded & { readonly status: "paused"; readonly pausedBy: PauseReason })
    | (Ended & { readonly status: "completed" })
    /** Not ended while jobs of it are open. */
    | ((NotEnded | Ended) & { readonly status: "cancelled"; readonly error: BatchError | null })
  );

export type BatchStatus = Batch["status"];

export function segmentOf(row: number): number {
  return Math.floor(row / segmentRows);
}

export function isBatchEnded(batch: Batch): boolean {
  return batch.finishedAt !== null;
}

/** Rows that have an outcome. */
export function endedRows({ completed, failed, skipped, cancelled }: BatchCounts): number {
  return completed + failed + skipped + cancelled;
}

/** A tenth was reached, or the batch has ended. */
export type BatchNews = "progress" | "completed";
