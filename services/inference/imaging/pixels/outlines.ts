/** A mask's outlines as polygons, and what lies within a polygon. */

import type { Size } from "./geometry.ts";
import { listMarks, withoutMarks } from "./morphology.ts";

/** Interleaved x and y of a polygon's corners. */
type Polygon = ArrayLike<number>;

/** Right, down, left and up. */
const stepsX = [1, 0, -1, 0];
const stepsY = [0, 1, 0, -1];
/** The cell ahead on the right, and the one ahead on the left, from a corner of the grid. */
const rightX = [0, -1, -1, 0];
const rightY = [0, 0, -1, -1];
const leftX = [0, 0, -1, -1];
const leftY = [-1, 0, 0, -1];

/** @returns each outline as a polygon of steps along the sides of cells, around marked cells clockwise and around holes the other way */
export function traceOutlines(mask: Uint8Array, { width, height }: Size): readonly Int32Array[] {
  const seen = new Uint8Array(mask.length);
  const isMarked = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height && mask[y * width + x] === 1;
  const trace = (first: number): Int32Array => {
    const corners: number[] = [];
    const firstX = first % width;
    const firstY = Math.floor(first / width);
    let x = firstX;
    let y = firstY;
    let direction = 0;
    do {
      if (direction === 0) seen[y * width + x] = 1;
      corners.push(x, y);
      x += stepsX[direction]!;
      y += stepsY[direction]!;
      if (!isMarked(x + rightX[direction]!, y + rightY[direction]!)) direction = (direction + 1) & 3;
      else if (isMarked(x + leftX[direction]!, y + leftY[direction]!)) direction = (direction + 3) & 3;
    } while (x !== firstX || y !== firstY || direction !== 0);
    return Int32Array.from(corners);
  };
  const outlines: Int32Array[] = [];
  for (let cell = 0; cell < width; cell++) if (mask[cell] === 1 && seen[cell] === 0) outlines.push(trace(cell));
  // Marked cells below those that are not.
  for (const above of listMarks(withoutMarks(mask.subarray(width), mask.subarray(0, mask.length - width)))) {
    if (seen[above + width] === 0) outlines.push(trace(above + width));
  }
  return outlines;
}

/** Turns over every cell whose center is within a polygon. */
export function invertWithin(mask: Uint8Array, polygon: Polygon, { width, height }: Size): void {
  const crossings = new Map<number, number[]>();
  for (let at = 0; at < polygon.length; at += 2) {
    const next = (at + 2) % polygon.length;
    const x0 = polygon[at]!;
    const y0 = polygon[at + 1]!;
    const x1 = polygon[next]!;
    const y1 = polygon[next + 1]!;
    const end = Math.min(height, Math.ceil(Math.max(y0, y1) - 0.5));
    for (let y = Math.max(0, Math.ceil(Math.min(y0, y1) - 0.5)); y < end; y++) {
      const x = x0 + ((y + 0.5 - y0) / (y1 - y0)) * (x1 - x0);
      const row = crossings.get(y);
      if (row === undefined) crossings.set(y, [x]);
      else row.push(x);
    }
  }
  for (const [y, row] of crossings) {
    row.sort((a, b) => a - b);
    for (let k = 0; k + 1 < row.length; k += 2) {
      const end = Math.min(width, Math.ceil(row[k + 1]! - 0.5));
      for (let x = Math.max(0, Math.ceil(row[k]! - 0.5)); x < end; x++) mask[y * width + x]! ^= 1;
    }
  }
}
