/** Value noise of scenes: four octaves side by side in a vector. */

/**
 * Fractal noise, as scene/canvas/noise.ts describes it.
 *
 * @param lattice f32, 257 rows of 257 values: the last row and column are the first ones again
 * @param octaves 1–8
 */
export function fractalNoise(lattice: usize, x: f32, y: f32, octaves: i32, footprint: f32): f32 {
  const lanes = i32x4(0, 1, 2, 3);
  const scales = f32x4(1, 2.03, 4.1209, 8.365427);
  const atX = f32x4.add(f32x4.mul(f32x4.splat(x), scales), f32x4(0, 17.3, 34.6, 51.9));
  const atY = f32x4.add(f32x4.mul(f32x4.splat(y), scales), f32x4(0, 9.7, 19.4, 29.1));
  const isOctave = i32x4.lt_s(lanes, i32x4.splat(octaves));
  const strengths = v128.and(f32x4(1, 0.5, 0.25, 0.125), isOctave);
  let sum = octavesAt(lattice, atX, atY, f32x4.mul(strengths, detailOf(footprint, scales)));
  if (octaves > 4) {
    const finer = f32x4(16.981817, 34.473088, 69.98037, 142.06015);
    const finerX = f32x4.add(f32x4.mul(f32x4.splat(x), finer), f32x4(69.2, 86.5, 103.8, 121.1));
    const finerY = f32x4.add(f32x4.mul(f32x4.splat(y), finer), f32x4(38.8, 48.5, 58.2, 67.9));
    const areOctaves = i32x4.lt_s(lanes, i32x4.splat(octaves - 4));
    const weaker = v128.and(f32x4(0.0625, 0.03125, 0.015625, 0.0078125), areOctaves);
    sum = f32x4.add(sum, octavesAt(lattice, finerX, finerY, f32x4.mul(weaker, detailOf(footprint, finer))));
  }
  const halves = f32x4.add(sum, v128.shuffle<f32>(sum, sum, 2, 3, 0, 1));
  const total = f32x4.extract_lane(halves, 0) + f32x4.extract_lane(halves, 1);
  // The strengths sum to 2 − 2 ** (1 − octaves).
  return <f32>0.5 + total / (2 - 2 / <f32>(1 << octaves));
}

/** An octave finer than a pixel would alias, so it fades to its mean. */
function detailOf(footprint: f32, scales: v128): v128 {
  const detail = f32x4.sub(f32x4.splat(2), f32x4.mul(f32x4.splat(3 * footprint), scales));
  return f32x4.pmin(f32x4.splat(1), f32x4.pmax(f32x4.splat(0), detail));
}

/** What each lane's octave is beyond its mean, by its weight. */
function octavesAt(lattice: usize, x: v128, y: v128, weights: v128): v128 {
  const x0 = f32x4.floor(x);
  const y0 = f32x4.floor(y);
  const shareX = smooth(f32x4.sub(x, x0));
  const shareY = smooth(f32x4.sub(y, y0));
  // The lowest bits of a float's mantissa are those of the integer that was added to 1.5 × 2 ** 23.
  const integer = f32x4.splat(12582912);
  const cells = i32x4.splat(255);
  const column = v128.and(f32x4.add(x0, integer), cells);
  const row = v128.and(f32x4.add(y0, integer), cells);
  const at = i32x4.shl(i32x4.add(i32x4.add(i32x4.shl(row, 8), row), column), 2);
  const first = lattice + <usize>i32x4.extract_lane(at, 0);
  const second = lattice + <usize>i32x4.extract_lane(at, 1);
  const third = lattice + <usize>i32x4.extract_lane(at, 2);
  const fourth = lattice + <usize>i32x4.extract_lane(at, 3);
  const upper = v128.load64_lane(second, v128.load64_zero(first), 1);
  const lower = v128.load64_lane(second, v128.load64_zero(first, nextRow), 1, nextRow);
  const finerUpper = v128.load64_lane(fourth, v128.load64_zero(third), 1);
  const finerLower = v128.load64_lane(fourth, v128.load64_zero(third, nextRow), 1, nextRow);
  const pair = between(upper, lower, v128.shuffle<f32>(shareY, shareY, 0, 0, 1, 1));
  const finerPair = between(finerUpper, finerLower, v128.shuffle<f32>(shareY, shareY, 2, 2, 3, 3));
  const left = v128.shuffle<f32>(pair, finerPair, 0, 2, 4, 6);
  const right = v128.shuffle<f32>(pair, finerPair, 1, 3, 5, 7);
  return f32x4.mul(f32x4.sub(between(left, right, shareX), f32x4.splat(0.5)), weights);
}

/** Bytes of a row of the lattice. */
const nextRow: usize = 1028;

function smooth(t: v128): v128 {
  return f32x4.mul(f32x4.mul(t, t), f32x4.sub(f32x4.splat(3), f32x4.add(t, t)));
}

function between(a: v128, b: v128, share: v128): v128 {
  return f32x4.add(a, f32x4.mul(f32x4.sub(b, a), share));
}
