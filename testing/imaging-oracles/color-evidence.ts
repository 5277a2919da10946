/**
 * Evidence from the colors of the whole photo where the network is not sure: a color that is frequent in the product
 * and absent from the background is product (Bayes, with a color histogram of each side). The evidence never lowers the
 * prior, because glass, or white on white, has the background's colors.
 */

import {
  bins,
  logOddsMax,
  shareFloor,
  smoothHistogram,
} from "../../services/inference/imaging/matting/evidence/color-evidence.ts";
import type { WorkGrid } from "../../services/inference/imaging/matting/evidence/work-grid.ts";

/** As floats, with which the kernel computes. */
const binsPerLightness = Math.fround(0.2);
const binsPerTint = Math.fround(0.1);

/** Beyond these the network is sure, and its prior stays. */
const unsurePriorMin = 0.05;
const unsurePriorMax = 0.95;

/** @returns the grid, its prior raised where the colors are evidence of product */
export function addColorEvidence(grid: WorkGrid): WorkGrid {
  const binOf = binsOf(grid.lab);
  const evidence = logOddsByBin(binOf, grid.prior);
  if (evidence === undefined) return grid;
  const prior = grid.prior.slice();
  for (let i = 0; i < prior.length; i++) {
    const p = grid.prior[i]!;
    if (p < unsurePriorMin || p > unsurePriorMax) continue;
    const logOdds = meanLogOdds(i, grid, evidence, binOf);
    if (logOdds <= 0) continue;
    const odds = (p / (1 - p)) * Math.exp(logOdds);
    prior[i] = odds / (1 + odds);
  }
  return { ...grid, prior };
}

/** The mean over a cell and its neighbors. */
function meanLogOdds(i: number, { width, height }: WorkGrid, evidence: Float64Array, binOf: Uint16Array): number {
  const x = i % width;
  const y = (i - x) / width;
  let sum = 0;
  let cells = 0;
  for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
    for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
      sum += evidence[binOf[v * width + u]!]!;
      cells++;
    }
  }
  return sum / cells;
}

function binsOf(lab: Float32Array): Uint16Array {
  const binOf = new Uint16Array(lab.length / 3);
  const bin = (value: number) => Math.min(bins - 1, Math.max(0, value | 0));
  for (let i = 0, at = 0; i < binOf.length; i++, at += 3) {
    const l = bin(Math.fround(lab[at]! * binsPerLightness));
    const a = bin(Math.fround(Math.fround(lab[at + 1]! * binsPerTint) + bins / 2));
    const b = bin(Math.fround(Math.fround(lab[at + 2]! * binsPerTint) + bins / 2));
    binOf[i] = (l * bins + a) * bins + b;
  }
  return binOf;
}

/** Per bin log(share of the product's cells ÷ share of the background's cells); undefined where one side is empty. */
function logOddsByBin(binOf: Uint16Array, prior: Float32Array): Float64Array | undefined {
  const product = new Float64Array(bins ** 3);
  const background = new Float64Array(bins ** 3);
  let productSum = 0;
  let backgroundSum = 0;
  for (let i = 0; i < binOf.length; i++) {
    const certainty = 2 * prior[i]! - 1;
    if (certainty > 0) {
      product[binOf[i]!]! += certainty;
      productSum += certainty;
    } else {
      background[binOf[i]!]! -= certainty;
      backgroundSum -= certainty;
    }
  }
  if (productSum === 0 || backgroundSum === 0) return undefined;
  const smoothProduct = smoothHistogram(product);
  const smoothBackground = smoothHistogram(background);
  return smoothProduct.map((cells, bin) => {
    const logOdds = Math.log((cells / productSum + shareFloor) / (smoothBackground[bin]! / backgroundSum + shareFloor));
    return Math.min(logOddsMax, Math.max(-logOddsMax, logOdds));
  });
}
