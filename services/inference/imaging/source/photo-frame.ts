/** A frame or two bars around a photo, as templates, screenshots and letterboxes have them. */

import type { LumaPhoto } from "./sharpness.ts";

/** A frame takes at most this share of a side; what is wider is the ground of a photo. */
const frameShareMax = 0.125;
/** Pixels of a line that are looked at. */
const samplesMax = 96;
/** At least this share of a frame's line has its color. */
const lineShareMin = 0.98;
/** And of the line where it ends this share has another. */
const endShareMin = 0.9;
/** Sum of the differences in R, G and B up to which two colors are one, and from which on they are two: JPEG blurs lines. */
const sameMax = 36;
const otherMin = 60;

/** The width in pixels of the widest side of a frame, or of two bars at opposite sides; 0: there is none. */
export function measureFrame(photo: LumaPhoto): number {
  const [top, bottom, left, right] = [0, 1, 2, 3].map((side) => bandOf(photo, side)) as [
    number,
    number,
    number,
    number,
  ];
  return Math.max(
    Math.min(top, bottom) > 0 ? Math.max(top, bottom) : 0,
    Math.min(left, right) > 0 ? Math.max(left, right) : 0,
  );
}

/** Lines of one color along a side that end sharply, all at once. @param side 0–3: top, bottom, left, right */
function bandOf(photo: LumaPhoto, side: number): number {
  const { rgb, width, height } = photo;
  const isRow = side < 2;
  const across = isRow ? height : width;
  const depthMax = Math.floor(across * frameShareMax);
  const samples = linePixels(photo, isRow);
  const stride = (isRow ? width : 1) * (side % 2 === 0 ? 1 : -1);
  const first = side % 2 === 0 ? 0 : (across - 1) * (isRow ? width : 1);
  const color = 3 * (first + samples[samples.length >> 1]!);
  for (let depth = 0; depth <= depthMax; depth++) {
    const line = first + depth * stride;
    if (shareThatDiffers(rgb, samples, line, color, 0, sameMax) >= lineShareMin) continue;
    // A JPEG mixes the first line of the photo with the frame.
    const ends = [line, line + stride].some(
      (at) => shareThatDiffers(rgb, samples, at, color, otherMin, Number.POSITIVE_INFINITY) >= endShareMin,
    );
    return ends ? depth : 0;
  }
  return 0;
}

/** The share of a line's pixels whose difference from a color is within bounds. @param line its first pixel */
function shareThatDiffers(
  rgb: Uint8Array,
  samples: readonly number[],
  line: number,
  color: number,
  least: number,
  most: number,
): number {
  let count = 0;
  for (const pixel of samples) {
    const by = difference(rgb, 3 * (line + pixel), color);
    if (by >= least && by <= most) count++;
  }
  return count / samples.length;
}

/** What is looked at of a line, counted from its first pixel; its ends belong to the other sides of a frame. */
function linePixels({ width, height }: LumaPhoto, isRow: boolean): number[] {
  const length = isRow ? width : height;
  const margin = Math.floor(length * frameShareMax);
  const step = Math.max(1, Math.floor((length - 2 * margin) / samplesMax));
  const pixels: number[] = [];
  for (let n = margin; n < length - margin; n += step) pixels.push(isRow ? n : n * width);
  return pixels;
}

function difference(rgb: Uint8Array, a: number, b: number): number {
  return Math.abs(rgb[a]! - rgb[b]!) + Math.abs(rgb[a + 1]! - rgb[b + 1]!) + Math.abs(rgb[a + 2]! - rgb[b + 2]!);
}
