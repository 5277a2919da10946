/** A thin frame around a photo, as shops' templates and screenshots draw it: no part of any product. */

import type { Photo } from "../pixels/photo.ts";

const frameMax = 4;
/** At least this share of each line of a frame has its color, and of the line below it another one. */
const lineShareMin = 0.97;
/** Sum of the differences in R, G and B up to which two colors are one, and from which on they are two: JPEG blurs lines. */
const sameMax = 36;
const otherMin = 60;

/** Clears the matte where the photo has a frame: lines of one color along all four sides that end sharply. */
export function clearThinFrame(alpha: Uint8Array, photo: Photo): void {
  const { width, height } = photo;
  const lines = frameLines(photo);
  if (lines === 0) return;
  // A JPEG mixes the first line of the photo with the frame.
  const cleared = lines + 1;
  for (let y = 0; y < height; y++) {
    const row = y * width;
    if (y < cleared || y >= height - cleared) alpha.fill(0, row, row + width);
    alpha.fill(0, row, row + cleared);
    alpha.fill(0, row + width - cleared, row + width);
  }
}

/** 0: the photo has no frame. */
function frameLines(photo: Photo): number {
  const { rgb, width, height } = photo;
  if (Math.min(width, height) < 16 * frameMax) return 0;
  const color = rgb.subarray(3 * Math.floor(width / 2), 3 * Math.floor(width / 2) + 3);
  const sides = [0, 1, 2, 3];
  for (let depth = 0; depth <= frameMax; depth++) {
    const shares = sides.map((side) => shareOfLine(photo, { side, depth }, color, 0, sameMax));
    if (shares.every((share) => share >= lineShareMin)) continue;
    const ends = (side: number) => shareOfLine(photo, { side, depth }, color, otherMin, Number.POSITIVE_INFINITY);
    return depth > 0 && sides.every((side) => ends(side) >= lineShareMin) ? depth : 0;
  }
  return 0;
}

interface Line {
  /** 0–3: top, bottom, left, right. */
  readonly side: number;
  readonly depth: number;
}

/** The share of the pixels whose difference from a color is within bounds; the corners are left out, which belong to two sides. */
function shareOfLine(
  { rgb, width, height }: Photo,
  { side, depth }: Line,
  color: Uint8Array,
  least: number,
  most: number,
): number {
  const isRow = side < 2;
  const length = (isRow ? width : height) - 2 * frameMax;
  const at = side % 2 === 0 ? depth : (isRow ? height : width) - 1 - depth;
  let count = 0;
  for (let n = frameMax; n < frameMax + length; n++) {
    const by = differenceAt(rgb, isRow ? at * width + n : n * width + at, color);
    if (by >= least && by <= most) count++;
  }
  return count / length;
}

function differenceAt(rgb: Uint8Array, pixel: number, color: Uint8Array): number {
  const at = 3 * pixel;
  return Math.abs(rgb[at]! - color[0]!) + Math.abs(rgb[at + 1]! - color[1]!) + Math.abs(rgb[at + 2]! - color[2]!);
}
