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
  let product = 0;
  let sum = 0;
  let white = 0;
  let black = 0;
  for (let at = 0; at < pixels; at += step) {
    if (own !== undefined && own[at]! < 128) continue;
    const red = rgb[3 * at]!;
    const green = rgb[3 * at + 1]!;
    const blue = rgb[3 * at + 2]!;
    const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    histogram[Math.round(luma)]!++;
    if (alpha[at]! < 128) continue;
    product++;
    sum += luma;
    if (red >= whiteMin && green >= whiteMin && blue >= whiteMin) white++;
    else if (red <= blackMax && green <= blackMax && blue <= blackMax) black++;
  }
  const of = Math.max(1, product);
  return {
    lightness: sum / of / 255,
    highlight: brightest(histogram) / 255,
    clippedWhite: white / of,
    clippedBlack: black / of,
  };
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
