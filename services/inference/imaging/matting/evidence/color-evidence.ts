/**
 * Evidence from the colors of the whole photo where the network is not sure: a color that is frequent in the product
 * and absent from the background is product (Bayes, with a color histogram of each side). The evidence never lowers the
 * prior, because glass, or white on white, has the background's colors.
 */

import {
  addressOf,
  computeFloats,
  inKernelMemory,
  kernelDoubles,
  kernelIntegers,
  reserve,
  writePlane,
} from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import type { WorkGrid } from "./work-grid.ts";

/** Bins per axis of the histogram: 5 units of L, 10 of a and of b. */
export const bins = 20;
/** The largest log odds that colors may add. */
export const logOddsMax = 3;
/** Added to each bin's share, so that no share is 0. */
export const shareFloor = 1e-6;

/** @returns the grid, its prior raised where the colors are evidence of product */
export function addColorEvidence(grid: WorkGrid): WorkGrid {
  const { width, height } = grid;
  const cells = width * height;
  // In the kernels' memory, where the grid's own is.
  const prior = computeFloats(cells, (to) => writePlane(grid.prior, to));
  const isRaised = inKernelMemory(() => {
    const binOf = reserve(2 * cells);
    kernels.binsOf(addressOf(grid.lab), cells, binOf);
    const priorAt = addressOf(grid.prior);
    const evidence = logOddsByBin(binOf, priorAt, cells);
    if (evidence === undefined) return false;
    const listed = kernelIntegers(cells);
    const logOdds = kernelDoubles(cells);
    const cellsAt = listed.byteOffset;
    const oddsAt = logOdds.byteOffset;
    const count = kernels.listEvidence(binOf, priorAt, width, height, addressOf(evidence), cellsAt, oddsAt);
    raisePrior(prior, listed.subarray(0, count), logOdds);
    return true;
  });
  return isRaised ? { ...grid, prior, priorLevels: undefined } : grid;
}

/** @param listed cells, each with its log odds to add */
function raisePrior(prior: Float32Array, listed: Int32Array, logOdds: Float64Array): void {
  for (let n = 0; n < listed.length; n++) {
    const p = prior[listed[n]!]!;
    const odds = (p / (1 - p)) * Math.exp(logOdds[n]!);
    prior[listed[n]!] = odds / (1 + odds);
  }
}

/** Per bin log(share of the product's cells ÷ share of the background's cells); undefined where one side is empty. */
function logOddsByBin(binOf: number, prior: number, cells: number): Float64Array | undefined {
  const histograms = kernelDoubles(2 * bins ** 3 + 2).fill(0);
  kernels.countColors(binOf, prior, cells, histograms.byteOffset);
  const productSum = histograms[2 * bins ** 3]!;
  const backgroundSum = histograms[2 * bins ** 3 + 1]!;
  if (productSum === 0 || backgroundSum === 0) return undefined;
  const smoothProduct = smoothHistogram(histograms.subarray(0, bins ** 3));
  const smoothBackground = smoothHistogram(histograms.subarray(bins ** 3, 2 * bins ** 3));
  const logOdds = new Float64Array(smoothProduct.length);
  for (let bin = 0; bin < logOdds.length; bin++) {
    const product = smoothProduct[bin]! / productSum + shareFloor;
    const background = smoothBackground[bin]! / backgroundSum + shareFloor;
    logOdds[bin] = Math.min(logOddsMax, Math.max(-logOddsMax, Math.log(product / background)));
  }
  return logOdds;
}

/** Smooths with binomial weights 1 : 2 : 1 along each axis, so that a color counts for its neighbors, too. */
export function smoothHistogram(histogram: Float64Array): Float64Array {
  let from = histogram;
  for (const step of [1, bins, bins * bins]) {
    const to = new Float64Array(from.length);
    for (let i = 0; i < to.length; i++) {
      const bin = Math.floor(i / step) % bins;
      const before = bin > 0 ? from[i - step]! : from[i]!;
      const after = bin < bins - 1 ? from[i + step]! : from[i]!;
      to[i] = (before + 2 * from[i]! + after) / 4;
    }
    from = to;
  }
  return from;
}
