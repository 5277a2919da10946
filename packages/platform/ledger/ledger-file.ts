/**
 * A file of the archived ledger, as NDJSON: a header, the entries in the order of `PS_LEDGER`, and an end. The end has the
 * SHA-256 of all that stands above it, and the header the hash of the file before: a file that was changed, removed or
 * put in between breaks the chain.
 */
import { hash } from "node:crypto";
import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";

/** The hash before the first file. */
export const firstHash = "0".repeat(64);

export interface LedgerFileHeader {
  readonly v: 1;
  /** UTC, by the times at which the entries were stored. */
  readonly day: string;
  readonly firstSequence: number;
  readonly previousHash: string;
}

export interface ArchivedEntry {
  /** In `PS_LEDGER`. */
  readonly sequence: number;
  readonly storedAt: string;
  /** Where the entry was written, with the account's record. */
  readonly source: { readonly stream: string; readonly sequence: number };
  readonly entry: LedgerEntry;
}

export interface LedgerFileEnd {
  readonly entries: number;
  /** The next file begins after it. */
  readonly lastSequence: number;
  readonly hash: string;
}

export interface LedgerFile {
  readonly header: LedgerFileHeader;
  readonly entries: readonly ArchivedEntry[];
  readonly end: LedgerFileEnd;
}

/** `lines`: the entries, as `JSON.stringify` gives them. */
export function formatLedgerFile(
  header: LedgerFileHeader,
  lines: readonly string[],
  lastSequence: number,
): { readonly text: string; readonly hash: string } {
  const above = [JSON.stringify(header), ...lines, ""].join("\n");
  const end: LedgerFileEnd = { entries: lines.length, lastSequence, hash: hash("sha256", above) };
  return { text: `${above}${JSON.stringify(end)}\n`, hash: end.hash };
}

/** Throws an error that says what is wrong with the file. */
export function parseLedgerFile(text: string): LedgerFile {
  const lines = text.split("\n");
  if (lines.length < 3 || lines.pop() !== "") throw new Error("it is cut off");
  const end = JSON.parse(lines.pop()!) as LedgerFileEnd;
  if (end.hash === undefined) throw new Error("it is cut off");
  if (hash("sha256", `${lines.join("\n")}\n`) !== end.hash)
    throw new Error("it does not have its hash: it was changed");
  const [header, ...entries] = lines.map((line) => JSON.parse(line) as unknown);
  return { header: header as LedgerFileHeader, entries: entries as ArchivedEntry[], end };
}
