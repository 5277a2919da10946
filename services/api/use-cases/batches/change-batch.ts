import { type Batch, isBatchEnded } from "@packshot/domain/batch.ts";
import { cancelBatch, pauseBatch, resumeBatch, retryBatch } from "@packshot/domain/batch-changes.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { batchLimits } from "@packshot/domain/plan.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Caller } from "../../access/caller.ts";
import { scopeOf } from "../../access/caller.ts";
import { commitBatch } from "../../batches/commit-batch.ts";
import { isBatchExpired, noSuchBatch, readBatch } from "./read-batch.ts";

export interface ChangeBatchDeps {
  readonly log: Log;
  readonly nowMs: () => number;
}

export interface ChangeBatchInput {
  readonly caller: Caller;
  readonly batchId: string;
}

export type BatchChange = "pause" | "resume" | "cancel" | "retry";

/** To ask for what is so already changes nothing. Throws `not_found`, `batch_status_conflict`. */
export async function changeBatch(
  deps: ChangeBatchDeps,
  change: BatchChange,
  { caller, batchId }: ChangeBatchInput,
): Promise<Batch> {
  const { accountId } = caller.account;
  const before = await readBatch(deps, { scope: scopeOf(caller), batchId });
  const nowMs = deps.nowMs();
  const times = { nowMs, lifetimeMs: batchLimits(caller.account.limits).batchHours * 3_600_000 };
  const changes: Record<BatchChange, (batch: Batch) => Batch> = {
    pause: (batch) => pauseBatch(batch, "requested"),
    resume: (batch) => resumeBatch(batch, nowMs),
    cancel: (batch) => cancelBatch(batch, times),
    retry(batch) {
      if (isBatchExpired(batch, nowMs)) throw noSuchBatch();
      return retryOnce(batch, before, nowMs);
    },
  };
  const changed = await commitBatch(deps, `${change}-batch`, { accountId, batchId }, (batch) => ({
    batch: changes[change](batch),
  }));
  if (changed === undefined) throw noSuchBatch();
  failpoint(`${change}-batch:before-ack`);
  return changed;
}

/** After a lost answer the batch may have been started again already, by this request. */
function retryOnce(batch: Batch, before: Batch, nowMs: number): Batch {
  if (batch.try === before.try + 1 && isBatchEnded(before)) return batch;
  if (batch.try !== before.try) throw new PackshotError("batch_status_conflict", "The batch is retried already.");
  return retryBatch(batch, nowMs);
}
