/** Takes the next rows of a batch from its cursor on: all of them in the first try, and the failed ones in a retry. */
import { type Batch, segmentOf, segmentRows } from "@packshot/domain/batches/batch.ts";
import type { OutcomeFiles } from "./outcome-files.ts";
import type { BatchRow } from "./row.ts";
import type { RowSegments } from "./row-segments.ts";

export interface TakenRows {
  readonly rows: readonly BatchRow[];
  /** Follows them. */
  readonly nextRow: number;
}

export interface TakeRowsDeps {
  readonly segments: Pick<RowSegments, "read">;
  readonly outcomes: Pick<OutcomeFiles, "read">;
}

export type TakeRows = (batch: Batch, rowsMax: number) => Promise<TakenRows>;

/** Segments in memory: rows are taken some at a time, and a segment never changes while a try lasts. */
const heldSegmentsMax = 8;

export function createTakeRows({ segments, outcomes }: TakeRowsDeps): TakeRows {
  const held = new Map<string, Promise<readonly BatchRow[]>>();

  /** The rows of the segment that the batch's try hands out. */
  async function read(batch: Batch, segment: number): Promise<readonly BatchRow[]> {
    const rows = await segments.read(batch, segment);
    if (rows === undefined) throw new Error(`segment ${segment} of batch ${batch.id} is missing in storage`);
    if (batch.try === 1) return rows;
    const ended = await outcomes.read(batch, segment);
    // A row that has an outcome of this try failed in the one before: why else would it have been taken.
    return rows.filter(({ row }) => {
      const outcome = ended.get(row);
      return outcome?.try === batch.try || (outcome?.try === batch.try - 1 && outcome.status === "failed");
    });
  }

  async function readHeld(batch: Batch, segment: number): Promise<readonly BatchRow[]> {
    const key = `${batch.id}/${batch.try}/${segment}`;
    const reading = held.get(key) ?? read(batch, segment);
    held.delete(key);
    held.set(key, reading);
    if (held.size > heldSegmentsMax) held.delete(held.keys().next().value!);
    return await reading.catch((error: unknown) => {
      held.delete(key);
      throw error;
    });
  }

  return async (batch, rowsMax) => {
    const taken: BatchRow[] = [];
    const wanted = Math.min(rowsMax, batch.counts.pending);
    for (let segment = segmentOf(batch.nextRow); segment * segmentRows < batch.rows; segment++) {
      if (taken.length === wanted) break;
      if (batch.segments !== undefined && !batch.segments.includes(segment)) continue;
      const rows = await readHeld(batch, segment);
      const from = rows.findIndex(({ row }) => row >= batch.nextRow);
      if (from >= 0) taken.push(...rows.slice(from, from + wanted - taken.length));
    }
    return { rows: taken, nextRow: taken.length === 0 ? batch.rows : taken.at(-1)!.row + 1 };
  };
}
