/**
 * Foreground estimation: the product's own color at soft edges, by two passes of blur fusion (M. Forte, "Approximate
 * Fast Foreground Color Estimation", ICIP 2021). The blurs run on a reduced grid; the correction runs at full
 * resolution, only where 0 < alpha < 255.
 */

import {
  cellsNearSoftPixels,
  colorChannels,
  copyBytes,
  type Foreground,
  narrowRadiusShare,
  reducedCutOut,
  toByte,
  wideRadiusShare,
} from "../../services/inference/imaging/matting/alpha/estimate-foreground.ts";
import type { ScaledPhoto } from "../../services/inference/imaging/matting/evidence/work-grid.ts";
import { findSoftRuns } from "../../services/inference/imaging/pixels/alpha-scan.ts";
import { samplePositions } from "../../services/inference/imaging/pixels/bilinear.ts";
import { fitWithin, type Size } from "../../services/inference/imaging/pixels/geometry.ts";
import { thumbnailSideMax } from "../../services/inference/imaging/pixels/image.ts";
import type { Photo } from "../../services/inference/imaging/pixels/photo.ts";
import { createField, type Field, interpolateAt, interpolateRows } from "./bilinear.ts";
import { dilate } from "./morphology.ts";
import { shrinkPixels } from "./shrink.ts";
import { buildSummedAreaTable, type SummedAreaTable, sumWindow } from "./summed-area-table.ts";

/**
 * @param photo its colors are kept where alpha is 255, and everywhere if the source brings its own alpha
 * @param flat the photo from which the matte was made, u8 RGB (`flattenForMatting`)
 * @param reducedPhoto the same, reduced; not smaller than a thumbnail
 * @param alpha u8, width × height
 */
export function estimateForeground(
  photo: Photo,
  flat: Uint8Array,
  reducedPhoto: ScaledPhoto,
  alpha: Uint8Array,
): Foreground {
  // A source with its own alpha has straight colors already.
  if (photo.alpha !== undefined) return { rgb: photo.rgb };
  const size = { width: photo.width, height: photo.height };
  const grid = fitWithin(size, thumbnailSideMax);
  const gridRgb = shrinkPixels(reducedPhoto.rgb, reducedPhoto, 3, grid);
  const gridAlpha = shrinkPixels(alpha, size, 1, grid);
  const positions = samplePositions(size, grid);
  const runs = findSoftRuns(alpha, size);
  const needed = cellsNearSoftPixels(runs, positions, gridAlpha);
  const values = blurFusion(gridRgb, gridAlpha, grid, needed);
  return {
    rgb: correctSoftPixels(flat, alpha, runs, size, createField(values, colorChannels, grid, positions)),
    reduced: reducedCutOut(gridRgb, gridAlpha, grid, needed, values),
  };
}

/**
 * Both passes compute only the cells that soft pixels read: the first pass over wide windows, the second over narrow
 * windows of the first pass's result.
 *
 * @param needed 1 for the cells whose colors will be read; all others keep zeros
 */
function blurFusion(rgb: Uint8Array, alpha: Uint8Array, grid: Size, needed: Uint8Array): Float32Array {
  const longSide = Math.max(grid.width, grid.height);
  const radiusOf = (share: number) => Math.max(1, Math.round(longSide * share));
  const narrow = radiusOf(narrowRadiusShare);
  const shares = firstPass(rgb, alpha, grid, radiusOf(wideRadiusShare), dilate(needed, grid, narrow));
  const values = new Float32Array(needed.length * colorChannels);
  const sums = new Float64Array(shareChannels);
  for (let i = 0; i < needed.length; i++) {
    if (needed[i] === 0) continue;
    const cells = sumShares(shares, grid, i, narrow, sums);
    for (let c = 0; c < 3; c++) {
      const product = sums[1 + c]! / (sums[0]! + epsilon * cells);
      const background = sums[4 + c]! / (cells - sums[7]! + epsilon * cells);
      distributeResidual(rgb[i * 3 + c]!, alpha[i]! / 255, product, background, values, i * colorChannels + c);
    }
  }
  return values;
}

/** The lowest alpha of a cell and the eight around it. */
function lowestAround(alpha: Uint8Array, { width, height }: Size, cell: number): number {
  const x = cell % width;
  const y = (cell - x) / width;
  let lowest = 255;
  for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
    for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
      lowest = Math.min(lowest, alpha[v * width + u]!);
    }
  }
  return lowest;
}

/** Alpha, the colors times alpha, and the colors. */
const tableChannels = 7;
/** The product's weight, its colors times that, the background's colors times 1 − alpha, and alpha. */
const shareChannels = 8;
/** Weight of a cell at the product's rim, of its alpha. */
const rimWeight = 1 / 16;
/** Share of a window's cells that is added to both sides, so that none is divided by zero. */
const epsilon = 1e-5;

/** @returns per needed cell its alpha, 0–1, and both sides' colors weighted by what each has of it */
function firstPass(rgb: Uint8Array, alpha: Uint8Array, grid: Size, radius: number, needed: Uint8Array) {
  const table = buildWeightedTable(rgb, alpha, grid);
  const shares = new Float32Array(needed.length * shareChannels);
  const sums = new Float64Array(table.channels);
  const colors = new Float32Array(colorChannels);
  for (let i = 0; i < needed.length; i++) {
    if (needed[i] === 0) continue;
    const x = i % grid.width;
    const cells = 255 * sumWindow(table, x, (i - x) / grid.width, radius, sums);
    const a = alpha[i]! / 255;
    const weight = Math.max(lowestAround(alpha, grid, i) / 255, rimWeight * a);
    shares[i * shareChannels] = weight;
    shares[i * shareChannels + 7] = a;
    for (let c = 0; c < 3; c++) {
      const product = sums[1 + c]! / (sums[0]! + epsilon * cells);
      const background = (255 * sums[4 + c]! - sums[1 + c]!) / (cells - sums[0]! + epsilon * cells);
      distributeResidual(rgb[i * 3 + c]!, a, product, background, colors, c);
      shares[i * shareChannels + 1 + c] = weight * colors[c]!;
      shares[i * shareChannels + 4 + c] = (1 - a) * colors[c + 3]!;
    }
  }
  return shares;
}

/** Sums of alpha, of the colors times alpha, and of the colors. */
function buildWeightedTable(rgb: Uint8Array, alpha: Uint8Array, grid: Size): SummedAreaTable {
  return buildSummedAreaTable(grid, tableChannels, (y, line) => fillWeightedLine(line, rgb, alpha, y * grid.width));
}

function fillWeightedLine(line: Int32Array, rgb: Uint8Array, alpha: Uint8Array, row: number): void {
  for (let to = 0, i = row; to < line.length; to += tableChannels, i++) {
    const a = alpha[i]!;
    const r = rgb[i * 3]!;
    const g = rgb[i * 3 + 1]!;
    const b = rgb[i * 3 + 2]!;
    line[to] = a;
    line[to + 1] = a * r;
    line[to + 2] = a * g;
    line[to + 3] = a * b;
    line[to + 4] = r;
    line[to + 5] = g;
    line[to + 6] = b;
  }
}

/**
 * Distributes a cell's residual to both sides by their share of the cell. Writes the product's color to `out` at
 * `at`, and the background's three entries later.
 */
function distributeResidual(
  observed: number,
  a: number,
  product: number,
  background: number,
  out: Float32Array,
  at: number,
): void {
  const residual = observed - a * product - (1 - a) * background;
  out[at] = product + a * residual;
  out[at + 3] = background + (1 - a) * residual;
}

/** Sums over (2 radius + 1)² cells; the window is cut at the border. @returns the number of cells in the window */
function sumShares(
  shares: Float32Array,
  { width, height }: Size,
  i: number,
  radius: number,
  out: Float64Array,
): number {
  const x = i % width;
  const y = (i - x) / width;
  const left = Math.max(0, x - radius);
  const right = Math.min(width, x + radius + 1);
  const top = Math.max(0, y - radius);
  const bottom = Math.min(height, y + radius + 1);
  out.fill(0);
  for (let v = top; v < bottom; v++) {
    const end = (v * width + right) * shareChannels;
    for (let at = (v * width + left) * shareChannels; at < end; at += shareChannels) {
      for (let k = 0; k < shareChannels; k++) out[k]! += shares[at + k]!;
    }
  }
  return (right - left) * (bottom - top);
}

function correctSoftPixels(
  rgb: Uint8Array,
  alpha: Uint8Array,
  runs: Int32Array,
  { width }: Size,
  colors: Field,
): Uint8Array {
  const out = copyBytes(rgb);
  for (let at = 0; at < runs.length; at += 3) {
    const x = runs[at]!;
    const y = runs[at + 1]!;
    const length = runs[at + 2]!;
    interpolateRows(colors, y, x, x + length);
    correctRun(out, alpha, y * width, x, length, colors);
  }
  return out;
}

const colorsOfPixel = new Float64Array(colorChannels);

function correctRun(
  rgb: Uint8Array,
  alpha: Uint8Array,
  row: number,
  from: number,
  length: number,
  colors: Field,
): void {
  for (let x = from; x < from + length; x++) {
    interpolateAt(colors, x, colorsOfPixel);
    correctPixel(rgb, (row + x) * 3, alpha[row + x]! / 255, colorsOfPixel);
  }
}

/** @param colors the channels of a cell of the color field */
function correctPixel(rgb: Uint8Array, at: number, a: number, colors: Float64Array): void {
  let toward = 0;
  let lengthSquared = 1e-3;
  for (let c = 0; c < 3; c++) {
    const p = colors[c]!;
    const b = colors[c + 3]!;
    toward += (rgb[at + c]! - a * p - (1 - a) * b) * (b - p);
    lengthSquared += (b - p) ** 2;
  }
  // A residual toward the background's color is background that remains, not the product's texture.
  const spill = Math.max(0, toward / lengthSquared);
  for (let c = 0; c < 3; c++) {
    const p = colors[c]!;
    const b = colors[c + 3]!;
    const residual = rgb[at + c]! - a * p - (1 - a) * b;
    const value = p + a * (residual - spill * (b - p));
    rgb[at + c] = toByte(value);
  }
}
