/**
 * Alpha at full resolution in the band around a region's edge: where a pixel lies on the line from the background's
 * colour beside it to the product's colour beside it.
 */

import { boxMean } from "./box-filter.ts";
import { distanceInside, erode } from "./regions.ts";
import { bilinear, type Bilinear, placesAlong } from "./bilinear.ts";
import type { Size } from "./resize.ts";
import type { WorkGrid } from "./work-grid.ts";

/** Cells on each side of the edge in which alpha may be soft. */
const bandCells = 3;
/** Cells beside the edge that are mixed themselves and so tell neither side's colour. */
const mixedCells = 2;
/** Radii around a cell in which its sides' colours are looked for, in cells of the colour grid; each wider than the last. */
const windows = [2, 6, 16] as const;
/** RGB distance below which two colours cannot be told apart; alpha then follows the region's edge. */
const contrastMin = 10;

/**
 * @param region 1 where the product is, on the grid
 * @param rgb interleaved u8 RGB of `size`
 * @returns alpha, u8, of `size`: exactly 0 and 255 outside the band
 */
export function alphaAtEdges(rgb: Uint8Array, size: Size, region: Uint8Array, grid: WorkGrid): Uint8Array {
  const outside = region.map((v) => 1 - v);
  const signed = signedDistance(region, outside, grid);
  const product = localColours(grid, region);
  const background = localColours(grid, outside);
  return drawBand(rgb, size, grid, signed, product, background);
}

/** Cells to the region's edge: positive inside, negative outside, cut at ±(band + 2). */
function signedDistance(inside: Uint8Array, outside: Uint8Array, grid: Size): Float32Array {
  const limit = bandCells + 2;
  const depth = distanceInside(inside, grid, limit);
  const height = distanceInside(outside, grid, limit);
  return depth.map((d, i) => (inside[i] === 1 ? d - 0.5 : 0.5 - height[i]!));
}

interface ColourField extends Size {
  /** Three planes, 0…255. */
  readonly planes: readonly [Float32Array, Float32Array, Float32Array];
  /** Standard deviation of the colours averaged, per channel. */
  readonly spread: Float32Array;
}

/**
 * Mean colour of one side around each cell, on a grid of half the work grid's resolution: of its unmixed cells near by,
 * else of all its cells in ever wider windows.
 */
function localColours(grid: WorkGrid, side: Uint8Array): ColourField {
  const pure = halved(grid, erode(side, grid, mixedCells));
  const any = halved(grid, side);
  const { width, height } = pure;
  const size = { width, height };
  const field: ColourField = {
    width,
    height,
    planes: planesOf(width * height),
    spread: new Float32Array(width * height),
  };
  const open = new Uint8Array(width * height).fill(1);
  const rounds = windows.flatMap((radius, i) => [
    { source: pure, radius },
    ...(i > 0 ? [{ source: any, radius }] : []),
  ]);
  for (const { source, radius } of rounds) {
    const weight = boxMean(source.weight, size, radius);
    const means = source.planes.map((plane) => boxMean(plane, size, radius));
    const squares = boxMean(source.squares, size, radius);
    for (let i = 0; i < open.length; i++) {
      if (open[i] === 0 || weight[i]! < 0.02) continue;
      open[i] = 0;
      let variance = squares[i]! / weight[i]!;
      for (let c = 0; c < 3; c++) {
        const mean = means[c]![i]! / weight[i]!;
        field.planes[c]![i] = mean;
        variance -= mean * mean;
      }
      field.spread[i] = Math.sqrt(Math.max(0, variance / 3));
    }
  }
  return field;
}

function planesOf(count: number): [Float32Array, Float32Array, Float32Array] {
  return [new Float32Array(count), new Float32Array(count), new Float32Array(count)];
}

/** Sums of masked colour, of its square and of the mask over 2 × 2 cells. */
function halved(grid: WorkGrid, mask: Uint8Array) {
  const width = (grid.width + 1) >> 1;
  const height = (grid.height + 1) >> 1;
  const weight = new Float32Array(width * height);
  const squares = new Float32Array(width * height);
  const planes = planesOf(width * height);
  for (let y = 0; y < grid.height; y++) {
    for (let x = 0; x < grid.width; x++) {
      const i = y * grid.width + x;
      if (mask[i] === 0) continue;
      const to = (y >> 1) * width + (x >> 1);
      weight[to]!++;
      const [r, g, b] = [grid.rgb[i * 3]!, grid.rgb[i * 3 + 1]!, grid.rgb[i * 3 + 2]!];
      planes[0][to]! += r;
      planes[1][to]! += g;
      planes[2][to]! += b;
      squares[to]! += r * r + g * g + b * b;
    }
  }
  return { width, height, weight, squares, planes };
}

function drawBand(
  rgb: Uint8Array,
  size: Size,
  grid: WorkGrid,
  signed: Float32Array,
  product: ColourField,
  background: ColourField,
): Uint8Array {
  const alpha = new Uint8Array(size.width * size.height);
  const onGrid = placesAlong(size, grid);
  const onField = placesAlong(size, product);
  const d = bilinear();
  const colour = bilinear();
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const i = y * size.width + x;
      const s = signed[onGrid.rowOf[y]! + onGrid.colOf[x]!]!;
      if (s > bandCells + 1) alpha[i] = 255;
      if (Math.abs(s) > bandCells + 1) continue;
      d.moveTo(onGrid, x, y);
      const depth = d.at(signed);
      if (depth >= bandCells) alpha[i] = 255;
      if (Math.abs(depth) >= bandCells) continue;
      colour.moveTo(onField, x, y);
      alpha[i] = Math.round(255 * alphaOfPixel(rgb, i * 3, depth, colour, product, background));
    }
  }
  return alpha;
}

/** @param depth cells inside the region's edge; negative outside */
function alphaOfPixel(
  rgb: Uint8Array,
  at: number,
  depth: number,
  colour: Bilinear,
  product: ColourField,
  background: ColourField,
): number {
  let along = 0;
  let contrast = 0;
  let alongLight = 0;
  let contrastLight = 0;
  let toBackground = 0;
  let toProduct = 0;
  let least = 255;
  for (let c = 0; c < 3; c++) {
    const b = colour.at(background.planes[c]!);
    const p = colour.at(product.planes[c]!);
    const v = rgb[at + c]!;
    along += (v - b) * (p - b);
    contrast += (p - b) * (p - b);
    toBackground += (v - b) * (v - b);
    toProduct += (v - p) * (v - p);
    const lb = lightOf[(b + 0.5) | 0]!;
    const lp = lightOf[(p + 0.5) | 0]!;
    alongLight += (lightOf[v]! - lb) * (lp - lb);
    contrastLight += (lp - lb) * (lp - lb);
    if (b < least) least = b;
  }
  along /= contrast + 1;
  const told = Math.sqrt(contrast);
  // Optics mix light, retouching mixes sRGB values; a photo may have seen both, so alpha is the mean of the two.
  const mixed = (along + alongLight / (contrastLight + 1e-4)) / 2;
  const onLine = ramp(least >= clippedMin ? overClipped(along * told, mixed) : mixed);
  const spreadB = colour.at(background.spread);
  const spreadP = colour.at(product.spread);
  // A pixel off the line, or beside a texture, is no mix of the two means: which side's colours does it belong to?
  const offLine = Math.sqrt(Math.max(0, toBackground - along * along * contrast) / 3);
  const textured = Math.max(spreadB, spreadP) / (told + 1);
  const bySide = Math.min(1, Math.max(0, (offLine - 6) / 12, (textured - 0.2) / 0.3));
  const farB = toBackground / (spreadB * spreadB + noiseVariance);
  const farP = toProduct / (spreadP * spreadP + noiseVariance);
  const side = ramp(farB / (farB + farP + 1e-3));
  const byColour = onLine + bySide * (side - onLine);
  // Colour decides where the sides differ; distance to the region's edge where they do not, and at the band's ends.
  const byDistance = ramp(depth / 3 + 0.5);
  const trust = Math.min(1, Math.max(0, (told - contrastMin) / (2 * contrastMin)));
  const value = byDistance + trust * (byColour - byDistance);
  const end = depth > 0 ? 1 : 0;
  return end + Math.min(1, bandCells - Math.abs(depth)) * (value - end);
}

/** RGB variance per channel that any side has. */
const noiseVariance = 36;

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
