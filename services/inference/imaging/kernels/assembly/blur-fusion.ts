/** Both passes of blur fusion and the correction of soft pixels, as `estimateForeground` in matting/ describes them. */

import { between, interpolateRows } from "./bilinear.ts";

/** Alpha, the product's colors times alpha, and all colors; a table's entry has as many. */
const tableChannels: i32 = 7;
/** The product's weight, its colors times that, the background's times 1 − alpha; and alpha. */
const shareChannels: i32 = 8;
/** The product's red, green and blue, then the background's. */
const colorChannels: i32 = 6;
const epsilon: f64 = 1e-5;
/** Weight of a cell at the product's rim, of its alpha: where no cell within reach is whole, rims must do. */
const rimWeight: f64 = 1 / 16;

/** Summed-area table of alpha, the colors times alpha, and the colors: (width + 1) × (height + 1) × 7 i32. */
export function buildWeightedTable(rgb: usize, alpha: usize, width: i32, height: i32, table: usize): void {
  const rowBytes = (width + 1) * tableChannels * 4;
  memory.fill(table, 0, rowBytes);
  for (let y = 0; y < height; y++) {
    let to = table + (y + 1) * rowBytes;
    memory.fill(to, 0, tableChannels * 4);
    // Alpha and the colors times alpha in one vector; the colors beside it.
    let weighted = i32x4.splat(0);
    let reds = 0;
    let greens = 0;
    let blues = 0;
    for (let x = 0; x < width; x++, rgb += 3, alpha++) {
      to += tableChannels * 4;
      const a = <i32>load<u8>(alpha);
      const r = <i32>load<u8>(rgb);
      const g = <i32>load<u8>(rgb, 1);
      const b = <i32>load<u8>(rgb, 2);
      let cell = i32x4.replace_lane(i32x4.splat(1), 1, r);
      cell = i32x4.replace_lane(cell, 2, g);
      cell = i32x4.replace_lane(cell, 3, b);
      weighted = i32x4.add(weighted, i32x4.mul(cell, i32x4.splat(a)));
      reds += r;
      greens += g;
      blues += b;
      const above = to - rowBytes;
      v128.store(to, i32x4.add(weighted, v128.load(above)));
      store<i32>(to, reds + load<i32>(above, 16), 16);
      store<i32>(to, greens + load<i32>(above, 20), 20);
      store<i32>(to, blues + load<i32>(above, 24), 24);
    }
  }
}

/** The first pass, over wide windows: per needed cell its alpha, and both sides' colors weighted by what each has of it. */
export function firstPass(
  rgb: usize,
  alpha: usize,
  width: i32,
  height: i32,
  radius: i32,
  needed: usize,
  table: usize,
  shares: usize,
): void {
  const entry = tableChannels * 4;
  let i = 0;
  for (let y = 0; y < height; y++) {
    const top = max(0, y - radius) * (width + 1);
    const bottom = min(height, y + radius + 1) * (width + 1);
    const rows = min(height, y + radius + 1) - max(0, y - radius);
    for (let x = 0; x < width; x++, i++) {
      if (load<u8>(needed + i) === 0) continue;
      const left = max(0, x - radius);
      const right = min(width, x + radius + 1);
      const cells = <f64>(255 * (right - left) * rows);
      const aboveLeft = table + (top + left) * entry;
      const aboveRight = table + (top + right) * entry;
      const belowLeft = table + (bottom + left) * entry;
      const belowRight = table + (bottom + right) * entry;
      const a = <f64>load<u8>(alpha + i) / 255;
      const to = shares + i * shareChannels * 4;
      const weight = max(<f64>lowestAround(alpha, width, height, x, y) / 255, rimWeight * a);
      store<f32>(to, <f32>weight);
      store<f32>(to, <f32>a, 28);
      const sumOfAlpha = <f64>windowSum(aboveLeft, aboveRight, belowLeft, belowRight);
      for (let c = 0; c < 3; c++) {
        const k = 4 + (c << 2);
        const weighted = <f64>windowSum(aboveLeft + k, aboveRight + k, belowLeft + k, belowRight + k);
        const all = <f64>windowSum(aboveLeft + k + 12, aboveRight + k + 12, belowLeft + k + 12, belowRight + k + 12);
        const product = weighted / (sumOfAlpha + epsilon * cells);
        const background = (255 * all - weighted) / (cells - sumOfAlpha + epsilon * cells);
        const residual = <f64>load<u8>(rgb + i * 3 + c) - a * product - (1 - a) * background;
        store<f32>(to + k, <f32>(weight * <f64>(<f32>(product + a * residual))));
        store<f32>(to + k + 12, <f32>((1 - a) * <f64>(<f32>(background + (1 - a) * residual))));
      }
    }
  }
}

/** The lowest alpha of a cell and the eight around it: where it is 255, no cell beside it mixes both sides' colors. */
function lowestAround(alpha: usize, width: i32, height: i32, x: i32, y: i32): i32 {
  let lowest = 255;
  for (let v = max(0, y - 1); v <= min(height - 1, y + 1); v++) {
    for (let u = max(0, x - 1); u <= min(width - 1, x + 1); u++) {
      lowest = min(lowest, <i32>load<u8>(alpha + v * width + u));
    }
  }
  return lowest;
}

function windowSum(aboveLeft: usize, aboveRight: usize, belowLeft: usize, belowRight: usize): i32 {
  return load<i32>(belowRight) - load<i32>(belowLeft) - (load<i32>(aboveRight) - load<i32>(aboveLeft));
}

/** The second pass, over narrow windows of the first one's result: both sides' colors of the needed cells. */
export function secondPass(
  rgb: usize,
  alpha: usize,
  width: i32,
  height: i32,
  radius: i32,
  needed: usize,
  shares: usize,
  sums: usize,
  values: usize,
): void {
  let i = 0;
  for (let y = 0; y < height; y++) {
    const top = max(0, y - radius);
    const bottom = min(height, y + radius + 1);
    for (let x = 0; x < width; x++, i++) {
      if (load<u8>(needed + i) === 0) continue;
      const left = max(0, x - radius);
      const right = min(width, x + radius + 1);
      sumShares(shares, width, left, right, top, bottom, sums);
      const cells = <f64>((right - left) * (bottom - top));
      const a = <f64>load<u8>(alpha + i) / 255;
      const sumOfWeights = load<f64>(sums) + epsilon * cells;
      const ground = cells - load<f64>(sums, 56) + epsilon * cells;
      for (let c = 0; c < 3; c++) {
        const product = load<f64>(sums + ((1 + c) << 3)) / sumOfWeights;
        const background = load<f64>(sums + ((4 + c) << 3)) / ground;
        const residual = <f64>load<u8>(rgb + i * 3 + c) - a * product - (1 - a) * background;
        const to = values + ((i * colorChannels + c) << 2);
        store<f32>(to, <f32>(product + a * residual));
        store<f32>(to, <f32>(background + (1 - a) * residual), 12);
      }
    }
  }
}

/** Sums all eight channels in doubles, each in the order of rows and cells. */
function sumShares(shares: usize, width: i32, left: i32, right: i32, top: i32, bottom: i32, sums: usize): void {
  let s01 = f64x2.splat(0);
  let s23 = f64x2.splat(0);
  let s45 = f64x2.splat(0);
  let s67 = f64x2.splat(0);
  for (let v = top; v < bottom; v++) {
    let at = shares + (v * width + left) * shareChannels * 4;
    const end = shares + (v * width + right) * shareChannels * 4;
    for (; at < end; at += shareChannels * 4) {
      s01 = f64x2.add(s01, f64x2.promote_low_f32x4(v128.load64_zero(at)));
      s23 = f64x2.add(s23, f64x2.promote_low_f32x4(v128.load64_zero(at, 8)));
      s45 = f64x2.add(s45, f64x2.promote_low_f32x4(v128.load64_zero(at, 16)));
      s67 = f64x2.add(s67, f64x2.promote_low_f32x4(v128.load64_zero(at, 24)));
    }
  }
  v128.store(sums, s01);
  v128.store(sums, s23, 16);
  v128.store(sums, s45, 32);
  v128.store(sums, s67, 48);
}

/**
 * Corrects the colors of a run of soft pixels in a row of the photo.
 *
 * @param rgb and `alpha`: the run's first pixel
 * @param above and `below`: the color field's rows, 6 f32 per cell; `row`: scratch, 6 f64 per cell
 */
export function correctRun(
  rgb: usize,
  alpha: usize,
  from: i32,
  end: i32,
  colOf: usize,
  colWeight: usize,
  step: i32,
  above: usize,
  below: usize,
  rowWeight: f64,
  row: usize,
): void {
  const firstCell = load<i32>(colOf + (from << 2));
  const endCell = load<i32>(colOf + ((end - 1) << 2)) + step + 1;
  interpolateRows(above, below, rowWeight, firstCell, endCell, colorChannels, row);
  for (let x = from; x < end; x++, rgb += 3, alpha++) {
    const color = row + load<i32>(colOf + (x << 2)) * colorChannels * 8;
    const next = color + step * colorChannels * 8;
    correctPixel(rgb, <f64>load<u8>(alpha) / 255, color, next, <f64>load<f32>(colWeight + (x << 2)));
  }
}

function correctPixel(rgb: usize, a: f64, color: usize, next: usize, weight: f64): void {
  const pr = between(color, next, weight);
  const pg = between(color + 8, next + 8, weight);
  const pb = between(color + 16, next + 16, weight);
  const br = between(color + 24, next + 24, weight);
  const bg = between(color + 32, next + 32, weight);
  const bb = between(color + 40, next + 40, weight);
  const residualR = <f64>load<u8>(rgb) - a * pr - (1 - a) * br;
  const residualG = <f64>load<u8>(rgb, 1) - a * pg - (1 - a) * bg;
  const residualB = <f64>load<u8>(rgb, 2) - a * pb - (1 - a) * bb;
  const toward = residualR * (br - pr) + residualG * (bg - pg) + residualB * (bb - pb);
  const lengthSquared = 1e-3 + (br - pr) * (br - pr) + (bg - pg) * (bg - pg) + (bb - pb) * (bb - pb);
  // A residual toward the background's color is background that remains, not the product's texture.
  const spill = max(0, toward / lengthSquared);
  store<u8>(rgb, toByte(pr + a * (residualR - spill * (br - pr))));
  store<u8>(rgb, toByte(pg + a * (residualG - spill * (bg - pg))), 1);
  store<u8>(rgb, toByte(pb + a * (residualB - spill * (bb - pb))), 2);
}

function toByte(value: f64): u8 {
  return value < 0 ? 0 : value > 255 ? 255 : <u8>(value + 0.5);
}
