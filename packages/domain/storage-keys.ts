/**
 * Keys of files in storage. A job's files share a prefix. The files of one attempt share a prefix below it, so that an
 * attempt that lost its claim deletes its own files only. The ledger's files are for ever: nothing of ours removes one.
 */
export const storageKeys = {
  job: (accountId: string, jobId: string) => `api/${accountId}/${jobId}/`,
  source: (accountId: string, jobId: string) => `api/${accountId}/${jobId}/source`,
  attempt: (accountId: string, jobId: string, attemptId: string) => `api/${accountId}/${jobId}/${attemptId}/`,
  upload: (accountId: string, uploadId: string) => `api/${accountId}/uploads/${uploadId}/source`,
  uploads: (accountId: string) => `api/${accountId}/uploads/`,
  ledger: "ledger/",
  /** In the order of their numbers, which are those of the messages in `PS_LEDGER`. */
  ledgerFile: (day: string, firstSequence: number) => `ledger/${day}/${String(firstSequence).padStart(16, "0")}.ndjson`,
} as const;
