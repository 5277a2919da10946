/**
 * Reads the rows of a CSV file as it arrives: a header, then one row a record. From the first quote on csv-parse reads, which
 * knows quotes and line ends of every kind; what a cell means is the header's.
 */

import { finished } from "node:stream/promises";
import { clipName } from "@packshot/domain/errors.ts";
import { type CsvError, type InfoRecord, Parser } from "csv-parse";
import { notUtf8 } from "./file-encoding.ts";
import type { RawRow, RowReader, RowSink } from "./raw-row.ts";

/** A catalog of one column more, or one that lacks a closing quote, must not be read into memory as one cell. */
const recordCharactersMax = 64 * 1024;
const columnsMax = 200;
/** A spreadsheet writes what its country uses. */
const delimiters = [",", ";", "\t"] as const;
/** The longest first. */
const lineEnds = ["\r\n", "\n", "\r"];
/** By which Excel knows the delimiter: `sep=;`, before the header. Saved again, it has the other columns' delimiters, too. */
const delimiterLine = /^"?sep=([^"\w\ufffd])"?[,;\t]*$/i;
/** What bytes become that are no UTF-8. */
const replacement = "\ufffd";

/** `checkColumns` says what is wrong with the header; undefined: nothing. */
export function createCsvReader(
  sink: RowSink,
  checkColumns: (columns: readonly string[]) => string | undefined,
): RowReader {
  let header: readonly string[] | undefined;
  /** Bytes until the header's end is known: its delimiter decides about all that follows. */
  let head: Buffer = Buffer.alloc(0);
  let delimiter = ",";
  let plain: PlainCsv | undefined;
  let parser: Parser | undefined;
  let problem: CsvError | undefined;
  let isBroken = false;
  /** Lines that csv-parse has counted twice: each CRLF in quotes. */
  let countedTwice = 0;

  function onParsed(cells: string[], { lines }: InfoRecord): undefined {
    const { signs, pairs } = lineEndsIn(cells);
    onRecord(cells, plain!.lines() + lines - countedTwice - signs);
    countedTwice += pairs;
    return undefined;
  }

  function onRecord(cells: string[], line: number): void {
    if (header === undefined) {
      header = cells.map((name) => name.trim());
      const fault = headerFault(header) ?? checkColumns(header);
      if (fault !== undefined) stop(line, fault);
    } else if (!isBroken && !cells.every((cell) => cell.trim() === "")) {
      sink.onRow(rowOf(header, cells, line));
    }
  }

  function stop(line: number, message: string): void {
    isBroken = true;
    sink.onBroken(line, message);
  }

  function open(): Parser {
    const opened = new Parser({
      delimiter,
      // Named, it takes each where it stands: else it takes the first one's kind for all, and counts lines wrongly.
      record_delimiter: lineEnds,
      // `TV 55"` is a name, not a mistake.
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: recordCharactersMax,
      on_record: onParsed as never,
    });
    opened.on("error", noteProblem);
    opened.resume();
    return opened;
  }

  /** csv-parse parses at once; of an error it tells a tick later. */
  function parse(bytes: Buffer): void {
    if (isBroken) return;
    if (problem !== undefined) stop(lineOf(parser!), explain(problem));
    else if (parser !== undefined) parser.write(bytes);
    else if (plain !== undefined) readPlain(bytes);
    else {
      head = Buffer.concat([head, bytes]);
      if (head.includes(0x0a) || head.length >= recordCharactersMax) begin();
    }
  }

  function begin(): void {
    const line = firstLine(head);
    const named = delimiterLine.exec(line.text)?.[1];
    delimiter = named ?? delimiterOf(line.text);
    if (named !== undefined) head = head.subarray(line.bytes);
    plain = createPlainCsv({
      delimiter,
      recordCharactersMax,
      linesBefore: named === undefined ? 0 : 1,
      onRecord,
      onTooLong: (line) => isBroken || stop(line, explainTooLong()),
    });
    readPlain(head);
    head = Buffer.alloc(0);
  }

  function readPlain(bytes: Buffer): void {
    readOn(plain!.write(bytes));
  }

  function readOn(left: Buffer | undefined): void {
    if (left === undefined || isBroken) return;
    parser = open();
    parser.write(left);
  }

  function noteProblem(error: unknown): void {
    problem ??= error as CsvError;
  }

  const endOf = (opened: Parser) => opened.end();
  const lineOf = (opened: Parser) => plain!.lines() + opened.info.lines - countedTwice;

  return {
    write: (chunk) => parse(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)),
    async end() {
      if (plain === undefined) begin();
      if (parser === undefined) readOn(plain!.end());
      if (parser !== undefined) await finished(endOf(parser), { readable: false }).catch(noteProblem);
      if (isBroken) return;
      if (problem !== undefined) stop(lineOf(parser!), explain(problem));
    },
  };
}

function rowOf(header: readonly string[], cells: readonly string[], line: number): RawRow {
  const fields: (readonly [string, string])[] = [];
  for (let column = 0; column < header.length; column++) {
    const cell = cells[column];
    if (cell !== undefined && cell !== "" && header[column] !== "") fields.push([header[column]!, cell]);
  }
  const named = header.findLastIndex((name) => name !== "") + 1;
  const fault = cells.some((cell) => cell.includes(replacement))
    ? `The row ${notUtf8}`
    : cells.slice(named).every((cell) => cell.trim() === "")
      ? undefined
      : `The row has more cells than the header has columns, ${named}: quote a cell that has a delimiter in it.`;
  return { kind: "cells", line, fields, fault };
}

function headerFault(header: readonly string[]): string | undefined {
  if (header.length > columnsMax) return `The header has ${header.length} columns; the limit is ${columnsMax}.`;
  if (header.some((name) => name.includes(replacement))) return `The header ${notUtf8}`;
  const empty = header.indexOf("");
  // A spreadsheet may end each line with a delimiter: columns without a name at the end are no columns.
  if (empty >= 0 && header.slice(empty).some((name) => name !== "")) return `Column ${empty + 1} has no name.`;
  const twice = header.find((name, index) => name !== "" && header.indexOf(name) !== index);
  return twice === undefined ? undefined : `The column "${clipName(twice)}" stands twice in the header.`;
}

/** Without its end; `bytes`: with it. */
function firstLine(head: Buffer): { readonly text: string; readonly bytes: number } {
  const [text] = head.toString("utf8").split(/[\r\n]/, 1) as [string];
  const end = Buffer.byteLength(text);
  const isPair = head[end] === 0x0d && head[end + 1] === 0x0a;
  return { text, bytes: end + (isPair ? 2 : 1) };
}

/** The one that the header has most often, outside of quotes. */
function delimiterOf(header: string): string {
  const line = header.replaceAll(/"[^"]*"/g, "");
  const counts = delimiters.map((delimiter) => line.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))]!;
}

/** A record's line is where it begins; csv-parse counts to where it ends, and each sign of a line end on the way. */
function lineEndsIn(cells: readonly string[]): { readonly signs: number; readonly pairs: number } {
  let signs = 0;
  let pairs = 0;
  for (const cell of cells) {
    if (!cell.includes("\n") && !cell.includes("\r")) continue;
    signs += cell.match(/[\r\n]/g)!.length;
    pairs += cell.match(/\r\n/g)?.length ?? 0;
  }
  return { signs, pairs };
}

function explain({ code, message }: CsvError): string {
  if (code === "CSV_QUOTE_NOT_CLOSED") return "A quote is opened here or above, and never closed.";
  if (code === "CSV_MAX_RECORD_SIZE") return explainTooLong();
  return `The file cannot be read as CSV: ${clipName(message)}.`;
}

function explainTooLong(): string {
  return `A row has more than ${recordCharactersMax} characters: a quote may be open, above this line.`;
}

/**
 * Reads CSV as long as nothing in it is quoted, as most catalogs are: a line is a record. It takes a fraction of a parser's
 * time, and leaves nothing to collect but the cells. The first quote ends that: who knows quotes reads on.
 */

export interface PlainCsv {
  /**
   * Takes the records of a piece. Returns what it does not read, from the beginning of a line on, when it meets a quote or a
   * line end of its own kind; nothing is written to it then.
   */
  write(bytes: Buffer): Buffer | undefined;
  /** Takes the last record, which may have no line end; returns what `write` would. */
  end(): Buffer | undefined;
  /** That were taken, and those before. */
  lines(): number;
}

export interface PlainCsvOptions {
  readonly delimiter: string;
  readonly recordCharactersMax: number;
  /** Lines of the file that were read already. */
  readonly linesBefore: number;
  /** `line` is from 1. */
  readonly onRecord: (cells: string[], line: number) => void;
  readonly onTooLong: (line: number) => void;
}

const lineFeed = 0x0a;
const quote = 0x22;
const characterBytesMax = 4;

function createPlainCsv(options: PlainCsvOptions): PlainCsv {
  const { delimiter, recordCharactersMax, onRecord, onTooLong } = options;
  /** The beginning of a line whose end has not come. */
  let rest: Buffer = Buffer.alloc(0);
  let lines = options.linesBefore;

  /** False: it has a line end in it that is none of ours. */
  function take(bytes: Buffer): boolean {
    const text = bytes.toString("utf8");
    const line = text.endsWith("\r") ? text.slice(0, -1) : text;
    if (line.includes("\r")) return false;
    lines += 1;
    if (line.length > recordCharactersMax) onTooLong(lines);
    else if (line !== "") onRecord(line.split(delimiter), lines);
    return true;
  }

  return {
    write(bytes) {
      if (bytes.includes(quote)) return Buffer.concat([rest, bytes]);
      let from = 0;
      for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, from)) {
        const line = bytes.subarray(from, at);
        const whole = rest.length === 0 ? line : Buffer.concat([rest, line]);
        if (!take(whole)) return Buffer.concat([rest, bytes.subarray(from)]);
        rest = Buffer.alloc(0);
        from = at + 1;
      }
      // A copy: the piece is given back.
      rest = Buffer.concat([rest, bytes.subarray(from)]);
      if (rest.length > recordCharactersMax * characterBytesMax) onTooLong(lines + 1);
      return undefined;
    },
    end() {
      return rest.length === 0 || take(rest) ? undefined : rest;
    },
    lines: () => lines,
  };
}
