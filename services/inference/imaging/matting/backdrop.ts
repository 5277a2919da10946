/**
 * The backdrop: a smooth surface (quadratic in x and y, in Lab), fitted robustly to the image's border. The distance of
 * each pixel to it is the backdrop channel, in which a product on a sweep or on paper stands out whatever its color.
 * The training recipe computes the same channel (training/mask/backdrop.py): change both or neither.
 */

import { addressOf, computeBytes, inKernelMemory, kernelBytes, kernelDoubles } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import { rgbToLab } from "../pixels/lab.ts";

/** A smooth surface in Lab, fitted to some pixels of an image. */
export interface Surface {
  /** 6 coefficients of [1, x, y, xy, x², y²] for L, a and b; x and y are 0…1 over the image. */
  readonly coefficients: Float64Array;
  /** Median Lab distance of the pixels to the fit; small where the fit can be trusted. */
  readonly residual: number;
  /** Mean weight of the pixels in the robust fit; 1 where all of them are backdrop. */
  readonly agreement: number;
}

/** The surface fitted to the image's border. */
export interface Backdrop extends Surface {
  /** Side of the square image on which it was fitted. */
  readonly side: number;
  /** u8, side × side: min(255, round(Lab distance × 6)). Computed when first read, because few networks take it. */
  readonly channel: Uint8Array;
}

export const terms = 6;
export const iterations = 8;

/** Fits the backdrop of a square image: interleaved u8 RGB, side × side × 3. */
export function fitBackdrop(rgb: Uint8Array, side: number): Backdrop {
  const border = borderOf(side);
  const fit = fitSurface(rgb, border.pixels, border.places);
  let channel: Uint8Array | undefined;
  return {
    ...fit,
    side,
    get channel() {
      channel ??= distanceChannel(fit.coefficients, rgb, side);
      return channel;
    },
  };
}

/**
 * Fits a surface robustly: pixels of another color lose their influence within a few iterations.
 *
 * @param places x and y of each pixel's middle, 0…1 over the image
 */
export function fitSurface(rgb: Uint8Array, pixels: Int32Array, places: Float64Array): Surface {
  return inKernelMemory(() => {
    const colors = kernelBytes(3 * pixels.length);
    pixels.forEach((pixel, i) => {
      colors[3 * i] = rgb[3 * pixel]!;
      colors[3 * i + 1] = rgb[3 * pixel + 1]!;
      colors[3 * i + 2] = rgb[3 * pixel + 2]!;
    });
    return fitRobustly(addressOf(rgbToLab(colors)), addressOf(places), pixels.length);
  });
}

function fitRobustly(lab: number, places: number, count: number): Surface {
  const weights = kernelDoubles(count).fill(1);
  const residuals = kernelDoubles(count);
  let coefficients = new Float64Array(terms * 3);
  for (let round = 0; round < iterations; round++) {
    coefficients = inKernelMemory(() => weightedLeastSquares(lab, places, weights));
    inKernelMemory(() => kernels.distancesOfBorder(lab, places, count, addressOf(coefficients), residuals.byteOffset));
    const scale = Math.max(1, 1.5 * median(residuals));
    // Squared Cauchy weights: a product that touches the border loses its influence within a few iterations.
    for (let i = 0; i < count; i++) weights[i] = 1 / (1 + (residuals[i]! / scale) ** 2) ** 2;
  }
  const agreement = weights.reduce((sum, w) => sum + w, 0) / count;
  return { coefficients, residual: median(residuals), agreement };
}

function distanceChannel(coefficients: Float64Array, rgb: Uint8Array, side: number): Uint8Array {
  return computeBytes(side * side, (to) =>
    kernels.distanceChannel(addressOf(rgbToLab(rgb)), side, addressOf(centersOf(side)), addressOf(coefficients), to),
  );
}

/** Where the middle of each column and row is, 0…1 over the image. */
export const centersOf = (side: number) => Float64Array.from({ length: side }, (_, i) => (i + 0.5) / side);

interface Border {
  readonly side: number;
  readonly pixels: Int32Array;
  /** x and y of each pixel's middle, 0…1 over the image. */
  readonly places: Float64Array;
}

/** The networks of a worker have few input sizes, mostly one. */
let lastBorder: Border | undefined;

function borderOf(side: number): Border {
  if (lastBorder?.side === side) return lastBorder;
  const pixels = borderPixels(side, Math.max(1, Math.round(side / 40)));
  const centers = centersOf(side);
  const places = new Float64Array(2 * pixels.length);
  pixels.forEach((pixel, i) => {
    places[2 * i] = centers[pixel % side]!;
    places[2 * i + 1] = centers[Math.floor(pixel / side)]!;
  });
  lastBorder = { side, pixels, places };
  return lastBorder;
}

/** Writes the backdrop's Lab color at x, y (0…1 over the image) to `out` from `at` on. */
export function backdropAt(backdrop: Surface, x: number, y: number, out: Float32Array, at = 0): void {
  const c = backdrop.coefficients;
  for (let channel = 0; channel < 3; channel++) {
    const k = channel * terms;
    out[at + channel] =
      c[k]! + c[k + 1]! * x + c[k + 2]! * y + c[k + 3]! * x * y + c[k + 4]! * x * x + c[k + 5]! * y * y;
  }
}

/**
 * The distance in Lab's a and b between a color and that of the backdrop in a shadow, or a light, in which it is as dark
 * or bright as the color. Light scales all of a color: L + 16, a and b by the same factor, so that a shadow on green
 * paper is less green.
 */
export function tintBeside(lab: Float32Array, at: number, backdrop: Float32Array, backdropFrom: number): number {
  const scale = (lab[at]! + 16) / (backdrop[backdropFrom]! + 16);
  const a = lab[at + 1]! - scale * backdrop[backdropFrom + 1]!;
  const b = lab[at + 2]! - scale * backdrop[backdropFrom + 2]!;
  return Math.sqrt(a * a + b * b);
}

/**
 * Writes the backdrop's Lab colors at the centers of a row of pixels to `out`, interleaved; y is 0…1 over the image.
 */
export function backdropAlongRow({ coefficients: c }: Surface, y: number, out: Float32Array): void {
  const pixels = out.length / 3;
  for (let channel = 0; channel < 3; channel++) {
    const k = channel * terms;
    // Along a row, the surface is a parabola in x.
    const constant = c[k]! + c[k + 2]! * y + c[k + 5]! * y * y;
    const slope = c[k + 1]! + c[k + 3]! * y;
    for (let i = 0; i < pixels; i++) {
      const x = (i + 0.5) / pixels;
      out[i * 3 + channel] = constant + (slope + c[k + 4]! * x) * x;
    }
  }
}

export function borderPixels(side: number, thickness: number): Int32Array {
  const border: number[] = [];
  for (let row = 0; row < side; row++) {
    for (let col = 0; col < side; col++) {
      const distance = Math.min(row, col, side - 1 - row, side - 1 - col);
      if (distance < thickness) border.push(row * side + col);
    }
  }
  return Int32Array.from(border);
}

function weightedLeastSquares(lab: number, places: number, weights: Float64Array): Float64Array<ArrayBuffer> {
  const normal = kernelDoubles(terms * terms).fill(0);
  const right = kernelDoubles(terms * 3).fill(0);
  const normalAt = normal.byteOffset;
  const rightAt = right.byteOffset;
  kernels.addToNormalEquations(lab, places, weights.length, weights.byteOffset, normalAt, rightAt);
  return solveByCholesky(normal, right);
}

/** Solves the symmetric normal equations for the three Lab channels; a ridge of 1e-9 keeps 1×1 images solvable. */
export function solveByCholesky(normal: Float64Array, right: Float64Array): Float64Array<ArrayBuffer> {
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

/** The median as numpy computes it: the mean of the middle two values where the count is even. */
export function median(values: Float64Array): number {
  const partitioned = values.slice();
  const middle = partitioned.length >> 1;
  const upper = quickselect(partitioned, middle);
  if (partitioned.length % 2 === 1) return upper;
  return (partitioned.subarray(0, middle).reduce((max, v) => Math.max(max, v), Number.NEGATIVE_INFINITY) + upper) / 2;
}

/** Hoare's selection: the value that sorting would put at `index`. Smaller values are moved before it. */
function quickselect(values: Float64Array, index: number): number {
  let first = 0;
  let last = values.length - 1;
  while (first < last) {
    const pivot = values[index]!;
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
    if (j < index) first = i;
    if (i > index) last = j;
  }
  return values[index]!;
}
