/** The rows of a batch in storage: files of a thousand, or fewer where they are long, never changed. */
import { segmentOf, segmentRows } from "@packshot/domain/batches/batch.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { BatchRow } from "./row.ts";

/** Whose files these are. */
export interface BatchFolder {
  readonly accountId: string;
  readonly id: string;
}

/** A file of rows: NDJSON of `BatchRow`. */
export interface RowSegment {
  readonly segment: number;
  /** From 0. All but the last one of a segment end with a line that names the next. */
  readonly part: number;
  readonly text: Uint8Array;
}

export interface RowSegments {
  write(batch: BatchFolder, segment: RowSegment): Promise<void>;
  /** undefined: there is no such segment, or no more. */
  read(batch: BatchFolder, segment: number): Promise<readonly BatchRow[] | undefined>;
}

/** A row has mostly 300 bytes, and at most some 20 KB: so much is held while rows are cut, and one part beside it. */
const partBytesMax = 4 * 1024 * 1024;
/** More than a whole segment ever has. */
const fileBytesMax = 16 * 1024 * 1024;
const partsMax = segmentRows;

type PartLine = BatchRow | { readonly nextPart: number };

export interface SegmentCut {
  add(row: BatchRow): void;
  /** The parts that are full since; `isLast`: and the rest. */
  take(isLast: boolean): readonly RowSegment[];
}

/** Rows come in their order, from 0. */
export function createSegmentCut(): SegmentCut {
  let lines: string[] = [];
  let bytes = 0;
  let segment = 0;
  let part = 0;
  let full: RowSegment[] = [];

  function cut(): void {
    full.push({ segment, part, text: new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")) });
    lines = [];
    bytes = 0;
  }

  function cutPart(): void {
    lines.push(JSON.stringify({ nextPart: part + 1 } satisfies PartLine));
    cut();
    part += 1;
  }

  return {
    add(row) {
      const line = JSON.stringify(row);
      const lineBytes = Buffer.byteLength(line) + 1;
      if (lines.length > 0 && bytes + lineBytes > partBytesMax) cutPart();
      segment = segmentOf(row.row);
      lines.push(line);
      bytes += lineBytes;
      if (row.row % segmentRows < segmentRows - 1) return;
      cut();
      part = 0;
    },
    take(isLast) {
      if (isLast && lines.length > 0) cut();
      const taken = full;
      full = [];
      return taken;
    },
  };
}

export function createRowSegments(storage: Pick<Storage, "read" | "write">): RowSegments {
  const bytesMax = fileBytesMax;
  return {
    async write({ accountId, id }, { segment, part, text }) {
      await storage.write(storageKeys.batchRows(accountId, id, segment, part), text, { bytesMax });
    },
    async read({ accountId, id }, segment) {
      const rows: BatchRow[] = [];
      for (let part = 0; part < partsMax; part++) {
        const text = await storage.read(storageKeys.batchRows(accountId, id, segment, part), { bytesMax });
        // A later part is missing when the batch expires meanwhile.
        if (text === undefined) return undefined;
        const lines = parseLines<PartLine>(text);
        const last = lines.at(-1);
        const hasNext = last !== undefined && "nextPart" in last;
        rows.push(...((hasNext ? lines.slice(0, -1) : lines) as BatchRow[]));
        if (!hasNext) break;
      }
      return rows;
    },
  };
}

export function parseLines<T>(text: Buffer): T[] {
  return text
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
