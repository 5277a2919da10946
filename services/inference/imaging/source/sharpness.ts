/** How sharp the product is, by the width of its steepest edges. */

import type { Box } from "../pixels/geometry.ts";
import { sampleLines } from "./sample-lines.ts";

/** Lines that are read in each direction. */
const linesMax = 112;
/** At this size of the product an edge is measured pixel by pixel; in a larger photo a wider edge is as sharp. */
const productSide = 1_000;
/** With less contrast, of 255, an edge is texture or noise. */
const contrastMin = 40;
/** The steepest gradient must be a part of the contrast that is worth a look. */
const gradientMin = 4;
/** Steps before and after the gradient over which the contrast is taken. */
const reach = 4;
/** With fewer edges nothing can be said. */
const edgesMin = 40;
/** What is in focus counts, and not what lies behind. */
const percentile = 0.75;
const bins = 100;

export interface LumaPhoto {
  readonly rgb: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * 0–1: which share of an edge's contrast its steepest step has, at the sharper quarter of the edges in and around the product.
 * undefined where there are too few edges.
 */
export function measureSharpness(photo: LumaPhoto, alpha: Uint8Array, box: Box): number | undefined {
  const step = Math.max(1, Math.round(Math.max(box.width, box.height) / productSide));
  const histogram = new Uint32Array(bins + 1);
  const { width } = photo;
  const luma = new Uint8Array(Math.max(box.width, box.height));
  for (const y of sampleLines(box.top, box.height, linesMax)) {
    readLine(photo, alpha, { start: y * width + box.left, stride: 1, length: box.width }, step, luma, histogram);
  }
  for (const x of sampleLines(box.left, box.width, linesMax)) {
    readLine(photo, alpha, { start: box.top * width + x, stride: width, length: box.height }, step, luma, histogram);
  }
  return percentileOf(histogram);
}

interface Line {
  readonly start: number;
  readonly stride: number;
  readonly length: number;
}

function readLine(
  { rgb }: LumaPhoto,
  alpha: Uint8Array,
  { start, stride, length }: Line,
  step: number,
  luma: Uint8Array,
  histogram: Uint32Array,
): void {
  const count = Math.floor(length / step);
  const by = stride * step;
  // Weights of luma in 256ths: integers take half the time.
  for (let n = 0, at = 3 * start; n < count; n++, at += 3 * by) {
    luma[n] = (54 * rgb[at]! + 183 * rgb[at + 1]! + 19 * rgb[at + 2]! + 128) >> 8;
  }
  let here = luma[reach]!;
  for (let n = reach; n + reach + 1 < count; n++) {
    const gradient = Math.abs(luma[n + 1]! - here);
    here = luma[n + 1]!;
    if (gradient < gradientMin) continue;
    if (gradient < Math.abs(luma[n]! - luma[n - 1]!) || gradient < Math.abs(luma[n + 2]! - here)) continue;
    const pixel = start + n * by;
    if (alpha[pixel]! < 128 && alpha[pixel + by]! < 128) continue;
    const contrast = contrastAround(luma, n);
    if (contrast >= contrastMin) histogram[Math.round((bins * gradient) / contrast)]!++;
  }
}

function contrastAround(luma: Uint8Array, at: number): number {
  let low = luma[at]!;
  let high = low;
  for (let n = at - reach; n <= at + reach + 1; n++) {
    const value = luma[n]!;
    if (value < low) low = value;
    else if (value > high) high = value;
  }
  return high - low;
}

function percentileOf(histogram: Uint32Array): number | undefined {
  const edges = histogram.reduce((sum, count) => sum + count, 0);
  if (edges < edgesMin) return undefined;
  let below = 0;
  for (let bin = 0; bin <= bins; bin++) {
    below += histogram[bin]!;
    if (below >= percentile * edges) return bin / bins;
  }
  return 1;
}
