/** Removes the files and the record of each batch that has expired, and cancels one that has not ended for a month. */

import type { BatchIndex } from "@packshot/domain/accounts/record-index.ts";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { cancelBatch } from "@packshot/domain/batches/batch-changes.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import { createPeriodicTask } from "@packshot/log/follow/periodic-task.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { BatchRecordRef, BatchView } from "./batch-view.ts";
import { commitBatch } from "./commit-batch.ts";

export interface ExpireBatchesDeps {
  readonly log: Log;
  readonly logger: Logger;
  readonly storage: Pick<Storage, "deletePrefix">;
  readonly view: Pick<BatchView, "list">;
  readonly nowMs: () => number;
  /** A minute when absent. */
  readonly everyMs?: number;
}

/** A batch that is paused and forgotten holds its rows and results no longer. */
const unfinishedMsMax = 30 * 24 * 3600 * 1000;
const unfinishedLifetimeMs = 72 * 3600 * 1000;

export function createBatchExpiry(deps: ExpireBatchesDeps): Component {
  const { log, logger, everyMs = 60_000 } = deps;
  const tasks = log.stateStreams.map(({ index: streamIndex }) =>
    createPeriodicTask({
      name: "batch-expiry",
      log,
      logger,
      everyMs,
      streamIndex,
      work: (signal) => expireBatches(deps, streamIndex, signal),
    }),
  );
  return {
    name: "batch expiry",
    async start() {
      for (const task of tasks) await task.start();
    },
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}

export async function expireBatches(deps: ExpireBatchesDeps, streamIndex: number, signal: AbortSignal): Promise<void> {
  const { logger, view, nowMs } = deps;
  for (const batch of [...view.list(streamIndex)]) {
    if (signal.aborted) return;
    const now = nowMs();
    try {
      if (batch.expiresAtMs !== undefined && batch.expiresAtMs <= now) await removeBatch(deps, batch);
      else if (batch.expiresAtMs === undefined && batch.createdAtMs + unfinishedMsMax <= now) {
        await commitBatch(deps, "cancel-batch", batch, (before) => ({
          batch: cancelBatch(before, { nowMs: now, lifetimeMs: unfinishedLifetimeMs }),
        }));
      }
    } catch (error) {
      logger.warn({ err: error, batchId: batch.batchId }, "a batch was not expired this time");
    }
  }
}

/** Files first: as long as the record is there, whoever is killed in between leaves them to the next. */
async function removeBatch(deps: ExpireBatchesDeps, { accountId, batchId }: BatchRecordRef): Promise<void> {
  const { log, storage, nowMs } = deps;
  const subject = subjects.batch(accountId, batchId);
  const { value } = await log.read<Batch>(subject);
  // A retry has started it again since.
  if (value === undefined || value.expiresAt === null || Date.parse(value.expiresAt) > nowMs()) return;
  failpoint("expire-batch:before-files");
  await storage.deletePrefix(storageKeys.batch(accountId, batchId));
  await log.transact<void>("expire-batch", async () => {
    const { value: batch, sequence } = await log.read<Batch>(subject);
    if (batch === undefined) return { done: undefined };
    const index = await log.read<BatchIndex>(subjects.index(accountId, "batches"));
    const without = (ids: readonly string[] = []) => ids.filter((id) => id !== batchId);
    const { ids, openIds } = index.value ?? {};
    const left: BatchIndex = { v: 1, ids: without(ids), openIds: without(openIds) };
    return {
      writes: [
        { subject: index.subject, value: left, expected: index.sequence },
        { subject, value: null, expected: sequence, ttlSeconds: ttlSeconds.followedTombstone },
      ],
      result: undefined,
    };
  });
}
