/** Finds the shadow on a plain backdrop by flood fill, down to the darkest of it below the product. */

import { computeIntegers } from "../../kernels/kernel-memory.ts";
import { fillComponents, labelComponents, sumPerComponent } from "../../pixels/connected-components.ts";
import type { Size } from "../../pixels/geometry.ts";
import { dilate, emptyMask, listMarks, markEdge } from "../../pixels/morphology.ts";
import { type BackdropEvidence, darknessMax } from "../evidence/measure-backdrop.ts";
import { measurePatches } from "../evidence/measure-patches.ts";
import { marksAbove, maskBelowPrior, type NetworkMatte, priorFrom } from "../evidence/work-grid.ts";

/** What a cell may be to belong to a shadow, darknesses and hues in Lab. */
interface ShadowLimits {
  /** The network's matte is below this. */
  readonly priorMax: number;
  readonly darknessMax: number;
  /** It is so much darker than a neighboring cell at most, or by this share of its darkness: faster toward the contact. */
  readonly slopeMax: number;
  readonly slopeShareMax: number;
  /** Its hue differs by this share of its darkness at most. */
  readonly tintShareMax: number;
}

/** A shadow has the backdrop's color, only darker, and begins without an edge. */
const penumbra: ShadowLimits = {
  priorMax: 0.5,
  darknessMax,
  slopeMax: 2.5,
  slopeShareMax: 0.1,
  tintShareMax: 0.25,
};
/** Below the product it is nearly black and takes on the product's hue. There the network must be surer of the ground. */
const umbra: ShadowLimits = {
  priorMax: 0.25,
  darknessMax: 100,
  slopeMax: 5,
  slopeShareMax: 0.2,
  tintShareMax: 0.35,
};
/** A patch of it is smooth: mean change of the Lab distance between neighbors. */
const umbraStepMax = 2;
/** So many of its cells, as a share of its outline, lie within so many cells of the product: else it may be a thing that the network misses. */
const contactShareMin = 0.1;
const contactReach = 3;
/**
 * As shares of the photo and of the patch's outline: how large it is, and how much of the outline leads to the ground. Smaller ones are
 * the product's edge, unless they are slivers beside it, and what has less of the ground lies between parts of the product.
 */
const patch = { photoShareMin: 0.0002, openShareMin: 0.4 };
const sliver = { photoShareMin: 0.00002, openShareMin: 0.7 };

/**
 * The fill begins at the bare backdrop and goes on in the dark. Gray and black parts of a product have an edge, so they are no
 * shadow even where the network misses them (docs/adr/0043-shades-on-plain-backdrops.md).
 *
 * @returns the shadow's cells
 */
export function findShadow(grid: Size & NetworkMatte, evidence: BackdropEvidence): Int32Array {
  const count = grid.width * grid.height;
  const fill: FloodFill = {
    ...evidence,
    prior: grid.prior,
    priorLevels: grid.priorLevels,
    visited: emptyMask(grid),
    // Each place is written before it is read.
    cells: computeIntegers(count, () => undefined),
    tail: 0,
  };
  seedAtEdge(fill, grid);
  spread(fill, penumbra, grid);
  const inPenumbra = fill.tail;
  spread(fill, umbra, grid);
  return withoutThings(fill, inPenumbra, grid);
}

interface FloodFill extends BackdropEvidence, NetworkMatte {
  /** 1 where the fill has been. */
  readonly visited: Uint8Array;
  /** The visited cells in that order; `tail` of them. */
  readonly cells: Int32Array;
  tail: number;
}

function spread(fill: FloodFill, limits: ShadowLimits, { width, height }: Size): void {
  const count = width * height;
  for (let head = 0; head < fill.tail; head++) {
    const at = fill.cells[head]!;
    const x = at % width;
    if (x > 0) visit(fill, limits, at, at - 1);
    if (x < width - 1) visit(fill, limits, at, at + 1);
    if (at >= width) visit(fill, limits, at, at - width);
    if (at < count - width) visit(fill, limits, at, at + width);
  }
}

/** The filled cells but for the patches of the umbra that are none. @param inPenumbra how many of them are no umbra */
function withoutThings(fill: FloodFill, inPenumbra: number, size: Size): Int32Array {
  const { cells, tail, visited, distance, threshold } = fill;
  if (tail === inPenumbra) return cells.subarray(0, tail);
  const dark = emptyMask(size);
  for (let k = inPenumbra; k < tail; k++) dark[cells[k]!] = 1;
  const patches = labelComponents(dark, size);
  const isGround = (cell: number) => visited[cell] === 1 || distance[cell]! <= threshold;
  const { steps, outlines, open } = measurePatches(patches, dark, distance, isGround, size);
  const besideProduct = dilate(priorFrom(fill, umbra.priorMax), size, contactReach);
  const contacts = sumPerComponent(patches, besideProduct);
  const isShadow = patches.sizes.map((count, label) => {
    if (contacts[label]! < contactShareMin * outlines[label]!) return false;
    if (steps[label]! >= umbraStepMax * count) return false;
    return [patch, sliver].some(
      ({ photoShareMin, openShareMin }) =>
        count >= photoShareMin * dark.length && open[label]! >= openShareMin * outlines[label]!,
    );
  });
  fillComponents(dark, patches, 0, (label) => !isShadow[label]!);
  let end = inPenumbra;
  for (let k = inPenumbra; k < tail; k++) if (dark[cells[k]!] === 1) cells[end++] = cells[k]!;
  return cells.subarray(0, end);
}

/** Visits the cells that differ from the backdrop and have a neighbor that does not. */
function seedAtEdge(fill: FloodFill, size: Size): void {
  const { distance, threshold } = fill;
  const { width } = size;
  // Most of a product's own edge is product to the network, and no shadow.
  const edge = maskBelowPrior(markEdge(marksAbove(distance, threshold), size), fill, penumbra.priorMax);
  for (const i of listMarks(edge)) {
    const x = i % width;
    if (x > 0 && distance[i - 1]! <= threshold) visit(fill, penumbra, i - 1, i);
    if (x < width - 1 && distance[i + 1]! <= threshold) visit(fill, penumbra, i + 1, i);
    if (i >= width && distance[i - width]! <= threshold) visit(fill, penumbra, i - width, i);
    if (i < distance.length - width && distance[i + width]! <= threshold) visit(fill, penumbra, i + width, i);
  }
}

function visit(fill: FloodFill, limits: ShadowLimits, from: number, to: number): void {
  const { distance, lightness, threshold } = fill;
  if (fill.visited[to] === 1 || distance[to]! <= threshold) return;
  const darkness = -lightness[to]!;
  if (darkness <= 0 || darkness > limits.darknessMax || fill.prior[to]! >= limits.priorMax) return;
  const slopeMax = Math.max(limits.slopeMax, limits.slopeShareMax * darkness);
  if (Math.abs(lightness[to]! - lightness[from]!) > slopeMax) return;
  if (fill.tintAt(to) > Math.max(threshold, limits.tintShareMax * darkness)) return;
  fill.visited[to] = 1;
  fill.cells[fill.tail++] = to;
}
