/**
 * Foreground estimation: the product's own color at soft edges, by two passes of blur fusion (M. Forte, "Approximate
 * Fast Foreground Color Estimation", ICIP 2021). The blurs run on a reduced grid; the correction runs at full
 * resolution, only where 0 < alpha < 255.
 */

import { addressOf, computeFloats, inKernelMemory, kernelBytes, reserve } from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import { findSoftRuns } from "../../pixels/alpha-scan.ts";
import { type SamplePositions, samplePositions } from "../../pixels/bilinear.ts";
import { fitWithin, type Size } from "../../pixels/geometry.ts";
import { allocatePixels, type Image, thumbnailSideMax } from "../../pixels/image.ts";
import { dilate } from "../../pixels/morphology.ts";
import type { Photo } from "../../pixels/photo.ts";
import { asUint8Array } from "../../pixels/resize.ts";
import { shrinkPixels } from "../../pixels/shrink.ts";
import type { ScaledPhoto } from "../evidence/work-grid.ts";

/** Shares of the grid's longer side. The wide blur reaches product color from the middle of any soft edge. */
export const wideRadiusShare = 0.06;
export const narrowRadiusShare = 0.006;

export interface Foreground {
  /** u8 RGB of the photo's size; `photo.rgb` itself where the source brings its own alpha. */
  readonly rgb: Uint8Array;
  /** The cut-out at a thumbnail's size; absent where the source brings its own alpha. */
  readonly reduced?: Image;
}

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
  const { gridRgb, gridAlpha, grid, positions, runs, needed } = reduceForFusion(size, reducedPhoto, alpha);
  return inKernelMemory(() => {
    const values = blurFusion(gridRgb, gridAlpha, grid, needed);
    return {
      rgb: correctSoftPixels(flat, alpha, runs, size, { values, grid, positions }),
      reduced: reducedCutOut(gridRgb, gridAlpha, grid, needed, values),
    };
  });
}

/** The cut-out at a thumbnail's size alone, as `estimateForeground` makes it. */
export function reducedForeground(photo: Photo, reducedPhoto: ScaledPhoto, alpha: Uint8Array): Image | undefined {
  if (photo.alpha !== undefined) return undefined;
  const { gridRgb, gridAlpha, grid, needed } = reduceForFusion(photo, reducedPhoto, alpha);
  return inKernelMemory(() =>
    reducedCutOut(gridRgb, gridAlpha, grid, needed, blurFusion(gridRgb, gridAlpha, grid, needed)),
  );
}

function reduceForFusion({ width, height }: Size, reducedPhoto: ScaledPhoto, alpha: Uint8Array) {
  const size = { width, height };
  const grid = fitWithin(size, thumbnailSideMax);
  const gridRgb = shrinkPixels(reducedPhoto.rgb, reducedPhoto, 3, grid);
  const gridAlpha = shrinkPixels(alpha, size, 1, grid);
  const positions = samplePositions(size, grid);
  const runs = findSoftRuns(alpha, size);
  const needed = cellsNearSoftPixels(runs, positions, gridAlpha);
  return { gridRgb, gridAlpha, grid, positions, runs, needed };
}

/**
 * Both passes compute only the cells that soft pixels read: the first pass over wide windows, the second over narrow
 * windows of the first pass's result.
 *
 * @param needed 1 for the cells whose colors will be read; all others keep zeros
 */
function blurFusion(rgb: Uint8Array, alpha: Uint8Array, grid: Size, needed: Uint8Array): Float32Array {
  const { width, height } = grid;
  const longSide = Math.max(width, height);
  const radiusOf = (share: number) => Math.max(1, Math.round(longSide * share));
  const wide = radiusOf(wideRadiusShare);
  const narrow = radiusOf(narrowRadiusShare);
  return computeFloats(needed.length * colorChannels, (to) => {
    kernels.clear(to, 4 * needed.length * colorChannels);
    const colors = addressOf(rgb);
    const matte = addressOf(alpha);
    const cells = addressOf(needed);
    const table = reserve(4 * tableChannels * (width + 1) * (height + 1));
    kernels.buildWeightedTable(colors, matte, width, height, table);
    const shares = reserve(4 * shareChannels * needed.length);
    const widened = addressOf(dilate(needed, grid, narrow));
    kernels.firstPass(colors, matte, width, height, wide, widened, table, shares);
    kernels.secondPass(colors, matte, width, height, narrow, cells, shares, reserve(8 * shareChannels), to);
  });
}

/** The product's red, green and blue, then the background's, 0…255. */
export const colorChannels = 6;
/** Alpha, the colors times alpha, and all colors. */
const tableChannels = 7;
/** Alpha, the product's colors times alpha, the background's colors times 1 − alpha; and one for alignment. */
const shareChannels = 8;

/** Marks the cells that soft pixels read, and the cells that are soft themselves. */
export function cellsNearSoftPixels(runs: Int32Array, positions: SamplePositions, gridAlpha: Uint8Array): Uint8Array {
  const needed = new Uint8Array(gridAlpha.length);
  for (let cell = 0; cell < needed.length; cell++) {
    if (gridAlpha[cell]! > 0 && gridAlpha[cell]! < 255) needed[cell] = 1;
  }
  const { rowOf, colOf, right, down } = positions;
  for (let at = 0; at < runs.length; at += 3) {
    const row = rowOf[runs[at + 1]!]!;
    const first = row + colOf[runs[at]!]!;
    const end = row + colOf[runs[at]! + runs[at + 2]! - 1]! + right + 1;
    for (let cell = first; cell < end; cell++) {
      needed[cell] = 1;
      needed[cell + down] = 1;
    }
  }
  return needed;
}

/** The cut-out on the grid: RGBA, black where it is transparent. */
export function reducedCutOut(
  rgb: Uint8Array,
  alpha: Uint8Array,
  grid: Size,
  needed: Uint8Array,
  values: Float32Array,
): Image {
  const { bytes: pixels, words } = allocatePixels(4 * alpha.length);
  for (let i = 0; i < alpha.length; i++) {
    const a = alpha[i]!;
    if (a === 0) continue;
    const at = i * 3;
    if (needed[i] === 0) words[i] = rgb[at]! | (rgb[at + 1]! << 8) | (rgb[at + 2]! << 16) | (a << 24);
    else {
      const from = i * colorChannels;
      words[i] =
        toByte(values[from]!) | (toByte(values[from + 1]!) << 8) | (toByte(values[from + 2]!) << 16) | (a << 24);
    }
  }
  return { ...grid, channels: 4, pixels };
}

interface ColorField {
  readonly values: Float32Array;
  readonly grid: Size;
  readonly positions: SamplePositions;
}

/** Only the runs of soft pixels are copied to the kernels' memory and back, not the photo. */
function correctSoftPixels(
  rgb: Uint8Array,
  alpha: Uint8Array,
  runs: Int32Array,
  { width }: Size,
  { values, grid, positions }: ColorField,
): Uint8Array {
  const out = copyBytes(rgb);
  const rgbOfRun = kernelBytes(3 * width);
  const alphaOfRun = kernelBytes(width);
  const colOf = addressOf(positions.colOf);
  const colWeight = addressOf(positions.colWeight);
  const row = reserve(8 * grid.width * colorChannels);
  const colors = addressOf(values);
  for (let at = 0; at < runs.length; at += 3) {
    const x = runs[at]!;
    const y = runs[at + 1]!;
    const end = x + runs[at + 2]!;
    const first = y * width + x;
    const last = y * width + end;
    // A run is a few pixels long, and there are thousands: views of each would take longer than its bytes.
    for (let i = 3 * first; i < 3 * last; i++) rgbOfRun[i - 3 * first] = rgb[i]!;
    for (let i = first; i < last; i++) alphaOfRun[i - first] = alpha[i]!;
    const above = colors + 4 * colorChannels * positions.rowOf[y]!;
    const below = above + 4 * colorChannels * positions.down;
    kernels.correctRun(
      rgbOfRun.byteOffset,
      alphaOfRun.byteOffset,
      x,
      end,
      colOf,
      colWeight,
      positions.right,
      above,
      below,
      positions.rowWeight[y]!,
      row,
    );
    for (let i = 3 * first; i < 3 * last; i++) out[i] = rgbOfRun[i - 3 * first]!;
  }
  return out;
}

/** A new Uint8Array would be filled with zeros first, which at 36 MB costs as much as the copy. */
export function copyBytes(bytes: Uint8Array): Uint8Array {
  const copy = asUint8Array(Buffer.allocUnsafeSlow(bytes.length));
  copy.set(bytes);
  return copy;
}

export function toByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : (value + 0.5) | 0;
}
