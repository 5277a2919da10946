/** Reads the archived ledger from storage, checked. */

import { hash } from "node:crypto";
import { createLedgerTrail, type LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import type { Storage } from "../storage/storage.ts";

/** Where a file ends: entries are collected up to this. */
export const ledgerFileBytes = 8 * 1024 * 1024;
/** A file exceeds that by its last entry. */
export const ledgerFileBytesMax = 2 * ledgerFileBytes;

export interface CheckedLedgerFile {
  readonly key: string;
  /** undefined when it cannot be read. */
  readonly file: LedgerFile | undefined;
  readonly problems: readonly string[];
}

/**
 * The files in their order. Each must follow the one before, in its numbers and in its hash, and the balances of each
 * account must follow from entry to entry. Files before the first may have been removed: retention is the operator's.
 */
export async function* readLedgerArchive(
  storage: Pick<Storage, "list" | "read">,
): AsyncGenerator<CheckedLedgerFile, void, undefined> {
  const found = await Array.fromAsync(storage.list(storageKeys.ledger), ({ key }) => key);
  const keys = found.filter((key) => sequenceOf(key) !== undefined).sort((a, b) => sequenceOf(a)! - sequenceOf(b)!);
  const trail = createLedgerTrail();
  let before: LedgerFile | undefined;
  for (const key of keys) {
    const text = (await storage.read(key, { bytesMax: ledgerFileBytesMax }))?.toString() ?? "";
    const { file, problem } = parsed(text);
    if (file === undefined) {
      yield { key, file, problems: [`${key}: ${problem}`] };
      continue;
    }
    const problems = [...chainProblems(file, before), ...entryProblems(file, trail)];
    yield { key, file, problems: problems.map((each) => `${key}: ${each}`) };
    before = file;
  }
}

/**
 * Moves away the files that begin behind an entry: those of what happened after a backup, once it is restored. The archiver
 * would write others with their numbers. Resolves with their keys.
 */
export async function setLedgerAside(
  storage: Pick<Storage, "list" | "copy" | "deletePrefix">,
  { after, into }: { readonly after: number; readonly into: string },
): Promise<string[]> {
  const found = await Array.fromAsync(storage.list(storageKeys.ledger), ({ key }) => key);
  const later = found.filter((key) => (sequenceOf(key) ?? 0) > after);
  for (const key of later) {
    await storage.copy(key, `${storageKeys.ledgerAside}${into}/${key.slice(storageKeys.ledger.length)}`);
    await storage.deletePrefix(key);
  }
  return later;
}

function sequenceOf(key: string): number | undefined {
  const name = /\/(\d+)\.ndjson$/.exec(key)?.[1];
  return name === undefined ? undefined : Number(name);
}

function parsed(text: string): { readonly file?: LedgerFile; readonly problem?: string } {
  try {
    return { file: parseLedgerFile(text) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function chainProblems({ header }: LedgerFile, before: LedgerFile | undefined): string[] {
  const { firstSequence, previousHash } = header;
  if (before === undefined) {
    return firstSequence === 1 && previousHash !== firstHash
      ? ["it is the first file and does not begin the chain"]
      : [];
  }
  const { lastSequence, hash } = before.end;
  if (firstSequence !== lastSequence + 1)
    return [`it begins at ${firstSequence}, the file before ends at ${lastSequence}`];
  return previousHash === hash ? [] : ["the chain is broken: its previousHash is not the hash of the file before"];
}

function entryProblems({ entries, end }: LedgerFile, trail: ReturnType<typeof createLedgerTrail>): string[] {
  const problems = entries.length === end.entries ? [] : [`it has ${entries.length} entries, not ${end.entries}`];
  for (const { sequence, entry } of entries) {
    const missing = trail.missingBefore(entry);
    if (missing === 0) continue;
    problems.push(`entries of ${entry.accountId} over ${missing} credits are missing before entry ${sequence}`);
  }
  return problems;
}

/**
 * A file of the archived ledger, as NDJSON: a header, the entries in the order of `PS_LEDGER`, and an end. The end has the
 * SHA-256 of all that stands above it, and the header the hash of the file before: a file that was changed, removed or
 * put in between breaks the chain.
 */

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
function parseLedgerFile(text: string): LedgerFile {
  const lines = text.split("\n");
  if (lines.length < 3 || lines.pop() !== "") throw new Error("it is cut off");
  const end = JSON.parse(lines.pop()!) as LedgerFileEnd;
  if (end.hash === undefined) throw new Error("it is cut off");
  if (hash("sha256", `${lines.join("\n")}\n`) !== end.hash)
    throw new Error("it does not have its hash: it was changed");
  const [header, ...entries] = lines.map((line) => JSON.parse(line) as unknown);
  return { header: header as LedgerFileHeader, entries: entries as ArchivedEntry[], end };
}
