/** The outlines of a region as smooth closed curves, with the direction outward at each of their points. */

import type { Size } from "../pixels/geometry.ts";
import { listMarks, markEdge } from "../pixels/morphology.ts";

/** Points one cell apart on a closed curve, in cells: a cell's center is at its integer coordinates. */
export interface Outline {
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** The unit vector from the product to the ground at each point. */
  readonly outX: Float32Array;
  readonly outY: Float32Array;
}

/** Shorter outlines, in sides of cells, are those of specks and of holes that smoothing would shrink. */
const sidesMin = 100;
/** Half the width, in points, of the three means that smooth an outline. */
const smoothingReach = 6;
/** Points on either side that give the direction outward. */
const tangentReach = 3;

/** @param region 1 inside */
export function smoothOutlines(region: Uint8Array, size: Size): readonly Outline[] {
  const outlines: Outline[] = [];
  const isTraced = new Set<number>();
  for (const cell of listMarks(markEdge(region, size))) {
    if (cell >= size.width && region[cell - size.width] === 1) continue;
    if (isTraced.has(cell)) continue;
    const sides = traceSides(region, size, cell, isTraced);
    if (sides.length >= 2 * sidesMin) outlines.push(outlineOf(sides));
  }
  return outlines;
}

/** Right, down, left, up: the step along a side, and the cells to the left and right of the corner that it leads to. */
const directions = [
  { x: 1, y: 0, left: { x: 0, y: -1 }, right: { x: 0, y: 0 } },
  { x: 0, y: 1, left: { x: 0, y: 0 }, right: { x: -1, y: 0 } },
  { x: -1, y: 0, left: { x: -1, y: 0 }, right: { x: -1, y: -1 } },
  { x: 0, y: -1, left: { x: -1, y: -1 }, right: { x: 0, y: -1 } },
] as const;

/**
 * Follows the sides of cells around a region from a cell's upper side, the region to the right.
 *
 * @param isTraced gets the cells whose upper side was followed
 * @returns the middles of the sides, x and y by turns
 */
function traceSides(region: Uint8Array, { width, height }: Size, first: number, isTraced: Set<number>): number[] {
  const isInside = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height && region[y * width + x] === 1;
  const sides: number[] = [];
  // A corner has the coordinates of the cell to its lower right.
  let x = first % width;
  let y = (first - x) / width;
  let at = 0;
  do {
    if (at === 0) isTraced.add(y * width + x);
    const along = directions[at]!;
    sides.push(x - 0.5 + 0.5 * along.x, y - 0.5 + 0.5 * along.y);
    x += along.x;
    y += along.y;
    if (isInside(x + along.left.x, y + along.left.y)) at = (at + 3) % 4;
    else if (!isInside(x + along.right.x, y + along.right.y)) at = (at + 1) % 4;
  } while (at !== 0 || y * width + x !== first);
  return sides;
}

function outlineOf(sides: readonly number[]): Outline {
  const count = sides.length / 2;
  let x = Float32Array.from({ length: count }, (_, i) => sides[2 * i]!);
  let y = Float32Array.from({ length: count }, (_, i) => sides[2 * i + 1]!);
  for (let pass = 0; pass < 3; pass++) {
    x = closedMean(x, smoothingReach);
    y = closedMean(y, smoothingReach);
  }
  const even = spaceEvenly(x, y);
  return { ...even, ...outwardOf(even.x, even.y) };
}

/** Means of the points around each point of a closed curve. */
export function closedMean(values: Float32Array, reach: number): Float32Array<ArrayBuffer> {
  const count = values.length;
  const means = new Float32Array(count);
  let sum = 0;
  for (let i = -reach; i <= reach; i++) sum += values[(i + count) % count]!;
  for (let i = 0; i < count; i++) {
    means[i] = sum / (2 * reach + 1);
    sum += values[(i + reach + 1) % count]! - values[(i - reach + count) % count]!;
  }
  return means;
}

/** The same curve with points one cell apart. */
function spaceEvenly(x: Float32Array, y: Float32Array): { x: Float32Array; y: Float32Array } {
  const evenX: number[] = [];
  const evenY: number[] = [];
  let next = 0;
  let walked = 0;
  for (let i = 0; i < x.length; i++) {
    const to = (i + 1) % x.length;
    const length = Math.hypot(x[to]! - x[i]!, y[to]! - y[i]!);
    for (; next < walked + length; next++) {
      const share = (next - walked) / length;
      evenX.push(x[i]! + share * (x[to]! - x[i]!));
      evenY.push(y[i]! + share * (y[to]! - y[i]!));
    }
    walked += length;
  }
  return { x: Float32Array.from(evenX), y: Float32Array.from(evenY) };
}

function outwardOf(x: Float32Array, y: Float32Array): { outX: Float32Array; outY: Float32Array } {
  const count = x.length;
  const outX = new Float32Array(count);
  const outY = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const from = (i - tangentReach + count) % count;
    const to = (i + tangentReach) % count;
    const alongX = x[to]! - x[from]!;
    const alongY = y[to]! - y[from]!;
    const length = Math.max(1e-6, Math.hypot(alongX, alongY));
    // The region lies to the right of the way, where y goes down.
    outX[i] = alongY / length;
    outY[i] = -alongX / length;
  }
  return { outX, outY };
}
