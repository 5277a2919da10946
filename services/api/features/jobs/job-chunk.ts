/**
 * A chunk holds up to some hundred jobs of one account in one typed array, a row of 40 bytes for each, sorted by id. As
 * objects with their records, jobs took 2.5 kB each.
 */

import type { WindowKind } from "@packshot/domain/accounts/window.ts";
import type { ReportSummary } from "@packshot/domain/edits/edit-report.ts";
import { type ToolId, toolIds } from "@packshot/domain/edits/tools.ts";
import type { JobStatus, Metadata } from "@packshot/domain/jobs/job.ts";

export interface JobChunk {
  rows: Uint32Array;
  count: number;
  /** Queued jobs, by window. */
  queuedLive: number;
  queuedSandbox: number;
  /** No job in it expires before this time, in seconds since the epoch; 0: none expires so far. */
  expiresAtS: number;
}

/** Words of a row: the id, what filters look at, when the job expires (0: not so far), and its metadata's bloom filter. */
const rowWords = 10;
const flagsWord = 4;
const expiryWord = 5;
const bloomWord = 6;
const capacityMin = 4;

const statuses = ["queued", "processing", "completed", "failed", "cancelled"] as const satisfies readonly JobStatus[];
const statusMask = 0b111;
const liveBit = 0b1000;
const toolShift = 4;
const toolMask = 0b1111 << toolShift;
const doubtfulBit = 1 << 8;
const reviewedBit = 1 << 9;

export interface WantedFlags {
  readonly live: boolean;
  readonly status?: JobStatus | undefined;
  readonly tool?: ToolId | undefined;
  readonly quality?: ReportSummary["quality"] | undefined;
  readonly reviewed?: boolean | undefined;
}

/** Which rows a filter wants: those with `flags & mask === value`. */
export interface FlagFilter {
  readonly mask: number;
  readonly value: number;
}

/** A status or tool of a later version has an index of its own, which no filter wants. */
export function toFlags(status: JobStatus, tool: ToolId, live: boolean, marks: ReviewMarks = {}): number {
  return (
    (statuses.indexOf(status) & statusMask) |
    (live ? liveBit : 0) |
    ((toolIds.indexOf(tool) << toolShift) & toolMask) |
    (marks.isDoubtful ? doubtfulBit : 0) |
    (marks.isReviewed ? reviewedBit : 0)
  );
}

/** What a completed job is marked with. */
export interface ReviewMarks {
  readonly isDoubtful?: boolean;
  readonly isReviewed?: boolean;
}

export function toFlagFilter({ live, status, tool, quality, reviewed }: WantedFlags): FlagFilter {
  const ofCompleted = quality !== undefined || reviewed !== undefined;
  const wantedStatus = ofCompleted ? (status ?? "completed") : status;
  // Only completed jobs have a mark, so with one nothing else is found.
  const findsNone = ofCompleted && wantedStatus !== "completed";
  return {
    mask:
      liveBit |
      (wantedStatus === undefined ? 0 : statusMask) |
      (tool === undefined ? 0 : toolMask) |
      (quality === undefined && !findsNone ? 0 : doubtfulBit) |
      (reviewed === undefined ? 0 : reviewedBit),
    value: toFlags(wantedStatus ?? "queued", tool ?? toolIds[0], live, {
      isDoubtful: quality === "review" || findsNone,
      isReviewed: reviewed === true,
    }),
  };
}

export interface JobRow {
  readonly id: IdWords;
  readonly flags: number;
  readonly expiresAtS: number;
  readonly bloom: readonly number[];
}

export function createChunk(): JobChunk {
  return { rows: new Uint32Array(capacityMin * rowWords), count: 0, queuedLive: 0, queuedSandbox: 0, expiresAtS: 0 };
}

/** Below, at or above zero as the row's id is less than, equal to or greater than `id`. */
export function compareId({ rows }: JobChunk, row: number, id: IdWords): number {
  const at = row * rowWords;
  return rows[at]! - id[0] || rows[at + 1]! - id[1] || rows[at + 2]! - id[2] || rows[at + 3]! - id[3];
}

/** The first row whose id is not less than `id`; `count` when there is none. */
export function lowerBound(chunk: JobChunk, id: IdWords): number {
  let low = 0;
  let high = chunk.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareId(chunk, middle, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function idAt({ rows }: JobChunk, row: number): IdWords {
  const at = row * rowWords;
  return [rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3]!];
}

export function flagsAt({ rows }: JobChunk, row: number): number {
  return rows[row * rowWords + flagsWord]!;
}

/** Its job is queued or processing. */
export function isUnfinished({ rows }: JobChunk, row: number): boolean {
  return (rows[row * rowWords + flagsWord]! & statusMask) <= statuses.indexOf("processing");
}

/** undefined: the job with these flags is not queued. */
export function queuedWindow(flags: number): WindowKind | undefined {
  if ((flags & statusMask) !== 0) return undefined;
  return (flags & liveBit) !== 0 ? "live" : "sandbox";
}

function expiryAt({ rows }: JobChunk, row: number): number {
  return rows[row * rowWords + expiryWord]!;
}

export interface RowFilter {
  readonly flags: FlagFilter;
  readonly bloom: readonly number[];
  /** Jobs that have expired by then are not wanted. */
  readonly nowS: number;
}

export function isWanted({ rows }: JobChunk, row: number, { flags, bloom, nowS }: RowFilter): boolean {
  const at = row * rowWords;
  if (((rows[at + flagsWord]! ^ flags.value) & flags.mask) !== 0) return false;
  const expiresAtS = rows[at + expiryWord]!;
  if (expiresAtS !== 0 && expiresAtS <= nowS) return false;
  for (let word = 0; word < bloom.length; word++) {
    if ((bloom[word]! & ~rows[at + bloomWord + word]!) !== 0) return false;
  }
  return true;
}

/** Queued jobs of this window in the rows before `row`. */
export function countQueued(chunk: JobChunk, row: number, live: boolean): number {
  if (row === chunk.count) return live ? chunk.queuedLive : chunk.queuedSandbox;
  let count = 0;
  for (let i = 0; i < row; i++) if (isQueued(chunk, i) && isLive(chunk, i) === live) count += 1;
  return count;
}

function isQueued({ rows }: JobChunk, row: number): boolean {
  return (rows[row * rowWords + flagsWord]! & statusMask) === 0;
}

function isLive({ rows }: JobChunk, row: number): boolean {
  return (rows[row * rowWords + flagsWord]! & liveBit) !== 0;
}

function noteQueued(chunk: JobChunk, row: number, change: 1 | -1): void {
  if (!isQueued(chunk, row)) return;
  if (isLive(chunk, row)) chunk.queuedLive += change;
  else chunk.queuedSandbox += change;
}

/** Overwrites the row that has the job's id. */
export function replaceRow(chunk: JobChunk, row: number, job: JobRow): void {
  noteQueued(chunk, row, -1);
  writeRow(chunk, row, job);
}

/** Makes room at `row`, which is the job's place by its id. */
export function insertRow(chunk: JobChunk, row: number, job: JobRow): void {
  if (chunk.count * rowWords === chunk.rows.length) resize(chunk, chunk.rows.length * 2);
  chunk.rows.copyWithin((row + 1) * rowWords, row * rowWords, chunk.count * rowWords);
  chunk.count += 1;
  writeRow(chunk, row, job);
}

function writeRow(chunk: JobChunk, row: number, { id, flags, expiresAtS, bloom }: JobRow): void {
  const at = row * rowWords;
  chunk.rows.set(id, at);
  chunk.rows[at + flagsWord] = flags;
  chunk.rows[at + expiryWord] = expiresAtS;
  chunk.rows.set(bloom, at + bloomWord);
  noteQueued(chunk, row, 1);
  chunk.expiresAtS = earlier(chunk.expiresAtS, expiresAtS);
}

export function removeRow(chunk: JobChunk, row: number): void {
  noteQueued(chunk, row, -1);
  chunk.rows.copyWithin(row * rowWords, (row + 1) * rowWords, chunk.count * rowWords);
  chunk.count -= 1;
  shrink(chunk);
}

/** Removes the jobs that have expired at `nowS`. */
export function removeExpiredRows(chunk: JobChunk, nowS: number): void {
  let kept = 0;
  chunk.expiresAtS = 0;
  for (let row = 0; row < chunk.count; row++) {
    const expiresAtS = expiryAt(chunk, row);
    if (expiresAtS !== 0 && expiresAtS <= nowS) {
      noteQueued(chunk, row, -1);
      continue;
    }
    chunk.expiresAtS = earlier(chunk.expiresAtS, expiresAtS);
    if (kept < row) chunk.rows.copyWithin(kept * rowWords, row * rowWords, (row + 1) * rowWords);
    kept += 1;
  }
  chunk.count = kept;
  shrink(chunk);
}

/** Moves the rows from `row` on to a new chunk. */
export function splitChunk(chunk: JobChunk, row: number): JobChunk {
  const right = createChunk();
  moveRows(chunk, row, right);
  shrink(chunk);
  return right;
}

/** Appends all rows of `right`, whose ids are greater. */
export function mergeChunks(left: JobChunk, right: JobChunk): void {
  moveRows(right, 0, left);
}

function moveRows(from: JobChunk, fromRow: number, to: JobChunk): void {
  const moved = from.count - fromRow;
  let length = to.rows.length;
  while (length < (to.count + moved) * rowWords) length *= 2;
  if (length > to.rows.length) resize(to, length);
  to.rows.set(from.rows.subarray(fromRow * rowWords, from.count * rowWords), to.count * rowWords);
  to.expiresAtS = earlier(to.expiresAtS, from.expiresAtS);
  for (let row = fromRow; row < from.count; row++) noteQueued(from, row, -1);
  to.count += moved;
  from.count = fromRow;
  for (let row = to.count - moved; row < to.count; row++) noteQueued(to, row, 1);
}

function shrink(chunk: JobChunk): void {
  let length = chunk.rows.length;
  while (length > capacityMin * rowWords && chunk.count * rowWords <= length / 4) length /= 2;
  if (length < chunk.rows.length) resize(chunk, length);
}

function resize(chunk: JobChunk, length: number): void {
  const rows = new Uint32Array(length);
  rows.set(chunk.rows.subarray(0, chunk.count * rowWords));
  chunk.rows = rows;
}

/** 0 means never. */
function earlier(a: number, b: number): number {
  if (a === 0 || b === 0) return a || b;
  return Math.min(a, b);
}

/** A UUID in four words of 32 bits, most significant first: ids sort as their words do. */
export type IdWords = readonly [number, number, number, number];

export function toIdWords(id: string): IdWords {
  return [
    Number.parseInt(id.slice(0, 8), 16),
    Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16),
    Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16),
    Number.parseInt(id.slice(28), 16),
  ];
}

export function fromIdWords(words: IdWords): string {
  const [a, b, c, d] = words.map((word) => word.toString(16).padStart(8, "0")) as [string, string, string, string];
  return `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`;
}

/** When a UUIDv7 was created, in milliseconds since the epoch. */
export function idTimeMs([high, low]: IdWords): number {
  return high * 2 ** 16 + (low >>> 16);
}

/**
 * A bloom filter of a job's metadata in 128 bits, four for each entry. A job that has the wanted entries passes always;
 * another one in 15,000 cases with three entries of its own, and in 40 with sixteen, which are the most.
 */

const words = 4;
const bitsPerEntry = 4;
const positionBits = 7;

export function metadataBloom(metadata: Metadata, batchId?: string): number[] {
  const bloom = new Array<number>(words).fill(0);
  // The id of the job's batch is looked for as if it were an entry of its metadata.
  const ofBatch: [string, string][] = batchId === undefined ? [] : [["batch", batchId]];
  for (const [name, value] of [...Object.entries(metadata), ...ofBatch]) {
    let hash = hashText(value, hashText(name, offsetBasis) ^ value.length);
    for (let i = 0; i < bitsPerEntry; i++) {
      const position = hash & (2 ** positionBits - 1);
      bloom[position >>> 5]! |= 1 << (position & 31);
      hash >>>= positionBits;
    }
  }
  return bloom;
}

const offsetBasis = 0x811c9dc5;

/** FNV-1a over UTF-16 units, and then mixed as in MurmurHash3, because FNV's low bits depend on few of its input's. */
function hashText(text: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
