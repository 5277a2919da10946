/**
 * A file of fingerprints: lines of one width, sorted, each fingerprint once. Fingerprints are hashes, spread evenly, so the
 * place of one is nearly known before the file is read: mostly one read of a small part of it suffices.
 */
import type { Storage } from "@packshot/platform/storage/storage.ts";

export interface FingerprintEntry {
  /** As `fingerprintOf` gives it. */
  readonly fingerprint: string;
  /** A UUID: of whoever has the row. */
  readonly id: string;
  readonly row: number;
  /** ISO 8601, with milliseconds. */
  readonly at: string;
}

/** The first hexadecimal digits of a SHA-256, which are 128 bits. */
const digits = 32;
const idEnd = digits + 1 + 36;
const rowEnd = idEnd + 1 + 7;
const atEnd = rowEnd + 1 + 24;
export const lineBytes = atEnd + 1;
/** Read at once, at the least. In larger files the usual error of the guess is larger. */
const windowLinesMin = 128;

/** When several entries have one fingerprint, the last one is kept. */
export function formatEntries(entries: readonly FingerprintEntry[]): Buffer {
  const lines = new Map(
    entries.map(({ fingerprint, id, row, at }) => {
      const key = keyOf(fingerprint);
      return [key, `${key} ${id} ${String(row).padStart(7, "0")} ${at}\n`];
    }),
  );
  const text = Buffer.from([...lines.values()].sort().join(""), "latin1");
  if (text.length !== lines.size * lineBytes) throw new RangeError("an entry does not fit into a line");
  return text;
}

function keyOf(fingerprint: string): string {
  return fingerprint.slice(0, digits);
}

/** The key by which lines are sorted. */
export function keyAt(lines: Buffer, place: number): string {
  return lines.toString("latin1", place * lineBytes, place * lineBytes + digits);
}

export function timeAt(lines: Buffer, place: number): string {
  return lines.toString("latin1", place * lineBytes + rowEnd + 1, place * lineBytes + atEnd);
}

/** `lines`: a part of a file, from the beginning of a line to the end of one. */
export function findInLines(lines: Buffer, fingerprint: string): FingerprintEntry | undefined {
  const key = keyOf(fingerprint);
  const place = placeOf(lines, key);
  if (place === lines.length / lineBytes || keyAt(lines, place) !== key) return undefined;
  const text = lines.toString("latin1", place * lineBytes, (place + 1) * lineBytes);
  const row = Number(text.slice(idEnd + 1, rowEnd));
  const at = text.slice(rowEnd + 1, atEnd);
  return { fingerprint, id: text.slice(digits + 1, idEnd), row, at };
}

/** The first line that is not before the key. */
function placeOf(lines: Buffer, key: string): number {
  let low = 0;
  let high = lines.length / lineBytes;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keyAt(lines, middle) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** In a file that is too large to be held, of `linesCount` lines. "gone": there is no such file any more. */
export async function findInFile(
  storage: Pick<Storage, "open">,
  { key, linesCount }: { readonly key: string; readonly linesCount: number },
  fingerprint: string,
): Promise<FingerprintEntry | undefined | "gone"> {
  const wanted = keyOf(fingerprint);
  const windowLines = Math.max(windowLinesMin, Math.ceil(2 * Math.sqrt(linesCount)));
  /** Where it may stand, and between which keys, as shares of all there are. */
  let low = 0;
  let high = linesCount;
  let lowShare = 0;
  let highShare = 1;
  while (low < high) {
    const share = (shareOf(wanted) - lowShare) / Math.max(Number.EPSILON, highShare - lowShare);
    const guess = low + Math.floor(Math.min(1, Math.max(0, share)) * (high - low));
    const first = Math.max(low, Math.min(high - windowLines, guess - (windowLines >> 1)));
    const lines = await readLines(storage, key, first, Math.min(high, first + windowLines));
    if (lines === undefined) return "gone";
    const firstKey = keyAt(lines, 0);
    const lastKey = keyAt(lines, lines.length / lineBytes - 1);
    if (wanted < firstKey) [high, highShare] = [first, shareOf(firstKey)];
    else if (wanted > lastKey) [low, lowShare] = [first + lines.length / lineBytes, shareOf(lastKey)];
    else return findInLines(lines, fingerprint);
  }
  return undefined;
}

function shareOf(key: string): number {
  return Number.parseInt(key.slice(0, 12), 16) / 2 ** 48;
}

async function readLines(
  storage: Pick<Storage, "open">,
  key: string,
  first: number,
  end: number,
): Promise<Buffer | undefined> {
  const file = await storage.open(key, { first: first * lineBytes, last: end * lineBytes - 1 });
  return file === undefined ? undefined : Buffer.concat(await file.stream.toArray());
}
