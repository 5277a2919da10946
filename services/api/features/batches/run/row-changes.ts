/**
 * What changes a row that has completed: its job is reviewed or deleted, or its job's free repeat makes another result. A settlement that
 * was killed may have written its lines before: what is known already is not changed again.
 */
import { type Batch, type BatchRef, segmentOf } from "@packshot/domain/batches/batch.ts";
import { bucketUrlOf } from "@packshot/domain/connections/bucket-key.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import { allResults, type FileRef } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import type {
  JobDeletedEvent,
  JobEndedEvent,
  JobReviewedEvent,
  PackshotEvent,
} from "@packshot/domain/webhooks/event.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import { jitteredBackoffMs, pause } from "@packshot/platform/flow/pause.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { OutcomeFiles } from "../rows/outcome-files.ts";
import type { DoneRow, RowOutcome } from "../rows/row.ts";
import { hasCopies, keepOutputs, keptKeys, withoutCopies } from "../rows/row-outputs.ts";

export type RowChangeEvent =
  | (JobReviewedEvent & { readonly batch: BatchRef })
  | (JobEndedEvent & { readonly mends: BatchRef })
  | (JobDeletedEvent & { readonly row: BatchRef; readonly finishedAt: string });

export interface RowChangeDeps {
  readonly storage: Pick<Storage, "copy">;
  readonly outcomes: Pick<OutcomeFiles, "read">;
}

interface FollowedChange {
  readonly event: PackshotEvent;
  readonly sequence: number;
}

/** The line of a row that had completed, and what its change adds to the credits of its batch. */
export interface RowChange {
  readonly event: RowChangeEvent;
  readonly line: RowOutcome;
  readonly credits: number;
  /** Keys of the copies that the line names no more. They go when it is written. */
  readonly dropped: readonly string[];
}

/**
 * A settlement that was killed wrote the line; its credits are not counted yet, and its copies may still be there. undefined: the
 * row's result is another job's since, whose line says what is done and kept, and there is nothing to count.
 */
function writtenBefore(line: RowOutcome, event: RowChangeEvent): RowChange | undefined {
  const isOfJob = line.jobId === event.jobId;
  if (event.kind === "reviewed") {
    const isRejected = isOfJob && event.review.verdict === "rejected";
    return { event, line, credits: -event.review.creditsRefunded, dropped: isRejected ? copiesOf(line, event) : [] };
  }
  if (event.kind === "deleted") {
    return isOfJob ? { event, line, credits: 0, dropped: copiesOf(line, event) } : undefined;
  }
  // The settlement that was killed with this one may have copied the row's own result again.
  const own = ownResultsOf(event);
  return { event, line, credits: 0, dropped: line.result?.key === own[0] ? [] : own };
}

function copiesOf(line: RowOutcome, event: RowChangeEvent): string[] {
  return keptKeys({ accountId: event.accountId, id: rowOfChange(event).id }, line);
}

/** A repeat makes as many files as the row's own job. */
function ownResultsOf(event: JobEndedEvent & { readonly mends: BatchRef }): string[] {
  const { accountId, mends } = event;
  const result = storageKeys.batchResult(accountId, mends.id, mends.row);
  const further = allResults(event).map((_, position) => storageKeys.batchFile(result, position));
  return [...new Set([result, ...further])];
}

export function changeOf({ row, status, sequence }: RowOutcome, credits: number) {
  return { row, status, sequence, credits, isChange: true } as const;
}

export function isRowChange(event: PackshotEvent): event is RowChangeEvent {
  if (event.kind === "deleted") return event.row !== undefined;
  return event.kind === "reviewed" || ("mends" in event && event.mends !== undefined);
}

export function rowOfChange(event: RowChangeEvent): BatchRef {
  if (event.kind === "deleted") return event.row;
  return event.kind === "reviewed" ? event.batch : event.mends;
}

export function createRowChanges({ storage, outcomes }: RowChangeDeps) {
  /** Also those that the settlement of the job made after the request had removed them, and those that storage did not remove then. */
  function dropCopies(before: RowOutcome, event: RowChangeEvent): Omit<RowChange, "credits"> {
    const line = { ...before, result: null, outputs: withoutCopies(before.outputs) };
    return { event, line, dropped: hasCopies(before) ? copiesOf(before, event) : [] };
  }

  /** undefined: the row's result is another job's by now, or there is none. */
  async function changeRow(before: RowOutcome, event: RowChangeEvent): Promise<RowChange | undefined> {
    if (event.kind === "reviewed") {
      if (before.jobId !== event.jobId) return undefined;
      const { review } = event;
      const credits = -review.creditsRefunded;
      if (review.verdict === "approved") return { event, line: { ...before, review }, credits, dropped: [] };
      const change = dropCopies(before, event);
      return { ...change, line: { ...change.line, review }, credits };
    }
    if (event.kind === "deleted") {
      if (before.jobId !== event.jobId) return undefined;
      const change = dropCopies(before, event);
      return { ...change, line: { ...change.line, isDeleted: true }, credits: 0 };
    }
    const { accountId, mends, result, report, jobId, destination } = event;
    const isStored = destination?.status === "stored";
    // A copy of what the customer's bucket has is not kept.
    const key = storageKeys.batchResult(accountId, mends.id, mends.row, jobId);
    const kept = isStored ? null : await keepResult(storage, result, key);
    if (kept === null && !isStored) return undefined;
    const { review: _, reasons: __, isDeleted: ___, ...facts } = before;
    const line: RowOutcome = {
      ...facts,
      jobId,
      isMended: true,
      result: kept,
      outputs: await keepOutputs(storage, event, key, kept),
      destination: isStored ? bucketUrlOf(destination!) : null,
      delivery: destination?.status ?? null,
      code: destination?.error?.code ?? null,
      message: destination?.error?.message ?? null,
      quality: report?.quality ?? null,
      reasons: report?.reasons,
      checks: report?.checks ?? null,
    };
    return { event, line, credits: 0, dropped: ownResultsOf(event) };
  }

  /** New lines of rows that had completed, in the order of the events. */
  return async function changesOf(
    batch: Batch,
    fresh: readonly FollowedChange[],
    ended: readonly RowOutcome[],
  ): Promise<RowChange[]> {
    const known = new Map<number, RowOutcome>();
    const changes = fresh.flatMap(({ event, sequence }) => (isRowChange(event) ? [{ event, sequence }] : []));
    const segments = new Set(changes.map(({ event }) => segmentOf(rowOfChange(event).row)));
    for (const segment of segments) {
      for (const [row, outcome] of await outcomes.read(batch, segment)) known.set(row, outcome);
    }
    for (const line of ended) if ((known.get(line.row)?.sequence ?? -1) < line.sequence) known.set(line.row, line);
    const found: RowChange[] = [];
    for (const { event, sequence } of changes) {
      const before = known.get(rowOfChange(event).row);
      if (before === undefined || before.status !== "completed") continue;
      if (before.sequence >= sequence) {
        const change = writtenBefore(before, event);
        if (change !== undefined) found.push(change);
        continue;
      }
      const change = await changeRow(before, event);
      if (change === undefined) continue;
      const line = { ...change.line, sequence };
      known.set(line.row, line);
      found.push({ ...change, line });
    }
    return found;
  };
}

const removalsMax = 16;
const removalTriesMax = 3;
const removalRetry = { firstMs: 100, maxMs: 1_000 };

/**
 * Removes copies that no line names any more. Those that storage does not remove in some tries stay until their batch expires:
 * no event of the batch waits for them. Rejects when `signal` aborts between tries.
 */
export function createCopyRemoval({
  storage,
  logger,
}: {
  readonly storage: Pick<Storage, "deletePrefix">;
  readonly logger: Pick<Logger, "warn">;
}): (keys: readonly string[], signal: AbortSignal) => Promise<void> {
  const limit = createLimiter(removalsMax);
  return async (keys, signal) => {
    let left = keys;
    for (let attempt = 1; left.length > 0; attempt++) {
      const removals = await Promise.allSettled(left.map((key) => limit(() => storage.deletePrefix(key))));
      const failed = removals.find((removal) => removal.status === "rejected");
      left = left.filter((_, index) => removals[index]!.status === "rejected");
      if (failed === undefined) return;
      if (attempt === removalTriesMax) {
        logger.warn({ err: failed.reason, keys: left }, "copies of a batch stay until it expires");
        return;
      }
      await pause(jitteredBackoffMs(attempt, removalRetry), signal);
      signal.throwIfAborted();
    }
  };
}

/** A rejected row, or one whose job was deleted, is not done any more, whatever its job had made; one that was mended after that is. */
export function doneByChanges(changes: readonly RowChange[]): DoneRow[] {
  return changes.flatMap(({ event, line }) => {
    const batch = rowOfChange(event);
    const fingerprint = line.fingerprint ?? batch.fingerprint;
    if (fingerprint === undefined) return [];
    const undoneAt = undoneAtOf(event, line);
    if (undoneAt !== undefined) return [undoneRow(event, fingerprint, undoneAt)];
    if (event.kind === "deleted" || event.kind === "reviewed" || line.delivery === "failed") return [];
    const done = { fingerprint, batch, at: event.finishedAt };
    // The row may have been done before: now it lacks a file, or the image model's scene.
    const lacksSome = event.failedResults !== undefined || event.isUnpainted;
    return [lacksSome ? { ...done, isRejected: true } : done];
  });
}

/** Rows of a batch that is gone, which has no lines any more. */
export function undoneByDeletions(events: readonly PackshotEvent[]): DoneRow[] {
  return events.flatMap((event) => {
    if (event.kind !== "deleted" || !isRowChange(event) || event.row.fingerprint === undefined) return [];
    return [undoneRow(event, event.row.fingerprint, event.createdAt)];
  });
}

/** After the end of the job, also where the clocks of worker and API differ. */
function undoneRow(event: RowChangeEvent, fingerprint: string, undoneAt: string): DoneRow {
  const atMs = Math.max(Date.parse(undoneAt), Date.parse(event.finishedAt) + 1);
  return { fingerprint, batch: rowOfChange(event), at: isoTime(atMs), isRejected: true };
}

function undoneAtOf(event: RowChangeEvent, { review }: RowOutcome): string | undefined {
  if (event.kind === "deleted") return event.createdAt;
  return review?.verdict === "rejected" ? review.at : undefined;
}

/** Copies it to `key`. null: there is none, or the client has deleted the job since. */
export async function keepResult(
  storage: Pick<Storage, "copy">,
  result: FileRef | null,
  key: string,
): Promise<FileRef | null> {
  if (result === null) return null;
  return (await storage.copy(result.key, key)) ? { ...result, key } : null;
}
