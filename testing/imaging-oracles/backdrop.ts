/**
 * The backdrop: a smooth surface (quadratic in x and y, in Lab), fitted robustly to the image's border. The distance of
 * each pixel to it is the backdrop channel, in which a product on a sweep or on paper stands out whatever its color.
 * The training recipe computes the same channel (training/mask/backdrop.py): change both or neither.
 */

import {
  type Backdrop,
  borderPixels,
  iterations,
  type Surface,
  solveByCholesky,
  terms,
} from "../../services/inference/imaging/matting/evidence/backdrop.ts";
import { rgbToLab } from "./lab.ts";

const channelPerLab = 6;

/** Fits the backdrop of a square image: interleaved u8 RGB, side × side × 3. */
export function fitBackdrop(rgb: Uint8Array, side: number): Backdrop {
  const lab = rgbToLab(rgb);
  const border = borderPixels(side, Math.max(1, Math.round(side / 40)));
  const weights = new Float64Array(border.length).fill(1);
  const residuals = new Float64Array(border.length);
  let coefficients = new Float64Array(terms * 3);
  for (let round = 0; round < iterations; round++) {
    coefficients = weightedLeastSquares(lab, side, border, weights);
    for (let i = 0; i < border.length; i++) residuals[i] = distanceToFit(lab, side, border[i]!, coefficients);
    const scale = Math.max(1, 1.5 * median(residuals));
    // Squared Cauchy weights: a product that touches the border loses its influence within a few iterations.
    for (let i = 0; i < border.length; i++) weights[i] = 1 / (1 + (residuals[i]! / scale) ** 2) ** 2;
  }
  const agreement = weights.reduce((sum, w) => sum + w, 0) / border.length;
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
  border: Int32Array,
  weights: Float64Array,
): Float64Array<ArrayBuffer> {
  const normal = new Float64Array(terms * terms);
  const right = new Float64Array(terms * 3);
  const row = new Float64Array(terms).fill(1);
  for (let i = 0; i < border.length; i++) {
    const pixel = border[i]!;
    const weight = weights[i]!;
    const x = ((pixel % side) + 0.5) / side;
    const y = (Math.floor(pixel / side) + 0.5) / side;
    row[1] = x;
    row[2] = y;
    row[3] = x * y;
    row[4] = x * x;
    row[5] = y * y;
    for (let a = 0; a < terms; a++) {
      for (let b = 0; b <= a; b++) normal[a * terms + b]! += weight * row[a]! * row[b]!;
      for (let c = 0; c < 3; c++) right[c * terms + a]! += weight * row[a]! * lab[pixel * 3 + c]!;
    }
  }
  return solveByCholesky(normal, right);
}

/** The median as numpy computes it: the mean of the middle two values where the count is even. */
function median(values: Float64Array): number {
  const sorted = values.toSorted();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
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
