/**
 * The jobs of one account, in chunks in the order of their ids. Plain data and functions, because closures for each of
 * many small accounts would take more memory than their jobs.
 */

import type { ReportSummary } from "@packshot/domain/edits/edit-report.ts";
import type { ToolId } from "@packshot/domain/edits/tools.ts";
import type { JobStatus, Metadata } from "@packshot/domain/jobs/job.ts";
import {
  compareId,
  countQueued,
  createChunk,
  flagsAt,
  fromIdWords,
  type IdWords,
  idAt,
  idTimeMs,
  insertRow,
  isUnfinished,
  isWanted,
  type JobChunk,
  type JobRow,
  lowerBound,
  mergeChunks,
  metadataBloom,
  removeExpiredRows,
  removeRow,
  replaceRow,
  splitChunk,
  toFlagFilter,
  toIdWords,
} from "./job-chunk.ts";

export type AccountJobs = JobChunk[];

export interface JobFilter {
  readonly live: boolean;
  readonly status?: JobStatus | undefined;
  readonly tool?: ToolId | undefined;
  /** Only completed jobs have one. */
  readonly quality?: ReportSummary["quality"] | undefined;
  /** Whether a person has approved or rejected the result; only of completed jobs. */
  readonly reviewed?: boolean | undefined;
  readonly createdAfterMs?: number | undefined;
  readonly metadata: Metadata;
  /** Only jobs that this batch made. */
  readonly batch?: string | undefined;
}

export interface JobQuery extends JobFilter {
  readonly nowMs: number;
  /** Only jobs created before this one. */
  readonly beforeId?: string | undefined;
  readonly candidatesMax: number;
  /** How many jobs are looked at: more would hold up the event loop. */
  readonly scanMax: number;
}

export interface JobCandidates {
  /** Newest first. A job has the metadata that was asked for with high probability only. */
  readonly ids: readonly string[];
  /** The query goes on before this job; undefined: there is no more to look at. */
  readonly nextId: string | undefined;
}

export function putJob(chunks: AccountJobs, job: JobRow, chunkRowsMax: number): void {
  if (chunks.length === 0) chunks.push(createChunk());
  const at = chunkAt(chunks, job.id);
  const chunk = chunks[at]!;
  const row = lowerBound(chunk, job.id);
  if (isRowOf(chunk, row, job.id)) replaceRow(chunk, row, job);
  else if (chunk.count < chunkRowsMax) insertRow(chunk, row, job);
  else {
    // New jobs come at or near the end: the chunk on the left stays full where it is split there.
    const splitRow = Math.max(row, chunkRowsMax >>> 1);
    const right = splitChunk(chunk, splitRow);
    chunks.splice(at + 1, 0, right);
    if (row < splitRow) insertRow(chunk, row, job);
    else insertRow(right, 0, job);
  }
}

/** undefined: there is no such job. */
export function flagsOfJob(chunks: AccountJobs, id: IdWords): number | undefined {
  const chunk = chunks[chunkAt(chunks, id)];
  if (chunk === undefined) return undefined;
  const row = lowerBound(chunk, id);
  return isRowOf(chunk, row, id) ? flagsAt(chunk, row) : undefined;
}

/** All queued jobs of an account in this window. */
export function countAllQueued(chunks: AccountJobs, live: boolean): number {
  return chunks.reduce((sum, chunk) => sum + countQueued(chunk, chunk.count, live), 0);
}

export function removeJob(chunks: AccountJobs, id: IdWords, chunkRowsMax: number): void {
  const at = chunkAt(chunks, id);
  const chunk = chunks[at];
  if (chunk === undefined) return;
  const row = lowerBound(chunk, id);
  if (!isRowOf(chunk, row, id)) return;
  removeRow(chunk, row);
  tidy(chunks, at, chunkRowsMax);
}

/** Removes the jobs that have expired at `nowS`. The result is when the next one may; 0: none expires so far. */
export function removeExpiredJobs(chunks: AccountJobs, nowS: number, chunkRowsMax: number): number {
  let nextS = Number.POSITIVE_INFINITY;
  for (let at = chunks.length - 1; at >= 0; at--) {
    const chunk = chunks[at]!;
    if (chunk.expiresAtS !== 0 && chunk.expiresAtS <= nowS) removeExpiredRows(chunk, nowS);
    if (chunk.expiresAtS !== 0) nextS = Math.min(nextS, chunk.expiresAtS);
    tidy(chunks, at, chunkRowsMax);
  }
  return Number.isFinite(nextS) ? nextS : 0;
}

export function findJobs(chunks: AccountJobs, query: JobQuery): JobCandidates {
  const { beforeId, candidatesMax, scanMax, createdAfterMs = Number.NEGATIVE_INFINITY } = query;
  const filter = {
    flags: toFlagFilter(query),
    bloom: metadataBloom(query.metadata, query.batch),
    nowS: Math.floor(query.nowMs / 1000),
  };
  const before = beforeId === undefined ? undefined : toIdWords(beforeId);
  const ids: string[] = [];
  let left = scanMax;
  const last = before === undefined ? chunks.length - 1 : chunkAt(chunks, before);
  for (const chunk of chunks.slice(0, last + 1).reverse()) {
    for (let row = (before === undefined ? chunk.count : lowerBound(chunk, before)) - 1; row >= 0; row--) {
      const id = idAt(chunk, row);
      if (idTimeMs(id) <= createdAfterMs) return { ids, nextId: undefined };
      if (isWanted(chunk, row, filter)) ids.push(fromIdWords(id));
      left -= 1;
      if (left === 0 || ids.length === candidatesMax) return { ids, nextId: fromIdWords(id) };
    }
  }
  return { ids, nextId: undefined };
}

/** The first unfinished jobs after this one, which need not be there any more; at most `max`, oldest first. */
export function unfinishedAfter(chunks: AccountJobs, after: IdWords | undefined, max: number): IdWords[] {
  const found: IdWords[] = [];
  const first = after === undefined ? 0 : chunkAt(chunks, after);
  for (const chunk of chunks.slice(first)) {
    let row = after === undefined ? 0 : lowerBound(chunk, after);
    if (after !== undefined && isRowOf(chunk, row, after)) row += 1;
    for (; row < chunk.count; row++) {
      if (isUnfinished(chunk, row)) found.push(idAt(chunk, row));
      if (found.length === max) return found;
    }
  }
  return found;
}

/** How many queued jobs of this window were created before the job with this id. */
export function countQueuedBefore(chunks: AccountJobs, id: IdWords, live: boolean): number {
  const last = chunkAt(chunks, id);
  let count = 0;
  for (let at = 0; at < last; at++) count += countQueued(chunks[at]!, chunks[at]!.count, live);
  const chunk = chunks[last];
  return chunk === undefined ? count : count + countQueued(chunk, lowerBound(chunk, id), live);
}

/** The last chunk whose first id is not greater; 0 when there is none. */
function chunkAt(chunks: AccountJobs, id: IdWords): number {
  let low = 0;
  let high = chunks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (compareId(chunks[middle]!, 0, id) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

function isRowOf(chunk: JobChunk, row: number, id: IdWords): boolean {
  return row < chunk.count && compareId(chunk, row, id) === 0;
}

/** After rows were removed: an empty chunk goes, and a small one becomes part of a small neighbor. */
function tidy(chunks: AccountJobs, at: number, chunkRowsMax: number): void {
  if (chunks[at]!.count === 0) {
    chunks.splice(at, 1);
    return;
  }
  for (const left of [at - 1, at]) {
    const a = chunks[left];
    const b = chunks[left + 1];
    if (a === undefined || b === undefined || a.count + b.count > chunkRowsMax >>> 1) continue;
    mergeChunks(a, b);
    chunks.splice(left + 1, 1);
    return;
  }
}
