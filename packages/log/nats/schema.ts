/**
 * The schema record says which version of streams, consumers and records the log has. Only `migrate.ts` writes it;
 * every other process reads it and changes no stream.
 */
import type { NatsConnection } from "@nats-io/transport-node";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { jitteredBackoffMs, pause } from "@packshot/platform/flow/pause.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { isStreamMissing } from "./errors.ts";
import { readLastMessage } from "./leader-read.ts";
import type { StateStreamCount } from "./state-streams.ts";

/** Raised with every change of streams, consumers or records that `migrate.ts` must make. */
export const schemaVersion = 2;
/** The oldest version whose code works on a log of this version: such processes go on while new ones replace them. */
export const compatibleFromVersion = 2;

export interface SchemaRecord {
  readonly v: 1;
  readonly version: number;
  readonly compatibleFrom: number;
  readonly stateStreams: StateStreamCount;
}

export interface FoundSchema {
  /** undefined: the streams are missing, or their making was cut short. */
  readonly record: SchemaRecord | undefined;
  /** 0: there is no record. */
  readonly sequence: number;
}

/** From the leader of `PS_STATE`. Rejects when it does not answer within `timeoutMs`. */
export async function readSchema(connection: NatsConnection, timeoutMs?: number): Promise<FoundSchema> {
  try {
    const message = await readLastMessage(connection, streams.state, subjects.schema, timeoutMs);
    if (message === undefined) return { record: undefined, sequence: 0 };
    return { record: JSON.parse(message.text) as SchemaRecord, sequence: message.sequence };
  } catch (error) {
    if (isStreamMissing(error)) return { record: undefined, sequence: 0 };
    throw error;
  }
}

const migrateHint = 'run "packshot migrate"';

/** Why this version of Packshot cannot work on such a log, and what to do; undefined when it can. */
export function schemaProblem(record: SchemaRecord | undefined): string | undefined {
  if (record === undefined) return `the log has no streams of this version: ${migrateHint}`;
  if (record.version < schemaVersion)
    return `the log has schema version ${record.version} and this process needs ${schemaVersion}: ${migrateHint}`;
  if (isTooNew(record))
    return `the log has schema version ${record.version} and this process knows ${schemaVersion}: run the Packshot that migrated it, or a newer one`;
  return undefined;
}

export function isTooNew({ compatibleFrom }: SchemaRecord): boolean {
  return compatibleFrom > schemaVersion;
}

const firstWaitMs = 250;
const waitMaxMs = 5_000;

/** Resolves with the schema once it is one that this process can work on; rejects when the log is of a later one. */
export async function waitForSchema({
  connection,
  logger,
  onProblem,
}: {
  readonly connection: NatsConnection;
  readonly logger: Logger;
  readonly onProblem: (problem: string) => void;
}): Promise<SchemaRecord> {
  let lastProblem: string | undefined;
  for (let attempt = 1; ; attempt++) {
    const found = await readSchema(connection).catch(() => undefined);
    const problem = found === undefined ? "the log does not answer" : schemaProblem(found.record);
    if (problem === undefined) return found!.record!;
    if (found?.record !== undefined && isTooNew(found.record)) throw new Error(`${problem}.`);
    if (problem !== lastProblem) logger.warn({}, `waiting: ${problem}`);
    lastProblem = problem;
    onProblem(problem);
    await pause(jitteredBackoffMs(attempt, { firstMs: firstWaitMs, maxMs: waitMaxMs }), new AbortController().signal);
  }
}
