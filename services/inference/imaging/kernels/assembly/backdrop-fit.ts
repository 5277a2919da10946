/** The loops of the robust fit in matting/backdrop.ts, to the same bits. */

const terms: i32 = 6;

/**
 * Adds each border pixel's share to the normal equations, of which only the lower triangle is written.
 *
 * @param border i32 pixel indices
 * @param weights f64 per border pixel
 * @param normal 6 × 6 f64 of zeros
 * @param right 3 × 6 f64 of zeros
 */
export function addToNormalEquations(
  lab: usize,
  side: i32,
  border: usize,
  count: i32,
  weights: usize,
  normal: usize,
  right: usize,
): void {
  const wide = <f64>side;
  for (let i = 0; i < count; i++) {
    const pixel = load<i32>(border + (i << 2));
    const weight = load<f64>(weights + (i << 3));
    const x = (<f64>(pixel % side) + 0.5) / wide;
    const y = (<f64>(pixel / side) + 0.5) / wide;
    const color = lab + pixel * 12;
    const l = <f64>load<f32>(color);
    const ab = f64x2.promote_low_f32x4(v128.load64_zero(color, 4));
    // Two neighbors of a row at once. The last pair of a row may reach beyond the diagonal, which nobody reads.
    const one_x = f64x2.replace_lane(f64x2.splat(1), 1, x);
    const y_xy = f64x2.replace_lane(f64x2.splat(y), 1, x * y);
    const xx_yy = f64x2.replace_lane(f64x2.splat(x * x), 1, y * y);
    for (let a = 0; a < terms; a++) {
      const term = a === 0 ? 1 : a === 1 ? x : a === 2 ? y : a === 3 ? x * y : a === 4 ? x * x : y * y;
      const weighted = f64x2.splat(weight * term);
      const row = normal + a * terms * 8;
      v128.store(row, f64x2.add(v128.load(row), f64x2.mul(weighted, one_x)));
      if (a > 1) v128.store(row, f64x2.add(v128.load(row, 16), f64x2.mul(weighted, y_xy)), 16);
      if (a > 3) v128.store(row, f64x2.add(v128.load(row, 32), f64x2.mul(weighted, xx_yy)), 32);
      const to = right + a * 8;
      store<f64>(to, load<f64>(to) + weight * term * l);
      const products = f64x2.mul(weighted, ab);
      store<f64>(to, load<f64>(to, 48) + f64x2.extract_lane(products, 0), 48);
      store<f64>(to, load<f64>(to, 96) + f64x2.extract_lane(products, 1), 96);
    }
  }
}

/** Writes the Lab distance of each border pixel to the fit. */
export function distancesOfBorder(
  lab: usize,
  side: i32,
  border: usize,
  count: i32,
  coefficients: usize,
  out: usize,
): void {
  for (let i = 0; i < count; i++) {
    store<f64>(out + (i << 3), distanceToFit(lab, side, load<i32>(border + (i << 2)), coefficients));
  }
}

/** Writes min(255, round(distance × 6)) of each pixel, u8. */
export function distanceChannel(lab: usize, side: i32, coefficients: usize, out: usize): void {
  for (let i = 0; i < side * side; i++) {
    store<u8>(out + i, <u8>min(255, floor(distanceToFit(lab, side, i, coefficients) * 6 + 0.5)));
  }
}

function distanceToFit(lab: usize, side: i32, pixel: i32, c: usize): f64 {
  const x = (<f64>(pixel % side) + 0.5) / <f64>side;
  const y = (<f64>(pixel / side) + 0.5) / <f64>side;
  let squared: f64 = 0;
  for (let channel = 0; channel < 3; channel++) {
    const k = c + channel * terms * 8;
    const fit =
      load<f64>(k) +
      load<f64>(k, 8) * x +
      load<f64>(k, 16) * y +
      load<f64>(k, 24) * x * y +
      load<f64>(k, 32) * x * x +
      load<f64>(k, 40) * y * y;
    const difference = <f64>load<f32>(lab + pixel * 12 + (channel << 2)) - fit;
    squared += difference * difference;
  }
  return sqrt(squared);
}
