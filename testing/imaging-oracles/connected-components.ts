/** Connected components of a mask (u8, 0 or 1), labeled by runs and union-find. */

import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";

export interface Components {
  /** Runs of cells in a row, in reading order; three numbers each: first cell, end (exclusive), label from 1. */
  readonly runs: Int32Array;
  /** Number of cells by label; entry 0 is unused. */
  readonly sizes: number[];
  /** Whether a component touches the image's border, by label; entry 0 is unused. */
  readonly atBorder: boolean[];
}

/** Numbers per run in `Components.runs`. */
const runStride = 3;

/** The 4-connected components of the cells that are 1, labeled in reading order. */
export function labelComponents(mask: Uint8Array, size: Size): Components {
  const { width, height } = size;
  const firstOfRow = new Int32Array(height + 1);
  for (let y = 0; y < height; y++) firstOfRow[y + 1] = firstOfRow[y]! + countRuns(mask, y * width, width);
  const runs = new Int32Array(firstOfRow[height]! * runStride);
  for (let y = 0; y < height; y++) writeRuns(mask, y * width, width, runs, firstOfRow[y]!);
  const roots = new Int32Array(firstOfRow[height]!);
  for (let run = 0; run < roots.length; run++) roots[run] = run;
  for (let y = 1; y < height; y++) {
    mergeRows(runs, roots, width, firstOfRow[y - 1]!, firstOfRow[y]!, firstOfRow[y + 1]!);
  }
  return assignLabels(runs, roots, size);
}

function countRuns(mask: Uint8Array, row: number, width: number): number {
  let count = mask[row]!;
  for (let i = row + 1; i < row + width; i++) count += mask[i]! & ~mask[i - 1]!;
  return count;
}

function writeRuns(mask: Uint8Array, row: number, width: number, runs: Int32Array, first: number): void {
  const end = row + width;
  for (let i = row, to = first * runStride; i < end; to += runStride) {
    while (i < end && mask[i] === 0) i++;
    if (i === end) return;
    runs[to] = i;
    while (i < end && mask[i] === 1) i++;
    runs[to + 1] = i;
  }
}

/**
 * Merges the runs from `above` to before `first` with the runs of the next row, up to before `end`, that touch them.
 */
function mergeRows(
  runs: Int32Array,
  roots: Int32Array,
  width: number,
  above: number,
  first: number,
  end: number,
): void {
  for (let a = above, b = first; a < first && b < end; ) {
    const endOfA = runs[a * runStride + 1]! + width;
    const endOfB = runs[b * runStride + 1]!;
    if (runs[a * runStride]! + width < endOfB && runs[b * runStride]! < endOfA) {
      const [rootOfA, rootOfB] = [findRoot(roots, a), findRoot(roots, b)];
      roots[Math.max(rootOfA, rootOfB)] = Math.min(rootOfA, rootOfB);
    }
    if (endOfA < endOfB) a++;
    else b++;
  }
}

function findRoot(roots: Int32Array, run: number): number {
  let root = run;
  while (roots[root] !== root) root = roots[root] = roots[roots[root]!]!;
  return root;
}

/** Labels the merged runs from 1, and counts their cells. */
function assignLabels(runs: Int32Array, roots: Int32Array, { width, height }: Size): Components {
  const sizes = [0];
  const atBorder = [false];
  for (let run = 0, at = 0; run < roots.length; run++, at += runStride) {
    const [from, end] = [runs[at]!, runs[at + 1]!];
    const root = findRoot(roots, run);
    // A root is its component's first run, so it has its label before the others.
    const label = root === run ? sizes.push(0) - 1 : runs[root * runStride + 2]!;
    runs[at + 2] = label;
    sizes[label]! += end - from;
    const touches = from < width || from >= (height - 1) * width || from % width === 0 || end % width === 0;
    atBorder[label] = atBorder[label] === true || touches;
  }
  return { runs, sizes, atBorder };
}
