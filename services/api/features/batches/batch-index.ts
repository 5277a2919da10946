/** The index of an account's batches, which keeps to its limits: whatever makes a batch unfinished writes it. */
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { PlanLimits } from "@packshot/domain/accounts/plan.ts";
import type { BatchIndex } from "@packshot/domain/accounts/record-index.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Write } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/log/log.ts";
import { readRecords } from "../../records/read-records.ts";

/** Ended and unfinished ones: an index of them is one record. */
const keptBatchesMax = 1_000;

export interface UnfinishedBatch extends Pick<Batch, "accountId" | "id"> {
  readonly limits: PlanLimits;
}

/**
 * The index with a batch that is new, or is started again. Its compare-and-set keeps two that are started at once from both
 * taking the last place. Throws `limit_reached`.
 */
export async function unfinishedWrite(log: Log, { accountId, id, limits }: UnfinishedBatch): Promise<Write> {
  const { subject, value, sequence } = await log.read<BatchIndex>(subjects.index(accountId, "batches"));
  const { ids, openIds } = value ?? { ids: [], openIds: [] };
  const others = openIds.filter((other) => other !== id).map((other) => subjects.batch(accountId, other));
  const records = await readRecords<Batch>(log, others);
  const stillOpen = records.map((record) => record.value).filter(({ finishedAt }) => finishedAt === null);
  const { maxBatches } = limits;
  if (stillOpen.length >= maxBatches) {
    throw new PackshotError("limit_reached", `${stillOpen.length} batches are unfinished; the limit is ${maxBatches}.`);
  }
  const kept = ids.filter((other) => other !== id);
  if (kept.length >= keptBatchesMax) {
    const message = `The results of ${kept.length} batches are kept, the most that an account may have: wait for one to expire.`;
    throw new PackshotError("limit_reached", message);
  }
  const index: BatchIndex = { v: 1, ids: [...kept, id], openIds: [...stillOpen.map((open) => open.id), id] };
  return { subject, value: index, expected: sequence };
}
