/**
 * Cleanup of a segmentation in a busy scene. Holes that show no background color, that have no edge, or that may as well
 * be a print are filled; small components of which the network is not sure, and parts without an edge to the background, are removed.
 */

import {
  type Components,
  fillComponents,
  labelComponents,
  runStride,
  sumOverSome,
} from "../../pixels/connected-components.ts";
import { countMarks, dilate, invertMask, onlyMarks, withoutMarks } from "../../pixels/morphology.ts";
import { priorFrom, type WorkGrid } from "../evidence/work-grid.ts";
import { measureGaps } from "./depth-order.ts";

/** Lab distance within which a color counts as one of the background's. */
const similarDistanceMax = 12;
/** A hole of which less than this share has the background's colors is a false hole. */
const similarShareMin = 0.2;
const samplesMax = 300;

/** Only the nearest quarter of the background can be seen through a hole. */
const nearestShare = 0.25;

/** Up to this mean prior, the network is sure that a hole is open, with or without an edge. */
const openPriorMax = 0.2;

/**
 * Fills holes whose colors do not occur in the background around them, holes without an edge, and those of which the
 * network is not sure and whose rim does not run in depth order.
 */
export function fillFalseHoles(region: Uint8Array, grid: WorkGrid): Uint8Array {
  const background = invertMask(region);
  const components = labelComponents(background, grid);
  const { runs, sizes, atBorder } = components;
  const samples = sizes.map((): number[] => []);
  const totals = [0, 0];
  for (const [label, size] of sizes.entries()) totals[atBorder[label] ? 1 : 0]! += size;
  const counts = new Int32Array(sizes.length);
  const strides = sizes.map((size, label) =>
    Math.max(1, Math.ceil((atBorder[label] ? totals[1]! / 4 : size) / samplesMax)),
  );
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    const stride = strides[label]!;
    const first = runs[at]! + ((stride - (counts[label]! % stride)) % stride);
    for (let i = first; i < runs[at + 1]!; i += stride) samples[label]!.push(i);
    counts[label]! += runs[at + 1]! - runs[at]!;
  }
  const outside = samples.filter((_, label) => atBorder[label]).flat();
  const isForeign = sizes.map(
    (_, label) =>
      label > 0 &&
      !atBorder[label] &&
      similarShare(samples[label]!, nearestCells(outside, samples[label]!, grid), grid) < similarShareMin,
  );
  const edges = edgeShares(components, region, grid, (label) => !atBorder[label]);
  const priors = sumOverSome(components, grid.prior, (label) => !atBorder[label]);
  const isEdgeless = (label: number) => edges[label]! < edgeShareMin && priors[label]! > openPriorMax * sizes[label]!;
  const meanPriors = priors.map((sum, label) => sum / Math.max(1, sizes[label]!));
  const { isSure, isOccluded } = measureGaps(components, background, grid, meanPriors);
  const mayBePrint = (label: number) => !isSure[label] && !isOccluded[label];
  const isFalse = (label: number) => isForeign[label]! || isEdgeless(label) || mayBePrint(label);
  const out = region.slice();
  fillComponents(out, components, 1, (label) => !atBorder[label] && isFalse(label));
  return out;
}

/** The cells nearest to the center of a hole; of those as far as the last one, the first. */
function nearestCells(cells: readonly number[], hole: readonly number[], { width }: WorkGrid): number[] {
  const distances = squaredDistances(cells, hole, width);
  const count = Math.ceil(nearestShare * cells.length);
  // Numbers are sorted without calls of a comparator, of which each hole would take ten thousand.
  const sorted = distances.toSorted();
  const farthest = sorted[count - 1]!;
  return takeNearest(cells, distances, farthest, count - sorted.indexOf(farthest));
}

/** Squared distances of cells to the center of a hole. */
function squaredDistances(cells: readonly number[], hole: readonly number[], width: number): Float64Array {
  let sumOfX = 0;
  let sumOfY = 0;
  for (const i of hole) {
    sumOfX += i % width;
    sumOfY += Math.floor(i / width);
  }
  const x = sumOfX / hole.length;
  const y = sumOfY / hole.length;
  const distances = new Float64Array(cells.length);
  for (let n = 0; n < cells.length; n++) {
    const i = cells[n]!;
    distances[n] = (x - (i % width)) ** 2 + (y - Math.floor(i / width)) ** 2;
  }
  return distances;
}

/** @param ties how many are taken of those as far as the farthest */
function takeNearest(cells: readonly number[], distances: Float64Array, farthest: number, ties: number): number[] {
  const nearest: number[] = [];
  let left = ties;
  for (let n = 0; n < cells.length; n++) {
    const isTaken = distances[n]! < farthest || (distances[n] === farthest && left-- > 0);
    if (isTaken) nearest.push(cells[n]!);
  }
  return nearest;
}

function similarShare(cells: readonly number[], background: readonly number[], { lab }: WorkGrid): number {
  let similar = 0;
  for (const i of cells) if (isSimilarToAny(i, background, lab)) similar++;
  return similar / cells.length;
}

function isSimilarToAny(i: number, cells: readonly number[], lab: Float32Array): boolean {
  for (const j of cells) {
    const distance =
      (lab[i * 3]! - lab[j * 3]!) ** 2 +
      (lab[i * 3 + 1]! - lab[j * 3 + 1]!) ** 2 +
      (lab[i * 3 + 2]! - lab[j * 3 + 2]!) ** 2;
    if (distance < similarDistanceMax * similarDistanceMax) return true;
  }
  return false;
}

/** A component is removed below this share of the largest component, and below this mean prior. */
const smallShare = 0.05;
const smallPriorMax = 0.75;

/** Removes small components of which the network is not sure. */
export function removeSmallComponents(region: Uint8Array, grid: WorkGrid): Uint8Array {
  const components = labelComponents(region, grid);
  const largest = components.sizes.reduce((max, size) => Math.max(max, size), 0);
  const isSmall = components.sizes.map((size) => size < smallShare * largest);
  const priors = sumOverSome(components, grid.prior, (label) => isSmall[label]!);
  const isRemoved = components.sizes.map((size, label) => isSmall[label]! && priors[label]! / size < smallPriorMax);
  const out = region.slice();
  fillComponents(out, components, 0, (label) => isRemoved[label]!);
  return out;
}

/** From this prior on the network is sure of product. */
const surePriorMin = 0.9;

/** Up to this share of the product, a part of this mean prior stays: a white handle before white planks. */
const pieceShareMax = 0.1;
const piecePriorMin = 0.7;

/**
 * Removes parts without an edge to the background, such as a floor that the network took for product. Only parts at
 * more than one pixel of the network's output from where it is sure are removed.
 */
export function removeEdgelessParts(region: Uint8Array, grid: WorkGrid): Uint8Array {
  const sure = onlyMarks(priorFrom(grid, surePriorMin), region);
  const unsure = withoutMarks(region, dilate(sure, grid, Math.ceil(grid.networkPixel)));
  const product = countMarks(region);
  const parts = labelComponents(unsure, grid);
  const background = invertMask(region);
  const edges = edgeShares(parts, background, grid, () => true);
  const isLarge = (size: number) => size >= pieceShareMax * product;
  const priors = sumOverSome(parts, grid.prior, (label) => !isLarge(parts.sizes[label]!));
  const isPiece = (label: number, size: number) => !isLarge(size) && priors[label]! > piecePriorMin * size;
  const isRemoved = parts.sizes.map((size, label) => edges[label]! < edgeShareMin && !isPiece(label, size));
  const out = region.slice();
  fillComponents(out, parts, 0, (label) => isRemoved[label]!);
  return closeNewHoles(out, background, grid);
}

/** Fills what is enclosed and holds none of the background that there was before. */
function closeNewHoles(region: Uint8Array, before: Uint8Array, grid: WorkGrid): Uint8Array {
  const gaps = labelComponents(invertMask(region), grid);
  const backgrounds = sumOverSome(gaps, before, (label) => !gaps.atBorder[label]);
  const out = region.slice();
  fillComponents(out, gaps, 1, (label) => !gaps.atBorder[label] && backgrounds[label] === 0);
  return out;
}

/** A smaller share of a rim is an edge by chance, or where the segmentation is wrong. */
const edgeShareMin = 0.5;
/** Lab distance across a rim from which on it is an edge. */
const edgeDistanceMin = 6;

/**
 * @param beyond mask of the other side
 * @param isMeasured which components to measure
 * @returns by label, the share of a component's rim with `beyond` across which colors differ; 1 where they do not meet
 */
function edgeShares(
  { runs, sizes }: Components,
  beyond: Uint8Array,
  grid: WorkGrid,
  isMeasured: (label: number) => boolean,
): Float64Array {
  const rims = new Float64Array(sizes.length);
  const edges = new Float64Array(sizes.length);
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    if (!isMeasured(label)) continue;
    const first = runs[at]!;
    const end = runs[at + 1]!;
    for (const step of [-1, 1, -grid.width, grid.width]) {
      // Within a run, the neighbors to the left and right are on its own side.
      const from = step === 1 ? end - 1 : first;
      for (let i = from; i < (step === -1 ? first + 1 : end); i++) {
        if (beyond[i + step] !== 1 || leavesRow(i, step, grid.width)) continue;
        rims[label]!++;
        if (isEdge(i, step, beyond, grid)) edges[label]!++;
      }
    }
  }
  for (let label = 0; label < edges.length; label++) {
    edges[label] = rims[label] === 0 ? 1 : edges[label]! / rims[label]!;
  }
  return edges;
}

function leavesRow(i: number, step: number, width: number): boolean {
  return (step === -1 && i % width === 0) || (step === 1 && i % width === width - 1);
}

/** Compares the cells next to those at the rim, where they are on the same side: cells at an edge mix both colors. */
function isEdge(i: number, step: number, beyond: Uint8Array, { lab, width }: WorkGrid): boolean {
  const inner = beyond[i - step] === 0 && !leavesRow(i, -step, width) ? i - step : i;
  const next = i + step;
  const outer = beyond[next + step] === 1 && !leavesRow(next, step, width) ? next + step : next;
  const l = lab[inner * 3]! - lab[outer * 3]!;
  const a = lab[inner * 3 + 1]! - lab[outer * 3 + 1]!;
  const b = lab[inner * 3 + 2]! - lab[outer * 3 + 2]!;
  return l * l + a * a + b * b > edgeDistanceMin * edgeDistanceMin;
}
