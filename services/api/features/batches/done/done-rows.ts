/**
 * What was done before, by fingerprints: completed rows of all batches of an account, and rows of a batch that were handed
 * out and have not ended. Both are files below the account's prefix, so every process finds them, also after a kill.
 */
import { fingerprintLifetimeMs } from "@packshot/domain/batches/batch.ts";
import { hasUnpaintedScene } from "@packshot/domain/edits/engine.ts";
import { isEnded, type Job } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { DoneRow, SameAs } from "../rows/row.ts";
import type { BatchFolder } from "../rows/row-segments.ts";
import { createFingerprintIndex } from "./fingerprint-index.ts";

export interface DoneRowsDeps {
  readonly log: Pick<Log, "read">;
  readonly storage: Storage;
  readonly logger: Logger;
  readonly nowMs: () => number;
}

/** A row that is handed out now, unless an earlier row has its fingerprint. */
export interface HandedRow {
  readonly fingerprint: string;
  readonly row: number;
  readonly jobId: string;
}

export interface DoneRows {
  /**
   * The row that each of these is the same as: a completed one, or an earlier one of the batch. Absent: there is none. Those
   * without one are known as handed out when this resolves.
   */
  handOut(batch: BatchFolder, rows: readonly HandedRow[]): Promise<ReadonlyMap<number, SameAs>>;
  /** Rows that completed or were rejected. `name` says where they come from: the same rows may be told of twice. */
  note(accountId: string, name: string, rows: readonly DoneRow[]): Promise<void>;
}

/** Stands in the place of a batch's id where the row was rejected: the newest entry of a fingerprint holds. */
const rejectedId = "00000000-0000-0000-0000-000000000000";
/** Files are added so often before they are merged. */
const addsPerMerge = 16;
/** Prefixes whose files are counted. The one that was added to longest ago is forgotten, and merged some files later. */
const countedPrefixesMax = 10_000;

export function createDoneRows({ log, storage, logger, nowMs }: DoneRowsDeps): DoneRows {
  const index = createFingerprintIndex({ storage, nowMs, lifetimeMs: fingerprintLifetimeMs });
  const adds = new Map<string, number>();

  async function add(prefix: string, ...[name, entries]: [string, Parameters<typeof index.add>[2]]): Promise<void> {
    await index.add(prefix, name, entries);
    const count = (adds.get(prefix) ?? 0) + 1;
    adds.delete(prefix);
    if (count < addsPerMerge) {
      adds.set(prefix, count);
      if (adds.size > countedPrefixesMax) adds.delete(adds.keys().next().value!);
      return;
    }
    await index.merge(prefix).catch((error: unknown) => {
      logger.warn({ err: error, prefix }, "fingerprints stay in several files");
    });
  }

  /**
   * Rows whose hand-out was never committed, whose jobs did not complete, which were rejected, whose image model was late, or for
   * which the renderer stepped in, so that their job has no fingerprint, are none that another is the same as.
   */
  async function isHandedOut(accountId: string, jobId: string, fingerprint: string): Promise<boolean> {
    const { value: job } = await log.read<Job>(subjects.job(accountId, jobId));
    if (job === undefined || job.batch?.fingerprint !== fingerprint) return false;
    if (!isEnded(job)) return true;
    return job.status === "completed" && job.review?.verdict !== "rejected" && !hasUnpaintedScene(job);
  }

  return {
    async handOut({ accountId, id: batchId }, rows) {
      const handedPrefix = `${storageKeys.batch(accountId, batchId)}handed/`;
      const fingerprints = rows.map(({ fingerprint }) => fingerprint);
      const [done, handed] = await Promise.all([
        index.find(storageKeys.fingerprints(accountId), fingerprints),
        index.find(handedPrefix, fingerprints),
      ]);
      const same = new Map<number, SameAs>();
      const first = new Map<string, number>();
      const added: HandedRow[] = [];
      for (const candidate of rows) {
        const { fingerprint, row } = candidate;
        const newest = done.get(fingerprint);
        const known = newest?.id === rejectedId ? undefined : newest;
        const earlier = handed.get(fingerprint);
        const within = first.get(fingerprint);
        if (known !== undefined && !(known.id === batchId && known.row === row)) {
          same.set(row, { batchId: known.id, row: known.row });
        } else if (within !== undefined) same.set(row, { batchId, row: within });
        else if (
          earlier !== undefined &&
          earlier.row < row &&
          (await isHandedOut(accountId, earlier.id, fingerprint))
        ) {
          same.set(row, { batchId, row: earlier.row });
        } else {
          first.set(fingerprint, row);
          added.push(candidate);
        }
      }
      const at = new Date(nowMs()).toISOString();
      const entries = added.map(({ fingerprint, row, jobId }) => ({ fingerprint, row, id: jobId, at }));
      if (added.length > 0) await add(handedPrefix, `${added[0]!.row}-${added[0]!.jobId}`, entries);
      return same;
    },

    async note(accountId, name, rows) {
      if (rows.length === 0) return;
      // The last entry of a fingerprint is kept.
      const inOrder = rows.toSorted((a, b) => (a.at < b.at ? -1 : 1));
      const entries = inOrder.map(({ fingerprint, batch: { id, row }, at, isRejected }) => ({
        fingerprint,
        id: isRejected ? rejectedId : id,
        row,
        at,
      }));
      await add(storageKeys.fingerprints(accountId), name, entries);
    },
  };
}
