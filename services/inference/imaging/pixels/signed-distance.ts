import type { Size } from "./geometry.ts";
import { dilate, erode } from "./morphology.ts";

/**
 * Cells to the mask's edge (chamfer 1, √2), which runs half a cell before the first cell of the other kind: positive
 * inside, negative outside, cut at ±(`limit` − 0.5). The picture's border is no edge.
 */
export function signedDistance(mask: Uint8Array, size: Size, limit: number): Float32Array {
  const d = new Float32Array(mask.length).fill(limit);
  const near = cellsNearEdge(mask, size, Math.ceil(limit));
  const { width } = size;
  const diagonal = Math.SQRT2;
  // What lies beside a cell of the other kind is one step from it.
  const along = (at: number, to: number) => (mask[to] === mask[at] ? d[to]! : 0);
  for (let n = 0; n < near.length; n++) {
    const at = near[n]!;
    const x = at % width;
    let least = d[at]!;
    if (x > 0) least = Math.min(least, along(at, at - 1) + 1);
    if (at >= width) {
      least = Math.min(least, along(at, at - width) + 1);
      if (x > 0) least = Math.min(least, along(at, at - width - 1) + diagonal);
      if (x < width - 1) least = Math.min(least, along(at, at - width + 1) + diagonal);
    }
    d[at] = least;
  }
  for (let n = near.length - 1; n >= 0; n--) {
    const at = near[n]!;
    const x = at % width;
    let least = d[at]!;
    if (x < width - 1) least = Math.min(least, along(at, at + 1) + 1);
    if (at + width < d.length) {
      least = Math.min(least, along(at, at + width) + 1);
      if (x < width - 1) least = Math.min(least, along(at, at + width + 1) + diagonal);
      if (x > 0) least = Math.min(least, along(at, at + width - 1) + diagonal);
    }
    d[at] = least;
  }
  for (let i = 0; i < d.length; i++) d[i] = mask[i] === 1 ? d[i]! - 0.5 : 0.5 - d[i]!;
  return d;
}

/** In reading order; whatever is farther keeps the limit: most of the picture needs no look. */
function cellsNearEdge(mask: Uint8Array, size: Size, reach: number): Int32Array {
  const grown = dilate(mask, size, reach);
  const shrunk = erode(mask, size, reach);
  const cells = new Int32Array(mask.length);
  let count = 0;
  for (let i = 0; i < mask.length; i++) if (grown[i] !== shrunk[i]) cells[count++] = i;
  return cells.subarray(0, count);
}
