/** A row as a file has it, before anything in it is checked. */
export type RawRow =
  /** A row of a CSV file: the cells that are not empty, with the names of their columns. `fault`: it is no row of this header. */
  | {
      readonly kind: "cells";
      readonly line: number;
      readonly fields: readonly (readonly [column: string, cell: string])[];
      readonly fault?: string;
    }
  /** A line of an NDJSON file: its value; undefined with a `fault` when it is not JSON. */
  | { readonly kind: "value"; readonly line: number; readonly value: unknown; readonly fault?: string };

export interface RowSink {
  onRow(row: RawRow): void;
  /** The file cannot be read any further. Called once; no row follows. */
  onBroken(line: number, message: string): void;
}

/** Takes a file in pieces of any length, and hands its rows to a sink while it does. */
export interface RowReader {
  write(chunk: Uint8Array): void;
  /** Resolves when all rows have been handed on. */
  end(): Promise<void>;
}
