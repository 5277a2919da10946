/** Box filter by running sums: the cost does not depend on the radius. */

import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";

/**
 * Mean over (2 radius + 1)² pixels; the window is cut at the border.
 *
 * @param plane width × height
 */
export function boxMean(plane: Float32Array, { width, height }: Size, radius: number): Float32Array {
  if (radius < 1) return plane.slice();
  const rowMeans = new Float32Array(plane.length);
  const out = new Float32Array(plane.length);
  const reach = Math.min(radius, width - 1);
  const weights = inverseWindowSizes(width, reach);
  for (let y = 0; y < height; y++) meanOfRow(plane, rowMeans, y * width, width, reach, weights);
  meanOfColumns(rowMeans, out, width, height, Math.min(radius, height - 1));
  return out;
}

/** 1 over the number of cells in the window around each cell of a line. */
function inverseWindowSizes(length: number, reach: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => 1 / (Math.min(length - 1, i + reach) - Math.max(0, i - reach) + 1));
}

function meanOfRow(
  from: Float32Array,
  to: Float32Array,
  row: number,
  width: number,
  reach: number,
  weights: Float64Array,
): void {
  let sum = 0;
  for (let x = 0; x < reach; x++) sum += from[row + x]!;
  const whole = Math.min(width, reach + 1);
  let x = 0;
  for (; x < whole; x++) {
    if (x + reach < width) sum += from[row + x + reach]!;
    to[row + x] = sum * weights[x]!;
  }
  // In the middle of the line, the window gains and loses a cell at each step.
  const middle = width - reach;
  const weight = weights[Math.min(x, width - 1)]!;
  for (; x < middle; x++) {
    sum += from[row + x + reach]! - from[row + x - reach - 1]!;
    to[row + x] = sum * weight;
  }
  for (; x < width; x++) {
    sum -= from[row + x - reach - 1]!;
    to[row + x] = sum * weights[x]!;
  }
}

/** Adds and subtracts whole rows, so that memory is read in order. */
function meanOfColumns(from: Float32Array, to: Float32Array, width: number, height: number, reach: number): void {
  const sums = new Float64Array(width);
  const weights = inverseWindowSizes(height, reach);
  for (let y = 0; y < reach; y++) {
    const row = y * width;
    for (let x = 0; x < width; x++) sums[x]! += from[row + x]!;
  }
  for (let y = 0; y < height; y++) {
    if (y + reach < height) {
      const row = (y + reach) * width;
      for (let x = 0; x < width; x++) sums[x]! += from[row + x]!;
    }
    if (y > reach) {
      const row = (y - reach - 1) * width;
      for (let x = 0; x < width; x++) sums[x]! -= from[row + x]!;
    }
    const weight = weights[y]!;
    const row = y * width;
    for (let x = 0; x < width; x++) to[row + x] = sums[x]! * weight;
  }
}
