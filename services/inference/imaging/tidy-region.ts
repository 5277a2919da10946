/** Mending a region in a busy scene: gaps that show nothing of the background are product; doubtful scraps are not. */

import { fillRegions, inverted, perRun, regionsOf, sumsOver } from "./regions.ts";
import type { WorkGrid } from "./work-grid.ts";

/** Lab distance within which a gap's colour is one of the background's. */
const alikeMax = 12;
/** A gap of which less than this share is alike is no opening. */
const alikeShareMin = 0.2;
const samplesMax = 300;

/** Of the background only what lies as near the gap as its nearest quarter does can be seen through it. */
const nearShare = 0.25;

/** Fills enclosed gaps whose colours are nowhere in the background around them. */
export function fillForeignGaps(region: Uint8Array, grid: WorkGrid): Uint8Array {
  const gaps = regionsOf(inverted(region), grid);
  const { runs, sizes, atBorder } = gaps;
  const cells = sizes.map((): number[] => []);
  const total = [0, 0];
  for (const [label, size] of sizes.entries()) total[atBorder[label] ? 1 : 0]! += size;
  const seen = new Int32Array(sizes.length);
  const strides = sizes.map((size, label) =>
    Math.max(1, Math.ceil((atBorder[label] ? total[1]! / 4 : size) / samplesMax)),
  );
  for (let at = 0; at < runs.length; at += perRun) {
    const label = runs[at + 2]!;
    for (let i = runs[at]!; i < runs[at + 1]!; i++) if (seen[label]!++ % strides[label]! === 0) cells[label]!.push(i);
  }
  const outside = cells.filter((_, label) => atBorder[label]).flat();
  const isForeign = sizes.map(
    (_, label) =>
      label > 0 &&
      !atBorder[label] &&
      alikeShare(cells[label]!, nearest(outside, cells[label]!, grid), grid) < alikeShareMin,
  );
  const out = region.slice();
  fillRegions(out, gaps, 1, (label) => isForeign[label]!);
  return out;
}

/** The cells nearest the middle of a gap. */
function nearest(cells: readonly number[], gap: readonly number[], { width }: WorkGrid): number[] {
  const middle = (of: (i: number) => number) => gap.reduce((sum, i) => sum + of(i), 0) / gap.length;
  const x = middle((i) => i % width);
  const y = middle((i) => Math.floor(i / width));
  const far = (i: number) => (x - (i % width)) ** 2 + (y - Math.floor(i / width)) ** 2;
  return cells.toSorted((a, b) => far(a) - far(b)).slice(0, Math.ceil(nearShare * cells.length));
}

function alikeShare(cells: readonly number[], background: readonly number[], { lab }: WorkGrid): number {
  const isAlike = (i: number) =>
    background.some(
      (j) =>
        (lab[i * 3]! - lab[j * 3]!) ** 2 +
          (lab[i * 3 + 1]! - lab[j * 3 + 1]!) ** 2 +
          (lab[i * 3 + 2]! - lab[j * 3 + 2]!) ** 2 <
        alikeMax * alikeMax,
    );
  return cells.filter(isAlike).length / cells.length;
}

/** A scrap is smaller than this share of the largest part, and the network is no surer of it than this. */
const scrapShare = 0.05;
const scrapPriorMax = 0.75;

/** Drops small separate parts that the network itself doubts. */
export function dropScraps(region: Uint8Array, grid: WorkGrid): Uint8Array {
  const parts = regionsOf(region, grid);
  const largest = parts.sizes.reduce((most, size) => Math.max(most, size), 0);
  const priors = sumsOver(parts, grid.prior);
  const isScrap = parts.sizes.map(
    (size, label) => size < scrapShare * largest && priors[label]! / size < scrapPriorMax,
  );
  const out = region.slice();
  fillRegions(out, parts, 0, (label) => isScrap[label]!);
  return out;
}
