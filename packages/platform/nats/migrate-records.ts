/**
 * From version 1 to 2: an account's shard stands in the subjects of its records. They are written again under their new
 * names in the same stream, so that the sequences in accounts and cursors stay true, and the old names go last. Until
 * the version is recorded, an interrupted move begins anew; no service may run meanwhile. Each batch compares and writes
 * the schema record: a move that another one has overtaken can write nothing more.
 */
import {
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  type JetStreamManager,
  type JsMsg,
} from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { ApiKey } from "@packshot/domain/api-key.ts";
import { type Job, isEnded, requeueJob } from "@packshot/domain/job.ts";
import { readyWrite } from "@packshot/domain/queue-entry.ts";
import { shardOf } from "@packshot/domain/shard.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import type { Write } from "@packshot/domain/write.ts";
import { pause } from "../flow/pause.ts";
import { commitBatch } from "./atomic-batch.ts";
import { createLogger } from "../telemetry/logger.ts";
import { readLastMessage } from "./leader-read.ts";
import { listSubjects } from "./list-subjects.ts";
import { LogConflict } from "./log-errors.ts";
import { readSchema, type SchemaRecord } from "./log-schema.ts";
import { readInOrder } from "./ordered-reader.ts";

const batchWritesMax = 500;
/** A server that gives no record for so long has failed. */
const readIdleMs = 60_000;
/** A log in which no version was recorded has this one. */
const firstSchema: SchemaRecord = { v: 1, version: 1, compatibleFrom: 1 };
const logger = createLogger({ name: "migrate", level: "warn" });
/** Leases live 6 s after their holder has died; copies need less. */
const quietWithinMs = 15_000;
const pollMs = 250;
/** Limits the purge of one kind. */
const purgeTimeoutMs = 120_000;

/** Kinds whose subjects were `ps.<kind>.<account>…`. */
const movedKinds = ["account", "apikey", "upload", "job", "wait", "sandboxwait", "idem", "webhook", "index", "usage"];
/** What is not moved: copies have all that was sent, and a lease or a change has no worth in itself. */
const droppedKinds = ["ready", "event", "ledger", "lease", "change"];

/** Rejects unless all services of version 1 have stopped and the copies have everything that they sent. */
export async function assertQuiet(connection: NatsConnection, withinMs = quietWithinMs): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const startedAtMs = performance.now();
  for (;;) {
    const reason = (await findHeldLease(connection)) ?? (await findBehind(manager));
    if (reason === undefined) return;
    if (performance.now() - startedAtMs > withinMs) throw new Error(reason);
    await pause(pollMs, new AbortController().signal);
  }
}

async function findHeldLease(connection: NatsConnection): Promise<string | undefined> {
  for await (const subject of listSubjects(connection, streams.state, "ps.lease.*")) {
    const message = await readLastMessage(connection, streams.state, subject);
    if (message !== undefined && message.text.length > 0)
      return `a service of the version before still runs (${subject}): stop all of them, then migrate`;
  }
  return undefined;
}

async function findBehind(manager: JetStreamManager): Promise<string | undefined> {
  for (const name of [streams.ready, streams.events, streams.ledger]) {
    const info = await manager.streams.info(name).catch(undefinedIfMissing);
    // A log whose making was cut short lacks streams.
    if (info?.sources?.some(({ lag }) => lag > 0)) return `${name} has not yet copied all of ${streams.state}`;
  }
  return undefined;
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return undefined;
  throw error;
}

interface Turn {
  readonly schema: SchemaRecord;
  /** The schema record's sequence, written by this process: all records of version 1 stand before it. */
  readonly sequence: number;
}

/** Overtakes whoever else moves records. undefined: the records have been moved. */
async function takeTurn(connection: NatsConnection): Promise<Turn | undefined> {
  for (;;) {
    const { record: schema = firstSchema, sequence } = await readSchema(connection);
    if (schema.version > 1) return undefined;
    try {
      const write = { subject: subjects.schema, value: schema, expected: sequence };
      const { firstSequence } = await commitBatch(connection, "migrate", [write]);
      return { schema, sequence: firstSequence };
    } catch (error) {
      if (!(error instanceof LogConflict)) throw error;
    }
  }
}

/** Resolves with the number of records that were written under their new names. */
export async function moveRecords(connection: NatsConnection): Promise<number> {
  const turn = await takeTurn(connection);
  if (turn === undefined) return 0;
  const { schema } = turn;
  let schemaSequence = turn.sequence;
  const unfinished = new Map<string, Job>();
  const shardsWithWebhooks = new Set<string>();
  const waiting = new Set<string>();
  let moved = 0;
  let batch: Write[] = [];

  async function write(writes: readonly Write[]): Promise<void> {
    batch.push(...writes);
    moved += writes.length;
    if (batch.length >= batchWritesMax) await flush();
  }

  async function flush(): Promise<void> {
    if (batch.length === 0) return;
    const fence = { subject: subjects.schema, value: schema, expected: schemaSequence };
    const committed = await commitBatch(connection, "migrate", [fence, ...batch]).catch((error: unknown) => {
      if (!(error instanceof LogConflict)) throw error;
      throw new Error("another process migrates this log: let it finish, then migrate again", { cause: error });
    });
    schemaSequence = committed.firstSequence;
    batch = [];
  }

  for await (const message of readBefore(connection, turn.sequence)) {
    const [, kind, accountId, id] = message.subject.split(".") as [string, string, string, string];
    if (kind === "wait" || kind === "sandboxwait") waiting.add(id);
    if (kind === "webhook") shardsWithWebhooks.add(shardOf(accountId));
    if (kind === "job") {
      const job = message.json<Job>();
      if (!isEnded(job)) {
        unfinished.set(`${accountId}.${id}`, job);
        continue;
      }
    }
    await write(movedWrites(message));
  }
  // No worker runs, so a job that was being processed is queued; what is in no wait record gets a new ready message.
  for (const job of unfinished.values()) {
    const queued = job.status === "processing" ? requeueJob(job) : job;
    const { accountId, id: jobId, lane } = queued as Job;
    await write([{ subject: subjects.job(accountId, jobId), value: queued }]);
    if (!waiting.has(jobId)) await write([readyWrite({ v: 1, accountId, jobId, lane })]);
  }
  await write([...shardsWithWebhooks].map((shard) => ({ subject: subjects.webhookChange(shard), value: { v: 1 } })));
  await flush();
  return moved;
}

function movedWrites(message: JsMsg): Write[] {
  const value = message.json<object>();
  const ttl = message.headers?.get("Nats-TTL");
  const ageSeconds = (Date.now() - message.time.getTime()) / 1000;
  const lifetime =
    ttl === undefined || ttl === "" ? {} : { ttlSeconds: Math.ceil(Number.parseInt(ttl, 10) - ageSeconds) };
  if (lifetime.ttlSeconds !== undefined && lifetime.ttlSeconds <= 0) return [];
  return [{ subject: movedSubject(message.subject, value), value, ...lifetime }];
}

function movedSubject(subject: string, value: object): string {
  const [prefix, kind, ...ids] = subject.split(".") as [string, string, ...string[]];
  if (kind === "key") return subjects.keyByHash(shardOf((value as ApiKey).accountId), ids[0]!);
  if (kind === "cursor") return subjects.cursor(0, ids[0]!);
  return [prefix, shardOf(ids[0]!), kind, ...ids].join(".");
}

/**
 * Every record with a value, oldest write first, up to the schema record of this turn: what nats-server counts as pending
 * may be the count of a replica that is behind. A lost connection loses no record.
 */
async function* readBefore(connection: NatsConnection, turnSequence: number): AsyncGenerator<JsMsg> {
  const filters = [...movedKinds.map((kind) => `ps.${kind}.>`), "ps.key.*", "ps.cursor.*", subjects.schema];
  const ending = new AbortController();
  const idle = setTimeout(() => ending.abort(), readIdleMs);
  const reading = { connection, stream: streams.state, filters, fromSequence: 1, logger };
  try {
    for await (const message of readInOrder({ ...reading, signal: ending.signal })) {
      idle.refresh();
      if (message.subject === subjects.schema && message.seq >= turnSequence) return;
      if (message.subject !== subjects.schema && message.data.length > 0) yield message;
    }
    throw new Error(`${streams.state} gave no record for ${readIdleMs / 1000} s`);
  } finally {
    clearTimeout(idle);
    ending.abort();
  }
}

/**
 * Removes the old names. Only once the version is recorded: nothing reads them any more. Accounts go last, and while there
 * is none nothing is purged: a purge looks into every block of the stream.
 */
export async function purgeOldNames(connection: NatsConnection): Promise<void> {
  const { value: first } = await listSubjects(connection, streams.state, "ps.account.*").next();
  if (first === undefined) return;
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: purgeTimeoutMs });
  await manager.streams.purge(streams.ready, { filter: "ps.ready.>" });
  for (const kind of [...droppedKinds, "key", "cursor", ...movedKinds.toReversed()])
    await manager.streams.purge(streams.state, { filter: `ps.${kind}.>` });
}
