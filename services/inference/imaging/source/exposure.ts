/** How bright product and photo are, and what of the product is clipped. */

import { type Photo, sourceAlphaPlane } from "../pixels/photo.ts";

export interface Exposure {
  /** Mean luma of the product, 0 (black) to 1 (white). */
  readonly lightness: number;
  /** The luma that a hundredth of the photo's pixels exceeds, 0–1. */
  readonly highlight: number;
  /** Shares of the product's pixels whose colors are all at the end of the scale, 0–1. */
  readonly clippedWhite: number;
  readonly clippedBlack: number;
}

const samplesMax = 60_000;
const samplesAtOnce = 256;
const whiteMin = 254;
const blackMax = 1;
const highlightShare = 0.01;

/** @param alpha the cut-out's */
export function measureExposure(photo: Photo, alpha: Uint8Array): Exposure {
  const { rgb, width, height } = photo;
  const own = sourceAlphaPlane(photo);
  const pixels = width * height;
  // Odd, so that it does not stay in the same columns.
  const step = Math.ceil(pixels / samplesMax) | 1;
  const histogram = new Uint32Array(256);
  const sums: Sums = { product: 0, luma: 0, white: 0, black: 0 };
  const sampled = { rgb, alpha, own, step };
  for (let from = 0; from < pixels; from += samplesAtOnce * step) {
    addSamples(sampled, from, Math.min(pixels, from + samplesAtOnce * step), histogram, sums);
  }
  const { product, luma, white, black } = sums;
  const of = Math.max(1, product);
  return {
    lightness: luma / of / 255,
    highlight: brightest(histogram) / 255,
    clippedWhite: white / of,
    clippedBlack: black / of,
  };
}

interface Sampled {
  readonly rgb: Uint8Array;
  readonly alpha: Uint8Array;
  /** The source's own alpha. */
  readonly own: Uint8Array | undefined;
  readonly step: number;
}

interface Sums {
  /** The product's samples, and the sum of their luma. */
  product: number;
  luma: number;
  white: number;
  black: number;
}

/** A function that is called often: V8 compiles a loop of one photo for that photo alone. */
function addSamples(
  { rgb, alpha, own, step }: Sampled,
  from: number,
  end: number,
  histogram: Uint32Array,
  sums: Sums,
): void {
  let sum = sums.luma;
  for (let at = from; at < end; at += step) {
    if (own !== undefined && own[at]! < 128) continue;
    const red = rgb[3 * at]!;
    const green = rgb[3 * at + 1]!;
    const blue = rgb[3 * at + 2]!;
    const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    histogram[Math.round(luma)]!++;
    if (alpha[at]! < 128) continue;
    sums.product++;
    sum += luma;
    if (red >= whiteMin && green >= whiteMin && blue >= whiteMin) sums.white++;
    else if (red <= blackMax && green <= blackMax && blue <= blackMax) sums.black++;
  }
  sums.luma = sum;
}

function brightest(histogram: Uint32Array): number {
  const samples = histogram.reduce((sum, count) => sum + count, 0);
  let above = 0;
  for (let luma = 255; luma > 0; luma--) {
    above += histogram[luma]!;
    if (above > highlightShare * samples) return luma;
  }
  return 0;
}
