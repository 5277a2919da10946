/**
 * Alpha at full resolution in the band around a region's edge: where a pixel lies on the line from the background's
 * colour beside it to the product's colour beside it.
 */

import { boxMean } from "./box-filter.ts";
import { distanceInside, erode } from "./regions.ts";
import type { Size } from "./resize.ts";
import type { WorkGrid } from "./work-grid.ts";

/** Cells on each side of the edge in which alpha may be soft. */
const bandCells = 3;
/** Cells beside the edge that are mixed themselves and so tell neither side's colour. */
const mixedCells = 2;
const windows = [4, 10, 30] as const;
/** RGB distance below which two colours cannot be told apart; alpha then follows the region's edge. */
const contrastMin = 10;

/**
 * @param region 1 where the product is, on the grid
 * @param rgb interleaved u8 RGB of `size`
 * @returns alpha, u8, of `size`: exactly 0 and 255 outside the band
 */
export function alphaAtEdges(rgb: Uint8Array, size: Size, region: Uint8Array, grid: WorkGrid): Uint8Array {
  const signed = signedDistance(region, grid);
  const product = localColours(grid, region, signed);
  const background = localColours(
    grid,
    region.map((v) => 1 - v),
    signed,
  );
  return drawBand(rgb, size, grid, signed, product, background);
}

/** Cells to the region's edge: positive inside, negative outside, cut at ±(band + 2). */
function signedDistance(region: Uint8Array, grid: Size): Float32Array {
  const limit = bandCells + 2;
  const inside = distanceInside(region, grid, limit);
  const outside = distanceInside(
    region.map((v) => 1 - v),
    grid,
    limit,
  );
  return inside.map((d, i) => (region[i] === 1 ? d - 0.5 : 0.5 - outside[i]!));
}

/** Mean colour of the unmixed cells of `side` around each cell of the band, three planes; the nearest window that has any. */
function localColours(grid: WorkGrid, side: Uint8Array, signed: Float32Array): Float32Array {
  const count = side.length;
  const pure = erode(side, grid, mixedCells);
  const thin = erode(side, grid, 1);
  const colours = new Float32Array(count * 3);
  const done = new Uint8Array(count);
  const weights = new Float32Array(count);
  const scratch = new Float32Array(count);
  for (const [round, radius] of windows.entries()) {
    const source = round === 0 ? pure : round === 1 ? merged(pure, thin) : side;
    for (let i = 0; i < count; i++) weights[i] = source[i]!;
    const weightMean = boxMean(weights, grid, radius);
    const due: number[] = [];
    for (let i = 0; i < count; i++) {
      if (done[i] === 0 && weightMean[i]! > 0.02 && Math.abs(signed[i]!) < bandCells + 2) due.push(i);
    }
    for (let c = 0; c < 3; c++) {
      for (let i = 0; i < count; i++) scratch[i] = source[i]! * grid.rgb[i * 3 + c]!;
      const mean = boxMean(scratch, grid, radius);
      for (const i of due) colours[c * count + i] = mean[i]! / weightMean[i]!;
    }
    for (const i of due) done[i] = 1;
  }
  return colours;
}

function merged(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((v, i) => v | b[i]!);
}

function drawBand(
  rgb: Uint8Array,
  size: Size,
  grid: WorkGrid,
  signed: Float32Array,
  product: Float32Array,
  background: Float32Array,
): Uint8Array {
  const alpha = new Uint8Array(size.width * size.height);
  const count = grid.width * grid.height;
  const sx = grid.width / size.width;
  const sy = grid.height / size.height;
  const right = grid.width > 1 ? 1 : 0;
  const down = grid.height > 1 ? grid.width : 0;
  for (let y = 0; y < size.height; y++) {
    const gy = Math.min(Math.max((y + 0.5) * sy - 0.5, 0), grid.height - 1);
    const y0 = Math.min(gy | 0, Math.max(0, grid.height - 2));
    const fy = gy - y0;
    for (let x = 0; x < size.width; x++) {
      const gx = Math.min(Math.max((x + 0.5) * sx - 0.5, 0), grid.width - 1);
      const x0 = Math.min(gx | 0, Math.max(0, grid.width - 2));
      const at = y0 * grid.width + x0;
      const s = signed[at]!;
      const i = y * size.width + x;
      if (s > bandCells + 1) {
        alpha[i] = 255;
        continue;
      }
      if (s < -bandCells - 1) continue;
      const fx = gx - x0;
      const w00 = (1 - fx) * (1 - fy);
      const w10 = fx * (1 - fy);
      const w01 = (1 - fx) * fy;
      const w11 = fx * fy;
      const blend = (plane: Float32Array, p: number) =>
        plane[p]! * w00 + plane[p + right]! * w10 + plane[p + down]! * w01 + plane[p + right + down]! * w11;
      const d = blend(signed, at);
      if (d >= bandCells) {
        alpha[i] = 255;
        continue;
      }
      if (d <= -bandCells) continue;
      let along = 0;
      let contrast = 0;
      let alongLight = 0;
      let contrastLight = 0;
      let clipped = 255;
      for (let c = 0; c < 3; c++) {
        const b = blend(background, c * count + at);
        const p = blend(product, c * count + at);
        const v = rgb[i * 3 + c]!;
        along += (v - b) * (p - b);
        contrast += (p - b) * (p - b);
        const lb = lightOf[(b + 0.5) | 0]!;
        const lp = lightOf[(p + 0.5) | 0]!;
        alongLight += (lightOf[v]! - lb) * (lp - lb);
        contrastLight += (lp - lb) * (lp - lb);
        if (b < clipped) clipped = b;
      }
      along /= contrast + 1;
      // Optics mix light, retouching mixes sRGB values; a photo may have seen both, so alpha is the mean of the two.
      const mixed = (along + alongLight / (contrastLight + 1e-4)) / 2;
      const byColour = clipped >= clippedMin ? overClipped(along * Math.sqrt(contrast), mixed) : mixed;
      // Colour decides where the sides differ; distance to the region's edge where they do not, and at the band's ends.
      const byDistance = ramp(d / 3 + 0.5);
      const told = Math.sqrt(contrast);
      const trust = told <= contrastMin ? 0 : Math.min(1, (told - contrastMin) / (2 * contrastMin));
      const ends = Math.min(1, bandCells - Math.abs(d));
      const end = d > 0 ? 1 : 0;
      const value = byDistance + trust * (ramp(byColour) - byDistance);
      alpha[i] = Math.round(255 * (end + ends * (value - end)));
    }
  }
  return alpha;
}

/** 0…1 with a twelfth cut off at each end: sensor noise next to 0 and 1 is no softness. */
function ramp(t: number): number {
  return Math.min(1, Math.max(0, (t - 0.08) / 0.84));
}

/**
 * Over a backdrop that the sensor clipped, a pixel that shows any product is mostly product: the backdrop's true light
 * would have washed out less. Half of alpha is given as soon as the pixel is visibly off white.
 *
 * @param offWhite RGB distance from the backdrop along the line to the product
 */
function overClipped(offWhite: number, mixed: number): number {
  return (Math.min(1, Math.max(0, (offWhite - 8) / 12)) + Math.min(1, Math.max(0, mixed))) / 2;
}

/** Linear light of an sRGB value, 0…1. */
const lightOf = Float32Array.from({ length: 257 }, (_, v) => (Math.min(v, 255) / 255) ** 2.2);
/** A backdrop this bright in all channels has been clipped by the sensor or by retouching. */
const clippedMin = 252;
