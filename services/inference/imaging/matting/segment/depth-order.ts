/**
 * Depth order at enclosed gaps of a segmentation. Where the network is not sure that a gap is open, its color is no
 * evidence: a print, a watch's face or chrome may have the backdrop's. A handle, a strap or a spoke does occlude what is
 * behind: the background goes on at its other side, so around an opening the product is a band. Around a print there is
 * product on all sides.
 */

import { distanceToMask } from "../../pixels/chessboard-distance.ts";
import { type Components, fillComponents, labelComponents, runStride } from "../../pixels/connected-components.ts";
import type { Size } from "../../pixels/geometry.ts";
import { emptyMask, invertMask } from "../../pixels/morphology.ts";
import { maskBelowPrior, type WorkGrid } from "../evidence/work-grid.ts";

/** Up to this mean prior, the network is sure that a gap is open. */
const openPriorMax = 0.25;
/** At least this share of a gap's rim is a band beyond which the background goes on. */
const bandShareMin = 0.25;

/** A band is at most half as wide as its gap, or so many pixels of the network's output: spokes and stems lie close. */
const bandShareOfGap = 0.5;
const bandPixels = 10;

export interface GapEvidence {
  /** By label: whether the network is sure that the gap is open. */
  readonly isSure: readonly boolean[];
  /** By label: whether the gap's rim runs in depth order. */
  readonly isOccluded: readonly boolean[];
}

/**
 * @param gaps components outside the product, those that are open to the photo's border among them
 * @param background 1 where the product is not
 * @param meanPriors of each gap, by label
 */
export function measureGaps(
  gaps: Components,
  background: Uint8Array,
  grid: WorkGrid,
  meanPriors: Float64Array,
): GapEvidence {
  const isSure: boolean[] = [];
  for (let label = 0; label < gaps.sizes.length; label++) {
    isSure.push(label > 0 && !gaps.atBorder[label] && meanPriors[label]! <= openPriorMax);
  }
  const seen = emptyMask(grid);
  fillComponents(seen, gaps, 1, (label) => isSure[label]! || gaps.atBorder[label]!);
  // What the network takes for product, as a white shirt on white, is not seen behind it.
  const open = maskBelowPrior(seen, grid, 0.5);
  const shares = bandShares(gaps, background, distanceToMask(open, grid), grid);
  const isOccluded: boolean[] = [];
  for (const share of shares) isOccluded.push(share >= bandShareMin);
  return { isSure, isOccluded };
}

/** By label: the share of a gap's rim from which the open background is no farther than a band is wide. */
function bandShares(
  { runs, sizes, atBorder }: Components,
  background: Uint8Array,
  distance: Uint8Array,
  { width, networkPixel }: WorkGrid,
): Float64Array {
  const rims = new Float64Array(sizes.length);
  const bands = new Float64Array(sizes.length);
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    if (atBorder[label]) continue;
    const first = runs[at]!;
    const end = runs[at + 1]!;
    const reach = Math.max(bandPixels * networkPixel, bandShareOfGap * Math.sqrt(sizes[label]!)) + 1;
    for (let i = first; i < end; i++) {
      const isRim = i === first || i === end - 1 || background[i - width] === 0 || background[i + width] === 0;
      if (!isRim) continue;
      rims[label]!++;
      if (distance[i]! <= reach) bands[label]!++;
    }
  }
  for (let label = 0; label < bands.length; label++) bands[label]! /= Math.max(1, rims[label]!);
  return bands;
}

/** In cells: smaller ones are noise. */
const islandMin = 6;

/** Whether something stands free in a gap, as the hands on a watch's face: through an opening there is nothing to see. */
export function hasIslands(gaps: Components, label: number, size: Size): boolean {
  const gap = new Uint8Array(size.width * size.height);
  fillComponents(gap, gaps, 1, (other) => other === label);
  const { sizes, atBorder } = labelComponents(invertMask(gap), size);
  return sizes.some((cells, island) => cells >= islandMin && !atBorder[island]);
}
