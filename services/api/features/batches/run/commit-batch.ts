/** Every change of a batch's record alone is committed here, with the event that tells of its end. */
import { type Batch, type BatchNews, isBatchEnded } from "@packshot/domain/batches/batch.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { batchNewsEvent, eventWrite } from "@packshot/domain/webhooks/event.ts";
import type { Versioned, Write } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/log/log.ts";
import type { BatchRecordRef } from "./batch-view.ts";

export interface CommitBatchDeps {
  readonly log: Log;
  readonly nowMs: () => number;
}

/** The record as it becomes, and the event if there is news. An end is always news. */
export function batchWrites(
  before: Versioned<Batch>,
  after: Batch,
  nowMs: number,
  news: BatchNews | undefined = isBatchEnded(after) && !isBatchEnded(before.value) ? "completed" : undefined,
): Write[] {
  const record: Write = {
    subject: subjects.batch(after.accountId, after.id),
    value: after,
    expected: before.sequence,
  };
  if (news === undefined) return [record];
  return [record, eventWrite(batchNewsEvent(after, news, uuidv7(nowMs), nowMs))];
}

/**
 * `change` gets the batch as the leader has it, and is called again after a conflict; the same batch, or undefined, changes
 * nothing. Resolves with the batch as it then is; undefined: there is none.
 */
export async function commitBatch(
  { log, nowMs }: CommitBatchDeps,
  transition: string,
  { accountId, batchId }: BatchRecordRef,
  change: (
    batch: Batch,
    attempt: number,
  ) => { readonly batch: Batch; readonly news?: BatchNews | undefined } | undefined,
): Promise<Batch | undefined> {
  return await log.transact<Batch | undefined>(transition, async (attempt) => {
    const { value, sequence } = await log.read<Batch>(subjects.batch(accountId, batchId));
    if (value === undefined) return { done: undefined };
    const changed = change(value, attempt);
    if (changed === undefined || changed.batch === value) return { done: value };
    const writes = batchWrites({ value, sequence }, changed.batch, nowMs(), changed.news);
    return { writes, result: changed.batch };
  });
}
