/** Weighted means of rows and of columns, as `shrinkPixels` in pixels/ describes them. */

/**
 * Adds up rows of bytes, each times its weight.
 *
 * @param rows u8, `count` rows of `bytes` each
 * @param weights u16, `count` of them, which sum to 256
 * @param sums u16, `bytes` of them, and up to 15 beyond
 */
export function weighRows(rows: usize, bytes: i32, count: i32, weights: usize, sums: usize): void {
  for (let i = 0; i < bytes; i += 16) {
    let upper = i16x8.splat(0);
    let lower = i16x8.splat(0);
    let at = rows + i;
    for (let k = 0; k < count; k++, at += bytes) {
      const weight = v128.load16_splat(weights + (k << 1));
      const row = v128.load(at);
      upper = i16x8.add(upper, i16x8.mul(i16x8.extend_low_i8x16_u(row), weight));
      lower = i16x8.add(lower, i16x8.mul(i16x8.extend_high_i8x16_u(row), weight));
    }
    v128.store(sums + (i << 1), upper);
    v128.store(sums + (i << 1), lower, 16);
  }
}

/** The weights of rows sum to 2 to the power of 8, and those of columns to that of 14. */
const weightBits: i32 = 22;
const half: i32 = 1 << (weightBits - 1);

/**
 * Means of a plane's columns.
 *
 * @param sums u16, from `weighRows`
 * @param firstOf i32, the first column of each mean
 * @param weights i16, `stride` of each mean, which sum to 16,384; a multiple of eight, those beyond its columns are 0
 */
export function weighColumns(sums: usize, firstOf: usize, weights: usize, stride: i32, width: i32, out: usize): void {
  // Vectors of words are multiplied with their sign: half of their range is taken off before, and added after.
  const halfRange = i16x8.splat(-0x8000);
  const taken: i32 = 0x8000 << 14;
  for (let x = 0; x < width; x++) {
    const at = sums + (load<i32>(firstOf + (x << 2)) << 1);
    let four = i32x4.splat(0);
    for (let k = 0; k < stride; k += 8, weights += 16) {
      const words = v128.xor(v128.load(at + (k << 1)), halfRange);
      four = i32x4.add(four, i32x4.dot_i16x8_s(words, v128.load(weights)));
    }
    const two = i32x4.add(four, i32x4.shuffle(four, four, 2, 3, 0, 1));
    const sum = i32x4.extract_lane(two, 0) + i32x4.extract_lane(two, 1) + taken;
    store<u8>(out + x, <u8>((sum + half) >> weightBits));
  }
}

/**
 * Means of columns of three interleaved channels; one byte is written beyond the last.
 *
 * @param count columns of each mean, of the `stride` weights that it has
 */
export function weighColorColumns(
  sums: usize,
  firstOf: usize,
  weights: usize,
  stride: i32,
  count: i32,
  width: i32,
  out: usize,
): void {
  for (let x = 0; x < width; x++, out += 3, weights += stride << 1) {
    let at = sums + 6 * load<i32>(firstOf + (x << 2));
    let channels = i32x4.splat(half);
    for (let k = 0; k < count; k++, at += 6) {
      const weight = i32x4.splat(<i32>load<i16>(weights + (k << 1)));
      channels = i32x4.add(channels, i32x4.mul(i32x4.extend_low_i16x8_u(v128.load64_zero(at)), weight));
    }
    const words = i32x4.shr_u(channels, weightBits);
    const halves = i16x8.narrow_i32x4_s(words, words);
    v128.store32_lane(out, i8x16.narrow_i16x8_u(halves, halves), 0);
  }
}
