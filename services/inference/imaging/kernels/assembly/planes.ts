/** Loops over whole planes: colors to Lab, distances to the backdrop, runs of a mask, smoothing. */

/** The memo of colors has 2 to this power entries. */
const memoBits: i32 = 14;

/**
 * Interleaved u8 sRGB to interleaved f32 Lab, as pixels/lab.ts describes it, to the bit.
 *
 * @param linear f64, 256 values: linear light of an sRGB value
 * @param roots f32: CIE 15's f(t) at t = i ÷ 16384
 * @param memo entries of L, a, b (f32) and their color (i32): most of a photo's pixels have a color that a pixel shortly before had
 */
export function rgbToLab(rgb: usize, pixels: i32, linear: usize, roots: usize, memo: usize, lab: usize): void {
  for (let i = 0; i < pixels; i++, rgb += 3, lab += 12) {
    const color = <i32>load<u8>(rgb) | ((<i32>load<u8>(rgb, 1)) << 8) | ((<i32>load<u8>(rgb, 2)) << 16);
    const entry = memo + ((<u32>(color * 0x9e3779b1) >> (32 - memoBits)) << 4);
    let known = v128.load(entry);
    if (i32x4.extract_lane(known, 3) !== color) {
      known = i32x4.replace_lane(labOf(rgb, linear, roots), 3, color);
      v128.store(entry, known);
    }
    // The next pixel writes over the color.
    v128.store(lab, known);
  }
}

function labOf(rgb: usize, linear: usize, roots: usize): v128 {
  const r = load<f64>(linear + ((<usize>load<u8>(rgb)) << 3));
  const g = load<f64>(linear + ((<usize>load<u8>(rgb, 1)) << 3));
  const b = load<f64>(linear + ((<usize>load<u8>(rgb, 2)) << 3));
  const x = rootOf(roots, (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = rootOf(roots, 0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = rootOf(roots, (0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return f32x4(<f32>(116 * y - 16), <f32>(500 * (x - y)), <f32>(200 * (y - z)), 0);
}

/** CIE 15's f(t), between two entries of its table. */
function rootOf(roots: usize, t: f64): f64 {
  const at = t * 16384;
  const i = <i32>at;
  const entry = roots + (i << 2);
  const low = <f64>load<f32>(entry);
  return low + (<f64>load<f32>(entry, 4) - low) * (at - <f64>i);
}

/** Maps bytes to f32, 0 to 0 and 255 to 1; up to three beyond the end. */
export function toUnitRange(bytes: usize, length: i32, out: usize): void {
  const most = f32x4.splat(255);
  for (let i = 0; i < length; i += 4) {
    const halves = i16x8.extend_low_i8x16_u(v128.load32_zero(bytes + i));
    const four = f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(halves));
    v128.store(out + (i << 2), f32x4.div(four, most));
  }
}

/** 1 where the plane reaches `threshold`. */
export function thresholdPlane(plane: usize, length: i32, threshold: f64, out: usize): void {
  // Every float but the nearest one compares with the double as with that float.
  const nearest = <f32>threshold;
  const limits = f32x4.splat(nearest);
  const isBelow = <f64>nearest < threshold;
  const one = i8x16.splat(1);
  let i = 0;
  for (; i <= length - 16; i += 16) {
    const at = plane + (i << 2);
    const upper = i16x8.narrow_i32x4_s(reaches(at, limits, isBelow), reaches(at + 16, limits, isBelow));
    const lower = i16x8.narrow_i32x4_s(reaches(at + 32, limits, isBelow), reaches(at + 48, limits, isBelow));
    v128.store(out + i, v128.and(i8x16.narrow_i16x8_s(upper, lower), one));
  }
  for (; i < length; i++) store<u8>(out + i, <f64>load<f32>(plane + (i << 2)) >= threshold ? 1 : 0);
}

/** 1 where the plane is above `limit`. */
export function marksAbove(plane: usize, length: i32, limit: f64, out: usize): void {
  // No float lies between the limit and the nearest one: where that is more, what is above reaches it.
  const nearest = <f32>limit;
  const limits = f32x4.splat(nearest);
  const isBelow = <f64>nearest <= limit;
  const one = i8x16.splat(1);
  let i = 0;
  for (; i <= length - 16; i += 16) {
    const at = plane + (i << 2);
    const upper = i16x8.narrow_i32x4_s(reaches(at, limits, isBelow), reaches(at + 16, limits, isBelow));
    const lower = i16x8.narrow_i32x4_s(reaches(at + 32, limits, isBelow), reaches(at + 48, limits, isBelow));
    v128.store(out + i, v128.and(i8x16.narrow_i16x8_s(upper, lower), one));
  }
  for (; i < length; i++) store<u8>(out + i, <f64>load<f32>(plane + (i << 2)) > limit ? 1 : 0);
}

function reaches(at: usize, limits: v128, isBelow: bool): v128 {
  return isBelow ? f32x4.gt(v128.load(at), limits) : f32x4.ge(v128.load(at), limits);
}

/**
 * Sums up what is neither product nor background, away from the edge between them.
 *
 * @param outer and `inner`: the product, dilated and eroded
 * @returns the sum of min(alpha, 255 − alpha) over all cells that are not between the two
 */
export function sumOfSoftness(alpha: usize, outer: usize, inner: usize, length: i32): f64 {
  let sums = i64x2.splat(0);
  let i = 0;
  for (; i <= length - 16; i += 16) {
    const a = v128.load(alpha + i);
    const isFar = i8x16.eq(v128.load(outer + i), v128.load(inner + i));
    const soft = v128.and(i8x16.min_u(a, v128.not(a)), isFar);
    const four = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(soft));
    sums = i64x2.add(sums, i64x2.add(i64x2.extend_low_i32x4_u(four), i64x2.extend_high_i32x4_u(four)));
  }
  let sum = i64x2.extract_lane(sums, 0) + i64x2.extract_lane(sums, 1);
  for (; i < length; i++) {
    const a = <i32>load<u8>(alpha + i);
    if (load<u8>(outer + i) === load<u8>(inner + i)) sum += min(a, 255 - a);
  }
  return <f64>sum;
}

/** 1 where a byte reaches `threshold`. @returns how often */
export function thresholdBytes(bytes: usize, length: i32, threshold: i32, out: usize): i32 {
  const limits = i8x16.splat(<i8>threshold);
  const one = i8x16.splat(1);
  let count = 0;
  let i = 0;
  for (; i <= length - 16; i += 16) {
    const reaches = i8x16.ge_u(v128.load(bytes + i), limits);
    v128.store(out + i, v128.and(reaches, one));
    count += popcnt(i8x16.bitmask(reaches));
  }
  for (; i < length; i++) {
    const reaches = <i32>(<i32>load<u8>(bytes + i) >= threshold);
    store<u8>(out + i, reaches);
    count += reaches;
  }
  return count;
}

/** i8: 1 where a cell is surely product, −1 where it is surely background, both far from the edge; else 0. */
export function findSeeds(depth: usize, prior: usize, length: i32, reach: f64, out: usize): void {
  // .8 and .2 as floats are a little more: among floats, what is more than .8 is at least the float.
  const far = f32x4.splat(<f32>(reach - 0.5));
  const product = f32x4.splat(0.8);
  const background = f32x4.splat(0.2);
  let i = 0;
  for (; i <= length - 4; i += 4) {
    const d = v128.load(depth + (i << 2));
    const p = v128.load(prior + (i << 2));
    const isProduct = v128.and(f32x4.gt(d, far), f32x4.ge(p, product));
    const isBackground = v128.and(f32x4.lt(d, f32x4.neg(far)), f32x4.lt(p, background));
    // All bits set are −1.
    const side = i32x4.sub(isBackground, isProduct);
    const halves = i16x8.narrow_i32x4_s(side, side);
    v128.store32_lane(out + i, i8x16.narrow_i16x8_s(halves, halves), 0);
  }
  for (; i < length; i++) {
    const d = <f64>load<f32>(depth + (i << 2));
    const p = <f64>load<f32>(prior + (i << 2));
    store<i8>(out + i, d > reach - 0.5 && p > 0.8 ? 1 : d < 0.5 - reach && p < 0.2 ? -1 : 0);
  }
}

/** Counts the runs of ones in each row: `firstOfRow` (i32, height + 1) gets the number of all before each row. */
export function countRuns(mask: usize, width: i32, height: i32, firstOfRow: usize): void {
  let count = 0;
  store<i32>(firstOfRow, 0);
  for (let y = 0; y < height; y++) {
    const row = mask + y * width;
    count += <i32>load<u8>(row);
    let x = 1;
    for (; x <= width - 16; x += 16) {
      // A run begins where a cell is 1 and the one before it is 0.
      const begins = v128.andnot(v128.load(row + x), v128.load(row + x - 1));
      count += popcnt(i8x16.bitmask(i8x16.ne(begins, i8x16.splat(0))));
    }
    for (; x < width; x++) count += <i32>(load<u8>(row + x) & ~load<u8>(row + x - 1));
    store<i32>(firstOfRow + ((y + 1) << 2), count);
  }
}

/** Writes each run's first cell and end, in the first two of three i32. */
export function writeRuns(mask: usize, width: i32, height: i32, runs: usize): void {
  for (let y = 0; y < height; y++) runs = writeRunsOfRow(mask, y * width, width, runs);
}

function writeRunsOfRow(mask: usize, row: i32, width: i32, runs: usize): usize {
  let before: u8 = 0;
  let x = 0;
  while (x < width) {
    if (x <= width - 16) {
      const changes = i8x16.ne(v128.load(mask + row + x), i8x16.splat(before));
      const bits = i8x16.bitmask(changes);
      if (bits === 0) {
        x += 16;
        continue;
      }
      x += ctz(bits);
    } else if (load<u8>(mask + row + x) === before) {
      x++;
      continue;
    }
    // The run that began is 1, or the run of ones has ended.
    before = 1 - before;
    if (before === 1) store<i32>(runs, row + x);
    else {
      store<i32>(runs, row + x, 4);
      runs += 12;
    }
  }
  if (before === 1) {
    store<i32>(runs, row + width, 4);
    runs += 12;
  }
  return runs;
}

/**
 * 1 where the mean of a cell and its neighbors reaches `threshold`; the window is cut at the border.
 *
 * @param rowSums scratch, an f32 for each cell
 */
export function thresholdOfMeans(
  plane: usize,
  width: i32,
  height: i32,
  threshold: f32,
  rowSums: usize,
  out: usize,
): void {
  const bytes = width << 2;
  for (let y = 0; y < height; y++) sumsOfRow(plane + y * bytes, width, rowSums + y * bytes);
  for (let y = 0; y < height; y++) {
    const row = rowSums + y * bytes;
    // Beyond the border there is nothing to add: the row itself is, and weighs nothing.
    const above = y > 0 ? row - bytes : row;
    const below = y < height - 1 ? row + bytes : row;
    const ofAbove: f32 = y > 0 ? 1 : 0;
    const ofBelow: f32 = y < height - 1 ? 1 : 0;
    const sumMin = threshold * (1 + ofAbove + ofBelow);
    const to = out + y * width;
    store<u8>(to, reachesMean(row, above, ofAbove, below, ofBelow, sumMin * <f32>min(2, width)));
    const wide = f32x4.splat(sumMin * 3);
    let x = 1;
    for (; x <= width - 5; x += 4) {
      const at = x << 2;
      const ofBoth = f32x4.add(
        f32x4.mul(v128.load(above + at), f32x4.splat(ofAbove)),
        f32x4.mul(v128.load(below + at), f32x4.splat(ofBelow)),
      );
      const reached = f32x4.ge(f32x4.add(v128.load(row + at), ofBoth), wide);
      const halves = i16x8.narrow_i32x4_s(reached, reached);
      const marks = v128.and(i8x16.narrow_i16x8_s(halves, halves), i8x16.splat(1));
      v128.store32_lane(to + x, marks, 0);
    }
    for (; x < width; x++) {
      const at = x << 2;
      const cells: f32 = x < width - 1 ? 3 : 2;
      store<u8>(to + x, reachesMean(row + at, above + at, ofAbove, below + at, ofBelow, sumMin * cells));
    }
  }
}

function reachesMean(row: usize, above: usize, ofAbove: f32, below: usize, ofBelow: f32, sumMin: f32): u8 {
  const ofBoth = load<f32>(above) * ofAbove + load<f32>(below) * ofBelow;
  return load<f32>(row) + ofBoth >= sumMin ? 1 : 0;
}

/** Each sum is that of a cell and its neighbors in the row. */
function sumsOfRow(from: usize, width: i32, to: usize): void {
  store<f32>(to, load<f32>(from) + (width > 1 ? load<f32>(from, 4) : 0));
  let x = 1;
  for (; x <= width - 5; x += 4) {
    const at = from + (x << 2);
    const outer = f32x4.add(v128.load(at - 4), v128.load(at, 4));
    v128.store(to + (x << 2), f32x4.add(outer, v128.load(at)));
  }
  for (; x < width; x++) {
    const at = from + (x << 2);
    const outer = load<f32>(at - 4) + (x < width - 1 ? load<f32>(at, 4) : 0);
    store<f32>(to + (x << 2), outer + load<f32>(at));
  }
}

/** Writes what of a mask (u8, 0 or 1) is not marked. */
export function takeMarks(mask: usize, marks: usize, length: i32, out: usize): void {
  let i = 0;
  for (; i <= length - 16; i += 16) v128.store(out + i, v128.andnot(v128.load(mask + i), v128.load(marks + i)));
  for (; i < length; i++) store<u8>(out + i, load<u8>(mask + i) & ~load<u8>(marks + i));
}

/** Writes what of a mask (u8, 0 or 1) has a byte below `threshold`. */
export function keepBelow(mask: usize, bytes: usize, length: i32, threshold: i32, out: usize): void {
  const limits = i8x16.splat(<i8>threshold);
  let i = 0;
  for (; i <= length - 16; i += 16) {
    v128.store(out + i, v128.andnot(v128.load(mask + i), i8x16.ge_u(v128.load(bytes + i), limits)));
  }
  for (; i < length; i++) store<u8>(out + i, <i32>load<u8>(bytes + i) < threshold ? load<u8>(mask + i) : 0);
}

/**
 * Writes what of a mask (u8, 0 or 1) is at most so light.
 *
 * @param lab interleaved f32
 */
export function keepDark(mask: usize, lab: usize, length: i32, lightnessMax: f64, out: usize): void {
  let i = 0;
  while (i < length) {
    if (i <= length - 16 && !v128.any_true(v128.load(mask + i))) {
      v128.store(out + i, i8x16.splat(0));
      i += 16;
      continue;
    }
    for (const end = min(length, i + 16); i < end; i++) {
      store<u8>(out + i, <f64>load<f32>(lab + 12 * <usize>i) > lightnessMax ? 0 : load<u8>(mask + i));
    }
  }
}

/** Writes what of a mask (u8, 0 or 1) is marked. */
export function keepMarks(mask: usize, marks: usize, length: i32, out: usize): void {
  let i = 0;
  for (; i <= length - 16; i += 16) v128.store(out + i, v128.and(v128.load(mask + i), v128.load(marks + i)));
  for (; i < length; i++) store<u8>(out + i, load<u8>(mask + i) & load<u8>(marks + i));
}

/** @returns how many cells of a mask are 1 */
export function countMarks(mask: usize, length: i32): i32 {
  let count = 0;
  let i = 0;
  for (; i <= length - 16; i += 16) count += popcnt(i8x16.bitmask(i8x16.ne(v128.load(mask + i), i8x16.splat(0))));
  for (; i < length; i++) count += <i32>load<u8>(mask + i);
  return count;
}

/**
 * Raises each cell of a plane (u8) to the lowest level over which it is reached from the border.
 *
 * @param last i32, 256: scratch, the cell that was put last on each level
 * @param before i32, one for each cell: scratch, the one that was put there before it
 */
export function fillGaps(plane: usize, width: i32, height: i32, last: usize, before: usize, filled: usize): void {
  const length = width * height;
  memory.fill(last, 255, 256 << 2);
  for (let cell = 0; cell < length; cell++) store<i32>(before + (cell << 2), notReached);
  for (let x = 0; x < width; x++) {
    reachCell(plane, x, 0, last, before, filled);
    reachCell(plane, length - 1 - x, 0, last, before, filled);
  }
  for (let y = 0; y < height; y++) {
    reachCell(plane, y * width, 0, last, before, filled);
    reachCell(plane, y * width + width - 1, 0, last, before, filled);
  }
  for (let level = 0; level < 255; level++) {
    // No neighbor is put below this level, so each level is emptied once.
    for (let cell = load<i32>(last + (level << 2)); cell >= 0; cell = load<i32>(last + (level << 2))) {
      store<i32>(last + (level << 2), load<i32>(before + (cell << 2)));
      const x = cell % width;
      if (x > 0) reachCell(plane, cell - 1, level, last, before, filled);
      if (x < width - 1) reachCell(plane, cell + 1, level, last, before, filled);
      if (cell >= width) reachCell(plane, cell - width, level, last, before, filled);
      if (cell < length - width) reachCell(plane, cell + width, level, last, before, filled);
    }
  }
  // What is reached over the highest level only has it: most of a product.
  for (let cell = 0; cell < length; cell++) {
    if (load<i32>(before + (cell << 2)) === notReached) store<u8>(filled + cell, 255);
  }
}

/** In place of the cell that was put before one; −1: none was. */
const notReached: i32 = -2;

function reachCell(plane: usize, cell: i32, level: i32, last: usize, before: usize, filled: usize): void {
  if (load<i32>(before + (cell << 2)) !== notReached) return;
  const to = max(level, <i32>load<u8>(plane + cell));
  store<u8>(filled + cell, to);
  store<i32>(before + (cell << 2), load<i32>(last + (to << 2)));
  store<i32>(last + (to << 2), cell);
}

/** Fills memory with zeros. */
export function clear(at: usize, bytes: i32): void {
  memory.fill(at, 0, bytes);
}

/** Interleaves a fourth channel with three, u8: four pixels at once, up to three of them beyond the end. */
export function joinChannels(rgb: usize, fourth: usize, pixels: i32, out: usize): void {
  for (let i = 0; i < pixels; i += 4, rgb += 12) {
    const colors = v128.load(rgb);
    const others = v128.load32_zero(fourth + i);
    const four = i8x16.shuffle(colors, others, 0, 1, 2, 16, 3, 4, 5, 17, 6, 7, 8, 18, 9, 10, 11, 19);
    v128.store(out + (i << 2), four);
  }
}

/** The same with the matte as the fourth channel: where that is 0, all of the pixel is. */
export function joinVisible(rgb: usize, matte: usize, pixels: i32, out: usize): void {
  for (let i = 0; i < pixels; i += 4, rgb += 12) {
    const alpha = v128.load32_zero(matte + i);
    const four = i8x16.shuffle(v128.load(rgb), alpha, 0, 1, 2, 16, 3, 4, 5, 17, 6, 7, 8, 18, 9, 10, 11, 19);
    const isVisible = i32x4.ne(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(alpha)), i32x4.splat(0));
    v128.store(out + (i << 2), v128.and(four, isVisible));
  }
}

/**
 * Adds the colors of the marked cells to the sums of their blocks, in doubles, cell by cell.
 *
 * @param lab f32, interleaved; read up to one value beyond the end
 * @param side a block's, in cells, of which the last ones of a row or column may have fewer
 * @param sums f64, four of each block, which are added to: L, a, b, and how many cells are marked
 */
export function addToBlocks(lab: usize, marks: usize, width: i32, height: i32, side: i32, sums: usize): void {
  const blocks = (width + side - 1) / side;
  const one = f64x2.splat(1);
  for (let y = 0; y < height; y++) {
    let block = sums + (((y / side) * blocks) << 5);
    for (let from = 0; from < width; from += side, block += 32) {
      let first = v128.load(block);
      let second = v128.load(block, 16);
      const end = y * width + min(width, from + side);
      for (let cell = y * width + from; cell < end; cell++) {
        if (load<u8>(marks + cell) === 0) continue;
        const color = v128.load(lab + 12 * <usize>cell);
        first = f64x2.add(first, f64x2.promote_low_f32x4(color));
        const upper = f64x2.promote_low_f32x4(i32x4.shuffle(color, color, 2, 3, 2, 3));
        second = f64x2.add(second, i64x2.shuffle(upper, one, 0, 3));
      }
      v128.store(block, first);
      v128.store(block, second, 16);
    }
  }
}

/** Mirrors each row of an image of u8 channels from left to right. */
export function flipRows(from: usize, width: i32, height: i32, channels: i32, out: usize): void {
  const bytes = width * channels;
  for (let y = 0; y < height; y++) {
    let at = from + y * bytes;
    let to = out + (y + 1) * bytes;
    for (let x = 0; x < width; x++, at += channels) {
      to -= channels;
      for (let c = 0; c < channels; c++) store<u8>(to + c, load<u8>(at + c));
    }
  }
}

/**
 * Merges a matte with one of a box in it, in place.
 *
 * @param matte u8, the box's first pixel in rows of `stride`
 * @param table u8: the merged alpha of each pair, 256 of `ofBox` for each of `matte`
 */
export function mergeMattes(matte: usize, stride: i32, ofBox: usize, width: i32, height: i32, table: usize): void {
  for (let y = 0; y < height; y++) {
    const row = matte + y * stride;
    for (let x = 0; x < width; x++) {
      const pair = ((<i32>load<u8>(row + x)) << 8) | <i32>load<u8>(ofBox + y * width + x);
      store<u8>(row + x, load<u8>(table + pair));
    }
  }
}
