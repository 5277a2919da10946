/** Lanczos resampling of one plane, as `resamplePlane` in pixels/ describes it, in floats. */

/**
 * Resamples the rows of a u8 plane.
 *
 * @param firstOf i32, the first source pixel of each target pixel
 * @param weights f32, `count` per target pixel, a multiple of four: those beyond the kernel's end are 0
 * @param out f32, `rows` × `toWidth`
 */
export function resampleRows(
  plane: usize,
  fromWidth: i32,
  rows: i32,
  firstOf: usize,
  weights: usize,
  count: i32,
  toWidth: i32,
  out: usize,
): void {
  let to = out;
  for (let y = 0; y < rows; y++) {
    const row = plane + y * fromWidth;
    let weight = weights;
    for (let x = 0; x < toWidth; x++) {
      const first = row + load<i32>(firstOf + (x << 2));
      store<f32>(to, sumOfTaps(first, weight, count));
      weight += count << 2;
      to += 4;
    }
  }
}

/** Most of a matte is 0 or 255, and needs no sum. */
function sumOfTaps(bytes: usize, weights: usize, count: i32): f32 {
  let any: u32 = 0;
  let all: u32 = 0xffffffff;
  for (let k = 0; k < count; k += 4) {
    const four = load<u32>(bytes + k);
    any |= four;
    all &= four;
  }
  if (any === 0) return 0;
  if (all === 0xffffffff) return 255;
  let sums = f32x4.mul(fourBytes(bytes), v128.load(weights));
  for (let k = 4; k < count; k += 4) {
    sums = f32x4.add(sums, f32x4.mul(fourBytes(bytes + k), v128.load(weights + (k << 2))));
  }
  const pairs = f32x4.add(sums, i32x4.shuffle(sums, sums, 2, 3, 0, 1));
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}

function fourBytes(at: usize): v128 {
  const halves = i16x8.extend_low_i8x16_u(v128.load32_zero(at));
  return f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(halves));
}

/**
 * Resamples one column of rows to one row of u8 pixels.
 *
 * @param rows f32, from the first row that has a weight on; each `width` values
 * @param weights f32, `count` of them, as above
 * @param taps how many of them are not beyond the kernel's end
 */
export function resampleColumn(rows: usize, width: i32, weights: usize, taps: i32, out: usize): void {
  const bytes = width << 2;
  const half = f32x4.splat(0.5);
  for (let x = 0; x < width; x += 4) {
    let at = rows + (x << 2);
    let sums = half;
    for (let k = 0; k < taps; k++, at += bytes) {
      sums = f32x4.add(sums, f32x4.mul(v128.load(at), v128.load32_splat(weights + (k << 2))));
    }
    const words = i32x4.trunc_sat_f32x4_s(sums);
    const halves = i16x8.narrow_i32x4_s(words, words);
    const four = i8x16.narrow_i16x8_u(halves, halves);
    if (x <= width - 4) v128.store32_lane(out + x, four, 0);
    else storeFirst(out + x, i32x4.extract_lane(four, 0), width - x);
  }
}

/** Fewer than four bytes of a word, so that none is written beyond a row. */
function storeFirst(to: usize, word: u32, bytes: i32): void {
  for (let k = 0; k < bytes; k++) store<u8>(to + k, <u8>(word >> (k << 3)));
}
