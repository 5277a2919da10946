import { segmentOf } from "../batches/batch.ts";
import type { PicturePart } from "../edits/pictures.ts";

/**
 * Keys of files in storage. A job's files share a prefix. The files of one attempt share a prefix below it, so that an
 * attempt that lost its claim deletes its own files only. The ledger's files are for ever: nothing of ours removes one.
 */
export const storageKeys = {
  /** Everything of an account, but for its batches and its entries in the ledger. */
  account: (accountId: string) => `api/${accountId}/`,
  batches: (accountId: string) => `batches/${accountId}/`,
  job: (accountId: string, jobId: string) => `api/${accountId}/${jobId}/`,
  source: (accountId: string, jobId: string) => `api/${accountId}/${jobId}/source`,
  picture: (accountId: string, jobId: string, part: PicturePart) => `api/${accountId}/${jobId}/${part}`,
  attempt: (accountId: string, jobId: string, attemptId: string) => `api/${accountId}/${jobId}/${attemptId}/`,
  upload: (accountId: string, uploadId: string) => `api/${accountId}/uploads/${uploadId}/source`,
  uploads: (accountId: string) => `api/${accountId}/uploads/`,
  /** Everything of a batch; docs/adr/0023-batches.md lists what is below it. */
  batch: (accountId: string, batchId: string) => `batches/${accountId}/${batchId}/`,
  batchInput: (accountId: string, batchId: string) => `batches/${accountId}/${batchId}/input`,
  batchRows: (accountId: string, batchId: string, segment: number, part = 0) =>
    `batches/${accountId}/${batchId}/rows/${segmentName(segment)}${part === 0 ? "" : `-${part}`}.ndjson`,
  batchOutcomes: (accountId: string, batchId: string, segment: number) =>
    `batches/${accountId}/${batchId}/outcomes/${segmentName(segment)}/`,
  /** `mendedBy`: the free repeat whose result it is; absent: it is that of the row's own job. */
  batchResult: (accountId: string, batchId: string, row: number, mendedBy?: string) =>
    `batches/${accountId}/${batchId}/results/${segmentName(segmentOf(row))}/${row}${mendedBy === undefined ? "" : `-${mendedBy}`}`,
  /** A file of `outputs` in that order, from 0: the first is the result. */
  batchFile: (resultKey: string, position: number) => (position === 0 ? resultKey : `${resultKey}.${position + 1}`),
  fingerprints: (accountId: string) => `batches/${accountId}/fingerprints/`,
  ledger: "ledger/",
  /** Files of a log that was given up for a backup of it. */
  ledgerAside: "ledger-set-aside/",
  /** In the order of their numbers, which are those of the messages in `PS_LEDGER`. */
  ledgerFile: (day: string, firstSequence: number) => `ledger/${day}/${String(firstSequence).padStart(16, "0")}.ndjson`,
} as const;

function segmentName(segment: number): string {
  return String(segment).padStart(4, "0");
}
