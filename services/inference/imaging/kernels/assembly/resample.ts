/** Lanczos resampling of one plane, as `resamplePlane` in pixels/ describes it, to the same bytes. */

/**
 * Resamples the rows of a u8 plane.
 *
 * @param firstOf i32, the first source pixel of each target pixel
 * @param weights f32, `count` per target pixel
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
      let sum: f64 = 0;
      for (let k = 0; k < count; k++) {
        sum += <f64>load<u8>(first + k) * <f64>load<f32>(weight);
        weight += 4;
      }
      store<f32>(to, <f32>sum);
      to += 4;
    }
  }
}

/**
 * Resamples one column of rows to one row of u8 pixels.
 *
 * @param rows f32, from the first row that has a weight on; each `width` values
 * @param weights f32, `count` of them
 * @param sums scratch, `width` f32 values rounded up to 2
 */
export function resampleColumn(rows: usize, width: i32, weights: usize, count: i32, sums: usize, out: usize): void {
  memory.fill(sums, 0, width << 2);
  for (let k = 0; k < count; k += 4) addFourRows(rows, width, weights, count, sums, k);
  const half = f64x2.splat(0.5);
  let x = 0;
  for (; x <= width - 2; x += 2) {
    // In doubles, because a float that gets one half might be rounded up.
    const v = f64x2.add(f64x2.promote_low_f32x4(v128.load64_zero(sums + (x << 2))), half);
    const bytes = i32x4.trunc_sat_f64x2_s_zero(f64x2.min(f64x2.splat(255), f64x2.max(f64x2.splat(0), v)));
    store<u8>(out + x, <u8>i32x4.extract_lane(bytes, 0));
    store<u8>(out + x + 1, <u8>i32x4.extract_lane(bytes, 1));
  }
  for (; x < width; x++) {
    const v = <f64>load<f32>(sums + (x << 2));
    store<u8>(out + x, v <= 0 ? 0 : v >= 255 ? 255 : <u8>(v + 0.5));
  }
}

function addFourRows(rows: usize, width: i32, weights: usize, count: i32, sums: usize, k: i32): void {
  const last = count - 1;
  const bytes = width << 2;
  const a = rows + k * bytes;
  const b = rows + min(k + 1, last) * bytes;
  const c = rows + min(k + 2, last) * bytes;
  const d = rows + min(k + 3, last) * bytes;
  const wa = <f64>load<f32>(weights + (k << 2));
  const wb = k + 1 < count ? <f64>load<f32>(weights + ((k + 1) << 2)) : 0;
  const wc = k + 2 < count ? <f64>load<f32>(weights + ((k + 2) << 2)) : 0;
  const wd = k + 3 < count ? <f64>load<f32>(weights + ((k + 3) << 2)) : 0;
  const wideA = f64x2.splat(wa);
  const wideB = f64x2.splat(wb);
  const wideC = f64x2.splat(wc);
  const wideD = f64x2.splat(wd);
  let x = 0;
  for (; x <= bytes - 8; x += 8) {
    const ab = f64x2.add(f64x2.mul(wideA, pair(a + x)), f64x2.mul(wideB, pair(b + x)));
    const abc = f64x2.add(ab, f64x2.mul(wideC, pair(c + x)));
    const abcd = f64x2.add(abc, f64x2.mul(wideD, pair(d + x)));
    const sum = f32x4.demote_f64x2_zero(f64x2.add(pair(sums + x), abcd));
    v128.store64_lane(sums + x, sum, 0);
  }
  if (x < bytes) {
    const abcd =
      wa * <f64>load<f32>(a + x) + wb * <f64>load<f32>(b + x) + wc * <f64>load<f32>(c + x) + wd * <f64>load<f32>(d + x);
    store<f32>(sums + x, <f32>(<f64>load<f32>(sums + x) + abcd));
  }
}

/** Two floats as doubles. */
function pair(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at));
}
