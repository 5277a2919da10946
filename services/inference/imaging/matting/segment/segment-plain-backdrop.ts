/**
 * Segmentation of a product on a plain backdrop: the product is all that differs from the backdrop, except shadows,
 * reflections and spills. The network tells which of the rest is product in the backdrop's color.
 */

import {
  type Components,
  fillComponents,
  labelComponents,
  runStride,
  sumOverSome,
  sumPerComponent,
} from "../../pixels/connected-components.ts";
import type { Size } from "../../pixels/geometry.ts";
import {
  copyMask,
  dilate,
  emptyMask,
  erode,
  invertMask,
  isAnyNear,
  listMarks,
  onlyMarks,
  withoutMarks,
} from "../../pixels/morphology.ts";
import type { BackdropEvidence } from "../evidence/measure-backdrop.ts";
import { maskBelowPrior, priorAbove, thresholdPlane, type WorkGrid } from "../evidence/work-grid.ts";
import { hasIslands, measureGaps } from "./depth-order.ts";
import { findShadow } from "./find-shadow.ts";
import { removeContactShades } from "./remove-contact-shades.ts";
import { removeShades } from "./remove-shades.ts";
import { removeSpills } from "./remove-spills.ts";

/**
 * @param different the cells that differ from the backdrop, of `cellsOffBackdrop`
 * @returns 1 where the product is, on the grid
 */
export function segmentPlainBackdrop(different: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): Uint8Array {
  const withoutShades = removeShades(different, grid, evidence);
  const withoutSpills = removeSpills(withoutShades, grid, evidence);
  const supported = keepSupportedComponents(withoutSpills, grid);
  const region = addBackdropColoredParts(supported, grid, evidence);
  removeContactShades(region, grid, evidence);
  return region;
}

/** Cells that differ from the backdrop and are not in its shadow. */
export function cellsOffBackdrop(grid: WorkGrid, evidence: BackdropEvidence): Uint8Array {
  const { distance, threshold } = evidence;
  const mask = thresholdPlane(distance, threshold);
  for (const cell of findShadow(grid, evidence)) mask[cell] = 0;
  return mask;
}

/** Keeps the components in which the network sees product; removes dust, text and rims of shadows. */
function keepSupportedComponents(mask: Uint8Array, grid: WorkGrid): Uint8Array {
  const components = labelComponents(mask, grid);
  const priors = sumPerComponent(components, grid.prior);
  const sizeMin = Math.max(4, grid.width * grid.height * 0.00002);
  const isKept = components.sizes.map((size, label) => size >= sizeMin && priors[label]! / size > 0.15);
  const out = emptyMask(grid);
  fillComponents(out, components, 1, (label) => isKept[label]!);
  return out;
}

/**
 * Adds the parts of the product that have the backdrop's color: enclosed gaps that are no holes, and thick parts that
 * the network takes for product, beside a hole that it sees, too: a pale reflection of a mug in its handle's opening.
 */
function addBackdropColoredParts(mask: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): Uint8Array {
  const background = invertMask(mask);
  const priorOnly = onlyMarks(priorAbove(grid, 0.5), background);
  const either = invertMask(withoutMarks(background, priorOnly));
  // The network's edge is accurate to one or two pixels of its output, so a rim of that width is no evidence.
  const rim = Math.ceil(2 * grid.networkPixel);
  const core = onlyMarks(erode(either, grid, rim), priorOnly);
  const thick = dilate(core, grid, rim);
  const isFaint = faintness(mask, grid, evidence, rim);
  const faint = listMarks(withoutMarks(priorOnly, thick)).filter(isFaint);
  for (const i of faint) thick[i] = 1;
  const gaps = labelComponents(background, grid);
  const { isHole, isSeenHole } = findHoles(gaps, background, grid, evidence);
  const out = copyMask(mask);
  fillComponents(out, gaps, 1, (label) => !gaps.atBorder[label] && !isHole[label]);
  openBesidePale(out, mask, grid, evidence);
  const open = emptyMask(grid);
  fillComponents(open, gaps, 1, (label) => gaps.atBorder[label]! || isSeenHole[label]!);
  addSureCells(out, onlyMarks(open, onlyMarks(thick, priorOnly)), grid.prior, evidence);
  return faint.length === 0 ? out : smoothEdge(out, isFaint, grid);
}

/** An opening beside a pale part takes at least this share of the grid. */
const besidePaleShareMin = 0.0005;

/**
 * Opens what the network sees beside a pale part of the product in the same gap: the opening of a white handle, before a ground of
 * nearly its color. The gap as a whole looks like product.
 *
 * @param out the mask with its gaps filled
 */
function openBesidePale(
  out: Uint8Array,
  mask: Uint8Array,
  grid: WorkGrid,
  { distance, threshold }: BackdropEvidence,
): void {
  const unseen = maskBelowPrior(withoutMarks(out, mask), grid, 0.5);
  const parts = labelComponents(unseen, grid);
  const sizeMin = besidePaleShareMin * mask.length;
  const mayOpen = (label: number) => parts.sizes[label]! >= sizeMin && !parts.atBorder[label];
  const priors = sumOverSome(parts, grid.prior, mayOpen);
  const distances = sumOverSome(parts, distance, mayOpen);
  fillComponents(out, parts, 0, (label) => {
    const size = parts.sizes[label]!;
    if (!mayOpen(label)) return false;
    return priors[label]! <= sureGroundMax * size && distances[label]! < bareShareMax * threshold * size;
  });
}

/** A cell is faint when it differs from the backdrop by at most this many thresholds. */
const faintThresholds = 6;

/**
 * Whether a cell is near the mask and nothing around it differs much from the backdrop: what the network takes for product
 * there, such as the rim of a white cup on white, is no halo of something dark.
 */
function faintness(mask: Uint8Array, grid: Size, { distance, threshold }: BackdropEvidence, rim: number) {
  const isStrong = (at: number) => distance[at]! > faintThresholds * threshold;
  const isProduct = (at: number) => mask[at] === 1;
  return (cell: number) => !isAnyNear(cell, rim, grid, isStrong) && isAnyNear(cell, 2 * rim, grid, isProduct);
}

/** Half the side, in cells, of the square by which a faint edge is smoothed. */
const frayReach = 2;

/** Gives each faint cell at the edge what most cells of the square around it have, so that noise does not fray the edge. */
function smoothEdge(region: Uint8Array, isFaint: (cell: number) => boolean, { width, height }: Size): Uint8Array {
  const out = copyMask(region);
  const half = ((2 * frayReach + 1) ** 2 - 1) / 2;
  const smooth = (i: number) => {
    if (!isFaint(i)) return;
    let cells = 0;
    for (let row = i - frayReach * width; row <= i + frayReach * width; row += width) {
      for (let at = row - frayReach; at <= row + frayReach; at++) cells += region[at]!;
    }
    out[i] = cells > half ? 1 : 0;
  };
  const size = { width, height };
  const outer = dilate(region, size, 1);
  const inner = erode(region, size, 1);
  for (let y = frayReach; y < height - frayReach; y++) {
    for (let i = y * width + frayReach; i < (y + 1) * width - frayReach; i++) if (outer[i] !== inner[i]) smooth(i);
  }
  return out;
}

/** From this prior on, the network is sure enough of product in exactly the backdrop's color. */
const surePriorMin = 0.7;

/**
 * In a gap that is open to the outside, or in a hole that the network sees, cells of exactly the backdrop's color are added only
 * where the network is sure.
 *
 * @param parts the thick parts that the network takes for product in those gaps
 */
function addSureCells(
  out: Uint8Array,
  parts: Uint8Array,
  prior: Float32Array,
  { distance, threshold }: BackdropEvidence,
): void {
  for (const i of listMarks(parts)) if (prior[i]! > surePriorMin || distance[i]! > threshold / 4) out[i] = 1;
}

/** A gap's mean distance to the backdrop, as a share of the threshold, up to which it is bare. */
const bareShareMax = 0.5;
/** Up to this share of the threshold it is exactly the backdrop: light falls on a print as on the product. */
const exactShareMax = 0.3;
/** From this mean prior on, the network is sure that a gap is product. */
const productPriorMin = 0.85;
const sharpShareMin = 0.6;
/** Up to this mean prior, the network is sure of background. */
const sureGroundMax = 0.15;
/** Up to this mean prior, the network takes most of a gap for background. */
const seenPriorMax = 0.5;

interface Holes {
  /** By label, whether an enclosed gap is a hole through which the backdrop shows. */
  readonly isHole: readonly boolean[];
  /** By label, whether it is one that the network sees, too: on the whole it takes it for background. */
  readonly isSeenHole: readonly boolean[];
}

function findHoles(gaps: Components, background: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): Holes {
  const { threshold } = evidence;
  const { runs, sizes, atBorder } = gaps;
  const count = sizes.length;
  const isEnclosed = (label: number) => label > 0 && !atBorder[label];
  if (!atBorder.some((_, label) => isEnclosed(label))) {
    const none = atBorder.map(() => false);
    return { isHole: none, isSeenHole: none };
  }
  const sums: GapSums = {
    distances: new Float64Array(count),
    priors: new Float64Array(count),
    coreCells: new Float64Array(count),
    rimCells: new Float64Array(count),
    sharpRimCells: new Float64Array(count),
  };
  const core = erode(background, grid, 1);
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    if (!atBorder[label]) addGapRun(sums, label, runs[at]!, runs[at + 1]!, core, grid, evidence);
  }
  const { distances, priors, coreCells, rimCells, sharpRimCells } = sums;
  const sizeMin = grid.width * grid.height * 0.00005;
  const meanPriors = priors.map((sum, label) => sum / Math.max(1, coreCells[label]!));
  const { isSure, isOccluded } = measureGaps(gaps, background, grid, meanPriors);
  const isHole = sizes.map((size, label) => {
    if (!isEnclosed(label) || size < sizeMin || coreCells[label] === 0) return false;
    const offShare = distances[label]! / coreCells[label]! / threshold;
    const isBare = offShare < bareShareMax;
    const isSharp = sharpRimCells[label]! > sharpShareMin * rimCells[label]!;
    // A hole shows the bare backdrop, and the network calls it background; with a sharp rim, one of both is enough.
    if (isSure[label]) return isBare || isSharp;
    if (!isSharp) return false;
    // A loop colors the light in its hole.
    if (!isBare) return isOccluded[label]! && meanPriors[label]! < seenPriorMax;
    const isExact = offShare < exactShareMax;
    if (meanPriors[label]! < productPriorMin) return isOccluded[label]! || isExact;
    return isOccluded[label]! && isExact && !hasIslands(gaps, label, grid);
  });
  const isSeenHole = isHole.map((is, label) => is && meanPriors[label]! < seenPriorMax);
  const isTip = findTips(gaps, isSeenHole, grid, evidence);
  return { isHole: isHole.map((is, label) => is || isTip(label)), isSeenHole };
}

/** By label. Only gaps' cells without their rims are summed up. */
interface GapSums {
  readonly distances: Float64Array;
  readonly priors: Float64Array;
  readonly coreCells: Float64Array;
  readonly rimCells: Float64Array;
  readonly sharpRimCells: Float64Array;
}

/** A function that is called often: V8 compiles the inner loop of one that is called once a photo for that photo alone. */
function addGapRun(
  sums: GapSums,
  label: number,
  from: number,
  end: number,
  core: Uint8Array,
  { prior, width }: WorkGrid,
  { distance, threshold }: BackdropEvidence,
): void {
  for (let i = from; i < end; i++) {
    if (core[i] === 0) {
      sums.rimCells[label]!++;
      if (largestDistanceNearby(i, distance, width) > 4 * threshold) sums.sharpRimCells[label]!++;
      continue;
    }
    sums.coreCells[label]!++;
    sums.distances[label]! += distance[i]!;
    sums.priors[label]! += prior[i]!;
  }
}

/** In cells: a hole's tip is parted from it by no more. */
const tipReach = 4;
/** A tip's share of the grid, at most. */
const tipShareMax = 0.0002;

/** Whether a gap is the end of a hole that the network sees, narrowing between two straps: it shows the bare backdrop beside it. */
function findTips(
  gaps: Components,
  isSeenHole: readonly boolean[],
  grid: WorkGrid,
  { distance, threshold }: BackdropEvidence,
): (label: number) => boolean {
  if (!isSeenHole.some(Boolean)) return () => false;
  const holes = emptyMask(grid);
  fillComponents(holes, gaps, 1, (label) => isSeenHole[label]!);
  const sizeMax = tipShareMax * holes.length;
  const mayBe = (label: number) => label > 0 && !gaps.atBorder[label] && gaps.sizes[label]! <= sizeMax;
  const beside = sumOverSome(gaps, dilate(holes, grid, tipReach), mayBe);
  const distances = sumOverSome(gaps, distance, mayBe);
  return (label) => {
    if (!mayBe(label) || beside[label] === 0) return false;
    return distances[label]! < bareShareMax * threshold * gaps.sizes[label]!;
  };
}

/** The largest distance a few cells away: the product begins sharply around a hole, but not around a highlight. */
function largestDistanceNearby(i: number, distance: Float32Array, width: number): number {
  const reach = 3;
  let largest = 0;
  for (const step of [-reach, reach, -reach * width, reach * width]) {
    const to = i + step;
    if (to >= 0 && to < distance.length && distance[to]! > largest) largest = distance[to]!;
  }
  return largest;
}
