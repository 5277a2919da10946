/**
 * Lanczos resampling of one plane that keeps the pixels' centers in place. The enlargement of libvips is shifted by
 * half a target pixel to the right and down, which shows at every edge of a matte enlarged fourfold.
 */

import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";
import { kernelTaps } from "../../services/inference/imaging/pixels/resample.ts";

/** Resamples a u8 plane from size `from` to size `to`, aspect not kept. The kernel is as wide as Pillow's LANCZOS. */
export function resamplePlane(plane: Uint8Array, from: Size, to: Size): Uint8Array {
  return Uint8Array.from(resampledValues(plane, from, to), (value) => Math.floor(value + 0.5));
}

/** Values from 0 to 255, before they are rounded. */
export function resampledValues(plane: Uint8Array, from: Size, to: Size): Float64Array {
  const columns = kernelTaps(from.width, to.width);
  const rows = kernelTaps(from.height, to.height);
  const out = new Float64Array(to.width * to.height);
  for (let y = 0; y < to.height; y++) {
    for (let x = 0; x < to.width; x++) {
      let sum = 0;
      for (let v = 0; v < rows.count; v++) {
        const row = (rows.firstOf[y]! + v) * from.width + columns.firstOf[x]!;
        let ofRow = 0;
        for (let u = 0; u < columns.count; u++) ofRow += columns.weights[x * columns.stride + u]! * plane[row + u]!;
        sum += rows.weights[y * rows.stride + v]! * ofRow;
      }
      out[y * to.width + x] = Math.min(255, Math.max(0, sum));
    }
  }
  return out;
}
