/** Loops over the shadow that a product casts in its photo. */

import { constantOf, slopeOf } from "./backdrop-fit.ts";

/** Takes bytes of a row at some places of it. @param places i32 */
export function gatherBytes(row: usize, places: usize, count: i32, out: usize): void {
  for (let i = 0; i < count; i++) store<u8>(out + i, load<u8>(row + <usize>load<i32>(places + (i << 2))));
}

/**
 * Lists the cells of a row that are darker than the backdrop, in its color.
 *
 * @param lab f32, interleaved
 * @param covered 1: the cell is left out
 * @param surface f64, six of each channel: the backdrop's, as matting/evidence/backdrop.ts has it
 * @param columns f64: x of each cell, 0…1, and one more
 * @param cells written: i32, the cells of the row
 * @param fits written: f32, the backdrop's lightness there
 * @returns how many
 */
export function listDarkCells(
  lab: usize,
  covered: usize,
  width: i32,
  y: f64,
  surface: usize,
  columns: usize,
  darknessMin: f64,
  tintMax: f64,
  tintShareMax: f64,
  cells: usize,
  fits: usize,
): i32 {
  const constant = constantOf(surface, y);
  const slope = slopeOf(surface, y);
  const bend = load<f64>(surface, 32);
  const constants = f64x2.splat(constant);
  const slopes = f64x2.splat(slope);
  const bends = f64x2.splat(bend);
  const least = f64x2.splat(darknessMin);
  let count = 0;
  for (let x = 0; x < width; x += 2) {
    if (x <= width - 16 && i8x16.all_true(v128.load(covered + x))) {
      x += 14;
      continue;
    }
    const at = v128.load(columns + (x << 3));
    const both = f64x2.add(constants, f64x2.mul(f64x2.add(slopes, f64x2.mul(bends, at)), at));
    const fit = f32x4.demote_f64x2_zero(both);
    const cell = lab + 12 * <usize>x;
    const light = f64x2(load<f32>(cell), load<f32>(cell, 12));
    const isDark = i64x2.bitmask(f64x2.ge(f64x2.sub(f64x2.promote_low_f32x4(fit), light), least));
    if (isDark === 0) continue;
    for (let n = 0; n < 2; n++) {
      if ((isDark & (1 << n)) === 0 || x + n >= width || load<u8>(covered + x + n) === 1) continue;
      const place = load<f64>(columns + ((x + n) << 3));
      const lightness = n === 0 ? f32x4.extract_lane(fit, 0) : f32x4.extract_lane(fit, 1);
      const tint = tintOf(cell + 12 * n, lightness, surface, place, y);
      const darkness = <f64>lightness - <f64>load<f32>(cell + 12 * n);
      if (tint > tintMax + tintShareMax * darkness) continue;
      store<i32>(cells + (count << 2), x + n);
      store<f32>(fits + (count << 2), lightness);
      count++;
    }
  }
  return count;
}

/** As `tintBeside` in matting/evidence/backdrop.ts. */
function tintOf(lab: usize, lightness: f32, surface: usize, x: f64, y: f64): f64 {
  const scale = (<f64>load<f32>(lab) + 16) / (<f64>lightness + 16);
  const a = <f64>load<f32>(lab, 4) - scale * <f64>fitOf(surface + 48, x, y);
  const b = <f64>load<f32>(lab, 8) - scale * <f64>fitOf(surface + 96, x, y);
  return sqrt(a * a + b * b);
}

function fitOf(channel: usize, x: f64, y: f64): f32 {
  return <f32>(constantOf(channel, y) + (slopeOf(channel, y) + load<f64>(channel, 32) * x) * x);
}

/** Writes what is in either mask (u8, 0 or 1). */
export function joinMarks(mask: usize, marks: usize, length: i32, out: usize): void {
  let i = 0;
  for (; i <= length - 16; i += 16) v128.store(out + i, v128.or(v128.load(mask + i), v128.load(marks + i)));
  for (; i < length; i++) store<u8>(out + i, load<u8>(mask + i) | load<u8>(marks + i));
}

/** Writes the bytes that are marked, and 0 for others. */
export function keepBytes(bytes: usize, marks: usize, length: i32, out: usize): void {
  const zero = i8x16.splat(0);
  let i = 0;
  for (; i <= length - 16; i += 16) {
    v128.store(out + i, v128.and(v128.load(bytes + i), i8x16.sub(zero, v128.load(marks + i))));
  }
  for (; i < length; i++) store<u8>(out + i, load<u8>(bytes + i) * load<u8>(marks + i));
}

/**
 * Gives each byte of a plane the largest or the least one within `reach`, along rows and columns; what lies beyond the plane is none.
 *
 * @param line scratch: a row, and `reach` bytes and a vector before and after it
 * @param rows scratch, of the plane's size
 */
export function spreadBytes(
  plane: usize,
  width: i32,
  height: i32,
  reach: i32,
  isLargest: bool,
  line: usize,
  rows: usize,
  out: usize,
): void {
  memory.fill(line, isLargest ? 0 : 255, width + 2 * reach + 32);
  for (let y = 0; y < height; y++) {
    memory.copy(line + reach, plane + y * width, width);
    const to = rows + y * width;
    // The last vector writes beyond the row, which the next row writes over.
    for (let x = 0; x < width; x += 16) {
      let value = v128.load(line + x);
      for (let n = 1; n <= 2 * reach; n++) value = chosen(value, v128.load(line + x + n), isLargest);
      v128.store(to + x, value);
    }
  }
  for (let y = 0; y < height; y++) {
    const first = rows + max(0, y - reach) * width;
    const last = rows + min(height - 1, y + reach) * width;
    const to = out + y * width;
    for (let x = 0; x < width; x += 16) {
      let value = v128.load(first + x);
      for (let row = first + width; row <= last; row += width) value = chosen(value, v128.load(row + x), isLargest);
      v128.store(to + x, value);
    }
  }
}

function chosen(a: v128, b: v128, isLargest: bool): v128 {
  return isLargest ? i8x16.max_u(a, b) : i8x16.min_u(a, b);
}

/** @returns how many bytes are below the limit of what is at their place: a table of 256 */
export function countBelowLimits(bytes: usize, others: usize, length: i32, limits: usize): i32 {
  let count = 0;
  for (let i = 0; i < length; i++) {
    count += <i32>(load<u8>(bytes + i) < load<u8>(limits + <usize>load<u8>(others + i)));
  }
  return count;
}
