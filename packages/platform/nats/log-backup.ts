/**
 * A backup of the log: a folder with a snapshot of each stream, and `backup.json`, which is written last and names them with
 * their hashes. It is taken while everything runs.
 *
 * The streams are not of one moment, so their order matters. Copies (`PS_READY`, `PS_EVENTS`, `PS_LEDGER`) come before the
 * state streams: what a copy lacks, nats-server copies from the restored state stream again. Deliveries and attempts come
 * after them: an event that the state stream's cursor says is fanned out has its deliveries.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { NatsConnection } from "@nats-io/transport-node";
import { streams } from "@packshot/domain/subjects.ts";
import { isStreamMissing } from "./log-errors.ts";
import { isTooNew, readSchema, schemaProblem, type SchemaRecord } from "./log-schema.ts";
import { listStateStreams } from "./state-streams.ts";
import { readStreamInfo } from "./stream-info.ts";
import { restoreStream, snapshotStream, type StreamDescription } from "./stream-snapshot.ts";

interface StoredStream extends StreamDescription {
  /** In the backup's folder. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface LogBackup {
  readonly v: 1;
  readonly startedAt: string;
  readonly schema: SchemaRecord;
  /** In the order in which they were taken. */
  readonly streams: readonly StoredStream[];
}

const manifestFile = "backup.json";
const chunkBytes = 256 * 1024;

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
  const backup: LogBackup = { v: 1, startedAt, schema, streams: stored };
  await writeFile(join(folder, manifestFile), `${JSON.stringify(backup, null, 2)}\n`, { mode: 0o600, flush: true });
  return backup;
}

function streamNames({ stateStreams = 1 }: SchemaRecord): string[] {
  const own = listStateStreams(stateStreams);
  return [
    ...[streams.ready, ...own.map(({ events }) => events), streams.ledger],
    ...own.map(({ state }) => state),
    ...[streams.deliveries, streams.attempts],
  ];
}

async function storeStream(connection: NatsConnection, name: string, folder: string): Promise<StoredStream> {
  const { config, state, chunks } = await snapshotStream(connection, name);
  const file = `${name}.snapshot`;
  const path = join(folder, file);
  const hash = createHash("sha256");
  async function* hashed() {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  }
  await pipeline(Readable.from(hashed(), { objectMode: false }), createWriteStream(path, { mode: 0o600, flush: true }));
  return { config, state, file, bytes: (await stat(path)).size, sha256: hash.digest("hex") };
}

export interface RestoreOptions {
  readonly folder: string;
  /** Of each stream. 0: as many as the backup's had. */
  readonly replicas: number;
  readonly say: (line: string) => void;
}

/**
 * Into servers that have no log. The state streams come last, because other processes begin to work when they find the
 * schema record. Throws an error that says what to do, before it has made a stream if the backup is not whole.
 */
export async function restoreLog(
  connection: NatsConnection,
  { folder, replicas, say }: RestoreOptions,
): Promise<LogBackup> {
  const backup = await readBackup(folder);
  await assertNoStreams(connection, backup);
  const isState = ({ config }: StoredStream) => config.name.startsWith(streams.state);
  const inOrder = [
    ...backup.streams.filter((stream) => !isState(stream)),
    // The one with the schema record is the very last.
    ...backup.streams.filter(isState).reverse(),
  ];
  for (const { config, state, file } of inOrder) {
    const wanted = replicas === 0 ? config : { ...config, num_replicas: replicas };
    const chunks = createReadStream(join(folder, file), { highWaterMark: chunkBytes });
    await restoreStream(connection, { config: wanted, state }, chunks);
    say(`${config.name}: ${state.messages} messages`);
  }
  return backup;
}

/** Reads all files once. */
async function readBackup(folder: string): Promise<LogBackup> {
  const text = await readFile(join(folder, manifestFile), "utf8").catch(() => {
    throw new Error(`${folder} has no ${manifestFile}: it is no backup, or one that was cut short.`);
  });
  const backup = JSON.parse(text) as LogBackup;
  if (isTooNew(backup.schema)) throw new Error(`${schemaProblem(backup.schema)}.`);
  for (const { file, sha256 } of backup.streams) {
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
