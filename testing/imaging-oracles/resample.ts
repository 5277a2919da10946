/**
 * Lanczos resampling of one plane that keeps the pixels' centers in place. The enlargement of libvips is shifted by
 * half a target pixel to the right and down, which shows at every edge of a matte enlarged fourfold.
 */

import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";
import { kernelTaps, type Taps } from "../../services/inference/imaging/pixels/resample.ts";

/** Resamples a u8 plane from size `from` to size `to`, aspect not kept. The kernel is as wide as Pillow's LANCZOS. */
export function resamplePlane(plane: Uint8Array, from: Size, to: Size): Uint8Array {
  const columnTaps = kernelTaps(from.width, to.width);
  const rowTaps = kernelTaps(from.height, to.height);
  const widened = new Float32Array(to.width * from.height);
  for (let y = 0; y < from.height; y++) resampleRow(plane, y * from.width, columnTaps, widened, y * to.width);
  const out = new Uint8Array(to.width * to.height);
  const sums = new Float32Array(to.width);
  for (let y = 0; y < to.height; y++) {
    sums.fill(0);
    for (let k = 0; k < rowTaps.count; k += 4) addFourRows(sums, widened, rowTaps, y, k);
    writeRow(sums, out, y * to.width);
  }
  return out;
}

// The loops over a row are functions of their own, so that V8 compiles each once for all rows.

function resampleRow(plane: Uint8Array, row: number, taps: Taps, out: Float32Array, to: number): void {
  const { count, firstOf, weights } = taps;
  for (let x = 0; x < firstOf.length; x++) {
    const first = row + firstOf[x]!;
    let sum = 0;
    for (let k = 0, w = x * count; k < count; k++, w++) sum += plane[first + k]! * weights[w]!;
    out[to + x] = sum;
  }
}

/** Adds what tap `k` and up to three taps after it contribute to row `y`. */
function addFourRows(sums: Float32Array, plane: Float32Array, { count, firstOf, weights }: Taps, y: number, k: number) {
  const first = firstOf[y]!;
  const rowOf = (tap: number) => (first + Math.min(tap, count - 1)) * sums.length;
  const weightOf = (tap: number) => (tap < count ? weights[y * count + tap]! : 0);
  const a = rowOf(k);
  const b = rowOf(k + 1);
  const c = rowOf(k + 2);
  const d = rowOf(k + 3);
  const wa = weightOf(k);
  const wb = weightOf(k + 1);
  const wc = weightOf(k + 2);
  const wd = weightOf(k + 3);
  for (let x = 0; x < sums.length; x++) {
    sums[x]! += wa * plane[a + x]! + wb * plane[b + x]! + wc * plane[c + x]! + wd * plane[d + x]!;
  }
}

function writeRow(sums: Float32Array, out: Uint8Array, row: number): void {
  for (let x = 0; x < sums.length; x++) {
    const v = sums[x]!;
    out[row + x] = v <= 0 ? 0 : v >= 255 ? 255 : v + 0.5;
  }
}
