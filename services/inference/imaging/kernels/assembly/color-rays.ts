/** The probability of product from the colors along rays, as `segmentByColor` in matting/ describes it. */

const directions: i32 = 12;
const stepsMax: i32 = 255;
/** −1 ÷ (2 × bandwidth²): the color kernel's bandwidth is 5, as a Lab distance. */
const exponentScale: f32 = -0.02;
const likelihoodFloor: f64 = 1e-3;
/** Samples of product, and as many of background: at most two on each ray. */
const samplesMax: i32 = 24;

/**
 * Writes a probability for each cell, f32: 1 or 0 where the cell is a seed, else from its rays. They are followed from every
 * second cell of every second row; between them is the mean of the nearest ones.
 *
 * @param sideOf i8: 1 product, −1 background, 0 neither
 * @param toProduct and `toBackground`: u8, chessboard distances to the nearest seed
 * @param rays i16 pairs, `reach` for each direction
 * @param samples scratch of 4 × 24 f32: distances and weights of the product's samples, then of the background's
 */
export function productProbabilities(
  prior: usize,
  lab: usize,
  sideOf: usize,
  toProduct: usize,
  toBackground: usize,
  width: i32,
  height: i32,
  rays: usize,
  reach: i32,
  samples: usize,
  out: usize,
): void {
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = 0; x < width; x++) {
      const i = row + x;
      const side = load<i8>(sideOf + i);
      if (side !== 0) store<f32>(out + (i << 2), side > 0 ? 1 : 0);
      else if (((x | y) & 1) === 0) {
        const p = ofCell(i, x, y, prior, lab, toProduct, toBackground, width, height, rays, reach, samples);
        store<f32>(out + (i << 2), <f32>p);
      }
    }
  }
  for (let y = 0; y < height; y += 2) fillBetween(sideOf, y, width, out);
  for (let y = 1; y < height; y += 2) fillRowBetween(sideOf, y, width, height, out);
}

/** Odd cells of an even row: the mean of the cells to the left and right. */
function fillBetween(sideOf: usize, y: i32, width: i32, out: usize): void {
  for (let x = 1; x < width; x += 2) {
    const i = y * width + x;
    if (load<i8>(sideOf + i) !== 0) continue;
    const before = load<f32>(out + (i << 2) - 4);
    const after = x < width - 1 ? load<f32>(out + (i << 2) + 4) : before;
    store<f32>(out + (i << 2), (before + after) / 2);
  }
}

/** An odd row: the mean of the cells above and below. */
function fillRowBetween(sideOf: usize, y: i32, width: i32, height: i32, out: usize): void {
  for (let x = 0; x < width; x++) {
    const i = y * width + x;
    if (load<i8>(sideOf + i) !== 0) continue;
    const above = load<f32>(out + ((i - width) << 2));
    const below = y < height - 1 ? load<f32>(out + ((i + width) << 2)) : above;
    store<f32>(out + (i << 2), (above + below) / 2);
  }
}

function ofCell(
  i: i32,
  x: i32,
  y: i32,
  prior: usize,
  lab: usize,
  toProduct: usize,
  toBackground: usize,
  width: i32,
  height: i32,
  rays: usize,
  reach: i32,
  samples: usize,
): f64 {
  const backgroundSamples = samples + samplesMax * 8;
  let product = 0;
  let background = 0;
  const color = lab + i * 12;
  const l = load<f32>(color);
  const a = load<f32>(color, 4);
  const b = load<f32>(color, 8);
  for (let k = 0; k < directions; k++) {
    let needProduct = 2;
    let needBackground = 2;
    for (let step = 0; step < reach && needProduct + needBackground > 0; step++) {
      const ray = rays + ((k * reach + step) << 2);
      const px = x + <i32>load<i16>(ray);
      const py = y + <i32>load<i16>(ray, 2);
      // Negative coordinates are large as unsigned ones.
      if (<u32>px >= <u32>width || <u32>py >= <u32>height) break;
      const to = py * width + px;
      const toNeeded = needProduct > 0 ? <i32>load<u8>(toProduct + to) : stepsMax;
      const toSeed = min(toNeeded, needBackground > 0 ? <i32>load<u8>(toBackground + to) : stepsMax);
      if (toSeed > 0) {
        // No seed of the needed sides is nearer, in any direction.
        step += toSeed - 1;
        continue;
      }
      const there = lab + to * 12;
      const dl = l - load<f32>(there);
      const da = a - load<f32>(there, 4);
      const db = b - load<f32>(there, 8);
      const squared = dl * dl + da * da + db * db;
      const distance = 2 + step;
      const weight: f32 = <f32>1 / <f32>distance;
      if (toNeeded === 0) {
        needProduct--;
        addSample(samples, product++, squared, weight);
      } else {
        needBackground--;
        addSample(backgroundSamples, background++, squared, weight);
      }
      step += 2;
    }
  }
  const p = min(0.97, max(0.03, <f64>load<f32>(prior + (i << 2))));
  if (product === 0 || background === 0) return p;
  const ofProduct = meanLikelihood(samples, product);
  const ofBackground = meanLikelihood(backgroundSamples, background);
  if (ofProduct < 0 || ofBackground < 0) return p;
  const odds = ((ofProduct + likelihoodFloor) / (ofBackground + likelihoodFloor)) * (p / (1 - p));
  return odds / (1 + odds);
}

function addSample(samples: usize, count: i32, squared: f32, weight: f32): void {
  store<f32>(samples + (count << 2), squared);
  store<f32>(samples + ((samplesMax + count) << 2), weight);
}

/** @returns the weighted mean of the kernel over the samples; −1 where they weigh too little */
function meanLikelihood(samples: usize, count: i32): f64 {
  // What is left of the last four samples weighs nothing.
  for (let k = count; (k & 3) !== 0; k++) addSample(samples, k, 0, 0);
  let sums = f32x4.splat(0);
  let weights = f32x4.splat(0);
  for (let k = 0; k < count; k += 4) {
    const weight = v128.load(samples + ((samplesMax + k) << 2));
    const exponent = f32x4.mul(v128.load(samples + (k << 2)), f32x4.splat(exponentScale));
    sums = f32x4.add(sums, f32x4.mul(weight, exponential(exponent)));
    weights = f32x4.add(weights, weight);
  }
  const weight = 1e-6 + <f64>total(weights);
  return weight < 1e-3 ? -1 : <f64>total(sums) / weight;
}

function total(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3));
}

/** e to the power of four numbers that are 0 or less, to about 2e-7 of the value. */
function exponential(x: v128): v128 {
  const clamped = f32x4.max(x, f32x4.splat(-87));
  const n = f32x4.nearest(f32x4.mul(clamped, f32x4.splat(<f32>Math.LOG2E)));
  // ln 2 in two parts, of which the first has few digits: the product with n is exact.
  let r = f32x4.sub(clamped, f32x4.mul(n, f32x4.splat(0.693359375)));
  r = f32x4.sub(r, f32x4.mul(n, f32x4.splat(-2.1219444e-4)));
  let p = f32x4.splat(0.0013888889);
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(0.0083333333));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(0.0416666667));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(0.1666666667));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(0.5));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1));
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23);
  return f32x4.mul(p, power);
}
