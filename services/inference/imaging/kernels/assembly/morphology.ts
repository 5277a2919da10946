/** Dilation and erosion of masks (u8, 0 or 1) by a square, sixteen cells at once. */

/**
 * Cells whose square of side 2 `radius` + 1 holds a cell of `value` get that value.
 *
 * @param a and `b`: scratch for `height` rows of `stride` bytes, with `margin` bytes before and after them;
 *   margin ≥ radius + 16, stride ≥ width + margin
 */
export function spread(
  mask: usize,
  out: usize,
  width: i32,
  height: i32,
  radius: i32,
  value: i32,
  a: usize,
  b: usize,
  stride: i32,
  margin: i32,
): void {
  const bytes = stride * height;
  memory.fill(a, 0, bytes + 2 * margin);
  memory.fill(b, 0, bytes + 2 * margin);
  const from = a + margin;
  const widened = b + margin;
  for (let y = 0; y < height; y++) copyRow(from + y * stride, mask + y * width, width, value);
  // Each step ORs the mask with copies moved to both sides: no gap remains while a step is at most the reach plus 1.
  let reach = 0;
  while (reach < radius) {
    const step = min(reach + 1, radius - reach);
    for (let y = 0; y < height; y++) spreadRow(from + y * stride, widened + y * stride, width, step);
    spreadColumns(widened, from, bytes, step * stride);
    reach += step;
  }
  for (let y = 0; y < height; y++) copyRow(out + y * width, from + y * stride, width, value);
}

/** Copies a row; where `value` is 0, exchanges 0 and 1. */
function copyRow(to: usize, from: usize, width: i32, value: i32): void {
  if (value !== 0) {
    memory.copy(to, from, width);
    return;
  }
  const ones = i8x16.splat(1);
  let x = 0;
  for (; x <= width - 16; x += 16) v128.store(to + x, v128.xor(v128.load(from + x), ones));
  for (; x < width; x++) store<u8>(to + x, load<u8>(from + x) ^ 1);
}

function spreadRow(from: usize, to: usize, width: i32, step: i32): void {
  for (let x = 0; x < width; x += 16) {
    const at = from + x;
    v128.store(to + x, v128.or(v128.load(at), v128.or(v128.load(at - step), v128.load(at + step))));
  }
  // The last block may have written beyond the row: nothing may spread from there.
  v128.store(to + width, i64x2.splat(0));
}

function spreadColumns(from: usize, to: usize, bytes: i32, distance: i32): void {
  for (let i = 0; i < bytes; i += 16) {
    let v = v128.load(from + i);
    // Rows above the first and below the last are no part of the image; a block may straddle two rows.
    if (i >= distance) v = v128.or(v, v128.load(from + i - distance));
    if (i + distance < bytes) v = v128.or(v, v128.load(from + i + distance));
    v128.store(to + i, v);
  }
}

/** 1 where the mask is 0. */
export function invert(mask: usize, length: i32, out: usize): void {
  copyRow(out, mask, length, 0);
}
