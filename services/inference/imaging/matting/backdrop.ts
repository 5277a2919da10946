/**
 * The backdrop: a smooth surface (quadratic in x and y, in Lab) fitted robustly to the picture's border, and each
 * pixel's distance to it. A product on a sweep or on paper stands out in it, whatever its color; handles open.
 * The training recipe computes the same channel (training/mask/backdrop.py): change both or neither.
 */

import { rgbToLab } from "../pixels/lab.ts";

export interface Backdrop {
  /** Side of the square picture it was fitted on. */
  readonly side: number;
  /** 6 coefficients of [1, x, y, xy, x², y²] for L, a and b; x and y run 0…1 over the picture. */
  readonly coefficients: Float64Array;
  /** Median Lab distance between fit and border pixels: small means the fit can be trusted. */
  readonly residual: number;
  /** Robust weight of each ring pixel averaged over the border: 1 means the whole border is backdrop. */
  readonly agreement: number;
  /** u8, side × side: min(255, round(Lab distance × 6)). Made when it is first asked for: few networks see it. */
  readonly channel: Uint8Array;
}

const terms = 6;
const iterations = 8;
const channelPerLab = 6;

/** Fits the backdrop of a square picture: interleaved u8 RGB, side × side × 3. */
export function fitBackdrop(rgb: Uint8Array, side: number): Backdrop {
  const lab = rgbToLab(rgb);
  const ring = borderPixels(side, Math.max(1, Math.round(side / 40)));
  const weights = new Float64Array(ring.length).fill(1);
  const residuals = new Float64Array(ring.length);
  let coefficients = new Float64Array(terms * 3);
  for (let round = 0; round < iterations; round++) {
    coefficients = weightedLeastSquares(lab, side, ring, weights);
    for (let i = 0; i < ring.length; i++) residuals[i] = distanceToFit(lab, side, ring[i]!, coefficients);
    const scale = Math.max(1, 1.5 * median(residuals));
    // Cauchy-like, squared: a product that touches the border loses its pull within a few rounds.
    for (let i = 0; i < ring.length; i++) weights[i] = 1 / (1 + (residuals[i]! / scale) ** 2) ** 2;
  }
  const agreement = weights.reduce((sum, w) => sum + w, 0) / ring.length;
  let channel: Uint8Array | undefined;
  return {
    side,
    coefficients,
    residual: median(residuals),
    agreement,
    get channel() {
      channel ??= distanceChannel(coefficients, lab, side);
      return channel;
    },
  };
}

function distanceChannel(coefficients: Float64Array, lab: Float32Array, side: number): Uint8Array {
  const channel = new Uint8Array(side * side);
  for (let row = 0; row < channel.length; row += side) {
    for (let at = row; at < row + side; at++) {
      channel[at] = Math.min(255, Math.round(distanceToFit(lab, side, at, coefficients) * channelPerLab));
    }
  }
  return channel;
}

/** Lab of the backdrop at x, y (0…1 over the picture), written to `out` from `at` on. */
export function backdropAt(backdrop: Backdrop, x: number, y: number, out: Float32Array, at = 0): void {
  const c = backdrop.coefficients;
  for (let channel = 0; channel < 3; channel++) {
    const k = channel * terms;
    out[at + channel] =
      c[k]! + c[k + 1]! * x + c[k + 2]! * y + c[k + 3]! * x * y + c[k + 4]! * x * x + c[k + 5]! * y * y;
  }
}

/** Lab of the backdrop at the centers of a row of pixels, interleaved; `y` runs 0…1 over the picture. */
export function backdropAlongRow({ coefficients: c }: Backdrop, y: number, out: Float32Array): void {
  const pixels = out.length / 3;
  for (let channel = 0; channel < 3; channel++) {
    const k = channel * terms;
    // Along a row the surface is a parabola in x alone.
    const rest = c[k]! + c[k + 2]! * y + c[k + 5]! * y * y;
    const slope = c[k + 1]! + c[k + 3]! * y;
    for (let i = 0; i < pixels; i++) {
      const x = (i + 0.5) / pixels;
      out[i * 3 + channel] = rest + (slope + c[k + 4]! * x) * x;
    }
  }
}

function borderPixels(side: number, thickness: number): Int32Array {
  const ring: number[] = [];
  for (let row = 0; row < side; row++) {
    for (let col = 0; col < side; col++) {
      const edge = Math.min(row, col, side - 1 - row, side - 1 - col);
      if (edge < thickness) ring.push(row * side + col);
    }
  }
  return Int32Array.from(ring);
}

function distanceToFit(lab: Float32Array, side: number, pixel: number, c: Float64Array): number {
  const x = ((pixel % side) + 0.5) / side;
  const y = (Math.floor(pixel / side) + 0.5) / side;
  let squared = 0;
  for (let channel = 0; channel < 3; channel++) {
    const k = channel * terms;
    const fit = c[k]! + c[k + 1]! * x + c[k + 2]! * y + c[k + 3]! * x * y + c[k + 4]! * x * x + c[k + 5]! * y * y;
    squared += (lab[pixel * 3 + channel]! - fit) ** 2;
  }
  return Math.sqrt(squared);
}

function weightedLeastSquares(
  lab: Float32Array,
  side: number,
  ring: Int32Array,
  weights: Float64Array,
): Float64Array<ArrayBuffer> {
  const normal = new Float64Array(terms * terms);
  const right = new Float64Array(terms * 3);
  const row = new Float64Array(terms).fill(1);
  for (let i = 0; i < ring.length; i++) {
    const pixel = ring[i]!;
    const w = weights[i]!;
    const x = ((pixel % side) + 0.5) / side;
    const y = (Math.floor(pixel / side) + 0.5) / side;
    row[1] = x;
    row[2] = y;
    row[3] = x * y;
    row[4] = x * x;
    row[5] = y * y;
    for (let a = 0; a < terms; a++) {
      for (let b = 0; b <= a; b++) normal[a * terms + b]! += w * row[a]! * row[b]!;
      for (let c = 0; c < 3; c++) right[c * terms + a]! += w * row[a]! * lab[pixel * 3 + c]!;
    }
  }
  return solveByCholesky(normal, right);
}

/** Solves the symmetric normal equations for the three Lab channels; a ridge of 1e-9 keeps 1×1 pictures solvable. */
function solveByCholesky(normal: Float64Array, right: Float64Array): Float64Array<ArrayBuffer> {
  const n = terms;
  const l = new Float64Array(n * n);
  const ridge = 1e-9 * Math.max(1e-9, normal[0]!);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = normal[i * n + j]! + (i === j ? ridge : 0);
      for (let k = 0; k < j; k++) sum -= l[i * n + k]! * l[j * n + k]!;
      l[i * n + j] = i === j ? Math.sqrt(Math.max(sum, 1e-30)) : sum / l[j * n + j]!;
    }
  }
  const solution = new Float64Array(right);
  for (let c = 0; c < 3; c++) {
    const s = solution.subarray(c * n, (c + 1) * n);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < i; k++) s[i]! -= l[i * n + k]! * s[k]!;
      s[i]! /= l[i * n + i]!;
    }
    for (let i = n - 1; i >= 0; i--) {
      for (let k = i + 1; k < n; k++) s[i]! -= l[k * n + i]! * s[k]!;
      s[i]! /= l[i * n + i]!;
    }
  }
  return solution;
}

/** Median as numpy takes it: the mean of the middle two where the count is even. */
function median(values: Float64Array): number {
  const parted = values.slice();
  const middle = parted.length >> 1;
  const upper = quickselect(parted, middle);
  if (parted.length % 2 === 1) return upper;
  return (parted.subarray(0, middle).reduce((most, v) => Math.max(most, v), Number.NEGATIVE_INFINITY) + upper) / 2;
}

/** The value that sorting would put at `place` (Hoare's selection); what is smaller is left before it. */
function quickselect(values: Float64Array, place: number): number {
  let first = 0;
  let last = values.length - 1;
  while (first < last) {
    const pivot = values[place]!;
    let i = first;
    let j = last;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const swapped = values[i]!;
      values[i++] = values[j]!;
      values[j--] = swapped;
    }
    if (j < place) first = i;
    if (i > place) last = j;
  }
  return values[place]!;
}
