/**
 * Keys of files in storage. A job's files share a prefix. The files of one attempt share a prefix below it, so that an
 * attempt that lost its claim deletes its own files only.
 */
export const storageKeys = {
  job: (accountId: string, jobId: string) => `api/${accountId}/${jobId}/`,
  source: (accountId: string, jobId: string) => `api/${accountId}/${jobId}/source`,
  attempt: (accountId: string, jobId: string, attemptId: string) => `api/${accountId}/${jobId}/${attemptId}/`,
  upload: (accountId: string, uploadId: string) => `api/${accountId}/uploads/${uploadId}/source`,
  uploads: (accountId: string) => `api/${accountId}/uploads/`,
} as const;
