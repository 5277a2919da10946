/** Alpha of the pixels in the band around an edge, as `estimateEdgeAlpha` in matting/ describes it, to the same bytes. */

import { between, interpolateRows } from "./bilinear.ts";

const bandCells: f64 = 3;
const contrastMin: f64 = 10;
const offLineMin: f64 = 6;
const noiseVariance: f64 = 36;
const clippedMin: f64 = 252;
/** Channels of the color field: the background's red, green, blue and spread, then the product's. */
const colorChannels: i32 = 8;

/**
 * Fills a run of pixels in a row of the photo.
 *
 * @param rgb and `alpha`: the run's first pixel; of alpha, only what is in the band or inside is written
 * @param cells u32: of the distances' field the columns, their weights, the rows above and below, scratch for a row, and
 *   the step to the next column; the same of the color field; and the table of linear light
 * @param heights f64: the weights of both fields' rows below
 */
export function fillUnknownRun(rgb: usize, alpha: usize, from: i32, end: i32, cells: usize, heights: usize): void {
  const depthColOf = pointer(cells, 0);
  const depthColWeight = pointer(cells, 1);
  const depthRow = pointer(cells, 4);
  const depthStep = load<i32>(cells, 20);
  const colorColOf = pointer(cells, 6);
  const colorColWeight = pointer(cells, 7);
  const colorRow = pointer(cells, 10);
  const colorStep = load<i32>(cells, 44);
  const linear = pointer(cells, 12);
  const depthWeight = load<f64>(heights);
  const colorWeight = load<f64>(heights, 8);
  const firstDepth = load<i32>(depthColOf + (from << 2));
  const endDepth = load<i32>(depthColOf + ((end - 1) << 2)) + depthStep + 1;
  interpolateRows(pointer(cells, 2), pointer(cells, 3), depthWeight, firstDepth, endDepth, 1, depthRow);
  const firstColor = load<i32>(colorColOf + (from << 2));
  const endColor = load<i32>(colorColOf + ((end - 1) << 2)) + colorStep + 1;
  interpolateRows(pointer(cells, 8), pointer(cells, 9), colorWeight, firstColor, endColor, colorChannels, colorRow);
  for (let x = from; x < end; x++, rgb += 3, alpha++) {
    const at = depthRow + (load<i32>(depthColOf + (x << 2)) << 3);
    const depth = between(at, at + (depthStep << 3), <f64>load<f32>(depthColWeight + (x << 2)));
    if (depth >= bandCells) store<u8>(alpha, 255);
    if (abs(depth) >= bandCells) continue;
    const color = colorRow + load<i32>(colorColOf + (x << 2)) * colorChannels * 8;
    const weight = <f64>load<f32>(colorColWeight + (x << 2));
    store<u8>(alpha, ofPixel(rgb, depth, color, color + colorStep * colorChannels * 8, weight, linear));
  }
}

/**
 * The trimap of a row of cells, as runs of pixels of three i32: kind (1 product, 0 unknown, −1 background), first pixel, end.
 *
 * @param signed the row's distances to the edge, f32
 * @param band distance up to which a cell is unknown
 * @param firstPixels i32, the first pixel of each cell, and the row's end
 * @returns the number of runs
 */
export function writeTrimapRuns(signed: usize, cells: i32, band: f32, firstPixels: usize, runs: usize): i32 {
  const product = f32x4.splat(band);
  const background = f32x4.splat(-band);
  let count = 0;
  let last = 2;
  let to = runs - 12;
  for (let cell = 0; cell < cells; cell++) {
    if (last !== 0 && last !== 2 && cell <= cells - 4) {
      // Most of a row lies far from the edge.
      const four = v128.load(signed + (cell << 2));
      const same = last > 0 ? f32x4.gt(four, product) : f32x4.lt(four, background);
      if (i32x4.all_true(same)) {
        cell += 3;
        store<i32>(to, load<i32>(firstPixels + (cell << 2), 4), 8);
        continue;
      }
    }
    const first = load<i32>(firstPixels + (cell << 2));
    const end = load<i32>(firstPixels + (cell << 2), 4);
    if (first === end) continue;
    const distance = load<f32>(signed + (cell << 2));
    const kind = distance > band ? 1 : distance < -band ? -1 : 0;
    if (kind !== last) {
      to += 12;
      count++;
      store<i32>(to, kind);
      store<i32>(to, first, 4);
    }
    last = kind;
    store<i32>(to, end, 8);
  }
  return count;
}

function pointer(cells: usize, index: i32): usize {
  return <usize>load<u32>(cells + (index << 2));
}

function ofPixel(rgb: usize, depth: f64, color: usize, next: usize, weight: f64, linear: usize): u8 {
  const backR = between(color, next, weight);
  const backG = between(color + 8, next + 8, weight);
  const backB = between(color + 16, next + 16, weight);
  const spreadOfBackground = between(color + 24, next + 24, weight);
  const frontR = between(color + 32, next + 32, weight);
  const frontG = between(color + 40, next + 40, weight);
  const frontB = between(color + 48, next + 48, weight);
  const spreadOfProduct = between(color + 56, next + 56, weight);
  // Vectors from the background's color to the product's color, and to the pixel's color.
  const lineR = frontR - backR;
  const lineG = frontG - backG;
  const lineB = frontB - backB;
  const r = <f64>load<u8>(rgb) - backR;
  const g = <f64>load<u8>(rgb, 1) - backG;
  const b = <f64>load<u8>(rgb, 2) - backB;
  const lengthSquared = lineR * lineR + lineG * lineG + lineB * lineB;
  const along = (r * lineR + g * lineG + b * lineB) / (lengthSquared + 1);
  const toBackground = r * r + g * g + b * b;
  const lineLength = sqrt(lengthSquared);
  const inLinearLight = mixInLinearLight(rgb, backR, backG, backB, frontR, frontG, frontB, linear);
  const mixed = (along + inLinearLight) / 2;
  const isClipped = min(backR, min(backG, backB)) >= clippedMin;
  const onLine = ramp(isClipped ? alphaOverClipped(along * lineLength, mixed) : mixed);
  const offSquared = (toBackground - along * along * lengthSquared) / 3;
  const offLine = offSquared > offLineMin * offLineMin ? sqrt(offSquared) : offLineMin;
  const textured = max(spreadOfBackground, spreadOfProduct) / (lineLength + 1);
  const bySide = min(1, max((offLine - offLineMin) / 12, (textured - 0.2) / 0.3));
  let byColor = onLine;
  if (bySide > 0) {
    const toR = r - lineR;
    const toG = g - lineG;
    const toB = b - lineB;
    const toProduct = toR * toR + toG * toG + toB * toB;
    const backgroundDistance = toBackground / (spreadOfBackground * spreadOfBackground + noiseVariance);
    const productDistance = toProduct / (spreadOfProduct * spreadOfProduct + noiseVariance);
    const bySpread = ramp(backgroundDistance / (backgroundDistance + productDistance + 1e-3));
    byColor += bySide * (bySpread - onLine);
  }
  const byDistance = ramp(depth / 3 + 0.5);
  const trust = min(1, max(0, (lineLength - contrastMin) / (2 * contrastMin)));
  const value = byDistance + trust * (byColor - byDistance);
  const end: f64 = depth > 0 ? 1 : 0;
  return <u8>floor(255 * (end + min(1, bandCells - abs(depth)) * (value - end)) + 0.5);
}

/** Position between background, 0, and product, 1, in linear light. */
function mixInLinearLight(
  rgb: usize,
  backR: f64,
  backG: f64,
  backB: f64,
  frontR: f64,
  frontG: f64,
  frontB: f64,
  linear: usize,
): f64 {
  const fromR = lightOf(linear, backR);
  const fromG = lightOf(linear, backG);
  const fromB = lightOf(linear, backB);
  const lineR = lightOf(linear, frontR) - fromR;
  const lineG = lightOf(linear, frontG) - fromG;
  const lineB = lightOf(linear, frontB) - fromB;
  const r = <f64>load<f32>(linear + ((<usize>load<u8>(rgb)) << 2)) - fromR;
  const g = <f64>load<f32>(linear + ((<usize>load<u8>(rgb, 1)) << 2)) - fromG;
  const b = <f64>load<f32>(linear + ((<usize>load<u8>(rgb, 2)) << 2)) - fromB;
  return (r * lineR + g * lineG + b * lineB) / (lineR * lineR + lineG * lineG + lineB * lineB + 1e-4);
}

function lightOf(linear: usize, value: f64): f64 {
  return <f64>load<f32>(linear + ((<usize>(<i32>(value + 0.5))) << 2));
}

/** Clamps to 0…1 and cuts off a twelfth at each end. */
function ramp(t: f64): f64 {
  return min(1, max(0, (t - 0.08) / 0.84));
}

function alphaOverClipped(offWhite: f64, mixed: f64): f64 {
  return (min(1, max(0, (offWhite - 8) / 12)) + min(1, max(0, mixed))) / 2;
}
