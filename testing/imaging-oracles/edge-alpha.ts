/**
 * Alpha at full resolution in the trimap's unknown band around an edge: the position of a pixel's color on the line
 * from the background's color beside the edge to the product's color beside it.
 */

import { bandCells, firstPixelOfCells } from "../../services/inference/imaging/matting/alpha/edge-alpha.ts";
import { type ColorField, edgeColorChannels } from "../../services/inference/imaging/matting/alpha/edge-colors.ts";
import type { WorkGrid } from "../../services/inference/imaging/matting/evidence/work-grid.ts";
import { samplePositions } from "../../services/inference/imaging/pixels/bilinear.ts";
import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";
import { createField, type Field, interpolateAt, interpolateRows } from "./bilinear.ts";
import { estimateEdgeColors } from "./edge-colors.ts";
import { signedDistance } from "./signed-distance.ts";

/** RGB distance below which two colors are too similar; alpha then follows the distance to the edge. */
const contrastMin = 10;

/**
 * @param region 1 where the product is, on the grid
 * @param rgb interleaved u8 RGB of `size`
 * @returns alpha, u8, of `size`: exactly 0 or 255 outside the band
 */
export function estimateEdgeAlpha(rgb: Uint8Array, size: Size, region: Uint8Array, grid: WorkGrid): Uint8Array {
  const signed = signedDistance(region, grid, bandCells + 2);
  return fillBand(rgb, size, grid, signed, estimateEdgeColors(grid, region, signed, bandCells + 1));
}

interface Band {
  readonly rgb: Uint8Array;
  readonly alpha: Uint8Array;
  readonly signed: Field;
  readonly colors: Field;
}

function fillBand(rgb: Uint8Array, size: Size, grid: WorkGrid, signed: Float32Array, field: ColorField): Uint8Array {
  const alpha = new Uint8Array(size.width * size.height);
  const onGrid = samplePositions(size, grid);
  const band: Band = {
    rgb,
    alpha,
    signed: createField(signed, 1, grid, onGrid),
    colors: createField(field.values, edgeColorChannels, field, samplePositions(size, field)),
  };
  const firstPixels = firstPixelOfCells(onGrid.colOf, grid.width);
  const unknown = new Uint8Array(alpha.length);
  let gridRow = -1;
  let runs: Int32Array = new Int32Array();
  for (let y = 0; y < size.height; y++) {
    if (onGrid.rowOf[y] !== gridRow) {
      gridRow = onGrid.rowOf[y]!;
      runs = trimapRuns(signed, gridRow, firstPixels);
    }
    const row = y * size.width;
    for (let k = 0; k < runs.length; k += 3) {
      if (runs[k] === 1) alpha.fill(255, row + runs[k + 1]!, row + runs[k + 2]!);
      else if (runs[k] === 0) {
        fillUnknownRun(band, row, y, runs[k + 1]!, runs[k + 2]!);
        unknown.fill(1, row + runs[k + 1]!, row + runs[k + 2]!);
      }
    }
  }
  return withoutSpecks(alpha, size, unknown);
}

/** Each unknown pixel that is not at the photo's border is between the second lowest and the second highest of the eight around it. */
function withoutSpecks(alpha: Uint8Array, { width, height }: Size, unknown: Uint8Array): Uint8Array {
  const around = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1];
  return alpha.map((value, i) => {
    const x = i % width;
    const isInside = x > 0 && x < width - 1 && i >= width && i < (height - 1) * width;
    if (!isInside || unknown[i] === 0) return value;
    const sorted = around.map((step) => alpha[i + step]!).sort((a, b) => a - b);
    return Math.min(sorted[6]!, Math.max(sorted[1]!, value));
  });
}

const depthsOfPixel = new Float64Array(1);
const colorsOfPixel = new Float64Array(edgeColorChannels);

/**
 * This loop is a function of its own because V8 then compiles all of it, and need not enter `fillBand` in the middle
 * for each photo.
 */
function fillUnknownRun({ rgb, alpha, signed, colors }: Band, row: number, y: number, from: number, to: number): void {
  interpolateRows(signed, y, from, to);
  interpolateRows(colors, y, from, to);
  for (let x = from, i = row + from; x < to; x++, i++) {
    interpolateAt(signed, x, depthsOfPixel);
    const depth = depthsOfPixel[0]!;
    if (depth >= bandCells) alpha[i] = 255;
    if (Math.abs(depth) >= bandCells) continue;
    interpolateAt(colors, x, colorsOfPixel);
    alpha[i] = alphaOfPixel(rgb, i * 3, depthsOfPixel, colorsOfPixel);
  }
}

/**
 * Doubles are passed in arrays, because as arguments and results each would be allocated on the heap.
 *
 * @param depths one value: distance to the edge in cells, negative outside the product
 * @param colors the channels of a cell of the color field
 * @returns 0…255
 */
function alphaOfPixel(rgb: Uint8Array, at: number, depths: Float64Array, colors: Float64Array): number {
  const depth = depths[0]!;
  const backR = colors[0]!;
  const backG = colors[1]!;
  const backB = colors[2]!;
  // Vectors from the background's color to the product's color, and to the pixel's color.
  const lineR = colors[4]! - backR;
  const lineG = colors[5]! - backG;
  const lineB = colors[6]! - backB;
  const r = rgb[at]! - backR;
  const g = rgb[at + 1]! - backG;
  const b = rgb[at + 2]! - backB;
  const lengthSquared = lineR * lineR + lineG * lineG + lineB * lineB;
  const along = (r * lineR + g * lineG + b * lineB) / (lengthSquared + 1);
  const toBackground = r * r + g * g + b * b;
  const lineLength = Math.sqrt(lengthSquared);
  const inLinearLight = mixInLinearLight(rgb, at, colors);
  // Lenses mix linear light, and retouching mixes sRGB values; photos may have both, so alpha is the mean of the two.
  const mixed = (along + inLinearLight) / 2;
  const isClipped = Math.min(backR, backG, backB) >= clippedMin;
  const onLine = ramp(isClipped ? alphaOverClipped(along * lineLength, mixed) : mixed);
  const spreadOfBackground = colors[3]!;
  const spreadOfProduct = colors[7]!;
  // A pixel off the line, or beside a texture, is no mix of the two mean colors: the nearer side decides instead.
  const offSquared = (toBackground - along * along * lengthSquared) / 3;
  const offLine = offSquared > offLineMin * offLineMin ? Math.sqrt(offSquared) : offLineMin;
  const textured = Math.max(spreadOfBackground, spreadOfProduct) / (lineLength + 1);
  const bySide = Math.min(1, Math.max((offLine - offLineMin) / 12, (textured - 0.2) / 0.3));
  let byColor = onLine;
  if (bySide > 0) {
    const toProduct = (r - lineR) ** 2 + (g - lineG) ** 2 + (b - lineB) ** 2;
    const backgroundDistance = toBackground / (spreadOfBackground * spreadOfBackground + noiseVariance);
    const productDistance = toProduct / (spreadOfProduct * spreadOfProduct + noiseVariance);
    const bySpread = ramp(backgroundDistance / (backgroundDistance + productDistance + 1e-3));
    byColor += bySide * (bySpread - onLine);
  }
  // Color decides where the sides differ; the distance to the edge decides where they do not, and at the band's ends.
  const byDistance = ramp(depth / 3 + 0.5);
  const trust = Math.min(1, Math.max(0, (lineLength - contrastMin) / (2 * contrastMin)));
  const value = byDistance + trust * (byColor - byDistance);
  const end = depth > 0 ? 1 : 0;
  return Math.round(255 * (end + Math.min(1, bandCells - Math.abs(depth)) * (value - end)));
}

/** Position between background, 0, and product, 1, in linear light. */
function mixInLinearLight(rgb: Uint8Array, at: number, colors: Float64Array): number {
  const backR = linearLight[(colors[0]! + 0.5) | 0]!;
  const backG = linearLight[(colors[1]! + 0.5) | 0]!;
  const backB = linearLight[(colors[2]! + 0.5) | 0]!;
  const lineR = linearLight[(colors[4]! + 0.5) | 0]! - backR;
  const lineG = linearLight[(colors[5]! + 0.5) | 0]! - backG;
  const lineB = linearLight[(colors[6]! + 0.5) | 0]! - backB;
  const r = linearLight[rgb[at]!]! - backR;
  const g = linearLight[rgb[at + 1]!]! - backG;
  const b = linearLight[rgb[at + 2]!]! - backB;
  return (r * lineR + g * lineG + b * lineB) / (lineR * lineR + lineG * lineG + lineB * lineB + 1e-4);
}

/** Root mean square over the channels; up to this a pixel's distance to the line is noise. */
const offLineMin = 6;
/** RGB variance per channel that noise adds to either side. */
const noiseVariance = 36;

/** Clamps to 0…1 and cuts off a twelfth at each end, because sensor noise next to 0 and 1 is no softness. */
function ramp(t: number): number {
  return Math.min(1, Math.max(0, (t - 0.08) / 0.84));
}

/**
 * Over a backdrop that the sensor clipped, a pixel that shows any product is mostly product, because the backdrop's
 * true light is brighter than 255. Half of alpha is given as soon as the pixel is visibly darker than white.
 *
 * @param offWhite RGB distance from the backdrop along the line to the product
 */
function alphaOverClipped(offWhite: number, mixed: number): number {
  return (Math.min(1, Math.max(0, (offWhite - 8) / 12)) + Math.min(1, Math.max(0, mixed))) / 2;
}

/** Linear light of an sRGB value, 0…1. */
const linearLight = Float32Array.from({ length: 257 }, (_, v) => (Math.min(v, 255) / 255) ** 2.2);
/** A backdrop this bright in all channels was clipped by the sensor or by retouching. */
const clippedMin = 252;

/** The trimap of a row as runs [kind, from, to): kind 1 is product, 0 unknown, −1 background. */
function trimapRuns(signed: Float32Array, gridRow: number, firstPixels: Int32Array): Int32Array {
  const runs: number[] = [];
  let last = 2;
  for (let cell = 0; cell + 1 < firstPixels.length; cell++) {
    if (firstPixels[cell] === firstPixels[cell + 1]) continue;
    const s = signed[gridRow + cell]!;
    const kind = s > bandCells + 1 ? 1 : s < -bandCells - 1 ? -1 : 0;
    if (kind !== last) runs.push(kind, firstPixels[cell]!, firstPixels[cell]!);
    last = kind;
    runs[runs.length - 1] = firstPixels[cell + 1]!;
  }
  return Int32Array.from(runs);
}
