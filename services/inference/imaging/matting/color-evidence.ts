/**
 * What the colors of the whole picture say where the network is not sure: a color that is all over the product and
 * nowhere in the background is product (Bayes, with a histogram of either side). They never take away: what has the
 * background's colors may be glass before it, or white on white.
 */

import type { WorkGrid } from "./work-grid.ts";

/** Bins a side of the histogram: 5 units of L, 10 of a and of b. */
const bins = 20;
const lightnessPerBin = 5;
const tintPerBin = 10;
/** Log odds that colors may add at most. */
const logOddsMax = 3;
/** Share of a side's colors that any bin has. */
const floor = 1e-6;
/** The network is believed beyond these. */
const [unsureMin, unsureMax] = [0.05, 0.95];

/** The grid with the network's matte raised where the colors speak for the product. */
export function addColorEvidence(grid: WorkGrid): WorkGrid {
  const binOf = binsOf(grid.lab);
  const evidence = logOddsByBin(binOf, grid.prior);
  if (evidence === undefined) return grid;
  const prior = grid.prior.slice();
  for (let i = 0; i < prior.length; i++) {
    const p = grid.prior[i]!;
    if (p < unsureMin || p > unsureMax) continue;
    const told = meanLogOdds(i, grid, evidence, binOf);
    if (told <= 0) continue;
    const odds = (p / (1 - p)) * Math.exp(told);
    prior[i] = odds / (1 + odds);
  }
  return { ...grid, prior };
}

/** Mean over a cell and its neighbors. */
function meanLogOdds(i: number, { width, height }: WorkGrid, evidence: Float64Array, binOf: Uint16Array): number {
  const x = i % width;
  const y = (i - x) / width;
  let [sum, cells] = [0, 0];
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
    const l = bin(lab[at]! / lightnessPerBin);
    const a = bin(lab[at + 1]! / tintPerBin + bins / 2);
    const b = bin(lab[at + 2]! / tintPerBin + bins / 2);
    binOf[i] = (l * bins + a) * bins + b;
  }
  return binOf;
}

/** Per bin log(share of the product's cells ÷ share of the background's); undefined where one side has none. */
function logOddsByBin(binOf: Uint16Array, prior: Float32Array): Float64Array | undefined {
  const product = new Float64Array(bins ** 3);
  const background = new Float64Array(bins ** 3);
  let [products, backgrounds] = [0, 0];
  for (let i = 0; i < binOf.length; i++) {
    const sure = 2 * prior[i]! - 1;
    if (sure > 0) {
      product[binOf[i]!]! += sure;
      products += sure;
    } else {
      background[binOf[i]!]! -= sure;
      backgrounds -= sure;
    }
  }
  if (products === 0 || backgrounds === 0) return undefined;
  const [ours, theirs] = [smoothHistogram(product), smoothHistogram(background)];
  return ours.map((cells, bin) => {
    const told = Math.log((cells / products + floor) / (theirs[bin]! / backgrounds + floor));
    return Math.min(logOddsMax, Math.max(-logOddsMax, told));
  });
}

/** A color's neighbors have a share in it: binomial weights 1 : 2 : 1 along each axis. */
function smoothHistogram(histogram: Float64Array): Float64Array {
  let from = histogram;
  for (const step of [1, bins, bins * bins]) {
    const to = new Float64Array(from.length);
    for (let i = 0; i < to.length; i++) {
      const place = Math.floor(i / step) % bins;
      const before = place > 0 ? from[i - step]! : from[i]!;
      const after = place < bins - 1 ? from[i + step]! : from[i]!;
      to[i] = (before + 2 * from[i]! + after) / 4;
    }
    from = to;
  }
  return from;
}
