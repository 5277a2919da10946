/** The loops of the robust fit in matting/backdrop.ts, to the same bits. */

const terms: i32 = 6;

/**
 * Adds each border pixel's share to the normal equations, of which only the lower triangle is written.
 *
 * @param lab f32, three for each border pixel
 * @param places f64, x and y of each, 0…1 over the image
 * @param weights f64 per border pixel
 * @param normal 6 × 6 f64 of zeros
 * @param right 3 × 6 f64 of zeros
 */
export function addToNormalEquations(
  lab: usize,
  places: usize,
  count: i32,
  weights: usize,
  normal: usize,
  right: usize,
): void {
  for (let i = 0; i < count; i++) {
    const weight = load<f64>(weights + (i << 3));
    const x = load<f64>(places + (i << 4));
    const y = load<f64>(places + (i << 4), 8);
    const color = lab + i * 12;
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
export function distancesOfBorder(lab: usize, places: usize, count: i32, coefficients: usize, out: usize): void {
  for (let i = 0; i < count; i++) {
    const x = load<f64>(places + (i << 4));
    const y = load<f64>(places + (i << 4), 8);
    store<f64>(out + (i << 3), distanceToFit(lab + i * 12, x, y, coefficients));
  }
}

/**
 * Writes min(255, round(distance × 6)) of each pixel, u8.
 *
 * @param centers f64, where the middle of each column and row is, 0…1 over the image
 */
export function distanceChannel(lab: usize, side: i32, centers: usize, coefficients: usize, out: usize): void {
  for (let row = 0; row < side; row++) {
    const y = load<f64>(centers + (row << 3));
    let column = 0;
    for (; column <= side - 2; column += 2, lab += 24, out += 2) {
      const distances = distancesToFit(lab, v128.load(centers + (column << 3)), f64x2.splat(y), coefficients);
      const rounded = f64x2.floor(f64x2.add(f64x2.mul(distances, f64x2.splat(6)), f64x2.splat(0.5)));
      const bytes = i32x4.trunc_sat_f64x2_u_zero(f64x2.min(f64x2.splat(255), rounded));
      store<u8>(out, <u8>i32x4.extract_lane(bytes, 0));
      store<u8>(out, <u8>i32x4.extract_lane(bytes, 1), 1);
    }
    for (; column < side; column++, lab += 12, out++) {
      const x = load<f64>(centers + (column << 3));
      store<u8>(out, <u8>min(255, floor(distanceToFit(lab, x, y, coefficients) * 6 + 0.5)));
    }
  }
}

function distanceToFit(lab: usize, x: f64, y: f64, coefficients: usize): f64 {
  let squared: f64 = 0;
  for (let channel = 0; channel < 3; channel++) {
    const k = coefficients + channel * terms * 8;
    const fit =
      load<f64>(k) +
      load<f64>(k, 8) * x +
      load<f64>(k, 16) * y +
      load<f64>(k, 24) * x * y +
      load<f64>(k, 32) * x * x +
      load<f64>(k, 40) * y * y;
    const difference = <f64>load<f32>(lab + (channel << 2)) - fit;
    squared += difference * difference;
  }
  return sqrt(squared);
}

/** Those of two neighbors in a row, computed in the order of `distanceToFit`. */
function distancesToFit(lab: usize, x: v128, y: v128, coefficients: usize): v128 {
  let squared = f64x2.splat(0);
  for (let channel = 0; channel < 3; channel++) {
    const k = coefficients + channel * terms * 8;
    const color = lab + (channel << 2);
    let fit = f64x2.add(v128.load64_splat(k), f64x2.mul(v128.load64_splat(k, 8), x));
    fit = f64x2.add(fit, f64x2.mul(v128.load64_splat(k, 16), y));
    fit = f64x2.add(fit, f64x2.mul(f64x2.mul(v128.load64_splat(k, 24), x), y));
    fit = f64x2.add(fit, f64x2.mul(f64x2.mul(v128.load64_splat(k, 32), x), x));
    fit = f64x2.add(fit, f64x2.mul(f64x2.mul(v128.load64_splat(k, 40), y), y));
    const two = f64x2.replace_lane(f64x2.splat(<f64>load<f32>(color)), 1, <f64>load<f32>(color, 12));
    const difference = f64x2.sub(two, fit);
    squared = f64x2.add(squared, f64x2.mul(difference, difference));
  }
  return f64x2.sqrt(squared);
}

/**
 * Compares the cells of a grid with the backdrop's colors there: f32 distance, and f32 difference in lightness.
 *
 * @param centers f64, where the middle of each column is, 0…1 over the image
 * @param coefficients f64, six for each channel
 */
export function compareWithBackdrop(
  lab: usize,
  width: i32,
  height: i32,
  centers: usize,
  coefficients: usize,
  distance: usize,
  lightness: usize,
): void {
  for (let row = 0; row < height; row++) {
    const y = (<f64>row + 0.5) / <f64>height;
    const constantL = constantOf(coefficients, y);
    const constantA = constantOf(coefficients + 48, y);
    const constantB = constantOf(coefficients + 96, y);
    const slopeL = slopeOf(coefficients, y);
    const slopeA = slopeOf(coefficients + 48, y);
    const slopeB = slopeOf(coefficients + 96, y);
    const squareL = load<f64>(coefficients, 32);
    const squareA = load<f64>(coefficients + 48, 32);
    const squareB = load<f64>(coefficients + 96, 32);
    for (let column = 0; column < width; column++, lab += 12, distance += 4, lightness += 4) {
      const x = load<f64>(centers + (column << 3));
      // The fit is rounded to floats, as `backdropAlongRow` has it.
      const dl = <f64>load<f32>(lab) - <f64>(<f32>(constantL + (slopeL + squareL * x) * x));
      const da = <f64>load<f32>(lab, 4) - <f64>(<f32>(constantA + (slopeA + squareA * x) * x));
      const db = <f64>load<f32>(lab, 8) - <f64>(<f32>(constantB + (slopeB + squareB * x) * x));
      store<f32>(lightness, <f32>dl);
      store<f32>(distance, <f32>sqrt(dl * dl + da * da + db * db));
    }
  }
}

/** Along a row, the surface is a parabola in x: of it, what does not depend on x, and the factor of x. */
function constantOf(c: usize, y: f64): f64 {
  return load<f64>(c) + load<f64>(c, 16) * y + load<f64>(c, 40) * y * y;
}

function slopeOf(c: usize, y: f64): f64 {
  return load<f64>(c, 8) + load<f64>(c, 24) * y;
}

/**
 * Counts the cells that the network calls background by their distance to the backdrop, and those among them that are no darker.
 *
 * @param priorMax up to this prior a cell is background
 * @param bins of both histograms, u32, in which the last has all that is farther; all 0 before
 */
export function countDistances(
  prior: usize,
  distance: usize,
  lightness: usize,
  cells: i32,
  priorMax: f64,
  binsPerLab: f64,
  bins: i32,
  background: usize,
  unshadowed: usize,
): void {
  for (let i = 0; i < cells; i++) {
    if (<f64>load<f32>(prior + (i << 2)) > priorMax) continue;
    const bin = min(bins - 1, <i32>(<f64>load<f32>(distance + (i << 2)) * binsPerLab)) << 2;
    store<u32>(background + bin, load<u32>(background + bin) + 1);
    if (load<f32>(lightness + (i << 2)) >= 0) store<u32>(unshadowed + bin, load<u32>(unshadowed + bin) + 1);
  }
}
