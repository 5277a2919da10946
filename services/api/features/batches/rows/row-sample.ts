/**
 * A sample of a batch's valid rows, spread over all of it and found while they are read: which rows follows from their number and the
 * seed alone. Each block of so many rows has a candidate, that with the lowest of random ranks; when there are too many blocks, two
 * become one.
 */

import { mix32 } from "@packshot/domain/random.ts";
import type { ValidRow } from "./row.ts";

export interface SampleSize {
  readonly photos: number;
  readonly seed: number;
}

export interface RowSample {
  add(row: ValidRow): void;
  /** In the order of the file: all rows where there are no more than wanted. */
  rows(): readonly ValidRow[];
}

interface Candidate {
  readonly rank: number;
  readonly row: ValidRow;
}

const blocksForEachMax = 4;

export function createRowSample({ photos, seed }: SampleSize): RowSample {
  const blocksMax = blocksForEachMax * photos;
  let candidates: Candidate[] = [];
  let blockRows = 1;
  let seen = 0;

  function add(row: ValidRow): void {
    if (photos === 0) return;
    if (seen === blocksMax * blockRows) {
      candidates = grouped(candidates, candidates.length / 2);
      blockRows *= 2;
    }
    const candidate = { rank: mix32(mix32(seen + 1) ^ seed), row };
    const block = Math.floor(seen / blockRows);
    const best = candidates[block];
    if (best === undefined || candidate.rank < best.rank) candidates[block] = candidate;
    seen += 1;
  }

  return { add, rows: () => grouped(candidates, Math.min(photos, candidates.length)).map(({ row }) => row) };
}

/** The best one of each group, of neighbors. */
function grouped(candidates: readonly Candidate[], groups: number): Candidate[] {
  return Array.from({ length: groups }, (_, group) => {
    const from = Math.floor((group * candidates.length) / groups);
    const to = Math.floor(((group + 1) * candidates.length) / groups);
    return candidates.slice(from, to).reduce((best, next) => (next.rank < best.rank ? next : best));
  });
}
