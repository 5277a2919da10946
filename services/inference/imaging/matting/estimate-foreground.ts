/**
 * The product's own color at its soft edges: blur fusion twice (M. Forte, "Approximate Fast Foreground Color
 * Estimation", ICIP 2021), its blurs on a reduced grid, its correction at full resolution and only where 0 < alpha < 255.
 */

import {
  interpolateRows,
  type Field,
  createField,
  type SamplePositions,
  samplePositions,
  interpolateAt,
} from "../pixels/bilinear.ts";
import { type Image, thumbnailSideMax } from "../pixels/image.ts";
import { nextSoftPixel, viewAsWords } from "../pixels/alpha-scan.ts";
import { type SummedAreaTable, buildSummedAreaTable, sumWindow } from "../pixels/summed-area-table.ts";
import type { ReducedPhoto } from "./work-grid.ts";
import { asUint8Array, resizePixels } from "../pixels/resize.ts";
import type { Photo } from "../pixels/photo.ts";
import { dilate } from "../pixels/morphology.ts";
import { fitWithin, type Size } from "../pixels/geometry.ts";

/** Of the grid's longer side: the wide blur reaches product color from the middle of any soft edge. */
const wideRadiusShare = 0.06;
const narrowRadiusShare = 0.004;

export interface Foreground {
  /** u8 RGB of the photo's size; `photo.rgb` itself where the source brings its own alpha. */
  readonly rgb: Uint8Array;
  /** The cut-out at a thumbnail's size; absent where the source brings its own alpha. */
  readonly reduced?: Image;
}

/**
 * @param photo its colors are kept where alpha is 255, and where the source itself is transparent
 * @param seen what the matte was made from (the photo laid on a ground where it is transparent), u8 RGB
 * @param view the same, reduced; to a thumbnail's size or less far
 * @param alpha u8, width × height
 */
export async function estimateForeground(
  photo: Photo,
  seen: Uint8Array,
  view: ReducedPhoto,
  alpha: Uint8Array,
): Promise<Foreground> {
  // A source with its own alpha brings straight colors already.
  if (photo.alpha !== undefined) return { rgb: photo.rgb };
  const size = { width: photo.width, height: photo.height };
  const grid = fitWithin(size, thumbnailSideMax);
  const [small, smallAlpha] = await Promise.all([
    resizePixels(view.rgb, view, 3, grid),
    resizePixels(alpha, size, 1, grid),
  ]);
  const places = samplePositions(size, grid);
  const runs = findSoftRuns(alpha, size);
  const wanted = cellsNearSoftPixels(runs, places, smallAlpha);
  const values = blurFusion(small, smallAlpha, grid, wanted);
  return {
    rgb: correctSoftPixels(seen, alpha, runs, size, createField(values, colorChannels, grid, places)),
    reduced: reducedCutOut(small, smallAlpha, grid, wanted, values),
  };
}

/**
 * Both passes look only where soft pixels will ask: the first from sums over wide windows, the second from what the first
 * found in narrow ones.
 *
 * @param wanted 1 for the cells whose colors will be read; all others keep zeros
 */
function blurFusion(rgb: Uint8Array, alpha: Uint8Array, grid: Size, wanted: Uint8Array): Float32Array {
  const long = Math.max(grid.width, grid.height);
  const radiusOf = (share: number) => Math.max(1, Math.round(long * share));
  const narrow = radiusOf(narrowRadiusShare);
  const shares = firstPass(rgb, alpha, grid, radiusOf(wideRadiusShare), dilate(wanted, grid, narrow));
  const values = new Float32Array(wanted.length * colorChannels);
  const sums = new Float64Array(shareChannels);
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === 0) continue;
    const cells = sumShares(shares, grid, i, narrow, sums);
    for (let c = 0; c < 3; c++) {
      const product = sums[1 + c]! / (sums[0]! + epsilon * cells);
      const background = sums[4 + c]! / (cells - sums[0]! + epsilon * cells);
      distributeResidual(rgb[i * 3 + c]!, alpha[i]! / 255, product, background, values, i * colorChannels + c);
    }
  }
  return values;
}

/** Product's red, green and blue, then the background's, 0…255. */
const colorChannels = 6;
/** Alpha; the product's colors by it; the background's by what is left of it. */
const shareChannels = 7;
/** Keeps a side that a window has nothing of from a division by zero; of its cells. */
const epsilon = 1e-5;

/** @returns per wanted cell its shares of both sides' colors, alpha from 0 to 1 */
function firstPass(rgb: Uint8Array, alpha: Uint8Array, grid: Size, radius: number, wanted: Uint8Array) {
  const table = buildWeightedTable(rgb, alpha, grid);
  const shares = new Float32Array(wanted.length * shareChannels);
  const sums = new Float64Array(table.channels);
  const colors = new Float32Array(colorChannels);
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === 0) continue;
    const x = i % grid.width;
    const cells = 255 * sumWindow(table, x, (i - x) / grid.width, radius, sums);
    const a = alpha[i]! / 255;
    shares[i * shareChannels] = a;
    for (let c = 0; c < 3; c++) {
      const product = sums[1 + c]! / (sums[0]! + epsilon * cells);
      const background = (255 * sums[4 + c]! - sums[1 + c]!) / (cells - sums[0]! + epsilon * cells);
      distributeResidual(rgb[i * 3 + c]!, a, product, background, colors, c);
      shares[i * shareChannels + 1 + c] = a * colors[c]!;
      shares[i * shareChannels + 4 + c] = (1 - a) * colors[c + 3]!;
    }
  }
  return shares;
}

/** Sums of alpha, of the colors by alpha, and of the colors. */
function buildWeightedTable(rgb: Uint8Array, alpha: Uint8Array, grid: Size): SummedAreaTable {
  return buildSummedAreaTable(grid, shareChannels, (y, line) => fillWeightedLine(line, rgb, alpha, y * grid.width));
}

function fillWeightedLine(line: Int32Array, rgb: Uint8Array, alpha: Uint8Array, row: number): void {
  for (let to = 0, i = row; to < line.length; to += shareChannels, i++) {
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
 * What both sides do not explain of a cell goes to each by its share; product and background are written to `out` at
 * `at` and three places on.
 */
function distributeResidual(
  seen: number,
  a: number,
  product: number,
  background: number,
  out: Float32Array,
  at: number,
): void {
  const rest = seen - a * product - (1 - a) * background;
  out[at] = product + a * rest;
  out[at + 3] = background + (1 - a) * rest;
}

/** Sums of the shares over (2 radius + 1)² cells around one, the window cut at the border. @returns its cells */
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

/** Runs of soft pixels in a row, three numbers each: column, row, length. */
function findSoftRuns(alpha: Uint8Array, { width }: Size): readonly number[] {
  const matte = viewAsWords(alpha);
  const runs: number[] = [];
  for (let i = nextSoftPixel(matte, 0); i < alpha.length; i = nextSoftPixel(matte, i)) {
    const from = i;
    const x = from % width;
    const end = from - x + width;
    while (i < end && alpha[i] !== 0 && alpha[i] !== 255) i++;
    runs.push(x, (from - x) / width, i - from);
  }
  return runs;
}

/** The cells that soft pixels will read, and those that are soft themselves. */
function cellsNearSoftPixels(runs: readonly number[], places: SamplePositions, smallAlpha: Uint8Array): Uint8Array {
  const wanted = smallAlpha.map((a) => (a > 0 && a < 255 ? 1 : 0));
  const { rowOf, colOf, right, down } = places;
  for (let at = 0; at < runs.length; at += 3) {
    const row = rowOf[runs[at + 1]!]!;
    const first = row + colOf[runs[at]!]!;
    const end = row + colOf[runs[at]! + runs[at + 2]! - 1]! + right + 1;
    for (let cell = first; cell < end; cell++) {
      wanted[cell] = 1;
      wanted[cell + down] = 1;
    }
  }
  return wanted;
}

/** The cut-out on the grid: RGBA, black where nothing shows. */
function reducedCutOut(
  rgb: Uint8Array,
  alpha: Uint8Array,
  grid: Size,
  wanted: Uint8Array,
  values: Float32Array,
): Image {
  const pixels = new Uint8Array(alpha.length * 4);
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i] === 0) continue;
    for (let c = 0; c < 3; c++) {
      pixels[i * 4 + c] = wanted[i] === 1 ? toByte(values[i * colorChannels + c]!) : rgb[i * 3 + c]!;
    }
    pixels[i * 4 + 3] = alpha[i]!;
  }
  return { ...grid, channels: 4, pixels };
}

function correctSoftPixels(
  rgb: Uint8Array,
  alpha: Uint8Array,
  runs: readonly number[],
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

/** Without the zeros that a new array is filled with first: of 36 MB they cost as much as the copy. */
function copyBytes(bytes: Uint8Array): Uint8Array {
  const copy = asUint8Array(Buffer.allocUnsafeSlow(bytes.length));
  copy.set(bytes);
  return copy;
}

/** @param colors as in a cell of the color field */
function correctPixel(rgb: Uint8Array, at: number, a: number, colors: Float64Array): void {
  let toward = 0;
  let span = 1e-3;
  for (let c = 0; c < 3; c++) {
    const p = colors[c]!;
    const b = colors[c + 3]!;
    toward += (rgb[at + c]! - a * p - (1 - a) * b) * (b - p);
    span += (b - p) ** 2;
  }
  // What points from the product's color to the background's is left-over background, not the product's texture.
  const spill = Math.max(0, toward / span);
  for (let c = 0; c < 3; c++) {
    const p = colors[c]!;
    const b = colors[c + 3]!;
    const rest = rgb[at + c]! - a * p - (1 - a) * b;
    const value = p + a * (rest - spill * (b - p));
    rgb[at + c] = toByte(value);
  }
}

function toByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : (value + 0.5) | 0;
}
