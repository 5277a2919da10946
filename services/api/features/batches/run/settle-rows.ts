/**
 * The settler follows the events of jobs that batches made, and of rows that needed none. For each it writes what became of the
 * row, and then counts it in the batch's record: `settledThrough` makes sure that no event counts twice, and the names of the
 * files say from which events they were made.
 *
 *   components: [createSettler({ log, logger, storage, outcomes, nowMs })]
 */

import type { Account } from "@packshot/domain/accounts/account.ts";
import { type Batch, type BatchRef, isBatchEnded, segmentOf, segmentRows } from "@packshot/domain/batches/batch.ts";
import { settleRows } from "@packshot/domain/batches/batch-changes.ts";
import { bucketUrlOf } from "@packshot/domain/connections/bucket-key.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type {
  BatchRowsEvent,
  JobDeliveredEvent,
  JobEndedEvent,
  PackshotEvent,
} from "@packshot/domain/webhooks/event.ts";
import { isJobEndedEvent } from "@packshot/domain/webhooks/event.ts";
import { createFollower, type FollowerDeps } from "@packshot/log/follow/follower.ts";
import type { FollowerLag } from "@packshot/log/follow/follower-lag.ts";
import type { FollowedEvent } from "@packshot/log/follow/read-events.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { givenBack } from "../../jobs/job-actions.ts";
import type { OutcomeFiles } from "../rows/outcome-files.ts";
import type { DoneRow, RowOutcome } from "../rows/row.ts";
import { keepOutputs } from "../rows/row-outputs.ts";
import { commitBatch } from "./commit-batch.ts";
import {
  changeOf,
  createCopyRemoval,
  createRowChanges,
  doneByChanges,
  isRowChange,
  keepResult,
  type RowChangeEvent,
  rowOfChange,
  undoneByDeletions,
} from "./row-changes.ts";

export interface SettlerDeps {
  readonly log: Log;
  readonly logger: Logger;
  readonly storage: Pick<Storage, "copy" | "deletePrefix">;
  readonly outcomes: Pick<OutcomeFiles, "add" | "compact" | "read">;
  /** Told of rows that completed or were rejected, before they count. `name` is that of the file of their outcomes. */
  readonly noteDone?: (accountId: string, name: string, rows: readonly DoneRow[]) => Promise<void>;
  readonly nowMs: () => number;
  readonly bypassFrom?: FollowerDeps["bypassFrom"];
  readonly lag?: FollowerLag;
}

type RowsJobEvent = (JobEndedEvent | JobDeliveredEvent) & { readonly batch: BatchRef };
type RowEvent = RowsJobEvent | BatchRowsEvent | RowChangeEvent;
type FollowedRows = FollowedEvent & { readonly event: RowEvent };

const batchesMax = 8;
const eventsMax = 200;

export function createSettler(deps: SettlerDeps): Component {
  const { log, logger, nowMs, bypassFrom, lag } = deps;
  const settle = createSettleRows(deps);
  return createFollower({
    name: "batches",
    log,
    logger,
    nowMs,
    lag,
    wants: (event) => isRowEvent(event) || isLostRepeat(event),
    groupOf: (event) => (isLostRepeat(event) ? event.mends.id : batchIdOf(event as RowEvent)),
    parallelMax: batchesMax,
    batchEventsMax: eventsMax,
    async handle(events, signal) {
      for (const { event } of events) if (isLostRepeat(event)) await giveBack(deps, event);
      const ofRows = events.filter(({ event }) => !isLostRepeat(event));
      if (ofRows.length > 0) await settle(ofRows as readonly FollowedRows[], signal);
    },
    ...(bypassFrom && { bypassFrom }),
    failpoint: "settle-rows:before-ack",
  });
}

/** A free repeat of a row's job that made nothing. */
type LostRepeat = JobEndedEvent & { readonly kind: "failed" | "cancelled"; readonly mends: BatchRef };

function isLostRepeat(event: PackshotEvent): event is LostRepeat {
  return (event.kind === "failed" || event.kind === "cancelled") && event.mends !== undefined;
}

/** The record of the row's review outlives the repeat's job: when that has expired, nobody sees any more that it made nothing. */
async function giveBack({ log, nowMs }: SettlerDeps, { accountId, jobId, kind, repeatOf, mends }: LostRepeat) {
  await log.transact<void>("give-back-repeat", async () => {
    const writes = await givenBack(log, { accountId, id: jobId, status: kind, repeatOf, mends }, nowMs());
    return writes.length === 0 ? { done: undefined } : { writes, result: undefined };
  });
}

/** Settles events of one batch, in order. */
function createSettleRows(deps: SettlerDeps) {
  const { log, logger, storage, outcomes, noteDone, nowMs } = deps;
  const changesOf = createRowChanges(deps);
  const removeCopies = createCopyRemoval(deps);
  const compactEnded = createCompaction(deps);

  async function outcomesOf({ event, sequence }: FollowedRows): Promise<RowOutcome[]> {
    if (isRowChange(event)) return [];
    if (event.kind === "batchrows") {
      return event.outcomes.map((fed) => ({
        row: fed.row,
        try: event.try,
        sequence,
        status: fed.status,
        jobId: null,
        result: null,
        destination: null,
        ...(fed.status === "failed" ? { code: fed.code, message: fed.message } : { code: null, message: null }),
        sameAs: fed.status === "skipped" ? fed.sameAs : null,
        quality: null,
        checks: null,
        credits: 0,
        milliseconds: null,
        at: event.createdAt,
      }));
    }
    const { batch, startedAt, finishedAt } = event;
    const isRedelivery = event.kind === "delivered";
    const status = isRedelivery ? "completed" : event.kind;
    const isCompleted = status === "completed";
    const delivery = event.destination?.status ?? null;
    const destination = delivery === "stored" ? bucketUrlOf(event.destination!) : null;
    const error = event.error ?? event.destination?.error;
    // A copy of what the customer's bucket has is not kept.
    const key = storageKeys.batchResult(event.accountId, batch.id, batch.row);
    const result = destination === null ? await keepResult(storage, event.result, key) : null;
    const outputs = await keepOutputs(storage, event, key, result);
    return [
      {
        row: batch.row,
        try: batch.try,
        sequence,
        status,
        jobId: event.jobId,
        code: error?.code ?? null,
        message: error?.message ?? null,
        result,
        outputs,
        destination,
        delivery,
        sameAs: null,
        fingerprint: batch.fingerprint,
        ...(isRedelivery && { isRedelivery }),
        ...(event.kind === "delivered" && event.review && { review: event.review }),
        quality: event.report?.quality ?? null,
        reasons: event.report?.reasons,
        checks: event.report?.checks ?? null,
        credits: isCompleted ? event.credits : 0,
        period: event.period,
        milliseconds: startedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt),
        at: finishedAt,
      },
    ];
  }

  /** For a batch that is gone. An account that is erased must keep no file. */
  async function noteUndone(events: readonly FollowedRows[]): Promise<void> {
    const { sequence, event } = events[0]!;
    const { value: account } = await log.read<Account>(subjects.account(event.accountId));
    if (account === undefined || account.erasure !== undefined) return;
    const undone = undoneByDeletions(events.map((followed) => followed.event));
    await noteDone?.(event.accountId, `${batchIdOf(event)}-${sequence}-gone`, undone);
  }

  return async function settle(events: readonly FollowedRows[], signal: AbortSignal): Promise<void> {
    const { accountId } = events[0]!.event;
    const batchId = batchIdOf(events[0]!.event);
    const { value: batch } = await log.read<Batch>(subjects.batch(accountId, batchId));
    if (batch === undefined) {
      logger.warn({ accountId, batchId, events: events.length }, "events of a batch that is gone");
      return await noteUndone(events);
    }
    const fresh = events.filter(({ sequence }) => sequence > batch.settledThrough);
    if (fresh.length === 0) return;
    const ended = (await Promise.all(fresh.map(outcomesOf))).flat();
    const changed = await changesOf(batch, fresh, ended);
    const lines = [...ended, ...changed.map(({ line }) => line)];
    const name = { first: fresh[0]!.sequence, last: fresh.at(-1)!.sequence };
    failpoint("settle-rows:before-files");
    const bySegment = Map.groupBy(lines, ({ row }) => segmentOf(row));
    await Promise.all([...bySegment].map(([segment, ofSegment]) => outcomes.add(batch, segment, name, ofSegment)));
    await removeCopies([...new Set(changed.flatMap(({ dropped }) => dropped))], signal);
    await noteDone?.(accountId, `${batchId}-${name.first}-${name.last}`, [
      ...doneRows(fresh),
      ...doneByChanges(changed),
    ]);
    const { value: account } = await log.read<Account>(subjects.account(accountId));
    const lifetimeMs = account === undefined ? 0 : account.limits.batchHours * 3_600_000;
    const settled = await commitBatch(deps, "settle-rows", { accountId, batchId }, (before) => {
      const isFresh = ({ sequence }: { readonly sequence: number }) => sequence > before.settledThrough;
      if (!fresh.some(isFresh)) return undefined;
      const changes = changed.filter(({ line }) => isFresh(line)).map(({ line, credits }) => changeOf(line, credits));
      const counted = [...ended.filter(isFresh), ...changes];
      return settleRows(before, counted, name.last, { nowMs: nowMs(), lifetimeMs });
    });
    if (settled === undefined) return;
    // A change ends no row; but each adds a file, which nobody else would make part of the others once the batch has ended.
    const news = isBatchEnded(settled) ? lines : ended;
    const endedBySegment = Map.groupBy(news, ({ row }) => segmentOf(row));
    await compactEnded(settled, endedBySegment);
  };
}

/**
 * Makes one file of the outcomes of a segment that has ended. How many of its rows have, is counted in memory: after a
 * kill the files stay as they are, which is slower to read and nothing else.
 */
function createCompaction({ outcomes, logger }: SettlerDeps) {
  const ended = new Map<string, number>();
  return async (batch: Batch, bySegment: ReadonlyMap<number, readonly RowOutcome[]>): Promise<void> => {
    for (const [segment, { length }] of bySegment) {
      const key = `${batch.id}/${segment}`;
      const count = (ended.get(key) ?? 0) + length;
      ended.set(key, count);
      if (count < segmentRows && !isBatchEnded(batch)) continue;
      ended.delete(key);
      await outcomes.compact(batch, segment).catch((error: unknown) => {
        logger.warn({ err: error, batchId: batch.id, segment }, "outcomes stay in several files");
      });
    }
    if (!isBatchEnded(batch)) return;
    for (const key of ended.keys()) if (key.startsWith(`${batch.id}/`)) ended.delete(key);
  };
}

function isRowEvent(event: PackshotEvent): event is RowEvent {
  if (event.kind === "batchrows") return true;
  if (event.kind === "reviewed") return event.batch !== undefined;
  if (event.kind === "deleted") return event.row !== undefined;
  if (event.kind === "completed" && event.mends !== undefined) return true;
  return (event.kind === "delivered" || isJobEndedEvent(event)) && event.batch !== undefined;
}

function batchIdOf(event: RowEvent): string {
  if (event.kind === "batchrows") return event.batchId;
  return isRowChange(event) ? rowOfChange(event).id : event.batch.id;
}

/**
 * A row is not done before its bucket has the result, nor without one of its files, nor by the renderer where the image model was
 * late: whoever sends it again wants them.
 */
function doneRows(events: readonly FollowedRows[]): DoneRow[] {
  return events.flatMap(({ event }) => {
    if (isRowChange(event) || (event.kind !== "completed" && event.kind !== "delivered")) return [];
    if (event.batch.fingerprint === undefined || event.destination?.status === "failed") return [];
    if (event.failedResults !== undefined || event.isUnpainted) return [];
    return [{ fingerprint: event.batch.fingerprint, batch: event.batch, at: event.finishedAt }];
  });
}
