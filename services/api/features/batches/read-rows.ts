/**
 * From the bytes of a file to segments of checked rows, as they arrive. It holds one segment and the hashes of the refs,
 * however long the file is. It waits for nothing, so it runs on a thread of its own (`reading-thread.ts`).
 */
import { clipName } from "@packshot/domain/errors.ts";
import { batchRowsMax } from "@packshot/domain/batches/batch.ts";
import type { ErrorCode } from "@packshot/domain/errors.ts";
import { type ToolId, toolIds } from "@packshot/domain/edits/tools.ts";
import { createRowCheck, type RowRules } from "./check-row.ts";
import { createCsvReader } from "./csv-rows.ts";
import { createUtf8Reader } from "./file-encoding.ts";
import { createNdjsonReader } from "./ndjson-rows.ts";
import type { RawRow, RowReader, RowSink } from "./raw-row.ts";
import type { BatchRow } from "./row.ts";
import { createSegmentCut, type RowSegment } from "./row-segments.ts";
import { createSeenRefs } from "./seen-refs.ts";

export type RowFormat = "csv" | "ndjson";

export interface RowReading {
  readonly format: RowFormat;
  readonly rules: RowRules;
  /** false: rows are checked and counted only. */
  readonly keepsRows: boolean;
}

export interface RowFault {
  readonly line: number;
  readonly ref: string;
  readonly code: ErrorCode;
  readonly message: string;
}

export interface RowsSummary {
  /** Faulty ones too. */
  readonly rows: number;
  readonly faulty: number;
  /** The first ones: at most 1,000, and 256 KiB of JSON. */
  readonly faults: readonly RowFault[];
  /** Valid rows. */
  readonly rowsOfTool: Readonly<Record<ToolId, number>>;
  /** Why the file could not be read to its end, and where; null: it was. */
  readonly broken: { readonly line: number; readonly message: string } | null;
}

export interface RowsRead {
  /** Returns the segments that are full. */
  write(chunk: Uint8Array): readonly RowSegment[];
  /** Returns the last segment, if there is one. */
  end(): Promise<readonly RowSegment[]>;
  summary(): RowsSummary;
}

/** Limits the faults that are told one by one; all are counted. */
const faultsMax = 1_000;
const faultsBytesMax = 256 * 1024;

export function createRowsReader({ format, rules, keepsRows }: RowReading): RowsRead {
  const collected = createRowCollector(rules, keepsRows);
  const reader = createReader(format, collected.sink, collected.checkColumns);
  return {
    write(chunk) {
      reader.write(chunk);
      return collected.take(false);
    },
    async end() {
      await reader.end();
      return collected.take(true);
    },
    summary: collected.summary,
  };
}

export interface CheckedItems {
  readonly rows: readonly BatchRow[];
  readonly summary: RowsSummary;
}

/** Checks a request's own items, a thousand at most; their lines are their positions, from 1. */
export function checkItems(items: readonly unknown[], rules: RowRules): CheckedItems {
  const rows: BatchRow[] = [];
  const collected = createRowCollector(rules, false, (row) => rows.push(row));
  for (const [index, value] of items.entries()) collected.sink.onRow({ kind: "value", line: index + 1, value });
  return { rows, summary: collected.summary() };
}

function createReader(
  format: RowFormat,
  sink: RowSink,
  checkColumns: (columns: readonly string[]) => string | undefined,
): RowReader {
  return createUtf8Reader(format === "csv" ? createCsvReader(sink, checkColumns) : createNdjsonReader(sink), sink);
}

function createRowCollector(rules: RowRules, keepsRows: boolean, onRow?: (row: BatchRow) => void) {
  const { check, checkColumns } = createRowCheck(rules);
  const seen = createSeenRefs();
  const places = createSeenRefs();
  const faults: RowFault[] = [];
  const rowsOfTool = Object.fromEntries(toolIds.map((tool) => [tool, 0])) as Record<ToolId, number>;
  let rows = 0;
  let faulty = 0;
  let broken: RowsSummary["broken"] = null;
  let faultsBytes = 0;
  const segments = createSegmentCut();

  function checked(raw: RawRow): BatchRow {
    const { row, place } = check(raw, rows);
    if (row.ref === "") return row;
    const first = seen.note(row.ref, row.line);
    if ("fault" in row) return row;
    if (first !== undefined) {
      return faultyRow(row, `The ref "${row.ref}" is that of line ${first}: give each row a ref of its own.`);
    }
    const other = place === undefined ? undefined : places.note(place, row.line);
    if (other === undefined) return row;
    return faultyRow(
      row,
      `The result of line ${other} has the same place, "${clipName(place!)}": give each row a key of its own.`,
    );
  }

  function list(fault: RowFault): void {
    faultsBytes += Buffer.byteLength(JSON.stringify(fault));
    if (faults.length < faultsMax && faultsBytes <= faultsBytesMax) faults.push(fault);
  }

  const sink: RowSink = {
    onRow(raw) {
      if (broken !== null) return;
      if (rows === batchRowsMax) {
        broken = { line: raw.line, message: `The file has more than ${batchRowsMax} rows.` };
        return;
      }
      const row = checked(raw);
      rows += 1;
      if ("fault" in row) {
        faulty += 1;
        if (faults.length < faultsMax) list({ line: row.line, ref: row.ref, ...row.fault });
      } else rowsOfTool[row.tool] += 1;
      onRow?.(row);
      if (keepsRows) segments.add(row);
    },
    onBroken(line, message) {
      broken ??= { line, message };
    },
  };

  return {
    sink,
    checkColumns,
    take: segments.take,
    summary: (): RowsSummary => ({ rows, faulty, faults, rowsOfTool, broken }),
  };
}

function faultyRow({ row, line, ref }: BatchRow, message: string): BatchRow {
  return { row, line, ref, fault: { code: "invalid_request", message } };
}
