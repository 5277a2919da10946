import { type Batch, isBatchEnded } from "@packshot/domain/batch.ts";
import { cancelBatch, pauseBatch, resumeBatch, retryBatch } from "@packshot/domain/batch-changes.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Caller } from "../../access/caller.ts";
import { realmOf } from "../../access/caller.ts";
import { batchWrites, commitBatch } from "./commit-batch.ts";
import { unfinishedWrite } from "./batch-index.ts";
import { isBatchExpired, batchNotFound, readBatch } from "./read-batch.ts";

export interface ChangeBatchDeps {
  readonly log: Log;
  readonly nowMs: () => number;
}

export interface ChangeBatchInput {
  readonly caller: Caller;
  readonly batchId: string;
}

export type BatchChange = "pause" | "resume" | "cancel" | "retry";

/** To ask for what is so already changes nothing. Throws `not_found`, `batch_status_conflict`, and `limit_reached` for a retry. */
export async function changeBatch(
  deps: ChangeBatchDeps,
  change: BatchChange,
  { caller, batchId }: ChangeBatchInput,
): Promise<Batch> {
  const { accountId } = caller.account;
  const before = await readBatch(deps, { realm: realmOf(caller), batchId });
  const nowMs = deps.nowMs();
  const times = { nowMs, lifetimeMs: caller.account.limits.batchHours * 3_600_000 };
  if (change === "retry") return await retry(deps, caller, before);
  const changes: Record<Exclude<BatchChange, "retry">, (batch: Batch) => Batch> = {
    pause: (batch) => pauseBatch(batch, "requested"),
    resume: (batch) => resumeBatch(batch, nowMs),
    cancel: (batch) => cancelBatch(batch, times),
  };
  const changed = await commitBatch(deps, `${change}-batch`, { accountId, batchId }, (batch) => ({
    batch: changes[change](batch),
  }));
  if (changed === undefined) throw batchNotFound();
  failpoint(`${change}-batch:before-ack`);
  return changed;
}

/** A batch that is retried is unfinished again, and counts as a new one does. */
async function retry({ log, nowMs }: ChangeBatchDeps, { account }: Caller, before: Batch): Promise<Batch> {
  const { accountId, id } = before;
  const changed = await log.transact<Batch>("retry-batch", async () => {
    const { value, sequence } = await log.read<Batch>(subjects.batch(accountId, id));
    if (value === undefined || isBatchExpired(value, nowMs())) throw batchNotFound();
    const after = retryOnce(value, before, nowMs());
    if (after === value) return { done: value };
    const index = await unfinishedWrite(log, { accountId, id, limits: account.limits });
    return { writes: [index, ...batchWrites({ value, sequence }, after, nowMs())], result: after };
  });
  failpoint("retry-batch:before-ack");
  return changed;
}

/** After a lost answer the batch may have been started again already, by this request. */
function retryOnce(batch: Batch, before: Batch, nowMs: number): Batch {
  if (batch.try === before.try + 1 && isBatchEnded(before)) return batch;
  if (batch.try !== before.try) throw new PackshotError("batch_status_conflict", "The batch is retried already.");
  return retryBatch(batch, nowMs);
}
