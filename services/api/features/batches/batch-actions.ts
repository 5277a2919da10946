/** What a client does with a batch after its creation: read, list, pause, resume, cancel and retry. */

import type { PlanLimits } from "@packshot/domain/accounts/plan.ts";
import type { BatchIndex } from "@packshot/domain/accounts/record-index.ts";
import { type Batch, isBatchEnded } from "@packshot/domain/batches/batch.ts";
import { cancelBatch, pauseBatch, resumeBatch, retryBatch } from "@packshot/domain/batches/batch-changes.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Write } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/log/log.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import { type Caller, type Realm, realmOf } from "../../access/caller.ts";
import { readRecords } from "../../records/commit-account.ts";
import { batchWrites, commitBatch } from "./run/commit-batch.ts";

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

export interface BatchPage {
  readonly batches: readonly Batch[];
  /** The next page begins before this batch; undefined on the last page. */
  readonly nextId: string | undefined;
}

/** Newest first. A page may be shorter than `limit` and have a next one: batches of the other kind of key are left out. */
export async function listBatches(
  { log, nowMs }: { readonly log: Log; readonly nowMs: () => number },
  { realm, beforeId, limit }: { readonly realm: Realm; readonly beforeId?: string; readonly limit: number },
): Promise<BatchPage> {
  const { value: index } = await log.read<BatchIndex>(subjects.index(realm.accountId, "batches"));
  const ids = (index?.ids ?? [])
    .filter((id) => beforeId === undefined || id < beforeId)
    .toSorted()
    .toReversed();
  const page = ids.slice(0, limit);
  const records = await readRecords<Batch>(
    log,
    page.map((id) => subjects.batch(realm.accountId, id)),
  );
  const batches = records
    .map(({ value }) => value)
    .filter((batch) => batch.live === realm.live && !isBatchExpired(batch, nowMs()));
  return { batches, nextId: ids.length > limit ? page.at(-1) : undefined };
}

export interface BatchRequest {
  readonly realm: Realm;
  readonly batchId: string;
}

function batchNotFound(): PackshotError {
  return new PackshotError("not_found", "Batch not found.");
}

/** From the leader. A test key's batch is unknown to a live key, and the other way round. Throws `not_found`. */
export async function readBatch(
  { log, nowMs }: { readonly log: Log; readonly nowMs: () => number },
  { realm, batchId }: BatchRequest,
): Promise<Batch> {
  if (!isUuid(batchId)) throw batchNotFound();
  const { value } = await log.read<Batch>(subjects.batch(realm.accountId, batchId));
  if (value === undefined || value.live !== realm.live || isBatchExpired(value, nowMs())) throw batchNotFound();
  return value;
}

/** To the client, a batch is gone at its `expiresAt`; its files are removed soon after. */
function isBatchExpired({ expiresAt }: Batch, nowMs: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs;
}

/** The index of an account's batches, which keeps to its limits: whatever makes a batch unfinished writes it. */

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
    const message = `${stillOpen.length} batches are unfinished; the limit is ${maxBatches}: wait for one to end, or cancel one.`;
    throw new PackshotError("limit_reached", message);
  }
  const kept = ids.filter((other) => other !== id);
  if (kept.length >= keptBatchesMax) {
    const message = `The results of ${kept.length} batches are kept, the most that an account may have: wait for one to expire.`;
    throw new PackshotError("limit_reached", message);
  }
  const index: BatchIndex = { v: 1, ids: [...kept, id], openIds: [...stillOpen.map((open) => open.id), id] };
  return { subject, value: index, expected: sequence };
}
