import type { IdempotencyRecord } from "@packshot/domain/jobs/idempotency.ts";
import { createKeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";
import type { Log } from "@packshot/log/log.ts";
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
  const { runExclusive } = createKeyedMutex();
  return async (key, first, replay) => {
    if (key === undefined) return await first();
    const outcome = await runExclusive(key.subject, async () => {
      const { value: record } = await log.read<IdempotencyRecord>(key.subject);
      return record === undefined ? { result: await first() } : { record };
    });
    if ("result" in outcome) return outcome.result;
    // Outside the mutex: a replay may wait for its job, and many replays of one key wait together.
    assertSameRequest(outcome.record, key);
    return await replay(outcome.record);
  };
}
