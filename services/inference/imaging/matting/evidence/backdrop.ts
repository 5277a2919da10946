/**
 * The backdrop: a smooth surface (quadratic in x and y, in Lab), fitted robustly to the image's border. The distance of
 * each pixel to it is the backdrop channel, in which a product on a sweep or on paper stands out whatever its color.
 * The training recipe computes the same channel (training/mask/backdrop.py): change both or neither.
 */

import {
  addressOf,
  computeBytes,
  inKernelMemory,
  kernelBytes,
  kernelDoubles,
  reserve,
} from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import { rgbToLab } from "../../pixels/lab.ts";

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
 * @param pixels row by row
 * @param places x and y of each pixel's middle, 0…1 over the image
 */
export function fitSurface(rgb: Uint8Array, pixels: Int32Array, places: Float64Array): Surface {
  return inKernelMemory(() => {
    const colors = kernelBytes(3 * pixels.length);
    copyPixels(rgb, pixels, colors);
    const planes = reserve(3 * 4 * pixels.length);
    kernels.separateChannels(addressOf(rgbToLab(colors)), pixels.length, planes);
    return fitRobustly(planes, rowsOf(places));
  });
}

function copyPixels(rgb: Uint8Array, pixels: Int32Array, to: Uint8Array): void {
  for (let i = 0; i < pixels.length; i++) {
    const from = 3 * pixels[i]!;
    to[3 * i] = rgb[from]!;
    to[3 * i + 1] = rgb[from + 1]!;
    to[3 * i + 2] = rgb[from + 2]!;
  }
}

/** Pixels row by row, as the kernels take them. */
interface Rows {
  readonly count: number;
  /** Addresses: x of each pixel, where each row ends, and y of each row. */
  readonly columns: number;
  readonly ends: number;
  readonly at: number;
  readonly rows: number;
}

function rowsOf(places: Float64Array): Rows {
  const count = places.length / 2;
  const columns = kernelDoubles(count);
  const ends: number[] = [];
  const at: number[] = [];
  for (let i = 0; i < count; i++) {
    columns[i] = places[2 * i]!;
    if (i > 0 && places[2 * i + 1] === places[2 * i - 1]) continue;
    if (i > 0) ends.push(i);
    at.push(places[2 * i + 1]!);
  }
  ends.push(count);
  return {
    count,
    columns: columns.byteOffset,
    ends: addressOf(Int32Array.from(ends)),
    at: addressOf(Float64Array.from(at)),
    rows: at.length,
  };
}

function fitRobustly(planes: number, { count, columns, ends, at, rows }: Rows): Surface {
  const weights = kernelDoubles(count).fill(1);
  const squared = reserve(4 * (count + 1));
  const moments = kernelDoubles(momentsOfWeights + 3 * momentsOfColor);
  let coefficients = new Float64Array(terms * 3);
  let agreement = 1;
  for (let round = 0; round < iterations; round++) {
    moments.fill(0);
    kernels.addMoments(planes, columns, count, ends, at, rows, weights.byteOffset, moments.byteOffset);
    coefficients = solveByMoments(moments);
    inKernelMemory(() =>
      kernels.squaredDistances(planes, columns, count, ends, at, rows, addressOf(coefficients), squared),
    );
    const scale = Math.max(1, 1.5 * medianRoot(squared, count));
    // Squared Cauchy weights: a product that touches the border loses its influence within a few iterations.
    agreement = kernels.cauchyWeights(squared, count, 1 / (scale * scale), weights.byteOffset) / count;
  }
  return { coefficients, residual: medianRoot(squared, count), agreement };
}

/** The moments hold weight × x^i × y^j, and the same with each channel of the color, as `addMoments` writes them. */
const momentPowers = 5;
const momentsOfWeights = momentPowers ** 2;
const colorPowers = 3;
const momentsOfColor = colorPowers ** 2;
/** The powers of x and y in 1, x, y, xy, x², y². */
const powersOfTerms = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
  [2, 0],
  [0, 2],
] as const;

function solveByMoments(moments: Float64Array): Float64Array<ArrayBuffer> {
  const normal = new Float64Array(terms * terms);
  const right = new Float64Array(terms * 3);
  for (const [row, [x, y]] of powersOfTerms.entries()) {
    for (const [column, [u, v]] of powersOfTerms.entries()) {
      normal[row * terms + column] = moments[momentPowers * (y + v) + x + u]!;
    }
    for (let channel = 0; channel < 3; channel++) {
      right[channel * terms + row] = moments[momentsOfWeights + channel * momentsOfColor + colorPowers * y + x]!;
    }
  }
  return solveByCholesky(normal, right);
}

/** The root of the median of floats in the kernels' memory, as numpy computes it: the mean of the middle two where the count is even. */
function medianRoot(squared: number, count: number): number {
  return inKernelMemory(() => {
    const middle = count >> 1;
    const upper = kernels.selectFloat(squared, count, middle, reserve(4 * 4096));
    if (count % 2 === 1) return Math.sqrt(upper);
    return (Math.sqrt(kernels.floatBefore(squared, count, upper, middle - 1)) + Math.sqrt(upper)) / 2;
  });
}

function distanceChannel(coefficients: Float64Array, rgb: Uint8Array, side: number): Uint8Array {
  const centers = Float32Array.from(centersOf(side));
  return computeBytes(side * side, (to) =>
    kernels.distanceChannel(addressOf(rgbToLab(rgb)), side, addressOf(centers), addressOf(coefficients), to),
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
