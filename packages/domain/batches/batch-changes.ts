/** How a batch changes. All decisions about its record are here, pure. */

import { PackshotError } from "../errors.ts";
import { isoTime } from "../ids.ts";
import {
  type Batch,
  type BatchCounts,
  type BatchError,
  type BatchFacts,
  type BatchNews,
  type Ended,
  endedRows,
  isBatchEnded,
  type Pace,
  type PauseReason,
  segmentOf,
  segmentRows,
} from "./batch.ts";

export type OpenBatch = Pick<
  BatchFacts,
  "id" | "accountId" | "live" | "tool" | "parameters" | "onExisting" | "destination" | "input"
>;

const noRows: BatchCounts = { pending: 0, open: 0, completed: 0, failed: 0, skipped: 0, cancelled: 0 };
/** The rate is that of the last one to two minutes. */
const paceMs = 60_000;
const readFaultsMax = 3;

export function openBatch(batch: OpenBatch, nowMs: number): Batch {
  return {
    v: 1,
    ...batch,
    createdAt: isoTime(nowMs),
    rows: 0,
    counts: noRows,
    try: 1,
    nextRow: 0,
    failedSegments: [],
    credits: 0,
    settledThrough: 0,
    tenths: 0,
    paces: [],
    status: "validating",
    finishedAt: null,
    expiresAt: null,
  };
}

/** Its rows are in storage: they may be handed out. A batch that is not `validating` stays as it is. */
export function startBatch(batch: Batch, rows: number, nowMs: number): Batch {
  if (batch.status !== "validating") return batch;
  const started = { ...batch, rows, counts: { ...noRows, pending: rows } };
  return { ...started, status: "running", paces: [paceOf(started, nowMs)] };
}

export interface EndTimes {
  readonly nowMs: number;
  /** How long an ended batch keeps its files. */
  readonly lifetimeMs: number;
}

/** Its rows could not be read. */
export function rejectBatch(batch: Batch, error: BatchError, times: EndTimes): Batch {
  if (batch.status !== "validating") return batch;
  return { ...batch, status: "cancelled", error, ...endFields(times) };
}

/** The reading of its file has ended by itself: the file may be the cause, so it is not read again and again. */
export function countReadFault(batch: Batch, error: BatchError, times: EndTimes): Batch {
  if (batch.status !== "validating") return batch;
  const readFaults = (batch.readFaults ?? 0) + 1;
  return readFaults < readFaultsMax ? { ...batch, readFaults } : rejectBatch(batch, error, times);
}

/** Throws `batch_status_conflict`. A batch that is paused already keeps its reason. */
export function pauseBatch(batch: Batch, pausedBy: PauseReason): Batch {
  if (batch.status === "paused") return batch;
  if (batch.status !== "running") throw statusConflict(batch, "paused");
  return { ...facts(batch), status: "paused", pausedBy, finishedAt: null, expiresAt: null };
}

/** Throws `batch_status_conflict`. */
export function resumeBatch(batch: Batch, nowMs: number): Batch {
  if (batch.status === "running" || batch.status === "validating") return batch;
  if (batch.status !== "paused") throw statusConflict(batch, "resumed");
  const running = { ...facts(batch), status: "running", finishedAt: null, expiresAt: null } as const;
  return { ...running, paces: [paceOf(running, nowMs)] };
}

/** Rows that were not handed out get no job; those of a retry stay failed. Throws `batch_status_conflict`. */
export function cancelBatch(batch: Batch, times: EndTimes): Batch {
  if (batch.status === "cancelled") return batch;
  if (isBatchEnded(batch)) throw statusConflict(batch, "cancelled");
  const { counts } = batch;
  const given = batch.try === 1 ? "cancelled" : "failed";
  const cancelled: Batch = {
    ...facts(batch),
    counts: { ...counts, pending: 0, [given]: counts[given] + counts.pending },
    status: "cancelled",
    error: null,
    finishedAt: null,
    expiresAt: null,
  };
  return endIfDone(cancelled, times);
}

/** Failed rows are handed out again. Throws `batch_status_conflict` unless the batch has completed with failed rows. */
export function retryBatch(batch: Batch, nowMs: number): Batch {
  if (batch.status !== "completed") throw statusConflict(batch, "retried");
  const { counts } = batch;
  if (counts.failed === 0) throw new PackshotError("batch_status_conflict", "No row of the batch has failed.");
  const again = {
    ...facts(batch),
    counts: { ...counts, pending: counts.failed, failed: 0 },
    try: batch.try + 1,
    nextRow: batch.failedSegments[0]! * segmentRows,
    segments: batch.failedSegments,
    failedSegments: [],
    ...({ status: "running", finishedAt: null, expiresAt: null } as const),
  };
  return { ...again, tenths: tenthsOf(again), paces: [paceOf(again, nowMs)] };
}

/** `rows` have been taken from the cursor on, and `nextRow` follows them. */
export function handOutRows(batch: Batch, rows: number, nextRow: number): Batch {
  const { counts } = batch;
  return { ...batch, nextRow, counts: { ...counts, pending: counts.pending - rows, open: counts.open + rows } };
}

/** What a settlement counts of an outcome. */
export interface CountedOutcome {
  readonly row: number;
  readonly status: "completed" | "failed" | "skipped" | "cancelled";
  readonly credits: number;
  /** Only for a completed row with a destination. */
  readonly delivery?: "stored" | "failed" | null;
  /** It completed before, and its result has come to its bucket now. */
  readonly isRedelivery?: boolean;
  /** It completed before, and was reviewed or mended now; `credits` are what that adds to the row's, or takes from them. */
  readonly isChange?: boolean;
}

export interface Settled {
  readonly batch: Batch;
  readonly news: BatchNews | undefined;
}

/** Counts outcomes of rows that were open, and results that came to their buckets later, also when the batch has ended. */
export function settleRows(
  batch: Batch,
  outcomes: readonly CountedOutcome[],
  throughSequence: number,
  times: EndTimes,
): Settled {
  const counts: { -readonly [K in keyof BatchCounts]: number } = { ...batch.counts };
  const failed = new Set(batch.failedSegments);
  let { credits, deliveriesFailed = 0 } = batch;
  for (const outcome of outcomes) {
    if (outcome.isRedelivery === true) {
      deliveriesFailed = Math.max(0, deliveriesFailed - 1);
      continue;
    }
    if (outcome.isChange === true) {
      credits += outcome.credits;
      continue;
    }
    if (outcome.delivery === "failed") deliveriesFailed += 1;
    counts.open -= 1;
    counts[outcome.status] += 1;
    credits += outcome.credits;
    if (outcome.status === "failed") failed.add(segmentOf(outcome.row));
  }
  const failedSegments = failed.size === batch.failedSegments.length ? batch.failedSegments : sorted(failed);
  const counted: Batch = {
    ...batch,
    counts,
    credits,
    failedSegments,
    settledThrough: throughSequence,
    ...((batch.deliveriesFailed ?? 0) === deliveriesFailed ? {} : { deliveriesFailed }),
  };
  if (isBatchEnded(batch)) return { batch: counted, news: undefined };
  const ended = endIfDone({ ...counted, paces: nextPaces(counted, times.nowMs) }, times);
  const tenths = tenthsOf(ended);
  if (isBatchEnded(ended)) return { batch: { ...ended, tenths }, news: "completed" };
  if (tenths <= batch.tenths) return { batch: ended, news: undefined };
  return { batch: { ...ended, tenths }, news: "progress" };
}

/** Ended rows in an hour, and the seconds that those without an outcome take at that rate; null where none is known. */
export function batchRate(
  batch: Batch,
  nowMs: number,
): { readonly rowsPerHour: number | null; readonly secondsLeft: number | null } {
  const left = batch.counts.pending + batch.counts.open;
  const [from] = batch.paces;
  const passedMs = from === undefined ? 0 : nowMs - Date.parse(from.at);
  const ended = from === undefined ? 0 : endedRows(batch.counts) - from.ended;
  if (batch.status !== "running" || ended <= 0 || passedMs <= 0) {
    return { rowsPerHour: null, secondsLeft: isBatchEnded(batch) ? 0 : null };
  }
  const perMs = ended / passedMs;
  return { rowsPerHour: Math.round(perMs * 3_600_000), secondsLeft: Math.ceil(left / perMs / 1000) };
}

function endIfDone(batch: Batch, times: EndTimes): Batch {
  if (isBatchEnded(batch) || batch.counts.pending + batch.counts.open > 0 || batch.status === "validating")
    return batch;
  if (batch.status === "cancelled") return { ...batch, ...endFields(times) };
  return { ...facts(batch), status: "completed", ...endFields(times) };
}

function endFields({ nowMs, lifetimeMs }: EndTimes): Ended {
  return { finishedAt: isoTime(nowMs), expiresAt: isoTime(nowMs + lifetimeMs) };
}

function tenthsOf({ counts, rows }: Pick<BatchFacts, "counts" | "rows">): number {
  return rows === 0 ? 10 : Math.floor((10 * endedRows(counts)) / rows);
}

function paceOf({ counts }: Pick<BatchFacts, "counts">, nowMs: number): Pace {
  return { at: isoTime(nowMs), ended: endedRows(counts) };
}

function nextPaces(batch: Batch, nowMs: number): readonly Pace[] {
  const newest = batch.paces.at(-1);
  if (newest !== undefined && nowMs - Date.parse(newest.at) < paceMs) return batch.paces;
  return [...(newest === undefined ? [] : [newest]), paceOf(batch, nowMs)];
}

function sorted(segments: ReadonlySet<number>): number[] {
  return [...segments].sort((a, b) => a - b);
}

function statusConflict({ status }: Batch, verb: string): PackshotError {
  return new PackshotError("batch_status_conflict", `A batch that is ${status} cannot be ${verb}.`);
}

/** Without the fields of its status. */
function facts(batch: Batch): BatchFacts {
  const { status: _, finishedAt: __, expiresAt: ___, ...rest } = batch;
  const { pausedBy: ____, error: _____, ...kept } = rest as typeof rest & { pausedBy?: unknown; error?: unknown };
  return kept;
}
