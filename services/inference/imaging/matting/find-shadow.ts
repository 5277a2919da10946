/** Finds the shadow on a plain backdrop by flood fill. */

import type { Size } from "../pixels/geometry.ts";
import { listMarks, markEdge, withoutMarks } from "../pixels/morphology.ts";
import { type BackdropEvidence, darknessMax } from "./measure-backdrop.ts";
import { marksAbove, thresholdPlane } from "./work-grid.ts";

/** A shadow is at most this much darker than a neighboring cell. */
const slopeMax = 2.5;
/** From this prior on, the network takes a cell for product. */
const productPriorMin = 0.5;

/**
 * The fill begins at the bare backdrop. A shadow has the backdrop's color, only darker, and begins without an edge.
 * Gray and black parts of a product do have an edge, so they are no shadow even where the network misses them.
 *
 * @param prior the network's matte on the grid, 0…1
 * @returns the shadow's cells
 */
export function findShadow(size: Size, prior: Float32Array, evidence: BackdropEvidence): Int32Array {
  const { width, height } = size;
  const count = width * height;
  const fill: FloodFill = {
    ...evidence,
    prior,
    visited: new Uint8Array(count),
    cells: new Int32Array(count),
    tail: 0,
  };
  seedAtEdge(fill, size);
  for (let head = 0; head < fill.tail; head++) {
    const at = fill.cells[head]!;
    const x = at % width;
    if (x > 0) visit(fill, at, at - 1);
    if (x < width - 1) visit(fill, at, at + 1);
    if (at >= width) visit(fill, at, at - width);
    if (at < count - width) visit(fill, at, at + width);
  }
  return fill.cells.subarray(0, fill.tail);
}

interface FloodFill extends BackdropEvidence {
  readonly prior: Float32Array;
  /** 1 where the fill has been. */
  readonly visited: Uint8Array;
  /** The visited cells in that order; `tail` of them. */
  readonly cells: Int32Array;
  tail: number;
}

/** Visits the cells that differ from the backdrop and have a neighbor that does not. */
function seedAtEdge(fill: FloodFill, size: Size): void {
  const { distance, threshold, prior } = fill;
  const { width } = size;
  // Most of a product's own edge is product to the network, and no shadow.
  const edge = withoutMarks(markEdge(marksAbove(distance, threshold), size), thresholdPlane(prior, productPriorMin));
  for (const i of listMarks(edge)) {
    const x = i % width;
    if (x > 0 && distance[i - 1]! <= threshold) visit(fill, i - 1, i);
    if (x < width - 1 && distance[i + 1]! <= threshold) visit(fill, i + 1, i);
    if (i >= width && distance[i - width]! <= threshold) visit(fill, i - width, i);
    if (i < distance.length - width && distance[i + width]! <= threshold) visit(fill, i + width, i);
  }
}

function visit(fill: FloodFill, from: number, to: number): void {
  const { distance, lightness, threshold } = fill;
  if (fill.visited[to] === 1 || distance[to]! <= threshold) return;
  const darkness = -lightness[to]!;
  if (darkness <= 0 || darkness > darknessMax || fill.prior[to]! >= productPriorMin) return;
  // A penumbra darkens gradually, and faster toward the contact.
  if (Math.abs(lightness[to]! - lightness[from]!) > Math.max(slopeMax, 0.1 * darkness)) return;
  if (fill.tintAt(to) > Math.max(threshold, 0.25 * darkness)) return;
  fill.visited[to] = 1;
  fill.cells[fill.tail++] = to;
}
