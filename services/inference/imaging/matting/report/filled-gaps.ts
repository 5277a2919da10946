/**
 * How much of a matte a network takes for gaps that its own product encloses. Refinement fills prints and panels in the
 * backdrop's color, and is mostly right; but a bag's handles before a dark ground have such gaps, too
 * (docs/adr/0042-review-calibration.md).
 */

import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { fitWithin, type Size } from "../../pixels/geometry.ts";
import { resamplePlane } from "../../pixels/resample.ts";
import type { Prior, PriorViews } from "../evidence/prior.ts";
import { fillGaps } from "./expected-overlap.ts";

/** Longest side of the grid on which both are compared. */
const gridSideMax = 256;

/**
 * Where there were two predictions, either of them may see a gap: the region of interest alone shows more of an opening.
 *
 * @param alpha the refined matte, u8 of `size`
 * @param prior the network's matte of the same photo
 * @returns the share of the matte, 0–1; 0 where it shows no product
 */
export function filledGaps(alpha: Uint8Array, size: Size, prior: Prior): number {
  const grid = fitWithin(prior, gridSideMax);
  return inKernelMemory(() => {
    const odds = lowestOdds(prior, grid);
    return shareOfMatte(alpha, size, odds, fillGaps(odds, grid), grid);
  });
}

function shareOfMatte(alpha: Uint8Array, size: Size, odds: Uint8Array, filled: Uint8Array, grid: Size): number {
  const columns = Int32Array.from({ length: grid.width }, (_, x) => Math.floor(((x + 0.5) / grid.width) * size.width));
  const rows = Int32Array.from({ length: grid.height }, (_, y) => Math.floor(((y + 0.5) / grid.height) * size.height));
  let cells = 0;
  let gaps = 0;
  // One loop: of two, the inner one is compiled alone for each photo, and thrown away at its end.
  for (let i = 0, x = 0, y = 0; i < odds.length; i++) {
    if (alpha[rows[y]! * size.width + columns[x]!]! >= 128) {
      cells++;
      gaps += filled[i]! - odds[i]!;
    }
    if (++x < grid.width) continue;
    x = 0;
    y++;
  }
  return cells === 0 ? 0 : gaps / (255 * cells);
}

/** What the prediction says that is surer of background, on the grid. */
function lowestOdds({ views, ...merged }: Prior, grid: Size): Uint8Array {
  if (views === undefined) return resamplePlane(merged.alpha, merged, grid);
  const odds = resamplePlane(views.whole.alpha, views.whole, grid);
  lowerInBox(odds, grid, merged, views);
  return odds;
}

/** The row or column of the box's own prediction at a cell of the grid; outside of it where the cell is outside the box. */
function placeInBox(cell: number, scale: number, first: number, length: number, side: number): number {
  return Math.floor((((cell + 0.5) * scale - first) / length) * side);
}

/** @param merged both predictions together, whose cells the box counts */
function lowerInBox(odds: Uint8Array, grid: Size, merged: Size, { detail, box }: PriorViews): void {
  const columns = Int32Array.from({ length: grid.width }, (_, x) => {
    const column = placeInBox(x, merged.width / grid.width, box.left, box.width, detail.width);
    return column < detail.width ? column : -1;
  });
  for (let y = 0; y < grid.height; y++) {
    const row = placeInBox(y, merged.height / grid.height, box.top, box.height, detail.height);
    if (row < 0 || row >= detail.height) continue;
    lowerRow(odds, y * grid.width, columns, detail.alpha, row * detail.width);
  }
}

/**
 * A function of its own, so that V8 keeps its code: see addLine in source/jpeg-blocking.ts.
 *
 * @param columns of the detail, −1 beside it
 */
function lowerRow(odds: Uint8Array, to: number, columns: Int32Array, detail: Uint8Array, from: number): void {
  for (let x = 0; x < columns.length; x++) {
    const column = columns[x]!;
    if (column >= 0) odds[to + x] = Math.min(odds[to + x]!, detail[from + column]!);
  }
}
