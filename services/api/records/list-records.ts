import type { Log, LogRecord } from "@packshot/platform/nats/log.ts";

/**
 * All records whose subject matches `filter`, from the leader, in the order of their last writes; tombstones are left
 * out. For small sets only: each record is one request to the log.
 */
export async function listRecords<T>(
  log: Log,
  filter: string,
  recordsMax: number,
): Promise<(LogRecord<T> & { value: T })[]> {
  const records: (LogRecord<T> & { value: T })[] = [];
  let from = 1;
  while (records.length < recordsMax) {
    const record = await log.readNext<T>(filter, from);
    if (record === undefined) break;
    from = record.sequence + 1;
    if (record.value !== undefined) records.push({ ...record, value: record.value });
  }
  return records;
}
