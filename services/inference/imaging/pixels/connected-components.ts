/** Connected components of a mask (u8, 0 or 1), labeled by runs and union-find. */

import { addressOf, computeIntegers } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import type { Size } from "./geometry.ts";

export interface Components {
  /** Runs of cells in a row, in reading order; three numbers each: first cell, end (exclusive), label from 1. */
  readonly runs: Int32Array;
  /** Number of cells by label; entry 0 is unused. */
  readonly sizes: number[];
  /** Whether a component touches the image's border, by label; entry 0 is unused. */
  readonly atBorder: boolean[];
}

/** Numbers per run in `Components.runs`. */
export const runStride = 3;

/** The 4-connected components of the cells that are 1, labeled in reading order. */
export function labelComponents(mask: Uint8Array, size: Size): Components {
  const { width, height } = size;
  const firstOfRow = computeIntegers(height + 1, (to) => kernels.countRuns(addressOf(mask), width, height, to));
  const runs = computeIntegers(firstOfRow[height]! * runStride, (to) =>
    kernels.writeRuns(addressOf(mask), width, height, to),
  );
  const roots = new Int32Array(firstOfRow[height]!);
  for (let run = 0; run < roots.length; run++) roots[run] = run;
  for (let y = 1; y < height; y++) {
    mergeRows(runs, roots, width, firstOfRow[y - 1]!, firstOfRow[y]!, firstOfRow[y + 1]!);
  }
  return assignLabels(runs, roots, size);
}

/**
 * Merges the runs from `above` to before `first` with the runs of the next row, up to before `end`, that touch them.
 */
export function mergeRows(
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
      const rootOfA = findRoot(roots, a);
      const rootOfB = findRoot(roots, b);
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
export function assignLabels(runs: Int32Array, roots: Int32Array, { width, height }: Size): Components {
  const sizes = [0];
  const atBorder = [false];
  for (let run = 0, at = 0; run < roots.length; run++, at += runStride) {
    const from = runs[at]!;
    const end = runs[at + 1]!;
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

/** Sums a plane over each component. @returns sums by label */
export function sumPerComponent(components: Components, plane: Float32Array | Uint8Array): Float64Array {
  return sumOverSome(components, plane, isAny);
}

const isAny = () => true;

/** The same, of the chosen components only: the background of a photo has most of its cells. @returns sums by label, 0 for others */
export function sumOverSome(
  { runs, sizes }: Components,
  plane: Float32Array | Uint8Array,
  isChosen: (label: number) => boolean,
): Float64Array {
  const sums = new Float64Array(sizes.length);
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    if (isChosen(label)) addRun(plane, runs[at]!, runs[at + 1]!, sums, label);
  }
  return sums;
}

function addRun(plane: Float32Array | Uint8Array, from: number, end: number, sums: Float64Array, label: number): void {
  let sum = 0;
  for (let i = from; i < end; i++) sum += plane[i]!;
  sums[label]! += sum;
}

/** Writes `value` to the cells of the chosen components. */
export function fillComponents(
  mask: Uint8Array,
  { runs }: Components,
  value: 0 | 1,
  isChosen: (label: number) => boolean,
): void {
  for (let at = 0; at < runs.length; at += runStride) {
    if (isChosen(runs[at + 2]!)) mask.fill(value, runs[at], runs[at + 1]);
  }
}

/** @param step to the cell beside @param room how many such steps there are to the image's border; 0: the cell beside is not in it */
export type LookAside = (label: number, from: number, step: number, room: number) => void;

/** Looks from each cell of the chosen components to its sides: up, down, and left and right out of its run. */
export function lookAside(
  { runs }: Components,
  { width, height }: Size,
  isChosen: readonly boolean[],
  look: LookAside,
): void {
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    if (!isChosen[label]) continue;
    const row = Math.floor(runs[at]! / width);
    look(label, runs[at]!, -1, runs[at]! - row * width);
    look(label, runs[at + 1]! - 1, 1, (row + 1) * width - runs[at + 1]!);
    for (let i = runs[at]!; i < runs[at + 1]!; i++) {
      look(label, i, -width, row);
      look(label, i, width, height - 1 - row);
    }
  }
}
