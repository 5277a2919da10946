/** Box means over a plane by running sums: the cost does not depend on the radius. */

import type { Size } from "./resize.ts";

/**
 * Mean over (2 radius + 1)² pixels, the window cut at the border.
 *
 * @param plane width × height
 * @param out may be `plane` itself
 */
export function boxMean(
  plane: Float32Array,
  { width, height }: Size,
  radius: number,
  out = new Float32Array(plane.length),
): Float32Array {
  if (radius < 1) {
    if (out !== plane) out.set(plane);
    return out;
  }
  const across = new Float32Array(plane.length);
  const r = Math.min(radius, width - 1);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let sum = 0;
    let count = 0;
    for (let x = 0; x < r; x++, count++) sum += plane[row + x]!;
    for (let x = 0; x < width; x++) {
      if (x + r < width) {
        sum += plane[row + x + r]!;
        count++;
      }
      if (x > r) {
        sum -= plane[row + x - r - 1]!;
        count--;
      }
      across[row + x] = sum / count;
    }
  }
  const rv = Math.min(radius, height - 1);
  // Whole rows are added and taken away, so that memory is read in order.
  const sums = new Float64Array(width);
  let count = 0;
  const add = (y: number, sign: 1 | -1) => {
    const row = y * width;
    for (let x = 0; x < width; x++) sums[x]! += sign * across[row + x]!;
    count += sign;
  };
  for (let y = 0; y < rv; y++) add(y, 1);
  for (let y = 0; y < height; y++) {
    if (y + rv < height) add(y + rv, 1);
    if (y > rv) add(y - rv - 1, -1);
    const row = y * width;
    for (let x = 0; x < width; x++) out[row + x] = sums[x]! / count;
  }
  return out;
}
