import type { Log, LogRecord } from "@packshot/platform/nats/log.ts";

/** All records below `filter`, from the leader, tombstones left out. For small sets: one request each. */
export async function listRecords<T>(
  log: Log,
  filter: string,
  recordsMax: number,
): Promise<(LogRecord<T> & { value: T })[]> {
  const found: (LogRecord<T> & { value: T })[] = [];
  let from = 1;
  while (found.length < recordsMax) {
    const record = await log.readNext<T>(filter, from);
    if (record === undefined) break;
    from = record.sequence + 1;
    if (record.value !== undefined) found.push({ ...record, value: record.value });
  }
  return found;
}
