import type { IdempotencyRecord } from "@packshot/domain/idempotency.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { assertSameRequest, type IdempotencyKey } from "./idempotency-key.ts";

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
  /** The running request of each key; it never rejects. */
  const running = new Map<string, Promise<unknown>>();
  return async (key, first, replay) => {
    if (key === undefined) return await first();
    for (;;) {
      const { value: record } = await log.read<IdempotencyRecord>(key.subject);
      if (record !== undefined) {
        assertSameRequest(record, key);
        return await replay(record);
      }
      const earlier = running.get(key.subject);
      if (earlier !== undefined) {
        await earlier;
        continue;
      }
      const result = first();
      running.set(
        key.subject,
        result.catch(() => {}),
      );
      try {
        return await result;
      } finally {
        running.delete(key.subject);
      }
    }
  };
}
