/**
 * The log's streams, and the subject of each record in `PS_STATE`. Tokens are UUIDs, hex hashes, tool and event names;
 * none can contain a dot, a star or a space.
 */

export const streams = {
  state: "PS_STATE",
  ready: "PS_READY",
  events: "PS_EVENTS",
  ledger: "PS_LEDGER",
  deliveries: "PS_DELIVERIES",
  attempts: "PS_ATTEMPTS",
} as const;

export const subjects = {
  account: (accountId: string) => `ps.account.${accountId}`,
  keyByHash: (sha256Hex: string) => `ps.key.${sha256Hex}`,
  apiKey: (accountId: string, keyId: string) => `ps.apikey.${accountId}.${keyId}`,
  upload: (accountId: string, uploadId: string) => `ps.upload.${accountId}.${uploadId}`,
  job: (accountId: string, jobId: string) => `ps.job.${accountId}.${jobId}`,
  /** By window. */
  wait: {
    live: (accountId: string, jobId: string) => `ps.wait.${accountId}.${jobId}`,
    sandbox: (accountId: string, jobId: string) => `ps.sandboxwait.${accountId}.${jobId}`,
  },
  idempotency: (accountId: string, sha256Hex: string) => `ps.idem.${accountId}.${sha256Hex}`,
  webhook: (accountId: string, webhookId: string) => `ps.webhook.${accountId}.${webhookId}`,
  /** Rewritten, without an expectation, last in each batch that writes a webhook: to have read it is to have read all. */
  webhookChange: "ps.change.webhook",
  /** The ids of an account's keys or webhooks, or the usage of its finished days. */
  index: (accountId: string, kind: "keys" | "webhooks" | "usage") => `ps.index.${accountId}.${kind}`,
  usage: (accountId: string, day: string) => `ps.usage.${accountId}.${day}`,
  ready: (lane: number, accountId: string, jobId: string) => `ps.ready.${lane}.${accountId}.${jobId}`,
  event: (accountId: string, subjectId: string, kind: string) => `ps.event.${accountId}.${subjectId}.${kind}`,
  ledger: (accountId: string, period: number, entryId: string, kind: string) =>
    `ps.ledger.${accountId}.${period}.${entryId}.${kind}`,
  /** Which version of streams and records the log has. */
  schema: "ps.schema",
  cursor: (follower: string) => `ps.cursor.${follower}`,
  lease: (follower: string) => `ps.lease.${follower}`,
  /** Core messages, not stored: the worker that runs this job aborts it. */
  abort: (jobId: string) => `ps-abort.${jobId}`,
  /** Core messages, not stored: the stage that a running job has reached. */
  progress: (jobId: string) => `ps-progress.${jobId}`,
} as const;

/** Seconds that records and tombstones live. */
export const ttlSeconds = {
  upload: 24 * 3600,
  idempotency: 24 * 3600,
  outbox: 24 * 3600,
  usage: 400 * 24 * 3600,
  /** Long enough for projections and followers to see that the record ended (job, webhook, key). */
  followedTombstone: 3600,
  /** A process that dies is replaced after so long. */
  lease: 6,
  /** Of records that nobody follows (wait). */
  unfollowedTombstone: 1,
} as const;
