/**
 * Lanczos resampling of one plane that keeps the pixels' centers in place. The enlargement of libvips is shifted by
 * half a target pixel to the right and down, which shows at every edge of a matte enlarged fourfold.
 */

import { addressOf, computeBytes, reserve } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import type { Size } from "./geometry.ts";

const lobes = 3;

/** Resamples a u8 plane from size `from` to size `to`, aspect not kept. The kernel is as wide as Pillow's LANCZOS. */
export function resamplePlane(plane: Uint8Array, from: Size, to: Size): Uint8Array {
  // Every weight but the middle one is then 0.
  if (from.width === to.width && from.height === to.height) return plane.slice();
  const columns = kernelTaps(from.width, to.width);
  const rows = kernelTaps(from.height, to.height);
  const rowBytes = 4 * to.width;
  return computeBytes(to.width * to.height, (out) => {
    const widened = reserve(rowBytes * from.height);
    const firstOf = addressOf(columns.firstOf);
    const columnWeights = addressOf(columns.weights);
    const source = addressOf(plane);
    kernels.resampleRows(source, from.width, from.height, firstOf, columnWeights, columns.stride, to.width, widened);
    const weights = addressOf(rows.weights);
    for (let y = 0; y < to.height; y++) {
      const first = widened + rows.firstOf[y]! * rowBytes;
      kernels.resampleColumn(first, to.width, weights + 4 * y * rows.stride, rows.count, out + y * to.width);
    }
  });
}

export interface Taps {
  /** Source pixels per target pixel. */
  readonly count: number;
  /** First source pixel of each target pixel. */
  readonly firstOf: Int32Array;
  /** Numbers per target pixel in `weights`: `count` rounded up to a multiple of four. */
  readonly stride: number;
  /** Weights of each target pixel, which sum to 1, and zeros. */
  readonly weights: Float32Array;
}

export function kernelTaps(from: number, to: number): Taps {
  const scale = from / to;
  const stretch = Math.max(1, scale);
  const reach = lobes * stretch;
  const count = Math.min(from, Math.ceil(2 * reach) + 1);
  const stride = (count + 3) & ~3;
  const firstOf = new Int32Array(to);
  const weights = new Float32Array(to * stride);
  for (let i = 0; i < to; i++) {
    const center = (i + 0.5) * scale;
    const first = Math.min(Math.max(0, Math.floor(center - reach)), from - count);
    firstOf[i] = first;
    let sum = 0;
    for (let k = 0; k < count; k++) {
      const weight = lanczos((first + k + 0.5 - center) / stretch);
      weights[i * stride + k] = weight;
      sum += weight;
    }
    for (let k = 0; k < count; k++) weights[i * stride + k]! /= sum;
  }
  return { count, stride, firstOf, weights };
}

function lanczos(x: number): number {
  if (x === 0) return 1;
  if (Math.abs(x) >= lobes) return 0;
  const t = Math.PI * x;
  return (lobes * Math.sin(t) * Math.sin(t / lobes)) / (t * t);
}
