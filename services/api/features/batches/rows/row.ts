/** A row of a batch and what became of it, as the lines of the batch's files in storage. */

import type { Account } from "@packshot/domain/accounts/account.ts";
import type { Batch, BatchRef, FedOutcome, SameAs } from "@packshot/domain/batches/batch.ts";
import { type BucketFile, bucketUrlOf } from "@packshot/domain/connections/bucket-key.ts";
import type { Pictures } from "@packshot/domain/edits/pictures.ts";
import type { EditParameters, ToolId } from "@packshot/domain/edits/tools.ts";
import type { ErrorCode } from "@packshot/domain/errors.ts";
import type { FailedResult, FileRef, JobReview, JobSource, ResultFile } from "@packshot/domain/jobs/job.ts";

export type { FedOutcome, SameAs };

/** The photo, as the row names it. */
export type RowSource =
  | { readonly kind: "url"; readonly imageUrl: string }
  /** An upload session of its own, which holds the photo. */
  | { readonly kind: "upload"; readonly uploadId: string }
  /** An object of a customer's bucket: `s3://…`. */
  | { readonly kind: "connection"; readonly connection: string; readonly key: string };

export type AddressedSource = Exclude<RowSource, { kind: "upload" }>;

/** As an edit names it: a photo of a customer's bucket by `s3://…`. */
export function sourceUrl(source: AddressedSource): string {
  return source.kind === "url" ? source.imageUrl : bucketUrlOf(source);
}

interface RowPlace {
  /** From 0, in the order of the file. */
  readonly row: number;
  /** The row's line in the file, from 1; for inline items their position, from 1. */
  readonly line: number;
  readonly ref: string;
}

/** A row with the batch's defaults filled in. */
export interface ValidRow extends RowPlace {
  readonly source: RowSource;
  readonly tool: ToolId;
  readonly parameters: EditParameters;
  /** As it was given: the key may have placeholders. Absent: its result stays with the batch. */
  readonly destination?: BucketFile;
}

/** Its outcome is `failed`, and no job is made of it. */
export interface FaultyRow extends RowPlace {
  readonly fault: { readonly code: ErrorCode; readonly message: string };
}

/** A line of `rows/<segment>.ndjson`. */
export type BatchRow = ValidRow | FaultyRow;

/** One of the files of a row whose edit has `outputs`. */
export type RowOutput =
  | (Omit<ResultFile, "key" | "report"> & {
      /** The batch's copy; null: the customer's bucket has the file, or it is gone. */
      readonly key: string | null;
      /** Where the customer's bucket has it: `s3://…`. */
      readonly destination: string | null;
    })
  | Pick<FailedResult, "name" | "error">;

/**
 * A line of a file below `outcomes/<segment>/`. Several lines may tell of one row: the one with the highest `try` holds,
 * and of one try that with the highest `sequence`.
 */
export interface RowOutcome {
  readonly row: number;
  readonly try: number;
  /** The event's sequence in the account's state stream. */
  readonly sequence: number;
  readonly status: "completed" | "failed" | "skipped" | "cancelled";
  /** null: no job was made of the row. */
  readonly jobId: string | null;
  /** Only for a failed row, or for one whose delivery failed. */
  readonly code: ErrorCode | null;
  readonly message: string | null;
  /** The batch's copy below `results/`; null also where the customer's bucket has it. */
  readonly result: FileRef | null;
  /** In the order of the edit's `outputs`, the result first; absent where it makes one file. */
  readonly outputs?: readonly RowOutput[];
  /** Where the customer's bucket has the result: `s3://…`. */
  readonly destination: string | null;
  /** What became of the result on its way there; null or absent: the row has no destination, or did not complete. */
  readonly delivery?: "stored" | "failed" | null;
  /** The line of a row that had completed: its result came to its bucket later. */
  readonly isRedelivery?: true;
  /** As the row's job has it: a review may come when that one is gone. */
  readonly fingerprint?: string;
  /** The result is that of a free repeat of the row's job, and `jobId` is that one's. */
  readonly isMended?: true;
  /** A client has deleted the job, and so the result. */
  readonly isDeleted?: true;
  /** Absent: nobody has reviewed the result. */
  readonly review?: JobReview;
  /** Only for a skipped row. */
  readonly sameAs: SameAs | null;
  /** As the job's report has them; null where it has none. */
  readonly quality: string | null;
  /** Why a person should look; absent where it has none. */
  readonly reasons?: readonly string[];
  readonly checks: unknown;
  /** What it cost, also where a rejection has refunded it. */
  readonly credits: number;
  /** Credit period of the debit; absent where no job was made. */
  readonly period?: number;
  /** From the job's start to its end. */
  readonly milliseconds: number | null;
  readonly at: string;
}

/** What the feeder makes of a row that it hands out. */
export type PreparedRow =
  | (Pictures<JobSource> & {
      readonly kind: "job";
      readonly row: ValidRow;
      readonly jobId: string;
      /** Stored below the job's prefix, unless the worker fetches it. */
      readonly source: JobSource;
      /** With all of the key but `{ext}`. */
      readonly destination?: BucketFile;
      readonly fingerprint?: string;
      /** The row left its engine open, which is decided (engine.ts). */
      readonly mayRender?: true;
    })
  | { readonly kind: "outcome"; readonly outcome: FedOutcome };

/**
 * Prepares rows to be handed out, in their order: with `skip`, fetches each source, knows by its fingerprint what was done
 * before, and stores the source of what was not. It may be called again with the same rows, after a kill or a conflict.
 * It rejects when storage or the log is at fault: the rows are then prepared again later.
 */
export type PrepareRows = (
  of: { readonly batch: Batch; readonly account: Account },
  rows: readonly ValidRow[],
  signal: AbortSignal,
) => Promise<readonly PreparedRow[]>;

/** A row completed, or was rejected: later rows with this fingerprint are skipped, or edited. It may be told of twice. */
export interface DoneRow {
  readonly fingerprint: string;
  readonly batch: BatchRef;
  readonly at: string;
  /** Also of a row whose free repeat lacks a file. */
  readonly isRejected?: true;
}
