/**
 * The one step that makes and changes the log's streams and durable consumers: `packshot migrate`, which `packshot up`
 * runs at each start. It can be repeated at any time: what is as it should be is left alone.
 */
import { JetStreamApiCodes, JetStreamApiError, jetstreamManager, type JetStreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { subjects } from "@packshot/domain/subjects.ts";
import { pause } from "../flow/pause.ts";
import { commitBatch } from "./atomic-batch.ts";
import { compatibleFromVersion, isTooNew, readSchema, schemaProblem, schemaVersion } from "./log-schema.ts";
import { type DurableConfig, durableConfigs, type NamedStreamConfig, streamConfigs } from "./streams.ts";

export interface MigrateSettings {
  /** Of each stream. 0: existing streams keep theirs, and new ones have one. */
  readonly replicas: number;
}

const requestTimeoutMs = 15_000;
const retryMs = 250;
const retriesEndAfterMs = 30_000;
/** `err_code`: more than one replica needs a cluster. */
const replicasNeedCluster = 10074;

/** What was done, a sentence each; empty when the log was as it should be. */
export async function migrateLog(connection: NatsConnection, { replicas }: MigrateSettings): Promise<string[]> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: requestTimeoutMs });
  const { record } = await retryWhileBooting(() => readSchema(connection));
  if (record !== undefined && isTooNew(record)) throw new Error(`${schemaProblem(record)}.`);
  const done: string[] = [];
  for (const config of streamConfigs()) {
    const change = await retryWhileBooting(() => migrateStream(manager, config, replicas));
    if (change !== undefined) done.push(change);
  }
  for (const config of durableConfigs()) {
    const change = await retryWhileBooting(() => migrateDurable(manager, config));
    if (change !== undefined) done.push(change);
  }
  // Last, because the record tells waiting processes that everything is there.
  const recorded = await retryWhileBooting(() => recordSchema(connection));
  return recorded === undefined ? done : [...done, recorded];
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

async function recordSchema(connection: NatsConnection): Promise<string | undefined> {
  const { record, sequence } = await readSchema(connection);
  if (record !== undefined && record.version >= schemaVersion) return undefined;
  const value = { v: 1, version: schemaVersion, compatibleFrom: compatibleFromVersion };
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
      if (performance.now() - startedAtMs > retriesEndAfterMs) throw error;
      await pause(retryMs, new AbortController().signal);
    }
  }
}
