import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import type { Log, LogRecord } from "@packshot/log/log.ts";

export type StoredRecord<T> = LogRecord<T> & { readonly value: T };

const readsMax = 16;

/** From the leader, each by its name; those that do not exist, or have ended, are left out. */
export async function readRecords<T>(log: Log, names: readonly string[]): Promise<StoredRecord<T>[]> {
  const limit = createLimiter(readsMax);
  const records = await Promise.all(names.map((name) => limit(() => log.read<T>(name))));
  return records.flatMap(({ value, ...record }) => (value === undefined ? [] : [{ ...record, value }]));
}
