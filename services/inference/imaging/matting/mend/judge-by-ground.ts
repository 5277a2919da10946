/**
 * Corrects the segmentation of a photo whose border shows more product than backdrop, by the ground that is seen elsewhere: a gap
 * between arm and body shows the ground and is opened, and a dark shirt in an open jacket, which the network takes for background,
 * shows none of it and is filled (docs/adr/0051-ground-behind-large-products.md).
 */

import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { distanceToMask } from "../../pixels/chessboard-distance.ts";
import {
  type Components,
  fillComponents,
  labelComponents,
  runStride,
  sumPerComponent,
} from "../../pixels/connected-components.ts";
import { type GroundEvidence, measureGround } from "../evidence/measure-ground.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { hasIslands } from "../segment/depth-order.ts";

/** Smaller parts, as a share of the photo, show too little. */
const partShareMin = 0.0015;
/** A gap that shows the ground is on the mean no farther from it than this share of the threshold; a large one, no farther than this. */
const bareShareMax = 0.35;
const largeBareShareMax = 0.5;
const largeShareMin = 0.01;
/** So much of a part's rim has an edge, or leads to what the part belongs to; the photo's border is no rim. */
const rimShareMin = 0.85;
/** An edge: the distance to the ground rises by so many thresholds within so many cells. */
const edgeThresholds = 1;
const edgeCells = 8;
/** From this lightness on, a print may be as bright as the ground: there a gap must be as bright to a hair. */
const whiteMin = 93;
const whiteShareMax = 0.1;
/** And so much of its rim must be a band beyond which the ground goes on, as around a strap's loop. */
const bandShareMin = 0.3;
const bandPixels = 10;
const bandShareOfGap = 0.5;
/** What is filled differs from the ground by at least so much in Lab, and on the mean is darker than shadows or has a hue of its own. */
const foreignDistanceMin = 20;
const foreignDarknessMin = 45;
const foreignTintMin = 12;

/** @param region 1 where the product is; corrected in place */
export function judgeByGround(region: Uint8Array, grid: WorkGrid): void {
  const evidence = measureGround(grid);
  if (evidence === undefined) return;
  fillForeignParts(region, grid, evidence);
  openBareGaps(region, grid, evidence);
}

/** Adds what the product surrounds and is too far from the ground to be a shadow on it. */
function fillForeignParts(region: Uint8Array, grid: WorkGrid, { distance, lightness, tintAt }: GroundEvidence): void {
  const foreign = new Uint8Array(region.length);
  for (let i = 0; i < foreign.length; i++) if (region[i] === 0 && distance[i]! >= foreignDistanceMin) foreign[i] = 1;
  const parts = labelComponents(foreign, grid);
  const rims = countRims(parts, foreign, grid, (to) => region[to] === 1);
  const cellsMin = partShareMin * region.length;
  const lightnesses = sumPerComponent(parts, lightness);
  const tints = sumTints(parts, tintAt);
  fillComponents(region, parts, 1, (label) => {
    const cells = parts.sizes[label]!;
    if (cells < cellsMin || rims[label]!.met < rimShareMin * rims[label]!.steps) return false;
    return -lightnesses[label]! > foreignDarknessMin * cells || tints[label]! > foreignTintMin * cells;
  });
}

function sumTints({ runs, sizes }: Components, tintAt: (cell: number) => number): Float64Array {
  const sums = new Float64Array(sizes.length);
  for (let at = 0; at < runs.length; at += runStride) {
    for (let i = runs[at]!; i < runs[at + 1]!; i++) sums[runs[at + 2]!]! += tintAt(i);
  }
  return sums;
}

/** Removes what has the ground's color and ends sharply. */
function openBareGaps(region: Uint8Array, grid: WorkGrid, { distance, threshold }: GroundEvidence): void {
  const bare = new Uint8Array(region.length);
  for (let i = 0; i < bare.length; i++) if (region[i] === 1 && distance[i]! <= threshold) bare[i] = 1;
  const gaps = labelComponents(bare, grid);
  const cellsMin = partShareMin * region.length;
  const distances = sumPerComponent(gaps, distance);
  const isCandidate = gaps.sizes.map((cells, label) => {
    const shareMax = cells >= largeShareMin * region.length ? largeBareShareMax : bareShareMax;
    return cells >= cellsMin && distances[label]! <= shareMax * threshold * cells;
  });
  if (!isCandidate.includes(true)) return;
  const isEdgeAt = (to: number, step: number) => {
    if (region[to] === 0) return true;
    for (let n = 0, cell = to; n < edgeCells && cell >= 0 && cell < distance.length; n++, cell += step) {
      if (distance[cell]! > (1 + edgeThresholds) * threshold) return true;
    }
    return false;
  };
  const rims = countRims(gaps, bare, grid, isEdgeAt);
  const whites = whiteCells(gaps, grid);
  const bands = whites.some((cells, label) => isCandidate[label]! && cells > 0)
    ? countBands(gaps, bare, region, grid)
    : undefined;
  const isBanded = (label: number) => bands![label]!.met >= bandShareMin * bands![label]!.steps;
  const isOpen = gaps.sizes.map((cells, label) => {
    if (!isCandidate[label] || rims[label]!.met < rimShareMin * rims[label]!.steps) return false;
    const isWhite = whites[label]! > cells / 2;
    if (isWhite && (distances[label]! > whiteShareMax * threshold * cells || !isBanded(label))) return false;
    return inKernelMemory(() => !hasIslands(gaps, label, grid));
  });
  fillComponents(region, gaps, 0, (label) => isOpen[label]!);
}

/** By label, how many cells are as light as white. */
function whiteCells({ runs, sizes }: Components, { lab }: WorkGrid): Int32Array {
  const counts = new Int32Array(sizes.length);
  for (let at = 0; at < runs.length; at += runStride) {
    for (let i = runs[at]!; i < runs[at + 1]!; i++) if (lab[3 * i]! > whiteMin) counts[runs[at + 2]!]!++;
  }
  return counts;
}

interface Rim {
  /** Steps out of the part that stay in the photo. */
  steps: number;
  /** Those that meet what was asked for. */
  met: number;
}

function countRims(
  { runs, sizes }: Components,
  mask: Uint8Array,
  { width, height }: WorkGrid,
  meets: (to: number, step: number, label: number) => boolean,
): readonly Rim[] {
  const rims = sizes.map((): Rim => ({ steps: 0, met: 0 }));
  const look = (label: number, to: number, step: number) => {
    rims[label]!.steps++;
    if (meets(to, step, label)) rims[label]!.met++;
  };
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    const first = runs[at]!;
    const end = runs[at + 1]!;
    const row = Math.floor(first / width);
    if (first > row * width) look(label, first - 1, -1);
    if (end < (row + 1) * width) look(label, end, 1);
    for (let i = first; i < end; i++) {
      if (row > 0 && mask[i - width] === 0) look(label, i - width, -width);
      if (row < height - 1 && mask[i + width] === 0) look(label, i + width, width);
    }
  }
  return rims;
}

/** By label, of how many steps out of a gap the ground goes on beyond a band. */
function countBands(gaps: Components, bare: Uint8Array, region: Uint8Array, grid: WorkGrid): readonly Rim[] {
  const open = new Uint8Array(region.length);
  for (let i = 0; i < open.length; i++) if (region[i] === 0 && grid.prior[i]! < 0.5) open[i] = 1;
  const toGround = distanceToMask(open, grid);
  const reaches = gaps.sizes.map((cells) =>
    Math.max(bandPixels * grid.networkPixel, bandShareOfGap * Math.sqrt(cells)),
  );
  return countRims(gaps, bare, grid, (to, step, label) => toGround[to - step]! <= reaches[label]! + 1);
}
