/** A key has two records: one by its id, for lists, and one by its secret's hash, for authentication. */
import type { ApiKey } from "@packshot/domain/api-key.ts";
import { shardOf } from "@packshot/domain/shard.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import type { Write } from "@packshot/domain/write.ts";
import type { StoredRecord } from "../../records/read-records.ts";

/** Keys that one batch removes: two messages each, and a batch holds a thousand. */
export const keysPerBatchMax = 200;

export type ApiKeyRecord = StoredRecord<ApiKey>;

export function newKeyWrites(key: ApiKey): Write[] {
  return [
    { subject: subjects.keyByHash(shardOf(key.accountId), key.sha256), value: key, expected: 0 },
    { subject: subjects.apiKey(key.accountId, key.id), value: key, expected: 0 },
  ];
}

export function keyRemovalWrites({ subject, sequence, value }: ApiKeyRecord): Write[] {
  const tombstone = { value: null, ttlSeconds: ttlSeconds.credentialTombstone };
  return [
    { subject, expected: sequence, ...tombstone },
    { subject: subjects.keyByHash(shardOf(value.accountId), value.sha256), ...tombstone },
  ];
}
