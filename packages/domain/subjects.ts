/**
 * The log's streams, and the subject of each record: `ps.<shard>.<kind>.<account>…`. Tokens are UUIDs, hex hashes, tool
 * and event names; none can contain a dot, a star or a space.
 */
/** In a log with several state streams these are the first one's names: `state-streams.ts` has the others. */
export const streams = {
  state: "PS_STATE",
  ready: "PS_READY",
  events: "PS_EVENTS",
  ledger: "PS_LEDGER",
  deliveries: "PS_DELIVERIES",
  attempts: "PS_ATTEMPTS",
} as const;

/** Subject of a record of one account; `*` is any account. */
function accountSubject(accountId: string, kind: string, ...ids: readonly string[]): string {
  return ["ps", shardOf(accountId), kind, accountId, ...ids].join(".");
}

export const subjects = {
  account: (accountId: string) => accountSubject(accountId, "account"),
  /** The key's text tells the shard, which is that of its account. */
  keyByHash: (shard: string, sha256Hex: string) => `ps.${shard}.key.${sha256Hex}`,
  apiKey: (accountId: string, keyId: string) => accountSubject(accountId, "apikey", keyId),
  upload: (accountId: string, uploadId: string) => accountSubject(accountId, "upload", uploadId),
  job: (accountId: string, jobId: string) => accountSubject(accountId, "job", jobId),
  /** The review of a batch's row, by the id of the row's job, which it outlives. */
  review: (accountId: string, jobId: string) => accountSubject(accountId, "review", jobId),
  /** By window. */
  wait: {
    live: (accountId: string, jobId: string) => accountSubject(accountId, "wait", jobId),
    sandbox: (accountId: string, jobId: string) => accountSubject(accountId, "sandboxwait", jobId),
  },
  idempotency: (accountId: string, sha256Hex: string) => accountSubject(accountId, "idem", sha256Hex),
  webhook: (accountId: string, webhookId: string) => accountSubject(accountId, "webhook", webhookId),
  batch: (accountId: string, batchId: string) => accountSubject(accountId, "batch", batchId),
  /**
   * Rewritten, without an expectation, last in each batch that writes a webhook of the shard: to have read it is to have
   * read all.
   */
  webhookChange: (shard: string) => `ps.${shard}.change.webhook`,
  connection: (accountId: string, connectionId: string) => accountSubject(accountId, "connection", connectionId),
  erasure: (accountId: string) => accountSubject(accountId, "erasure"),
  /** All that an account has under its name, but for ready messages and the records of its keys by their hashes. */
  ofAccount: (accountId: string) => accountSubject(accountId, "*", ">"),
  /** `owner`: an account id, or `operator`. */
  audit: (owner: string, segment: string) => accountSubject(owner, "audit", segment),
  preset: (accountId: string, presetId: string) => accountSubject(accountId, "preset", presetId),
  /**
   * The ids of an account's keys, webhooks, connections, batches or presets, the usage of its finished days, or the tally
   * of its upload sessions.
   */
  index: (accountId: string, kind: "keys" | "webhooks" | "connections" | "batches" | "presets" | "usage" | "uploads") =>
    accountSubject(accountId, "index", kind),
  usage: (accountId: string, day: string) => accountSubject(accountId, "usage", day),
  /** The lane stands before the account, so that a lane's consumer finds its messages without the others. */
  ready: (lane: number | "*", accountId: string, jobId: string) =>
    `ps.${shardOf(accountId)}.ready.${lane}.${accountId}.${jobId}`,
  event: (accountId: string, subjectId: string, kind: string) => accountSubject(accountId, "event", subjectId, kind),
  ledger: (accountId: string, period: number | "*", entryId: string, kind: string) =>
    accountSubject(accountId, "ledger", String(period), entryId, kind),
  /** In the events streams, where the copies of an account's events share one subject. */
  eventCopy: (accountId: string) => `pse.${accountId}`,
  /** In `PS_LEDGER`, where the copies of an account's entries share one subject. */
  ledgerCopy: (accountId: string) => `psl.${accountId}`,
  /** Which version of streams and records the log has. */
  schema: "ps.schema",
  /** `follower`'s place in the state stream with this index, counted in that stream's sequences. */
  cursor: (streamIndex: number, follower: string) => `ps.log${streamIndex}.cursor.${follower}`,
  lease: (streamIndex: number, name: string) => `ps.log${streamIndex}.lease.${name}`,
  /** What the status page tells of the last days. */
  incidents: "ps.log0.incidents",
  /** Core messages, not stored: the worker that runs this job aborts it. */
  abort: (jobId: string) => `ps-abort.${jobId}`,
  /** Core messages, not stored: the stage that a running job has reached. */
  progress: (jobId: string) => `ps-progress.${jobId}`,
  /** Core requests, not stored: a worker asks for a link to a customer's bucket, and some API process answers. */
  bucketLink: "ps-api.bucket-link",
  /** Core messages, not stored: a photo to be looked at, for one of the workers, and what it says. */
  look: "ps-worker.look",
  lookAnswer: (id: string) => `ps-look-answer.${id}`,
  /** Core messages, not stored: a process lives, and what it lacks. */
  processAlive: "ps-process.alive",
} as const;

/** The parts of an account's subject, but of those of `ready` messages. */
export interface SubjectTokens {
  readonly kind: string;
  readonly accountId: string;
  /** What follows the account: for most kinds one id. */
  readonly ids: readonly string[];
}

export function subjectTokens(subject: string): SubjectTokens {
  const [, , kind = "", accountId = "", ...ids] = subject.split(".");
  return { kind, accountId, ids };
}

/** Seconds that records and tombstones live. */
export const ttlSeconds = {
  upload: 24 * 3600,
  idempotency: 24 * 3600,
  /** The longest time that a copy may stand still without a loss. */
  outbox: 3600,
  usage: 400 * 24 * 3600,
  /** Long enough for projections and followers to see that the record ended (job, webhook, key). */
  followedTombstone: 3600,
  /** Much longer than the batch's files take to have it. */
  review: 24 * 3600,
  /** Longer than a job may be queued, at most a week, and run, and than the batch's files take to have its result. */
  freeRepeat: 8 * 24 * 3600,
  /** A process that dies is replaced after so long. */
  lease: 6,
  /** For credentials and secrets: a killed nats-server must not bring them back (docs/adr/0032-killed-nats-server.md). */
  credentialTombstone: 365 * 24 * 3600,
  /** For records that nobody follows (wait). */
  unfollowedTombstone: 1,
} as const;

/**
 * An account's shard stands in the subjects of all its records. Shards are the parts of the log that can lie in different
 * streams, and later on different servers, without a record changing its name. All that one compare-and-set or one
 * atomic batch needs to hold together belongs to one account, and so to one shard.
 */
const shardCount = 16;

export const shards: readonly string[] = Array.from({ length: shardCount }, (_, index) =>
  String(index).padStart(2, "0"),
);

/**
 * `00` to `15`; `*` for `*`, which stands for any account. FNV-1a of the id, its bits folded to four: fixed for ever,
 * because the records in the log were named by it.
 */
export function shardOf(accountId: string): string {
  if (accountId === "*") return "*";
  let hash = 0x811c9dc5;
  for (let i = 0; i < accountId.length; i++) hash = Math.imul(hash ^ accountId.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 16;
  hash ^= hash >>> 8;
  hash ^= hash >>> 4;
  return shards[hash & (shardCount - 1)]!;
}
