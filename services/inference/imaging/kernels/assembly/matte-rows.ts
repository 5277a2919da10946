/** Rows of mattes: u8, read up to 16 bytes beyond their end. */

/** @returns the first pixel of at least half coverage; `width` where there is none */
export function firstOpaque(row: usize, width: i32): i32 {
  for (let x = 0; x < width; x += 16) {
    // The highest bit of a byte is set from 128 on.
    const bits = i8x16.bitmask(v128.load(row + x));
    if (bits !== 0) return min(width, x + ctz(bits));
  }
  return width;
}

/** @returns the end of the last pixel of at least half coverage; 0 where there is none */
export function endOfOpaque(row: usize, width: i32): i32 {
  for (let x = (width - 1) & ~15; x >= 0; x -= 16) {
    const within = min(16, width - x);
    const bits = i8x16.bitmask(v128.load(row + x)) & ((1 << within) - 1);
    if (bits !== 0) return x + 32 - clz(bits);
  }
  return 0;
}

/** @param pixelOf i32, the pixel of each cell @param out 1 where that pixel has at least half coverage */
export function sampleOpaque(row: usize, pixelOf: usize, cells: i32, out: usize): void {
  for (let cell = 0; cell < cells; cell++) {
    store<u8>(out + cell, load<u8>(row + load<i32>(pixelOf + (cell << 2))) >> 7);
  }
}

/**
 * Adds the row's alpha to sums by cell.
 *
 * @param starts i32, the first pixel of each cell, and the end of the last
 * @param sums i32
 */
export function addToCells(row: usize, width: i32, starts: usize, cells: i32, sums: usize): void {
  let isEmpty = true;
  for (let x = 0; x < width && isEmpty; x += 16) isEmpty = !v128.any_true(v128.load(row + x));
  if (isEmpty) return;
  let at = load<i32>(starts);
  for (let cell = 0; cell < cells; cell++) {
    const to = load<i32>(starts + ((cell + 1) << 2));
    let sum = 0;
    for (; at < to; at++) sum += <i32>load<u8>(row + at);
    store<i32>(sums + (cell << 2), load<i32>(sums + (cell << 2)) + sum);
  }
}

/** The longest run of opaque pixels: its first one and its end, i32 at `run`; both 0 where there is none. */
export function longestOpaque(row: usize, width: i32, run: usize): void {
  let first = 0;
  let end = 0;
  let start = -1;
  for (let x = 0; x < width; ) {
    const bits = i8x16.bitmask(i8x16.eq(v128.load(row + x), i8x16.splat(-1)));
    // All of 16 pixels go on with what is before them.
    if (x + 16 <= width && bits === (start < 0 ? 0 : 0xffff)) {
      x += 16;
      continue;
    }
    for (const stop = min(width, x + 16); x < stop; x++) {
      if (load<u8>(row + x) === 255) {
        if (start < 0) start = x;
      } else if (start >= 0) {
        if (x - start > end - first) {
          first = start;
          end = x;
        }
        start = -1;
      }
    }
  }
  if (start >= 0 && width - start > end - first) {
    first = start;
    end = width;
  }
  store<i32>(run, first);
  store<i32>(run, end, 4);
}

/** Alpha up to the first and from the second of these on is nearly transparent or nearly opaque. */
const nearlyTransparent: u8 = 8;
const nearlyOpaque: u8 = 247;

/**
 * Adds up alpha, and counts the pixels that are neither nearly transparent nor nearly opaque.
 *
 * @param sums u32: gets the sum, of up to 2 to the power of 24 pixels, and the count
 */
export function addAlpha(alpha: usize, length: i32, sums: usize): void {
  const low = i8x16.splat(<i8>nearlyTransparent);
  const high = i8x16.splat(<i8>nearlyOpaque);
  let four = i32x4.splat(0);
  let soft: u32 = 0;
  let i = 0;
  for (; i <= length - 16; i += 16) {
    const a = v128.load(alpha + i);
    four = i32x4.add(four, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(a)));
    soft += popcnt(i8x16.bitmask(v128.and(i8x16.gt_u(a, low), i8x16.lt_u(a, high))));
  }
  let sum: u32 = i32x4.extract_lane(four, 0) + i32x4.extract_lane(four, 1);
  sum += i32x4.extract_lane(four, 2) + i32x4.extract_lane(four, 3);
  for (; i < length; i++) {
    const a = load<u8>(alpha + i);
    sum += a;
    if (a > nearlyTransparent && a < nearlyOpaque) soft++;
  }
  store<u32>(sums, sum);
  store<u32>(sums, soft, 4);
}

/**
 * Runs of soft pixels, neither 0 nor 255; none goes on in the next row.
 *
 * @param runs i32, three for each: column, row from `firstRow` on, length
 * @returns how many there are
 */
export function listSoftRuns(alpha: usize, width: i32, rows: i32, firstRow: i32, runs: usize): i32 {
  const first = runs;
  for (let y = 0; y < rows; y++) {
    const row = alpha + y * width;
    let from = -1;
    for (let x = 0; x < width; x += 16) {
      const a = v128.load(row + x);
      const isHard = v128.or(i8x16.eq(a, i8x16.splat(0)), i8x16.eq(a, i8x16.splat(-1)));
      let bits = ~i8x16.bitmask(isHard) & 0xffff;
      if (width - x < 16) bits &= (1 << (width - x)) - 1;
      // All of 16 pixels go on with what is before them.
      if (bits === (from < 0 ? 0 : 0xffff)) continue;
      for (let n = 0; n < 16; ) {
        const rest = (from < 0 ? bits : ~bits & 0xffff) >> n;
        if (rest === 0) break;
        n += ctz(rest);
        if (x + n >= width) break;
        if (from < 0) from = x + n;
        else {
          runs = writeSoftRun(runs, from, firstRow + y, x + n);
          from = -1;
        }
      }
    }
    if (from >= 0) runs = writeSoftRun(runs, from, firstRow + y, width);
  }
  return <i32>(runs - first) / 12;
}

function writeSoftRun(to: usize, from: i32, row: i32, end: i32): usize {
  store<i32>(to, from);
  store<i32>(to, row, 4);
  store<i32>(to, end - from, 8);
  return to + 12;
}
