/** Measures how far the photo differs from the fitted backdrop, and whether the backdrop is plain. */

import type { Backdrop } from "../../services/inference/imaging/matting/evidence/backdrop.ts";
import {
  type BackdropEvidence,
  bins,
  binsPerLab,
  distanceMin,
  plainDistanceMax,
  quantile,
  total,
} from "../../services/inference/imaging/matting/evidence/measure-backdrop.ts";
import type { WorkGrid } from "../../services/inference/imaging/matting/evidence/work-grid.ts";
import { backdropAlongRow } from "./backdrop.ts";

export function measureBackdrop(grid: WorkGrid, backdrop: Backdrop): Omit<BackdropEvidence, "tintAt" | "isAllAround"> {
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
