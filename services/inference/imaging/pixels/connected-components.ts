/** Binary masks on a grid: growing, shrinking, distances and connected regions. Masks are u8, 0 or 1. */

import type { Size } from "./geometry.ts";

export interface Components {
  /** Stretches of a row in reading order, three numbers each: the first cell, the one behind the last, the region, from 1. */
  readonly runs: Int32Array;
  /** Cells by region; entry 0 is unused. */
  readonly sizes: number[];
  /** Whether a region reaches the picture's border; entry 0 is unused. */
  readonly atBorder: boolean[];
}

/** Numbers of a run. */
export const runStride = 3;

/** 4-connected regions of the cells that are 1, numbered as they come in reading order. */
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

/** Runs from `above` to before `first` belong with those of the next row, up to before `end`, that lie under them. */
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

/** Gives the joined runs numbers from 1 and counts their cells. */
function assignLabels(runs: Int32Array, roots: Int32Array, { width, height }: Size): Components {
  const sizes = [0];
  const atBorder = [false];
  for (let run = 0, at = 0; run < roots.length; run++, at += runStride) {
    const [from, end] = [runs[at]!, runs[at + 1]!];
    const root = findRoot(roots, run);
    // A root is its region's first run, so it has its number before the others.
    const region = root === run ? sizes.push(0) - 1 : runs[root * runStride + 2]!;
    runs[at + 2] = region;
    sizes[region]! += end - from;
    const touches = from < width || from >= (height - 1) * width || from % width === 0 || end % width === 0;
    atBorder[region] = atBorder[region] === true || touches;
  }
  return { runs, sizes, atBorder };
}

/** Sums of a plane over each region. */
export function sumPerComponent({ runs, sizes }: Components, plane: Float32Array): Float64Array {
  const sums = new Float64Array(sizes.length);
  for (let at = 0; at < runs.length; at += runStride) addRun(plane, runs[at]!, runs[at + 1]!, sums, runs[at + 2]!);
  return sums;
}

function addRun(plane: Float32Array, from: number, end: number, sums: Float64Array, region: number): void {
  let sum = 0;
  for (let i = from; i < end; i++) sum += plane[i]!;
  sums[region]! += sum;
}

/** Writes `value` to the cells of the chosen regions. */
export function fillComponents(
  mask: Uint8Array,
  { runs }: Components,
  value: 0 | 1,
  isChosen: (region: number) => boolean,
): void {
  for (let at = 0; at < runs.length; at += runStride) {
    if (isChosen(runs[at + 2]!)) mask.fill(value, runs[at], runs[at + 1]);
  }
}
