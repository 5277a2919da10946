/**
 * A backup of the log: a folder with a snapshot of each stream, the tail of what was written meanwhile, and `backup.json`,
 * which is written last and names them with their hashes. It is taken while everything runs.
 *
 * The streams are not of one moment, so their order matters. Copies (`PS_READY`, `PS_EVENTS`, `PS_LEDGER`) come before the
 * state streams: what a copy lacks, nats-server copies from the restored state stream again. Deliveries and attempts come
 * after them: an event that the state stream's cursor says is fanned out has its deliveries.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { jetstreamManager, type StreamConfig } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { createLog } from "../log.ts";
import { isStreamMissing, LogRefused } from "../nats/errors.ts";
import { readStreamInfo } from "../nats/jetstream-request.ts";
import { isTooNew, readSchema, type SchemaRecord, schemaProblem } from "../nats/schema.ts";
import { listStateStreams } from "../nats/state-streams.ts";
import { awaitReplicas } from "./migrate.ts";
import { withAgesOfSnapshot } from "./snapshot-ages.ts";
import {
  readTail,
  restoreStream,
  type StreamDescription,
  snapshotStream,
  type TailMessage,
  writeTail,
} from "./stream-snapshot.ts";

interface StoredFile {
  /** In the backup's folder. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface StoredStream extends StreamDescription, StoredFile {
  /** A line of JSON for each message. Absent: nats-server copies again what a copy lacks. */
  readonly tail?: StoredFile;
}

export interface LogBackup {
  /** 1 has no tails. */
  readonly v: 1 | 2;
  readonly startedAt: string;
  readonly schema: SchemaRecord;
  /** In the order in which they were taken. */
  readonly streams: readonly StoredStream[];
}

const manifestFile = "backup.json";
const chunkBytes = 256 * 1024;
/** A stream that is written at an ordinary rate is read up to its end in milliseconds. */
const tailPatienceMs = 60_000;

export interface BackupOptions {
  /** Empty, or not there yet. */
  readonly folder: string;
  /** Told of each stream. */
  readonly say: (line: string) => void;
}

/** Throws an error that says what to do when the folder is in use or there is no log. */
export async function backUpLog(connection: NatsConnection, { folder, say }: BackupOptions): Promise<LogBackup> {
  const { record: schema } = await readSchema(connection);
  if (schema === undefined) throw new Error("there is no log to back up: nats-server has no schema record.");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty: name another folder.`);
  const startedAt = new Date().toISOString();
  const stored: StoredStream[] = [];
  for (const name of streamNames(schema)) {
    const one = await storeStream(connection, name, folder);
    stored.push(one);
    say(`${name}: ${one.state.messages} messages, ${one.bytes} bytes`);
  }
  const backup: LogBackup = { v: 2, startedAt, schema, streams: stored };
  await writeFile(join(folder, manifestFile), `${JSON.stringify(backup, null, 2)}\n`, { mode: 0o600, flush: true });
  return backup;
}

function streamNames({ stateStreams }: SchemaRecord): string[] {
  const own = listStateStreams(stateStreams);
  return [
    ...[streams.ready, ...own.map(({ events }) => events), streams.ledger],
    ...own.map(({ state }) => state),
    ...[streams.deliveries, streams.attempts],
  ];
}

async function storeStream(connection: NatsConnection, name: string, folder: string): Promise<StoredStream> {
  const { config, state, chunks } = await snapshotStream(connection, name);
  const snapshot = await storeFile(folder, `${name}.snapshot`, chunks);
  if (isCopy(config)) return { config, state, ...snapshot };
  const tail = readTail(connection, name, { after: state.last_seq, patienceMs: tailPatienceMs });
  return { config, state, ...snapshot, tail: await storeFile(folder, `${name}.tail`, toLines(tail)) };
}

function isCopy({ sources = [] }: StreamDescription["config"]): boolean {
  return sources.length > 0;
}

async function* toLines(messages: AsyncIterable<TailMessage>): AsyncGenerator<Buffer> {
  for await (const { sequence, subject, text, headerText } of messages)
    yield Buffer.from(`${JSON.stringify({ sequence, subject, text, headerText })}\n`);
}

async function storeFile(folder: string, file: string, chunks: AsyncIterable<Uint8Array>): Promise<StoredFile> {
  const path = join(folder, file);
  const hash = createHash("sha256");
  async function* hashed() {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  }
  await pipeline(Readable.from(hashed(), { objectMode: false }), createWriteStream(path, { mode: 0o600, flush: true }));
  return { file, bytes: (await stat(path)).size, sha256: hash.digest("hex") };
}

export interface RestoredLog extends LogBackup {
  /** In `PS_LEDGER`: the last entry that is in the ledger's files, for this log. Files behind it are of what is gone. */
  readonly archivedThrough: number;
}

export interface RestoreOptions {
  readonly folder: string;
  /** Replicas of each stream. 0: as many as the backup's had. */
  readonly replicas: number;
  readonly say: (line: string) => void;
}

/**
 * Into servers that have no log. Copies come after the state streams that they copy: nats-server asks for a source that is
 * missing again after 10 s, then after ever longer waits. Resolves when all replicas have everything. Throws an error that
 * says what to do, before it has made a stream if the backup is not whole.
 *
 * Streams with a tail then take messages under `psr.` too, which "packshot migrate" ends.
 */
export async function restoreLog(
  connection: NatsConnection,
  { folder, replicas, say }: RestoreOptions,
): Promise<RestoredLog> {
  const backup = await readBackup(folder);
  await assertNoStreams(connection, backup);
  const isLast = ({ config }: StoredStream) => isCopy(config);
  // From the last, so that of the state streams the one with the schema record comes last: processes wait for it.
  const inOrder = [...backup.streams.filter((stream) => !isLast(stream)).reverse(), ...backup.streams.filter(isLast)];
  const ageMs = Math.max(0, Date.now() - Date.parse(backup.startedAt));
  for (const stream of inOrder) {
    await restoreStored(connection, stream, { folder, replicas, ageMs });
    say(`${stream.config.name}: ${stream.state.messages} messages`);
  }
  const log = createLog(connection, { stateStreamCount: backup.schema.stateStreams });
  const { value: cursor } = await log.read<{ readonly sequence: number }>(subjects.cursor(0, "ledger-archive"));
  return { ...backup, archivedThrough: cursor?.sequence ?? 0 };
}

async function restoreStored(
  connection: NatsConnection,
  stream: StoredStream,
  { folder, replicas, ageMs }: Omit<RestoreOptions, "say"> & { readonly ageMs: number },
): Promise<void> {
  const { config, state, file, tail } = stream;
  const { name } = config;
  const inCluster = replicas === 0 ? config : { ...config, num_replicas: replicas };
  const wanted = tail === undefined || tail.bytes === 0 ? inCluster : withTailSubject(inCluster);
  const stored = createReadStream(join(folder, file), { highWaterMark: chunkBytes });
  const chunks = hasAnnouncements(stream) ? withAgesOfSnapshot(config, ageMs, stored) : stored;
  await restoreStream(connection, { config: wanted, state }, chunks).catch((error: unknown) => {
    throw isRestoreStalled(error) ? new Error(stalledHint(name), { cause: error }) : error;
  });
  const manager = await jetstreamManager(connection, { checkAPI: false });
  await awaitReplicas(manager, [{ stream: name }]);
  if (tail === undefined) return;
  const place = {
    subjectPrefix: `psr.${name}`,
    after: state.last_seq,
    keepsSequences: config.max_msgs_per_subject === 1,
  };
  await writeTail(connection, place, readLines(join(folder, tail.file)));
}

/** In copies, and in the state streams that they are copied from. Deliveries and attempts are as old as they are. */
function hasAnnouncements({ config }: StoredStream): boolean {
  return isCopy(config) || config.name.startsWith(streams.state);
}

/** nats-server gives up when it writes for five seconds and hears nothing, which one that is busy writing cannot. */
function isRestoreStalled(error: unknown): boolean {
  return error instanceof LogRefused && /closed pipe|stalled/.test(error.message);
}

const stalledHint = (name: string) =>
  `nats-server gave up while it restored ${name}: one without a cluster writes each record to its disk by itself. ` +
  'Start it without data and with "sync_interval: 2m" for the restore, and afterward with "sync_interval: always" again';

/**
 * Only who restores may publish there, and nothing on a log that is in use: "packshot migrate" takes the subject away. The
 * transform stays: each replica applies it by itself, perhaps later.
 */
function withTailSubject(config: StreamConfig): StreamConfig {
  const [first] = config.subjects[0]!.split(".");
  const src = `psr.${config.name}.${first}.>`;
  return { ...config, subjects: [...config.subjects, src], subject_transform: { src, dest: `${first}.>` } };
}

async function* readLines(path: string): AsyncGenerator<TailMessage> {
  for await (const line of createInterface({ input: createReadStream(path) })) yield JSON.parse(line) as TailMessage;
}

/** Reads all files once. */
async function readBackup(folder: string): Promise<LogBackup> {
  const text = await readFile(join(folder, manifestFile), "utf8").catch(() => {
    throw new Error(`${folder} has no ${manifestFile}: it is no backup, or one that was cut short.`);
  });
  const backup = JSON.parse(text) as LogBackup;
  if (isTooNew(backup.schema)) throw new Error(`${schemaProblem(backup.schema)}.`);
  if (backup.v > 2)
    throw new Error(`${manifestFile} is of a newer version: restore it with the packshot that made it.`);
  for (const { file, sha256 } of backup.streams.flatMap((stream) => [stream, ...(stream.tail ? [stream.tail] : [])])) {
    // Whoever made the backup must not have other files of this machine read into the log.
    if (basename(file) !== file || /^\.*$/.test(file))
      throw new Error(`${manifestFile} names ${file}, which is not in the backup's folder.`);
    const hash = createHash("sha256");
    await pipeline(createReadStream(join(folder, file)), hash).catch((error: Error) => {
      throw new Error(`the backup cannot be read: ${error.message}`);
    });
    if (hash.digest("hex") !== sha256)
      throw new Error(`${file} is damaged: its hash is not the one in ${manifestFile}.`);
  }
  return backup;
}

async function assertNoStreams(connection: NatsConnection, backup: LogBackup): Promise<void> {
  for (const { config } of backup.streams) {
    const found = await readStreamInfo(connection, config.name).catch((error: unknown) => {
      if (!isStreamMissing(error)) throw error;
    });
    if (found !== undefined)
      throw new Error(`${config.name} exists: restore into servers without a log, before packshot migrate.`);
  }
}
