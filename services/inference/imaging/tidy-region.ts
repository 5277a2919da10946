/** Mending a region in a busy scene: gaps that show nothing of the background are product; doubtful scraps are not. */

import { regionsOf } from "./regions.ts";
import type { WorkGrid } from "./work-grid.ts";

/** Lab distance within which a gap's colour is one of the background's. */
const alikeMax = 12;
/** A gap of which less than this share is alike is no opening. */
const alikeShareMin = 0.2;
const samplesMax = 300;

/** Fills enclosed gaps whose colours are nowhere in the background around them. */
export function fillForeignGaps(region: Uint8Array, grid: WorkGrid): Uint8Array {
  const { labels, sizes, atBorder } = regionsOf(
    region.map((v) => 1 - v),
    grid,
  );
  const outside: number[] = [];
  const gaps = new Map<number, number[]>();
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!;
    if (label === 0) continue;
    if (atBorder[label]) outside.push(i);
    else if (gaps.has(label)) gaps.get(label)!.push(i);
    else gaps.set(label, [i]);
  }
  const background = thinned(outside, 4 * samplesMax);
  const foreign = sizes.map((_, label) => {
    const cells = gaps.get(label);
    return cells !== undefined && alikeShare(thinned(cells, samplesMax), background, grid) < alikeShareMin;
  });
  return region.map((v, i) => (v === 1 || foreign[labels[i]!] ? 1 : 0));
}

function thinned(cells: readonly number[], most: number): number[] {
  const step = Math.max(1, Math.ceil(cells.length / most));
  return cells.filter((_, i) => i % step === 0);
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
  const { labels, sizes } = regionsOf(region, grid);
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const sums = new Float64Array(sizes.length);
  for (let i = 0; i < labels.length; i++) sums[labels[i]!]! += grid.prior[i]!;
  const scrap = sizes.map((size, label) => size < scrapShare * largest && sums[label]! / size < scrapPriorMax);
  return region.map((v, i) => (v === 1 && !scrap[labels[i]!] ? 1 : 0));
}
