/** Measures how far the photo differs from the fitted backdrop, and whether the backdrop is plain. */

import { type Backdrop, backdropAlongRow } from "./backdrop.ts";
import type { WorkGrid } from "../../services/inference/imaging/matting/work-grid.ts";

/** A backdrop is plain where three quarters of the network's background lie within this Lab distance of the fit. */
const plainDistanceMax = 1.5;
/** On any photo, smaller Lab distances are noise, including that of JPEG. */
const distanceMin = 2;

export interface BackdropEvidence {
  /** Lab distance of each cell to the backdrop. */
  readonly distance: Float32Array;
  /** Lightness of each cell minus the backdrop's lightness. */
  readonly lightness: Float32Array;
  /** Lab distance above which a cell differs from the backdrop. */
  readonly threshold: number;
  /** Lab distance within which three quarters of the backdrop lie, its shadows left out. */
  readonly noise: number;
  readonly isPlain: boolean;
}

export function measureBackdrop(grid: WorkGrid, backdrop: Backdrop): BackdropEvidence {
  const count = grid.width * grid.height;
  const fit = new Float32Array(3 * grid.width);
  const distance = new Float32Array(count);
  const lightness = new Float32Array(count);
  const background = new Uint32Array(bins);
  const unshadowed = new Uint32Array(bins);
  for (let y = 0; y < grid.height; y++) {
    backdropAlongRow(backdrop, (y + 0.5) / grid.height, fit);
    compareRow(grid.lab, fit, y * grid.width, distance, lightness);
    countRow(grid.prior, y * grid.width, grid.width, distance, lightness, background, unshadowed);
  }
  const backgroundCells = total(background);
  const spread = quantile(background, 0.75) / binsPerLab;
  const isPlain = backgroundCells > count * 0.05 && spread <= plainDistanceMax && backdrop.residual <= plainDistanceMax;
  // A shadow only darkens the backdrop, so the cells that are no darker show the noise alone.
  const isEnough = total(unshadowed) > 0.1 * backgroundCells;
  const noise = isEnough ? Math.min(spread, quantile(unshadowed, 0.75) / binsPerLab) : spread;
  return { distance, lightness, isPlain, noise, threshold: Math.max(distanceMin, 4 * noise) };
}

/** Of the histograms of Lab distances. */
const bins = 1024;
const binsPerLab = 10;

function compareRow(
  lab: Float32Array,
  fit: Float32Array,
  row: number,
  distance: Float32Array,
  lightness: Float32Array,
): void {
  for (let at = 0, from = row * 3, i = row; at < fit.length; at += 3, from += 3, i++) {
    const dl = lab[from]! - fit[at]!;
    const da = lab[from + 1]! - fit[at + 1]!;
    const db = lab[from + 2]! - fit[at + 2]!;
    lightness[i] = dl;
    distance[i] = Math.sqrt(dl * dl + da * da + db * db);
  }
}

/** Counts the cells that the network calls background, and those among them that are no darker than the backdrop. */
function countRow(
  prior: Float32Array,
  row: number,
  width: number,
  distance: Float32Array,
  lightness: Float32Array,
  background: Uint32Array,
  unshadowed: Uint32Array,
): void {
  for (let i = row; i < row + width; i++) {
    if (prior[i]! > 0.03) continue;
    const bin = Math.min(bins - 1, (distance[i]! * binsPerLab) | 0);
    background[bin]!++;
    if (lightness[i]! >= 0) unshadowed[bin]!++;
  }
}

const total = (histogram: Uint32Array) => histogram.reduce((sum, count) => sum + count, 0);

function quantile(histogram: Uint32Array, share: number): number {
  const target = total(histogram) * share;
  let count = 0;
  for (let bin = 0; bin < histogram.length; bin++) {
    count += histogram[bin]!;
    if (count >= target) return bin;
  }
  return histogram.length - 1;
}
