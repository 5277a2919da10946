/**
 * From the bytes of a file to segments of checked rows, as they arrive. It holds one segment and the hashes of the refs,
 * however long the file is. It waits for nothing, so it runs on a thread of its own (`reading-thread.ts`).
 */

import { hash } from "node:crypto";
import { batchRowsMax } from "@packshot/domain/batches/batch.ts";
import { rendererOnly, withEngine } from "@packshot/domain/edits/engine.ts";
import { pricedResults } from "@packshot/domain/edits/price.ts";
import { type EditParameters, type ToolId, toolIds } from "@packshot/domain/edits/tools.ts";
import { clipName, type ErrorCode } from "@packshot/domain/errors.ts";
import type { BatchRow, ValidRow } from "../rows/row.ts";
import { createRowSample, type SampleSize } from "../rows/row-sample.ts";
import { createSegmentCut, type RowSegment } from "../rows/row-segments.ts";
import { createRowCheck, type RowRules, uploadsOf, withUploadFault } from "./check-row.ts";
import { createCsvReader } from "./csv-rows.ts";
import { createUtf8Reader, notUtf8 } from "./file-encoding.ts";
import type { RawRow, RowReader, RowSink } from "./raw-row.ts";

export type RowFormat = "csv" | "ndjson";

export interface RowReading {
  readonly format: RowFormat;
  readonly rules: RowRules;
  /** false: rows are checked and counted only. */
  readonly keepsRows: boolean;
  /** Absent: no rows are sampled. */
  readonly sample?: SampleSize | undefined;
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
  /** Results of valid rows, by what they count as: `edit` of each tool. */
  readonly priced: Readonly<Record<ToolId | "further" | "scene", number>>;
  readonly uploads: NamedUploads;
  /** Those of the valid rows whose photos are to be looked at. */
  readonly sample: readonly ValidRow[];
  /** Why the file could not be read to its end, and where; null: it was. */
  readonly broken: { readonly line: number; readonly message: string } | null;
}

/** The upload sessions that rows name which have no other fault, each once. Only where rows are sampled, for a dry run. */
export interface NamedUploads {
  readonly count: number;
  /** The first 5,000. */
  readonly ids: ReadonlySet<string>;
}

export interface RowsRead {
  /** Returns the segments that are full. */
  write(chunk: Uint8Array): readonly RowSegment[];
  /** Returns the last segment, if there is one. */
  end(): Promise<readonly RowSegment[]>;
  summary(): RowsSummary;
}

export interface PieceRead {
  readonly segments: readonly RowSegment[];
  readonly rows: number;
  /** The file's end was read, or it cannot be read any further. */
  readonly summary: RowsSummary | null;
}

/** `bytes`: a piece of the file; null: there are no more. */
export async function readPiece(reader: RowsRead, bytes: Uint8Array | null): Promise<PieceRead> {
  const segments = bytes === null ? await reader.end() : reader.write(bytes);
  const summary = reader.summary();
  const isDone = bytes === null || summary.broken !== null;
  return { segments, rows: summary.rows, summary: isDone ? summary : null };
}

/** Why a file makes no batch that was read to its end; undefined: it has rows. */
export function emptinessOf({ rows, broken }: RowsSummary, format: RowFormat): string | undefined {
  if (rows > 0 || broken !== null) return undefined;
  return format === "csv" ? "The file has no rows: a CSV needs one below its header." : "The file has no rows.";
}

/** Limits the faults that are told one by one; all are counted. */
const faultsMax = 1_000;
const faultsBytesMax = 256 * 1024;

export function createRowsReader({ format, rules, ...collecting }: RowReading): RowsRead {
  const collected = createRowCollector(rules, collecting);
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
export function checkItems(items: readonly unknown[], rules: RowRules, sample?: SampleSize): CheckedItems {
  const rows: BatchRow[] = [];
  const collected = createRowCollector(rules, { keepsRows: false, sample, onRow: (row) => rows.push(row) });
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

interface Collecting extends Pick<RowReading, "keepsRows" | "sample"> {
  readonly onRow?: (row: BatchRow) => void;
}

const noSample: SampleSize = { photos: 0, seed: 0 };

/** An image model that is away while rows are checked may paint them later: what they cost is an upper bound. */
function pricedParameters({ tool, parameters }: ValidRow, { engines = rendererOnly }: RowRules): EditParameters {
  return withEngine(tool, parameters, { ...engines, hasImageModel: true });
}

function createRowCollector(rules: RowRules, { keepsRows, sample, onRow }: Collecting) {
  const { check, checkColumns } = createRowCheck(rules);
  const seen = createSeenRefs();
  const places = createSeenRefs();
  const faults: RowFault[] = [];
  const rowsOfTool = Object.fromEntries(toolIds.map((tool) => [tool, 0])) as Record<ToolId, number>;
  let rows = 0;
  let faulty = 0;
  const priced = { ...rowsOfTool, further: 0, scene: 0 };
  let broken: RowsSummary["broken"] = null;
  let faultsBytes = 0;
  const segments = createSegmentCut();
  const sampled = createRowSample(sample ?? noSample);
  const uploads = createNamedUploads();

  function checked(raw: RawRow): BatchRow {
    const { row, place } = check(raw, rows);
    if (row.ref === "") return row;
    const first = seen.note(row.ref, row.line);
    if ("fault" in row) return row;
    if (first !== undefined) {
      return faultyRow(row, `The ref "${row.ref}" is that of line ${first}: give each row a ref of its own.`);
    }
    const other = place === undefined ? undefined : places.note(place, row.line);
    if (other !== undefined) {
      const message = `The result of line ${other} has the same place, "${clipName(place!)}": give each row a key of its own.`;
      return faultyRow(row, message);
    }
    // Last, as in a batch: a row whose upload session is of no use has its ref and its place all the same.
    if (sample !== undefined) uploads.add(row);
    return withUploadFault(row, rules.uploadFaults);
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
      } else {
        rowsOfTool[row.tool] += 1;
        sampled.add(row);
        for (const as of pricedResults(row.tool, pricedParameters(row, rules)))
          priced[as === "edit" ? row.tool : as] += 1;
      }
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
    summary(): RowsSummary {
      const named = uploads.named();
      return { rows, faulty, faults, rowsOfTool, priced, uploads: named, sample: sampled.rows(), broken };
    },
  };
}

/** A session takes a read of the log and one of storage: these take a few seconds. */
const uploadsMax = 5_000;

function createNamedUploads() {
  const seen = createSeenRefs();
  const ids = new Set<string>();
  let count = 0;
  return {
    add(row: ValidRow): void {
      for (const id of uploadsOf(row)) {
        if (seen.note(id, row.line) !== undefined) continue;
        count += 1;
        if (ids.size < uploadsMax) ids.add(id);
      }
    },
    named: (): NamedUploads => ({ count, ids }),
  };
}

function faultyRow({ row, line, ref }: BatchRow, message: string): BatchRow {
  return { row, line, ref, fault: { code: "invalid_request", message } };
}

/** Reads the rows of an NDJSON file as it arrives: one JSON object a line. Empty lines are skipped. */

const lineBytesMax = 64 * 1024;
const lineFeed = 0x0a;

function createNdjsonReader(sink: RowSink): RowReader {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest: Uint8Array = new Uint8Array(0);
  let line = 0;
  let isBroken = false;

  function readLine(bytes: Uint8Array): void {
    line += 1;
    const row = parseLine(bytes);
    if (row !== undefined) sink.onRow(row);
  }

  function parseLine(bytes: Uint8Array): RawRow | undefined {
    let text: string;
    try {
      text = decoder.decode(bytes);
    } catch {
      return { kind: "value", line, value: undefined, fault: `The line ${notUtf8}` };
    }
    if (text.trim() === "") return undefined;
    try {
      return { kind: "value", line, value: JSON.parse(text) as unknown };
    } catch (error) {
      return {
        kind: "value",
        line,
        value: undefined,
        fault: `The line is not valid JSON: ${clipName((error as Error).message)}.`,
      };
    }
  }

  function assertLength(bytes: Uint8Array): boolean {
    if (bytes.length <= lineBytesMax) return true;
    isBroken = true;
    sink.onBroken(line + 1, `The line is longer than ${lineBytesMax} bytes.`);
    return false;
  }

  return {
    write(chunk) {
      if (isBroken) return;
      let from = 0;
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
        const end = chunk.subarray(from, at);
        const one = rest.length === 0 ? end : Buffer.concat([rest, end]);
        if (!assertLength(one)) return;
        readLine(one);
        rest = new Uint8Array(0);
        from = at + 1;
      }
      // A copy: the piece is given back.
      rest = Buffer.concat([rest, chunk.subarray(from)]);
      assertLength(rest);
    },
    async end() {
      if (!isBroken && rest.length > 0) readLine(rest);
    },
  };
}

/**
 * Which refs a file has had so far, and where. A million strings would take a hundred megabytes, so their hashes are kept:
 * 64 bits each in a table of typed arrays, 12 bytes a place. Of a million refs two share a hash once in 37 million files.
 */
export interface SeenRefs {
  /** The line that had the ref first; undefined: none so far, and from now on `line`. */
  note(ref: string, line: number): number | undefined;
}

const placesFirst = 4_096;

interface Table {
  /** Two words a place. */
  readonly hashes: Uint32Array;
  /** 0: the place is free. */
  readonly lines: Uint32Array;
}

function createSeenRefs(): SeenRefs {
  let table = createTable(placesFirst);
  let taken = 0;

  function grow(): void {
    const larger = createTable(table.lines.length * 2);
    for (let place = 0; place < table.lines.length; place++) {
      const line = table.lines[place]!;
      if (line !== 0) put(larger, table.hashes[2 * place]!, table.hashes[2 * place + 1]!, line);
    }
    table = larger;
  }

  return {
    note(ref, line) {
      const digest = hash("sha256", ref, "buffer");
      const before = put(table, digest.readUInt32LE(0), digest.readUInt32LE(4), line);
      if (before !== undefined) return before;
      taken += 1;
      if (2 * taken > table.lines.length) grow();
      return undefined;
    },
  };
}

function createTable(places: number): Table {
  return { hashes: new Uint32Array(2 * places), lines: new Uint32Array(places) };
}

/** Open addressing: the next free place after that of the hash. Returns the line of an equal hash, and changes nothing then. */
function put({ hashes, lines }: Table, low: number, high: number, line: number): number | undefined {
  const mask = lines.length - 1;
  let place = low & mask;
  while (lines[place] !== 0) {
    if (hashes[2 * place] === low && hashes[2 * place + 1] === high) return lines[place];
    place = (place + 1) & mask;
  }
  hashes[2 * place] = low;
  hashes[2 * place + 1] = high;
  lines[place] = line;
  return undefined;
}
