import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";
import { dilate, erode } from "./morphology.ts";

/**
 * Signed distance transform of a mask in cells (chamfer distance: 1 along rows and columns, √2 diagonally): positive
 * inside, negative outside, clamped to ±(`limit` − 0.5). The edge runs half a cell before the first cell of the other
 * value; the image's border is no edge.
 */
export function signedDistance(mask: Uint8Array, size: Size, limit: number): Float32Array {
  const distances = new Float32Array(mask.length).fill(limit);
  const nearEdge = cellsNearEdge(mask, size, Math.ceil(limit));
  const { width } = size;
  const diagonal = Math.SQRT2;
  // A neighbor of the other value is one step away.
  const distanceAt = (at: number, to: number) => (mask[to] === mask[at] ? distances[to]! : 0);
  for (let n = 0; n < nearEdge.length; n++) {
    const at = nearEdge[n]!;
    const x = at % width;
    let nearest = distances[at]!;
    if (x > 0) nearest = Math.min(nearest, distanceAt(at, at - 1) + 1);
    if (at >= width) {
      nearest = Math.min(nearest, distanceAt(at, at - width) + 1);
      if (x > 0) nearest = Math.min(nearest, distanceAt(at, at - width - 1) + diagonal);
      if (x < width - 1) nearest = Math.min(nearest, distanceAt(at, at - width + 1) + diagonal);
    }
    distances[at] = nearest;
  }
  for (let n = nearEdge.length - 1; n >= 0; n--) {
    const at = nearEdge[n]!;
    const x = at % width;
    let nearest = distances[at]!;
    if (x < width - 1) nearest = Math.min(nearest, distanceAt(at, at + 1) + 1);
    if (at + width < distances.length) {
      nearest = Math.min(nearest, distanceAt(at, at + width) + 1);
      if (x < width - 1) nearest = Math.min(nearest, distanceAt(at, at + width + 1) + diagonal);
      if (x > 0) nearest = Math.min(nearest, distanceAt(at, at + width - 1) + diagonal);
    }
    distances[at] = nearest;
  }
  for (let i = 0; i < distances.length; i++) distances[i] = mask[i] === 1 ? distances[i]! - 0.5 : 0.5 - distances[i]!;
  return distances;
}

/** Cells within `reach` of the edge, in reading order. All others keep the limit, so most of the image is skipped. */
function cellsNearEdge(mask: Uint8Array, size: Size, reach: number): Int32Array {
  const dilated = dilate(mask, size, reach);
  const eroded = erode(mask, size, reach);
  const cells = new Int32Array(mask.length);
  let count = 0;
  for (let i = 0; i < mask.length; i++) if (dilated[i] !== eroded[i]) cells[count++] = i;
  return cells.subarray(0, count);
}
