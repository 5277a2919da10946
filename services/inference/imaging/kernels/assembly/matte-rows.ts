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
