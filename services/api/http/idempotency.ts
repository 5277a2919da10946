/**
 * `Idempotency-Key`: the first response is stored in the same batch as what the request created, and is given again for
 * 24 hours.
 */
import { createHash } from "node:crypto";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { IdempotencyRecord } from "@packshot/domain/jobs/job.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import type { Write } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/log/log.ts";
import { createKeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";
import type { Realm } from "../access/caller.ts";

/** The record's subject for a client's key, and the fingerprint of the request that has it. */
export interface IdempotencyKey {
  readonly subject: string;
  readonly fingerprint: string;
}

/** `header` is the key as the client sent it, undefined when it sent none. Test and live keys do not share records. */
export function idempotencyKeyOf(
  { accountId, live }: Realm,
  header: string | undefined,
  request: object,
): IdempotencyKey | undefined {
  if (header === undefined) return undefined;
  return {
    subject: subjects.idempotency(accountId, sha256(`${live ? "live" : "test"}:${header}`)),
    fingerprint: sha256(canonicalJson(request)),
  };
}

/** Throws `idempotency_key_reused` when the record is another request's. */
export function assertSameRequest(record: IdempotencyRecord, key: IdempotencyKey): void {
  if (record.fingerprint === key.fingerprint) return;
  throw new PackshotError(
    "idempotency_key_reused",
    "This Idempotency-Key was used with another request in the last 24 hours: use a new one.",
  );
}

/** The response to an earlier request of the key; undefined: there was none. Throws `idempotency_key_reused`. */
export async function findReplay(
  log: Pick<Log, "read">,
  key: IdempotencyKey | undefined,
): Promise<{ readonly kind: "replayed"; readonly record: IdempotencyRecord } | undefined> {
  if (key === undefined) return undefined;
  const { value: record } = await log.read<IdempotencyRecord>(key.subject);
  if (record === undefined) return undefined;
  assertSameRequest(record, key);
  return { kind: "replayed", record };
}

/** Stores the response for later requests of the key; the batch fails when the key has a record already. */
export function idempotencyWrites(
  key: IdempotencyKey | undefined,
  response: () => Pick<IdempotencyRecord, "status" | "body" | "subjectId">,
): Write[] {
  if (key === undefined) return [];
  const value: IdempotencyRecord = { v: 1, fingerprint: key.fingerprint, ...response() };
  return [{ subject: key.subject, value, expected: 0, ttlSeconds: ttlSeconds.idempotency }];
}

/** Sorts members by name at every depth, as RFC 8785 does. The values are plain JSON. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Runs a request of an Idempotency-Key once: `first` runs unless the key's record is there, and `replay` answers from the
 * record. Equal keys of one process wait for each other. Between processes the record's expected sequence of 0 decides,
 * so `first` may still find that another process was first. Without a key, `first` always runs.
 */
export type RunOnce = <T>(
  key: IdempotencyKey | undefined,
  first: () => Promise<T>,
  replay: (record: IdempotencyRecord) => Promise<T>,
) => Promise<T>;

export function createRunOnce({ log }: { log: Log }): RunOnce {
  const { runExclusive } = createKeyedMutex();
  return async (key, first, replay) => {
    if (key === undefined) return await first();
    const outcome = await runExclusive(key.subject, async () => {
      const { value: record } = await log.read<IdempotencyRecord>(key.subject);
      if (record === undefined) return { isFirst: true, result: await first() } as const;
      return { isFirst: false, record } as const;
    });
    if (outcome.isFirst) return outcome.result;
    // Outside the mutex: a replay may wait for its job, and many replays of one key wait together.
    assertSameRequest(outcome.record, key);
    return await replay(outcome.record);
  };
}
