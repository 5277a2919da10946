/** Bins of the colors of cells, and what they tell, as `addColorEvidence` in matting/ describes it, to the bit. */

const bins: i32 = 20;
const binsPerLightness: f32 = 0.2;
const binsPerTint: f32 = 0.1;
const unsurePriorMin: f64 = 0.05;
const unsurePriorMax: f64 = 0.95;
/** Beyond these, as floats, too. */
const surePriorMax: f32 = 0.049;
const surePriorMin: f32 = 0.951;

/** Writes each cell's bin, u16. */
export function binsOf(lab: usize, cells: i32, out: usize): void {
  let i = 0;
  for (; i <= cells - 4; i += 4, lab += 48) {
    const first = v128.load(lab);
    const second = v128.load(lab, 16);
    const third = v128.load(lab, 32);
    const ls = i32x4.shuffle(i32x4.shuffle(first, second, 0, 3, 6, 0), third, 0, 1, 2, 5);
    const as = i32x4.shuffle(i32x4.shuffle(first, second, 1, 4, 7, 0), third, 0, 1, 2, 6);
    const bs = i32x4.shuffle(i32x4.shuffle(first, second, 2, 5, 0, 0), third, 0, 1, 4, 7);
    const l = binsOfFour(f32x4.mul(ls, f32x4.splat(binsPerLightness)));
    const a = binsOfFour(f32x4.add(f32x4.mul(as, f32x4.splat(binsPerTint)), f32x4.splat(<f32>(bins / 2))));
    const b = binsOfFour(f32x4.add(f32x4.mul(bs, f32x4.splat(binsPerTint)), f32x4.splat(<f32>(bins / 2))));
    const la = i32x4.add(i32x4.mul(l, i32x4.splat(bins)), a);
    const four = i32x4.add(i32x4.mul(la, i32x4.splat(bins)), b);
    v128.store64_lane(out + (i << 1), i16x8.narrow_i32x4_s(four, four), 0);
  }
  for (; i < cells; i++, lab += 12) {
    const l = binOf(load<f32>(lab) * binsPerLightness);
    const a = binOf(load<f32>(lab, 4) * binsPerTint + <f32>(bins / 2));
    const b = binOf(load<f32>(lab, 8) * binsPerTint + <f32>(bins / 2));
    store<u16>(out + (i << 1), <u16>((l * bins + a) * bins + b));
  }
}

function binsOfFour(values: v128): v128 {
  const whole = i32x4.trunc_sat_f32x4_s(values);
  return i32x4.min_s(i32x4.splat(bins - 1), i32x4.max_s(i32x4.splat(0), whole));
}

function binOf(value: f32): i32 {
  return min(bins - 1, max(0, <i32>value));
}

/**
 * Adds each cell's certainty to its side's histogram.
 *
 * @param histograms f64: the product's bins, then the background's, then the sums of both; all 0 before
 */
export function countColors(binOf: usize, prior: usize, cells: i32, histograms: usize): void {
  const background = histograms + bins * bins * bins * 8;
  let productSum: f64 = 0;
  let backgroundSum: f64 = 0;
  for (let i = 0; i < cells; i++) {
    const certainty = 2 * <f64>load<f32>(prior + (i << 2)) - 1;
    const bin = (<usize>load<u16>(binOf + (i << 1))) << 3;
    if (certainty > 0) {
      store<f64>(histograms + bin, load<f64>(histograms + bin) + certainty);
      productSum += certainty;
    } else {
      store<f64>(background + bin, load<f64>(background + bin) - certainty);
      backgroundSum -= certainty;
    }
  }
  const sums = background + bins * bins * bins * 8;
  store<f64>(sums, productSum);
  store<f64>(sums, backgroundSum, 8);
}

/**
 * Lists the cells of which the network is not sure and whose colors, with those of their neighbors, speak for product.
 *
 * @param evidence f64, log odds by bin
 * @param listed i32, the cells; `logOdds` f64, the mean of each
 * @returns their number
 */
export function listEvidence(
  binOf: usize,
  prior: usize,
  width: i32,
  height: i32,
  evidence: usize,
  listed: usize,
  logOdds: usize,
): i32 {
  let count = 0;
  let i = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      // The network is sure of most cells, and of those beside them.
      while (x <= width - 4 && areSure(prior + (i << 2))) {
        x += 4;
        i += 4;
      }
      if (x === width) break;
      const p = <f64>load<f32>(prior + (i << 2));
      if (p < unsurePriorMin || p > unsurePriorMax) continue;
      const mean = meanLogOdds(binOf, evidence, x, y, width, height);
      if (mean <= 0) continue;
      store<i32>(listed + (count << 2), i);
      store<f64>(logOdds + (count << 3), mean);
      count++;
    }
  }
  return count;
}

/** Whether the network is sure of four cells. */
function areSure(prior: usize): bool {
  const four = v128.load(prior);
  const isLow = f32x4.lt(four, f32x4.splat(surePriorMax));
  return i32x4.all_true(v128.or(isLow, f32x4.gt(four, f32x4.splat(surePriorMin))));
}

/** The mean over a cell and its neighbors. */
function meanLogOdds(binOf: usize, evidence: usize, x: i32, y: i32, width: i32, height: i32): f64 {
  let sum: f64 = 0;
  let cells = 0;
  for (let v = max(0, y - 1); v <= min(height - 1, y + 1); v++) {
    for (let u = max(0, x - 1); u <= min(width - 1, x + 1); u++) {
      sum += load<f64>(evidence + ((<usize>load<u16>(binOf + ((v * width + u) << 1))) << 3));
      cells++;
    }
  }
  return sum / <f64>cells;
}
