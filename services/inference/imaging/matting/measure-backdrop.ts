/** Measures how far the photo differs from the fitted backdrop, and whether the backdrop is plain. */

import { addressOf, computeFloats, kernelFloats } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import { type Backdrop, backdropAlongRow, backdropAt, tintBeside } from "./backdrop.ts";
import type { WorkGrid } from "./work-grid.ts";

/** A backdrop is plain where three quarters of the network's background lie within this Lab distance of the fit. */
export const plainDistanceMax = 1.5;
/** On any photo, smaller Lab distances are noise, including that of JPEG. */
export const distanceMin = 2;

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
  /** By how much a cell's color differs from the backdrop's in another light, in Lab (`tintBeside`). */
  tintAt(cell: number): number;
}

export function measureBackdrop(grid: WorkGrid, backdrop: Backdrop): BackdropEvidence {
  const count = grid.width * grid.height;
  const planes = computeFloats(2 * count, (to) => compareRows(grid, backdrop, to, to + 4 * count));
  const [distance, lightness] = [planes.subarray(0, count), planes.subarray(count)];
  const background = new Uint32Array(bins);
  const unshadowed = new Uint32Array(bins);
  for (let y = 0; y < grid.height; y++) {
    countRow(grid.prior, y * grid.width, grid.width, distance, lightness, background, unshadowed);
  }
  const backgroundCells = total(background);
  const spread = quantile(background, 0.75) / binsPerLab;
  const isPlain = backgroundCells > count * 0.05 && spread <= plainDistanceMax && backdrop.residual <= plainDistanceMax;
  // A shadow only darkens the backdrop, so the cells that are no darker show the noise alone.
  const isEnough = total(unshadowed) > 0.1 * backgroundCells;
  const noise = isEnough ? Math.min(spread, quantile(unshadowed, 0.75) / binsPerLab) : spread;
  const tintAt = (cell: number) => tintOf(cell, grid, backdrop);
  return { distance, lightness, isPlain, noise, threshold: Math.max(distanceMin, 4 * noise), tintAt };
}

const fitted = new Float32Array(3);

function tintOf(cell: number, { lab, width, height }: WorkGrid, backdrop: Backdrop): number {
  const y = Math.floor(cell / width);
  backdropAt(backdrop, (cell - y * width + 0.5) / width, (y + 0.5) / height, fitted);
  return tintBeside(lab, 3 * cell, fitted, 0);
}

/** Histograms of Lab distances have so many. */
export const bins = 1024;
export const binsPerLab = 10;

/** Writes the distances and the differences in lightness to the two addresses. */
function compareRows({ lab, width, height }: WorkGrid, backdrop: Backdrop, distance: number, lightness: number): void {
  const colors = addressOf(lab);
  const fit = kernelFloats(3 * width);
  for (let y = 0; y < height; y++) {
    backdropAlongRow(backdrop, (y + 0.5) / height, fit);
    const at = 4 * y * width;
    kernels.compareWithBackdrop(colors + 3 * at, fit.byteOffset, width, distance + at, lightness + at);
  }
}

/** Counts the cells that the network calls background, and those among them that are no darker than the backdrop. */
export function countRow(
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

export const total = (histogram: Uint32Array) => histogram.reduce((sum, count) => sum + count, 0);

export function quantile(histogram: Uint32Array, share: number): number {
  const target = total(histogram) * share;
  let count = 0;
  for (let bin = 0; bin < histogram.length; bin++) {
    count += histogram[bin]!;
    if (count >= target) return bin;
  }
  return histogram.length - 1;
}
