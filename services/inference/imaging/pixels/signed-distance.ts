import { addressOf, computeFloats, reserve } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import type { Size } from "./geometry.ts";
import { dilate, erode } from "./morphology.ts";

/**
 * Signed distance transform of a mask in cells (chamfer distance: 1 along rows and columns, √2 diagonally): positive
 * inside, negative outside, clamped to ±(`limit` − 0.5). The edge runs half a cell before the first cell of the other
 * value; the image's border is no edge.
 */
export function signedDistance(mask: Uint8Array, size: Size, limit: number): Float32Array {
  const { width, height } = size;
  return computeFloats(mask.length, (to) => {
    // All cells beyond the limit keep it, so most of the image is skipped.
    const dilated = addressOf(dilate(mask, size, Math.ceil(limit)));
    const eroded = addressOf(erode(mask, size, Math.ceil(limit)));
    const cells = reserve(4 * mask.length);
    kernels.signedDistance(addressOf(mask), dilated, eroded, width, height, limit, cells, to);
  });
}
