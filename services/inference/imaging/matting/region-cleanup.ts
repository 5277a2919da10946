/**
 * Mending a region in a busy scene: gaps that show nothing of the background, or that nothing marks off from the product,
 * are product; doubtful scraps, and what nothing marks off from the background, are not.
 */

import {
  fillComponents,
  runStride,
  type Components,
  labelComponents,
  sumPerComponent,
} from "../pixels/connected-components.ts";
import { thresholdPlane, type WorkGrid } from "./work-grid.ts";
import { dilate, invertMask } from "../pixels/morphology.ts";

/** Lab distance within which a gap's color is one of the background's. */
const similarDistanceMax = 12;
/** A gap of which less than this share is alike is no opening. */
const similarShareMin = 0.2;
const samplesMax = 300;

/** Of the background only what lies as near the gap as its nearest quarter does can be seen through it. */
const nearShare = 0.25;

/** Up to this, on average, the network is sure that a gap is open, edge or none. */
const openPriorMax = 0.2;

/** Fills enclosed gaps whose colors are nowhere in the background around them, and those without an edge. */
export function fillFalseHoles(region: Uint8Array, grid: WorkGrid): Uint8Array {
  const gaps = labelComponents(invertMask(region), grid);
  const { runs, sizes, atBorder } = gaps;
  const cells = sizes.map((): number[] => []);
  const total = [0, 0];
  for (const [label, size] of sizes.entries()) total[atBorder[label] ? 1 : 0]! += size;
  const seen = new Int32Array(sizes.length);
  const strides = sizes.map((size, label) =>
    Math.max(1, Math.ceil((atBorder[label] ? total[1]! / 4 : size) / samplesMax)),
  );
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    for (let i = runs[at]!; i < runs[at + 1]!; i++) if (seen[label]!++ % strides[label]! === 0) cells[label]!.push(i);
  }
  const outside = cells.filter((_, label) => atBorder[label]).flat();
  const isForeign = sizes.map(
    (_, label) =>
      label > 0 &&
      !atBorder[label] &&
      similarShare(cells[label]!, nearestCells(outside, cells[label]!, grid), grid) < similarShareMin,
  );
  const edges = edgeShares(gaps, region, grid, (gap) => !atBorder[gap]);
  const priors = sumPerComponent(gaps, grid.prior);
  const isEdgeless = (gap: number) => edges[gap]! < edgeShareMin && priors[gap]! > openPriorMax * sizes[gap]!;
  const out = region.slice();
  fillComponents(out, gaps, 1, (gap) => !atBorder[gap] && (isForeign[gap]! || isEdgeless(gap)));
  return out;
}

/** The cells nearest the middle of a gap. */
function nearestCells(cells: readonly number[], gap: readonly number[], { width }: WorkGrid): number[] {
  const middle = (of: (i: number) => number) => gap.reduce((sum, i) => sum + of(i), 0) / gap.length;
  const x = middle((i) => i % width);
  const y = middle((i) => Math.floor(i / width));
  const far = (i: number) => (x - (i % width)) ** 2 + (y - Math.floor(i / width)) ** 2;
  return cells.toSorted((a, b) => far(a) - far(b)).slice(0, Math.ceil(nearShare * cells.length));
}

function similarShare(cells: readonly number[], background: readonly number[], { lab }: WorkGrid): number {
  const isAlike = (i: number) =>
    background.some(
      (j) =>
        (lab[i * 3]! - lab[j * 3]!) ** 2 +
          (lab[i * 3 + 1]! - lab[j * 3 + 1]!) ** 2 +
          (lab[i * 3 + 2]! - lab[j * 3 + 2]!) ** 2 <
        similarDistanceMax * similarDistanceMax,
    );
  return cells.filter(isAlike).length / cells.length;
}

/** A scrap is smaller than this share of the largest part, and the network is no surer of it than this. */
const smallShare = 0.05;
const smallPriorMax = 0.75;

/** Drops small separate parts that the network itself doubts. */
export function removeSmallComponents(region: Uint8Array, grid: WorkGrid): Uint8Array {
  const parts = labelComponents(region, grid);
  const largest = parts.sizes.reduce((most, size) => Math.max(most, size), 0);
  const priors = sumPerComponent(parts, grid.prior);
  const isScrap = parts.sizes.map(
    (size, label) => size < smallShare * largest && priors[label]! / size < smallPriorMax,
  );
  const out = region.slice();
  fillComponents(out, parts, 0, (label) => isScrap[label]!);
  return out;
}

/** The network is sure of the product beyond this. */
const surePriorMin = 0.9;

/**
 * Drops what the network is not sure of, at more than a pixel of its own from what it is sure of, where nothing marks it
 * off from the background: floor that it took for product.
 */
export function removeEdgelessParts(region: Uint8Array, grid: WorkGrid): Uint8Array {
  const sure = thresholdPlane(grid.prior, surePriorMin);
  for (let i = 0; i < sure.length; i++) sure[i]! &= region[i]!;
  const apart = dilate(sure, grid, Math.ceil(grid.networkPixel));
  for (let i = 0; i < apart.length; i++) apart[i] = region[i]! & ~apart[i]!;
  const doubtful = labelComponents(apart, grid);
  const edges = edgeShares(doubtful, invertMask(region), grid, () => true);
  const out = region.slice();
  fillComponents(out, doubtful, 0, (part) => edges[part]! < edgeShareMin);
  return out;
}

/** Of a rim less than this share is an edge by chance, or the seam of a wrong cut. */
const edgeShareMin = 0.5;
/** Lab distance across an edge. */
const edgeDistanceMin = 6;

/** Share of each asked part's rim, where it meets `beyond`, across which colors differ; 1 where it does not meet it. */
function edgeShares(
  { runs, sizes }: Components,
  beyond: Uint8Array,
  grid: WorkGrid,
  isAsked: (part: number) => boolean,
): Float64Array {
  const rims = new Float64Array(sizes.length);
  const edges = new Float64Array(sizes.length);
  for (let at = 0; at < runs.length; at += runStride) {
    const part = runs[at + 2]!;
    if (!isAsked(part)) continue;
    for (const step of [-1, 1, -grid.width, grid.width]) {
      for (let i = runs[at]!; i < runs[at + 1]!; i++) {
        if (beyond[i + step] !== 1 || leavesRow(i, step, grid.width)) continue;
        rims[part]!++;
        if (isEdge(i, step, beyond, grid)) edges[part]!++;
      }
    }
  }
  return edges.map((count, part) => (rims[part] === 0 ? 1 : count / rims[part]!));
}

function leavesRow(i: number, step: number, width: number): boolean {
  return (step === -1 && i % width === 0) || (step === 1 && i % width === width - 1);
}

/** Cells at an edge are mixed of both sides: those one farther from it are compared, where they are of the same side. */
function isEdge(i: number, step: number, beyond: Uint8Array, { lab, width }: WorkGrid): boolean {
  const inner = beyond[i - step] === 0 && !leavesRow(i, -step, width) ? i - step : i;
  const next = i + step;
  const outer = beyond[next + step] === 1 && !leavesRow(next, step, width) ? next + step : next;
  const l = lab[inner * 3]! - lab[outer * 3]!;
  const a = lab[inner * 3 + 1]! - lab[outer * 3 + 1]!;
  const b = lab[inner * 3 + 2]! - lab[outer * 3 + 2]!;
  return l * l + a * a + b * b > edgeDistanceMin * edgeDistanceMin;
}
