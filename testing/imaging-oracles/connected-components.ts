/** Connected components of a mask (u8, 0 or 1), labeled by runs and union-find. */

import {
  assignLabels,
  type Components,
  mergeRows,
  runStride,
} from "../../services/inference/imaging/pixels/connected-components.ts";
import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";

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
