/** The rows of a batch with what became of them, a segment at a time, for its report and its archive. */
import { type Batch, isBatchEnded, segmentOf, segmentRows } from "@packshot/domain/batches/batch.ts";
import type { FileRef } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import type { OutcomeFiles } from "../rows/outcome-files.ts";
import type { BatchRow, RowOutcome, SameAs } from "../rows/row.ts";
import type { RowSegments } from "../rows/row-segments.ts";

export interface ResolveRowsDeps {
  readonly log: Pick<Log, "read">;
  readonly segments: Pick<RowSegments, "read">;
  readonly outcomes: Pick<OutcomeFiles, "read">;
  readonly nowMs: () => number;
}

/** `pending`: not handed out; `open`: its job has not ended, or its end is not settled. */
export type RowStatus = "pending" | "open" | RowOutcome["status"];

export interface ResolvedRow {
  readonly row: BatchRow;
  readonly status: RowStatus;
  /** Absent while it is `pending` or `open`; of a retried row, of its earlier try. */
  readonly outcome: RowOutcome | undefined;
  /** The outcome of the row that this one is the same as; undefined: there is none, or it is not known. */
  readonly same: RowOutcome | undefined;
  /** The kept result, also that of the row that this one is the same as. */
  readonly file: KeptFile | undefined;
}

export interface KeptFile extends FileRef {
  /** null: not before its batch has ended. */
  readonly expiresAt: string | null;
}

/** Where a customer's bucket has the result, `s3://…`: of a skipped row, that of the one that it is the same as. */
export function bucketPlaceOf({ status, outcome, same }: ResolvedRow): string | null {
  if (status !== "completed" && status !== "skipped") return null;
  return (status === "skipped" ? same : outcome)?.destination ?? null;
}

/** What became of the result on its way to that bucket, likewise; null: it has no destination. */
export function deliveryOfRow({ status, outcome, same }: ResolvedRow): "stored" | "failed" | null {
  if (status !== "completed" && status !== "skipped") return null;
  const told = status === "skipped" ? same : outcome;
  return told?.delivery ?? null;
}

/** `firstRow` and `rowsMax` are multiples of a segment's rows. */
export interface RowRange {
  readonly firstRow: number;
  readonly rowsMax: number;
}

export type ResolveRows = (batch: Batch, range?: RowRange) => AsyncGenerator<readonly ResolvedRow[]>;

/** Batches that rows of one segment are the same as. */
const heldBatchesMax = 100;

export function createResolveRows({ log, segments, outcomes, nowMs }: ResolveRowsDeps): ResolveRows {
  return async function* resolveRows(batch, range = { firstRow: 0, rowsMax: batch.rows }) {
    const readBatch = createBatchReads(log, batch);
    const end = Math.min(batch.rows, range.firstRow + range.rowsMax);
    for (let segment = segmentOf(range.firstRow); segment * segmentRows < end; segment++) {
      const rows = await segments.read(batch, segment);
      // The batch expired while it was read.
      if (rows === undefined) throw new Error(`the rows of segment ${segment} of batch ${batch.id} are gone`);
      const own = await outcomes.read(batch, segment);
      const same = await readSame(batch.accountId, own.values());
      const resolved: ResolvedRow[] = [];
      for (const row of rows) {
        const outcome = own.get(row.row);
        const found = outcome?.sameAs ? same.get(placeOf(outcome.sameAs)) : undefined;
        const file = await keptFile(readBatch, found?.sameAs.batchId ?? batch.id, found?.outcome ?? outcome);
        resolved.push({ row, status: statusOf(batch, row, outcome), outcome, same: found?.outcome, file });
      }
      yield resolved;
    }
  };

  /** Each segment that is needed is read once, whatever the order of the rows. */
  async function readSame(accountId: string, own: Iterable<RowOutcome>) {
    const wanted = new Map<string, SameAs[]>();
    for (const { sameAs } of own) {
      if (sameAs === null) continue;
      const key = `${sameAs.batchId}/${segmentOf(sameAs.row)}`;
      wanted.set(key, [...(wanted.get(key) ?? []), sameAs]);
    }
    const found = new Map<string, { readonly sameAs: SameAs; readonly outcome: RowOutcome }>();
    for (const places of wanted.values()) {
      const [{ batchId, row }] = places as [SameAs];
      const there = await outcomes.read({ accountId, id: batchId }, segmentOf(row));
      for (const sameAs of places) {
        const outcome = there.get(sameAs.row);
        if (outcome !== undefined) found.set(placeOf(sameAs), { sameAs, outcome });
      }
    }
    return found;
  }

  async function keptFile(
    readBatch: ReturnType<typeof createBatchReads>,
    batchId: string,
    outcome: RowOutcome | undefined,
  ): Promise<KeptFile | undefined> {
    if (outcome?.status !== "completed" || outcome.result === null) return undefined;
    const keeper = await readBatch(batchId);
    if (keeper === undefined) return undefined;
    const { expiresAt } = keeper;
    const isGone = expiresAt !== null && Date.parse(expiresAt) <= nowMs();
    return isGone ? undefined : { ...outcome.result, expiresAt };
  }
}

function createBatchReads(log: Pick<Log, "read">, batch: Batch) {
  const held = new Map<string, Promise<Pick<Batch, "expiresAt"> | undefined>>();
  return (batchId: string) => {
    if (batchId === batch.id) return batch;
    let reading = held.get(batchId);
    if (reading === undefined) {
      if (held.size >= heldBatchesMax) held.clear();
      reading = log.read<Batch>(subjects.batch(batch.accountId, batchId)).then(({ value }) => value);
      held.set(batchId, reading);
    }
    return reading;
  };
}

function placeOf({ batchId, row }: SameAs): string {
  return `${batchId}/${row}`;
}

/** A faulty row has failed before it is looked at. A retry opens the rows that have failed again, and takes them in their order. */
function statusOf(batch: Batch, row: BatchRow, outcome: RowOutcome | undefined): RowStatus {
  if ("fault" in row) return "failed";
  const isOpenAgain = outcome?.status === "failed" && outcome.try < batch.try && !isBatchEnded(batch);
  if (outcome !== undefined && !isOpenAgain) return outcome.status;
  if (row.row < batch.nextRow) return "open";
  if (batch.status !== "cancelled") return "pending";
  return outcome?.status ?? "cancelled";
}
