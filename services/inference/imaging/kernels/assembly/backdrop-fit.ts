/**
 * The loops of the robust fit in matting/evidence/backdrop.ts. Pixels come row by row. Along a row y is one number: sums of powers of x are
 * enough, and the row's powers of y are multiplied in at its end.
 */

/** Floats of one row's sums: of weight × x⁰ … x⁴, then of weight × x⁰ … x² × L, a and b. */
const powers: i32 = 5;

/** Interleaved f32 Lab to a plane for each channel. */
export function separateChannels(lab: usize, count: i32, planes: usize): void {
  const bytes = count << 2;
  for (let i = 0; i < count; i++, lab += 12, planes += 4) {
    store<f32>(planes, load<f32>(lab));
    store<f32>(planes + bytes, load<f32>(lab, 4));
    store<f32>(planes + 2 * bytes, load<f32>(lab, 8));
  }
}

/**
 * Adds the pixels' shares to the moments.
 *
 * @param planes f32 L, a and b of all pixels, one after the other
 * @param columns f64, x of each pixel, 0…1 over the image
 * @param ends i32, where each row ends; `rowsAt`: f64, y of each row
 * @param weights f64 per pixel
 * @param moments f64 of zeros: 5 × 5 of weight × x^i × y^j at 5 j + i, then for each channel 3 × 3 with its color at 3 j + i
 */
export function addMoments(
  planes: usize,
  columns: usize,
  count: i32,
  ends: usize,
  rowsAt: usize,
  rows: i32,
  weights: usize,
  moments: usize,
): void {
  let from = 0;
  for (let row = 0; row < rows; row++) {
    const end = load<i32>(ends + (row << 2));
    addMomentsOfRow(planes, columns, count, from, end, load<f64>(rowsAt + (row << 3)), weights, moments);
    from = end;
  }
}

function addMomentsOfRow(
  planes: usize,
  columns: usize,
  count: i32,
  from: i32,
  end: i32,
  y: f64,
  weights: usize,
  moments: usize,
): void {
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  let s4 = f64x2.splat(0);
  for (let i = from; i < end; i += 2) {
    // What is after the row's last pixel weighs nothing.
    const isPair = i + 1 < end;
    const at = i << 3;
    const x = isPair ? v128.load(columns + at) : v128.load64_zero(columns + at);
    const w = isPair ? v128.load(weights + at) : v128.load64_zero(weights + at);
    const wx = f64x2.mul(w, x);
    const xx = f64x2.mul(x, x);
    const wxx = f64x2.mul(w, xx);
    s0 = f64x2.add(s0, w);
    s1 = f64x2.add(s1, wx);
    s2 = f64x2.add(s2, wxx);
    s3 = f64x2.add(s3, f64x2.mul(wx, xx));
    s4 = f64x2.add(s4, f64x2.mul(wxx, xx));
  }
  let power: f64 = 1;
  for (let j = 0; j < powers; j++) {
    const to = moments + ((j * powers) << 3);
    addTo(to, s0, power);
    addTo(to + 8, s1, power);
    addTo(to + 16, s2, power);
    addTo(to + 24, s3, power);
    addTo(to + 32, s4, power);
    power *= y;
  }
  for (let channel = 0; channel < 3; channel++) {
    const colors = planes + ((channel * count) << 2);
    addColorsOfRow(colors, columns, from, end, y, weights, moments + 200 + channel * 72);
  }
}

function addColorsOfRow(colors: usize, columns: usize, from: i32, end: i32, y: f64, weights: usize, sums: usize): void {
  let t0 = f64x2.splat(0);
  let t1 = f64x2.splat(0);
  let t2 = f64x2.splat(0);
  for (let i = from; i < end; i += 2) {
    const isPair = i + 1 < end;
    const at = i << 3;
    const x = isPair ? v128.load(columns + at) : v128.load64_zero(columns + at);
    const w = isPair ? v128.load(weights + at) : v128.load64_zero(weights + at);
    const color = colors + (i << 2);
    const values = isPair ? v128.load64_zero(color) : v128.load32_zero(color);
    const weighted = f64x2.mul(w, f64x2.promote_low_f32x4(values));
    const ofX = f64x2.mul(weighted, x);
    t0 = f64x2.add(t0, weighted);
    t1 = f64x2.add(t1, ofX);
    t2 = f64x2.add(t2, f64x2.mul(ofX, x));
  }
  let power: f64 = 1;
  for (let j = 0; j < 3; j++) {
    const to = sums + ((j * 3) << 3);
    addTo(to, t0, power);
    addTo(to + 8, t1, power);
    addTo(to + 16, t2, power);
    power *= y;
  }
}

/** Adds both lanes, multiplied. */
function addTo(to: usize, lanes: v128, factor: f64): void {
  store<f64>(to, load<f64>(to) + factor * (f64x2.extract_lane(lanes, 0) + f64x2.extract_lane(lanes, 1)));
}

/**
 * Writes the squared Lab distance of each pixel to the fit, f32, and one more pair of numbers beyond the last.
 *
 * @param planes and the following: as `addMoments` takes them
 * @param coefficients f64, six for each channel
 */
export function squaredDistances(
  planes: usize,
  columns: usize,
  count: i32,
  ends: usize,
  rowsAt: usize,
  rows: i32,
  coefficients: usize,
  out: usize,
): void {
  const bytes = count << 2;
  let i = 0;
  for (let row = 0; row < rows; row++) {
    const end = load<i32>(ends + (row << 2));
    const y = load<f64>(rowsAt + (row << 3));
    const constantL = f64x2.splat(constantOf(coefficients, y));
    const constantA = f64x2.splat(constantOf(coefficients + 48, y));
    const constantB = f64x2.splat(constantOf(coefficients + 96, y));
    const slopeL = f64x2.splat(slopeOf(coefficients, y));
    const slopeA = f64x2.splat(slopeOf(coefficients + 48, y));
    const slopeB = f64x2.splat(slopeOf(coefficients + 96, y));
    const squareL = v128.load64_splat(coefficients, 32);
    const squareA = v128.load64_splat(coefficients + 48, 32);
    const squareB = v128.load64_splat(coefficients + 96, 32);
    for (; i < end; i += 2) {
      const x = v128.load(columns + (i << 3));
      const color = planes + (i << 2);
      const l = differenceFrom(color, x, constantL, slopeL, squareL);
      const a = differenceFrom(color + bytes, x, constantA, slopeA, squareA);
      const b = differenceFrom(color + 2 * bytes, x, constantB, slopeB, squareB);
      const squared = f64x2.add(f64x2.add(f64x2.mul(l, l), f64x2.mul(a, a)), f64x2.mul(b, b));
      v128.store64_lane(out + (i << 2), f32x4.demote_f64x2_zero(squared), 0);
    }
    // A pair may have reached into the next row, whose first pixel is computed again.
    i = end;
  }
}

function differenceFrom(color: usize, x: v128, constant: v128, slope: v128, square: v128): v128 {
  const fit = f64x2.add(constant, f64x2.mul(f64x2.add(slope, f64x2.mul(square, x)), x));
  return f64x2.sub(f64x2.promote_low_f32x4(v128.load64_zero(color)), fit);
}

/** Writes squared Cauchy weights, f64: 1 ÷ (1 + squared × inverse)². @returns their sum */
export function cauchyWeights(squared: usize, count: i32, inverse: f64, out: usize): f64 {
  const one = f64x2.splat(1);
  let sums = f64x2.splat(0);
  let i = 0;
  for (; i <= count - 2; i += 2) {
    const pair = f64x2.promote_low_f32x4(v128.load64_zero(squared + (i << 2)));
    const root = f64x2.add(one, f64x2.mul(pair, f64x2.splat(inverse)));
    const weights = f64x2.div(one, f64x2.mul(root, root));
    v128.store(out + (i << 3), weights);
    sums = f64x2.add(sums, weights);
  }
  let sum = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
  for (; i < count; i++) {
    const root = 1 + <f64>load<f32>(squared + (i << 2)) * inverse;
    store<f64>(out + (i << 3), 1 / (root * root));
    sum += 1 / (root * root);
  }
  return sum;
}

const topBits: i32 = 12;
const middleBits: i32 = 10;

/**
 * The value that sorting would put at `index`, of f32 that are 0 or more: their bits have the order of the numbers. Each pass
 * counts by the next bits of those that agree with the value in the bits before.
 *
 * @param counts scratch, 4096 u32
 */
export function selectFloat(values: usize, count: i32, index: i32, counts: usize): f32 {
  // The sign's bit is 0: 12, 10 and 9 bits are left.
  let shift = 31 - topBits;
  const top = pickBin(values, count, 0, 31, shift, topBits, index, counts);
  index -= load<i32>(counts);
  shift -= middleBits;
  const middle = (top << middleBits) | pickBin(values, count, top, 31 - topBits, shift, middleBits, index, counts);
  index -= load<i32>(counts);
  const low = pickBin(values, count, middle, shift, 0, shift, index, counts);
  return reinterpret<f32>((middle << shift) | low);
}

/** Counts by `bits` bits above `shift` what agrees with `known` in the bits above `knownShift`. Writes to `counts` how many are in bins below. */
function pickBin(
  values: usize,
  count: i32,
  known: i32,
  knownShift: i32,
  shift: i32,
  bits: i32,
  index: i32,
  counts: usize,
): i32 {
  const mask = (1 << bits) - 1;
  memory.fill(counts, 0, 4 << bits);
  for (let i = 0; i < count; i++) {
    const value = load<i32>(values + (i << 2));
    if (value >> knownShift !== known) continue;
    const at = counts + (((value >> shift) & mask) << 2);
    store<i32>(at, load<i32>(at) + 1);
  }
  let below = 0;
  let bin = 0;
  for (; ; bin++) {
    const inBin = load<i32>(counts + (bin << 2));
    if (below + inBin > index) break;
    below += inBin;
  }
  store<i32>(counts, below);
  return bin;
}

/** The largest f32 below `limit`; or `limit` itself where no more than `index` of the values are below it. See `selectFloat`. */
export function floatBefore(values: usize, count: i32, limit: f32, index: i32): f32 {
  let below = 0;
  let most: f32 = 0;
  for (let i = 0; i < count; i++) {
    const value = load<f32>(values + (i << 2));
    if (value >= limit) continue;
    below++;
    most = max(most, value);
  }
  return below > index ? most : limit;
}

/**
 * Writes min(255, round(distance × 6)) of each pixel, u8, and up to three bytes beyond the last.
 *
 * @param lab interleaved f32
 * @param centers f32, where the middle of each column and row is, 0…1 over the image
 * @param coefficients f64, six for each channel
 */
export function distanceChannel(lab: usize, side: i32, centers: usize, coefficients: usize, out: usize): void {
  for (let row = 0; row < side; row++) {
    const y = <f64>load<f32>(centers + (row << 2));
    const constantL = f32x4.splat(<f32>constantOf(coefficients, y));
    const constantA = f32x4.splat(<f32>constantOf(coefficients + 48, y));
    const constantB = f32x4.splat(<f32>constantOf(coefficients + 96, y));
    const slopeL = f32x4.splat(<f32>slopeOf(coefficients, y));
    const slopeA = f32x4.splat(<f32>slopeOf(coefficients + 48, y));
    const slopeB = f32x4.splat(<f32>slopeOf(coefficients + 96, y));
    const squareL = f32x4.splat(<f32>load<f64>(coefficients, 32));
    const squareA = f32x4.splat(<f32>load<f64>(coefficients + 48, 32));
    const squareB = f32x4.splat(<f32>load<f64>(coefficients + 96, 32));
    for (let column = 0; column < side; column += 4) {
      const at = lab + column * 12;
      const first = v128.load(at);
      const second = v128.load(at, 16);
      const third = v128.load(at, 32);
      const x = v128.load(centers + (column << 2));
      const ls = i32x4.shuffle(i32x4.shuffle(first, second, 0, 3, 6, 0), third, 0, 1, 2, 5);
      const as = i32x4.shuffle(i32x4.shuffle(first, second, 1, 4, 7, 0), third, 0, 1, 2, 6);
      const bs = i32x4.shuffle(i32x4.shuffle(first, second, 2, 5, 0, 0), third, 0, 1, 4, 7);
      const l = f32x4.sub(ls, parabola(x, constantL, slopeL, squareL));
      const a = f32x4.sub(as, parabola(x, constantA, slopeA, squareA));
      const b = f32x4.sub(bs, parabola(x, constantB, slopeB, squareB));
      const squared = f32x4.add(f32x4.add(f32x4.mul(l, l), f32x4.mul(a, a)), f32x4.mul(b, b));
      const levels = f32x4.add(f32x4.mul(f32x4.sqrt(squared), f32x4.splat(6)), f32x4.splat(0.5));
      const words = i32x4.trunc_sat_f32x4_s(levels);
      const halves = i16x8.narrow_i32x4_s(words, words);
      // A row's last four may reach into the next one, which is written after it.
      v128.store32_lane(out + column, i8x16.narrow_i16x8_u(halves, halves), 0);
    }
    lab += side * 12;
    out += side;
  }
}

function parabola(x: v128, constant: v128, slope: v128, square: v128): v128 {
  return f32x4.add(constant, f32x4.mul(f32x4.add(slope, f32x4.mul(square, x)), x));
}

/**
 * Compares the cells of a grid with the backdrop's colors there.
 *
 * @param lab interleaved f32
 * @param distance, lightness f32, written: each cell's distance and its difference in lightness, and up to one number beyond
 *   the last of either
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
    const constantL = f64x2.splat(constantOf(coefficients, y));
    const constantA = f64x2.splat(constantOf(coefficients + 48, y));
    const constantB = f64x2.splat(constantOf(coefficients + 96, y));
    const slopeL = f64x2.splat(slopeOf(coefficients, y));
    const slopeA = f64x2.splat(slopeOf(coefficients + 48, y));
    const slopeB = f64x2.splat(slopeOf(coefficients + 96, y));
    const squareL = v128.load64_splat(coefficients, 32);
    const squareA = v128.load64_splat(coefficients + 48, 32);
    const squareB = v128.load64_splat(coefficients + 96, 32);
    // Two cells at once; an odd row's last pair reaches into the next row, which is written after it.
    for (let column = 0; column < width; column += 2) {
      const x = v128.load(centers + (column << 3));
      const at = lab + column * 12;
      const first = v128.load(at);
      const second = v128.load64_zero(at, 16);
      const l = differenceFromFloat(i32x4.shuffle(first, first, 0, 3, 0, 3), x, constantL, slopeL, squareL);
      const a = differenceFromFloat(i32x4.shuffle(first, second, 1, 4, 1, 4), x, constantA, slopeA, squareA);
      const b = differenceFromFloat(i32x4.shuffle(first, second, 2, 5, 2, 5), x, constantB, slopeB, squareB);
      const squared = f64x2.add(f64x2.add(f64x2.mul(l, l), f64x2.mul(a, a)), f64x2.mul(b, b));
      v128.store64_lane(lightness + (column << 2), f32x4.demote_f64x2_zero(l), 0);
      v128.store64_lane(distance + (column << 2), f32x4.demote_f64x2_zero(f64x2.sqrt(squared)), 0);
    }
    lab += width * 12;
    distance += width << 2;
    lightness += width << 2;
  }
}

/** The difference of two floats from the fit, which is rounded to floats, too, as its plain form has it. */
function differenceFromFloat(colors: v128, x: v128, constant: v128, slope: v128, square: v128): v128 {
  const fit = f64x2.add(constant, f64x2.mul(f64x2.add(slope, f64x2.mul(square, x)), x));
  return f64x2.sub(f64x2.promote_low_f32x4(colors), f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(fit)));
}

/** Along a row, the surface is a parabola in x: of it, what does not depend on x, and the factor of x. */
export function constantOf(c: usize, y: f64): f64 {
  return load<f64>(c) + load<f64>(c, 16) * y + load<f64>(c, 40) * y * y;
}

export function slopeOf(c: usize, y: f64): f64 {
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
