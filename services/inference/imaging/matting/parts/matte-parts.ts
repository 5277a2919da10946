/** The separate parts of a matte: finding one, and keeping some of them. */

import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { distanceToMask } from "../../pixels/chessboard-distance.ts";
import { type Components, fillComponents, labelComponents, runStride } from "../../pixels/connected-components.ts";
import type { Box, Point, Size } from "../../pixels/geometry.ts";
import { type MaskGrid, subsampleMask } from "../../pixels/subsample-mask.ts";

/** @returns the label of the part that is nearest to the cell, among those at most `reach` cells away; 0 for none */
export function partAt({ runs }: Components, { width }: Size, { x, y }: Point, reach: number): number {
  let nearest = reach + 1;
  let label = 0;
  for (let at = 0; at < runs.length; at += runStride) {
    const row = Math.floor(runs[at]! / width);
    const first = runs[at]! - row * width;
    const last = runs[at + 1]! - 1 - row * width;
    const distance = Math.max(Math.abs(y - row), first - x, x - last, 0);
    if (distance < nearest) [nearest, label] = [distance, runs[at + 2]!];
  }
  return label;
}

/** The boxes of all parts in cells, by label; entry 0 is unused. */
export function boxesOfParts({ runs, sizes }: Components, { width }: Size): readonly Box[] {
  const sides = sizes.map(() => ({ left: Infinity, top: Infinity, right: 0, bottom: 0 }));
  for (let at = 0; at < runs.length; at += runStride) {
    const side = sides[runs[at + 2]!]!;
    const row = Math.floor(runs[at]! / width);
    side.left = Math.min(side.left, runs[at]! - row * width);
    side.right = Math.max(side.right, runs[at + 1]! - row * width);
    side.top = Math.min(side.top, row);
    side.bottom = Math.max(side.bottom, row + 1);
  }
  return sides.map(({ left, top, right, bottom }) => ({ left, top, width: right - left, height: bottom - top }));
}

/** A part of less than this share of the chosen one's size belongs to the nearest of those that are larger. */
const ownShareMin = 0.1;
/** A point this share of the grid's longer side away from a part still means it: people do not point to the pixel. */
export const pointReachShare = 0.02;

/**
 * Clears all of the matte but the part at the point, and what small parts are nearer to it than to others. A part that the
 * matte's border cuts is of another thing, which the matte does not show whole.
 */
export function keepPartAt(alpha: Uint8Array, size: Size, point: Point): void {
  inKernelMemory(() => {
    const grid = subsampleMask(alpha, size);
    const parts = labelComponents(grid.inside, grid);
    const cell = { x: Math.floor(point.x / grid.step), y: Math.floor(point.y / grid.step) };
    const chosen = partAt(parts, grid, cell, Math.ceil(pointReachShare * Math.max(grid.width, grid.height)));
    if (chosen === 0) {
      alpha.fill(0);
      return;
    }
    const isOther = (label: number) =>
      parts.atBorder[label] || parts.sizes[label]! >= ownShareMin * parts.sizes[chosen]!;
    keepNearestParts(alpha, size, grid, parts, (label) =>
      label === chosen ? "kept" : isOther(label) ? "removed" : "follows",
    );
  });
}

/** `follows`: with the nearest part of the other two fates. */
type PartFate = "kept" | "removed" | "follows";

/** Clears each cell of the matte that is nearer to a removed part than to a kept one. */
export function keepNearestParts(
  alpha: Uint8Array,
  { width, height }: Size,
  grid: MaskGrid,
  parts: Components,
  fateOf: (label: number) => PartFate,
): void {
  const fates = parts.sizes.map((_, label) => fateOf(label));
  if (!fates.includes("removed", 1)) return;
  const distanceTo = (fate: PartFate) => {
    const mask = new Uint8Array(grid.inside.length);
    fillComponents(mask, parts, 1, (label) => fates[label] === fate);
    return distanceToMask(mask, grid);
  };
  const kept = distanceTo("kept");
  const removed = distanceTo("removed");
  const isRemoved = (cell: number) => removed[cell]! < kept[cell]!;
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / grid.step) * grid.width;
    for (let first = 0, end = 0; first < grid.width; first = end + 1) {
      for (end = first; end < grid.width && isRemoved(row + end); ) end++;
      const last = Math.min(end * grid.step, width);
      if (end > first) alpha.fill(0, y * width + first * grid.step, y * width + last);
    }
  }
}
