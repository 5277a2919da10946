/** Dilation and erosion of masks (u8, 0 or 1) by a square. A cell is one bit while they run, so that 128 cells are moved at once. */

/**
 * Cells whose square of side 2 `radius` + 1 holds a cell of `value` get that value.
 *
 * @param bits and `widened`: scratch for `height` rows of `stride` bytes, a bit for each cell; stride is a multiple of 16 that holds a row
 */
export function spread(
  mask: usize,
  out: usize,
  width: i32,
  height: i32,
  radius: i32,
  value: i32,
  bits: usize,
  widened: usize,
  stride: i32,
): void {
  for (let y = 0; y < height; y++) {
    const row = bits + y * stride;
    packRow(mask + y * width, width, value, row, stride);
    spreadRow(row, (width + 63) >> 6, radius);
  }
  let from = bits;
  let to = widened;
  // Each step ORs the mask with copies moved to both sides: no gap remains while a step is at most the reach plus 1.
  for (let reach = 0; reach < radius; ) {
    const step = min(reach + 1, radius - reach);
    spreadColumns(from, to, height, stride, step);
    const spare = from;
    from = to;
    to = spare;
    reach += step;
  }
  for (let y = 0; y < height; y++) unpackRow(from + y * stride, width, value, out + y * width);
}

/** A bit is 1 where the cell has `value`, and 0 after the row's end. */
function packRow(mask: usize, width: i32, value: i32, row: usize, stride: i32): void {
  const wanted = i8x16.splat(<i8>value);
  let to = row;
  let x = 0;
  for (; x <= width - 16; x += 16, to += 2) store<u16>(to, i8x16.bitmask(i8x16.eq(v128.load(mask + x), wanted)));
  memory.fill(to, 0, row + stride - to);
  // Cells of the next row, or beyond the plane, are no part of this one.
  if (x < width) store<u16>(to, i8x16.bitmask(i8x16.eq(v128.load(mask + x), wanted)) & ((1 << (width - x)) - 1));
}

function spreadRow(row: usize, words: i32, radius: i32): void {
  for (let reach = 0; reach < radius; ) {
    // A bit moves to the next word at most.
    const step = min(32, min(reach + 1, radius - reach));
    const by = <u64>step;
    const rest: u64 = 64 - by;
    let before: u64 = 0;
    let here = load<u64>(row);
    for (let n = 0; n < words; n++) {
      const after: u64 = n < words - 1 ? load<u64>(row + ((n + 1) << 3)) : 0;
      const moved = (here << by) | (before >> rest) | (here >> by) | (after << rest);
      store<u64>(row + (n << 3), here | moved);
      before = here;
      here = after;
    }
    reach += step;
  }
}

/** Rows above the first and below the last have no cells. */
function spreadColumns(from: usize, to: usize, height: i32, stride: i32, distance: i32): void {
  const bytes = distance * stride;
  for (let y = 0; y < height; y++) {
    const row = from + y * stride;
    const above = y >= distance ? row - bytes : row;
    const below = y + distance < height ? row + bytes : row;
    for (let i = 0; i < stride; i += 16) {
      const both = v128.or(v128.load(above + i), v128.load(below + i));
      v128.store(to + y * stride + i, v128.or(v128.load(row + i), both));
    }
  }
}

/** Writes 16 cells at once, up to 15 of them beyond the row, which the next row writes over. */
function unpackRow(row: usize, width: i32, value: i32, out: usize): void {
  const bitOf = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  const others = i8x16.splat(<i8>(1 - value));
  const ones = i8x16.splat(1);
  for (let x = 0; x < width; x += 16) {
    const both = i16x8.splat(load<i16>(row + (x >> 3)));
    const bytes = i8x16.shuffle(both, both, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    const isSet = i8x16.eq(v128.and(bytes, bitOf), bitOf);
    v128.store(out + x, v128.xor(v128.and(isSet, ones), others));
  }
}

/** 1 where the mask is 0. */
export function invert(mask: usize, length: i32, out: usize): void {
  const ones = i8x16.splat(1);
  let i = 0;
  for (; i <= length - 16; i += 16) v128.store(out + i, v128.xor(v128.load(mask + i), ones));
  for (; i < length; i++) store<u8>(out + i, load<u8>(mask + i) ^ 1);
}

/** 1 where a cell of the mask has a neighbor to a side that is 0; what lies beyond the image is none. */
export function markEdge(mask: usize, width: i32, height: i32, out: usize): void {
  for (let y = 0; y < height; y++) {
    const row = mask + y * width;
    const above = y > 0 ? row - width : row;
    const below = y < height - 1 ? row + width : row;
    const to = out + y * width;
    // The last vector writes beyond the row, which the next row writes over.
    for (let x = 0; x < width; x += 16) {
      const beside = v128.and(v128.load(row + x - 1), v128.load(row + x + 1));
      const around = v128.and(beside, v128.and(v128.load(above + x), v128.load(below + x)));
      v128.store(to + x, v128.andnot(v128.load(row + x), around));
    }
    const last = width - 1;
    const after = width > 1 ? load<u8>(row + 1) : 1;
    const before = width > 1 ? load<u8>(row + last - 1) : 1;
    store<u8>(to, load<u8>(row) & ~(after & load<u8>(above) & load<u8>(below)));
    store<u8>(to + last, load<u8>(row + last) & ~(before & load<u8>(above + last) & load<u8>(below + last)));
  }
}

/** Writes the indices of the cells that are 1, i32. */
export function listMarks(mask: usize, length: i32, cells: usize): void {
  let i = 0;
  for (; i <= length - 16; i += 16) {
    let bits = i8x16.bitmask(i8x16.ne(v128.load(mask + i), i8x16.splat(0)));
    for (; bits !== 0; bits &= bits - 1, cells += 4) store<i32>(cells, i + ctz(bits));
  }
  for (; i < length; i++) {
    if (load<u8>(mask + i) === 0) continue;
    store<i32>(cells, i);
    cells += 4;
  }
}
