/**
 * The one step that makes and changes the log's streams and durable consumers: `packshot migrate`, which `packshot up`
 * runs at each start. It can be repeated at any time: what is as it should be is left alone.
 */
import {
  type ClusterInfo,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
} from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import { commitBatch } from "../commit/atomic-batch.ts";
import {
  compatibleFromVersion,
  isTooNew,
  readSchema,
  type SchemaRecord,
  schemaProblem,
  schemaVersion,
} from "../nats/schema.ts";
import { listStateStreams, type StateStreamCount, stateStreamCounts } from "../nats/state-streams.ts";
import { type DurableConfig, durableConfigs, type NamedStreamConfig, streamConfigs } from "../nats/streams.ts";

export interface MigrateSettings {
  /** Replicas of each stream. 0: existing streams keep theirs, and new ones have one. */
  readonly replicas: number;
  /** How many state streams a new log gets; undefined or the same as it has for an existing one. */
  readonly stateStreams?: StateStreamCount | undefined;
  /** All streams together; absent or 0: no limit. */
  readonly bytesMax?: number;
  /** Replicas that get no further for so long fail the migration. */
  readonly stalledAfterMs?: number;
}

/** v0.2.0 is the first release, and wrote schema version 2. */
const oldestMigratedVersion = 2;
const requestTimeoutMs = 15_000;
const retryMs = 250;
const retriesEndAfterMs = 30_000;
/** `err_code`: more than one replica needs a cluster. */
const replicasNeedCluster = 10074;
/** `err_code`: the limits of all streams exceed what nats-server may store (`max_file_store`, or three quarters of its disk). */
const insufficientStorage = 10047;

/** What was done, a sentence each; empty when the log was as it should be. */
export async function migrateLog(
  connection: NatsConnection,
  { replicas, stateStreams, bytesMax = 0, stalledAfterMs }: MigrateSettings,
): Promise<string[]> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: requestTimeoutMs });
  const { record } = await retryWhileBooting(() => readSchema(connection));
  if (record !== undefined && isTooNew(record)) throw new Error(`${schemaProblem(record)}.`);
  if (record !== undefined && record.version < oldestMigratedVersion)
    throw new Error(`the log has schema version ${record.version}, which no release of Packshot can migrate.`);
  const existing = await retryWhileBooting(() => readStateStreamCount(manager));
  if (existing !== undefined && stateStreams !== undefined && existing !== stateStreams)
    throw new Error(
      `the log was made with ${existing} state stream(s) and stays so: leave --state-streams out, or give ${existing}.`,
    );
  const count = existing ?? stateStreams ?? 1;
  const done: string[] = [];
  for (const config of streamConfigs(count, bytesMax)) {
    const change = await retryWhileBooting(() => migrateStream(manager, config, replicas));
    if (change !== undefined) done.push(change);
  }
  for (const config of durableConfigs(count)) {
    const change = await retryWhileBooting(() => migrateDurable(manager, config));
    if (change !== undefined) done.push(change);
  }
  // After all that services need, because the record tells waiting processes that it is there.
  const recorded = await retryWhileBooting(() => recordSchema(connection, count));
  if (recorded !== undefined) done.push(recorded);
  // Last, because services can work on a log whose third server is away. Also where nothing has changed now: a migration
  // that stalled while replicas were copied is asked for the same again.
  if (replicas > 0) await awaitReplicas(manager, replicatedParts(count), stalledAfterMs);
  return done;
}

function replicatedParts(count: StateStreamCount): Replicated[] {
  const ofStreams = streamConfigs(count, 0).map(({ name }) => ({ stream: name }));
  const ofDurables = durableConfigs(count).map(({ stream, durable_name: consumer }) => ({ stream, consumer }));
  return [...ofStreams, ...ofDurables];
}

/** undefined: there is no log. Streams are made in order, so that the first one tells how many there are to be. */
async function readStateStreamCount(manager: JetStreamManager): Promise<StateStreamCount | undefined> {
  const first = await manager.streams.info(streams.state).catch(undefinedIf(JetStreamApiCodes.StreamNotFound));
  if (first === undefined) return undefined;
  // A restored stream may listen to more (`backup.ts`).
  const stored = new Set(first.config.subjects);
  return stateStreamCounts.find((count) => listStateStreams(count)[0]!.subjects.every((own) => stored.has(own)));
}

async function migrateStream(
  manager: JetStreamManager,
  config: NamedStreamConfig,
  replicas: number,
): Promise<string | undefined> {
  const { name } = config;
  const existing = await manager.streams.info(name).catch(undefinedIf(JetStreamApiCodes.StreamNotFound));
  if (existing === undefined) {
    await manager.streams.add({ ...config, num_replicas: Math.max(1, replicas) });
    return `created stream ${name}, replicas ${Math.max(1, replicas)}`;
  }
  const wanted = replicas === 0 ? config : { ...config, num_replicas: replicas };
  const changes = describeChanges(existing.config, wanted);
  if (changes === undefined) return undefined;
  // The client merges: the transform of a restored stream stays (docs/adr/0041-backup-tail.md).
  await manager.streams.update(name, wanted);
  return `changed stream ${name}: ${changes}`;
}

async function migrateDurable(
  manager: JetStreamManager,
  { stream, ...config }: DurableConfig,
): Promise<string | undefined> {
  const { durable_name: name } = config;
  const existing = await manager.consumers.info(stream, name).catch(undefinedIf(JetStreamApiCodes.ConsumerNotFound));
  if (existing === undefined) {
    await manager.consumers.add(stream, config);
    return `created consumer ${name} of ${stream}`;
  }
  const changes = describeChanges(existing.config, config);
  if (changes === undefined) return undefined;
  await manager.consumers.update(stream, name, config);
  return `changed consumer ${name} of ${stream}: ${changes}`;
}

async function recordSchema(connection: NatsConnection, stateStreams: StateStreamCount): Promise<string | undefined> {
  const { record, sequence } = await readSchema(connection);
  if (record !== undefined && record.version >= schemaVersion) return undefined;
  const value: SchemaRecord = { v: 1, version: schemaVersion, compatibleFrom: compatibleFromVersion, stateStreams };
  await commitBatch(connection, "migrate", [{ subject: subjects.schema, value, expected: sequence }]);
  return `recorded schema version ${schemaVersion}`;
}

/** As "max_age 3600 → 7200, …"; undefined when `actual` has all that is wanted. The server adds fields of its own. */
function describeChanges(actual: object, wanted: object): string | undefined {
  const before = actual as Record<string, unknown>;
  const changes = Object.entries(wanted)
    .filter(([field, value]) => !hasAll(before[field], value))
    .map(([field, value]) => `${field} ${JSON.stringify(before[field] ?? null)} → ${JSON.stringify(value)}`);
  return changes.length === 0 ? undefined : changes.join(", ");
}

function hasAll(actual: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(actual) && actual.length === wanted.length && wanted.every((item, i) => hasAll(actual[i], item))
    );
  if (typeof wanted !== "object" || wanted === null) return (actual ?? false) === wanted;
  const fields = (actual ?? {}) as Record<string, unknown>;
  return Object.entries(wanted).every(([field, value]) => hasAll(fields[field], value));
}

function undefinedIf(code: number): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof JetStreamApiError && error.code === code) return undefined;
    throw error;
  };
}

/** For some seconds after its start a server or a cluster answers nothing, or has no leader that could create a stream. */
async function retryWhileBooting<T>(attempt: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === replicasNeedCluster) throw error;
      if (error instanceof JetStreamApiError && error.code === insufficientStorage) {
        throw new Error("nats-server may not store PACKSHOT_LOG_MAX_BYTES: lower it, or give nats-server more disk", {
          cause: error,
        });
      }
      if (performance.now() - startedAtMs > retriesEndAfterMs) throw error;
      await pause(retryMs, new AbortController().signal);
    }
  }
}

/** After a change of their number, replicas are copied: until they are current, the log has no more copies than before. */

const pollMs = 250;
/** Longer than an election, and than a server needs to take part again. A log that is copied goes on and on. */
const stalledAfterMsDefault = 60_000;

export interface Replicated {
  readonly stream: string;
  /** A consumer of the stream; absent: the stream itself is meant. */
  readonly consumer?: string;
}

/** Resolves when each has as many current replicas as it should. Rejects when that gets no further for so long. */
export async function awaitReplicas(
  manager: JetStreamManager,
  all: readonly Replicated[],
  stalledAfterMs = stalledAfterMsDefault,
): Promise<void> {
  for (const each of all) await untilCurrent(each, () => readReplicas(manager, each), stalledAfterMs);
}

interface FoundReplicas {
  readonly wanted: number;
  readonly cluster: ClusterInfo | undefined;
}

async function readReplicas(manager: JetStreamManager, { stream, consumer }: Replicated): Promise<FoundReplicas> {
  const { config, cluster } = await manager.streams.info(stream);
  if (consumer === undefined) return { wanted: config.num_replicas, cluster };
  return { wanted: config.num_replicas, cluster: (await manager.consumers.info(stream, consumer)).cluster };
}

async function untilCurrent(
  what: Replicated,
  find: () => Promise<FoundReplicas>,
  stalledAfterMs: number,
): Promise<void> {
  let last = "";
  let changedAtMs = performance.now();
  for (;;) {
    // While a leader is elected, nobody answers.
    const found = await find().catch(() => undefined);
    if (found !== undefined && isCurrent(found)) return;
    const state = JSON.stringify(found?.cluster?.replicas?.map(({ name, current, lag }) => [name, current, lag]));
    if (state !== last) changedAtMs = performance.now();
    last = state;
    if (performance.now() - changedAtMs > stalledAfterMs) {
      const name = [what.consumer, what.stream].filter(Boolean).join(" of ");
      throw new Error(
        `the replicas of ${name} are not current, and get no further: look whether all nats-servers run and reach each other, then migrate again`,
      );
    }
    await pause(pollMs, new AbortController().signal);
  }
}

function isCurrent({ wanted, cluster }: FoundReplicas): boolean {
  // Absent on a server without a cluster.
  if (cluster === undefined) return true;
  const { leader = "", replicas = [] } = cluster;
  return leader !== "" && replicas.length === wanted - 1 && replicas.every(({ current }) => current);
}
