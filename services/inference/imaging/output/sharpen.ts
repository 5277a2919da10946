/**
 * Sharpens an image that was scaled down, by an unsharp mask of 3 × 3 pixels. Of a cut-out only what is visible counts, by its
 * alpha, so that nothing of what is behind the product shows at its edge; alpha itself stays as it is. No value exceeds those
 * around it by more than a tenth of their contrast: edges are steeper, and have no halos.
 */

import type { Box } from "../pixels/geometry.ts";
import type { Image } from "../pixels/image.ts";

/** How much of the difference to the blurred image is added at the full strength. */
const strongest = 1.5;
/** By how much a value may exceed those around it, as a share of their contrast. */
export const overshootMax = 0.1;
/** @param strength 0–1. The image's own pixels are changed, within the box. */
export function sharpen(image: Image, box: Box, strength: number): void {
  const { width, channels, pixels } = image;
  const startOf = (y: number) => ((box.top + y) * width + box.left) * channels;
  const copyOf = (y: number) => pixels.slice(startOf(y), startOf(y) + box.width * channels);
  const columns = createColumns(box.width);
  let above = copyOf(0);
  let row = above;
  for (let y = 0; y < box.height; y++) {
    const below = y + 1 < box.height ? copyOf(y + 1) : row;
    lookDown(columns, [above, row, below], channels);
    writeRow(columns, row, channels, { amount: strength * strongest, pixels, at: startOf(y) });
    above = row;
    row = below;
  }
}

/** What three rows have in each column: by channel, three values a column, with one column more at either end. */
interface Columns {
  /** Sums of values by their weights, those of alpha included. */
  readonly sums: Float32Array;
  readonly least: Uint8Array;
  readonly most: Uint8Array;
  /** Sums of the weights, one a column. */
  readonly weights: Float32Array;
}

function createColumns(width: number): Columns {
  const count = width + 2;
  return {
    sums: new Float32Array(3 * count),
    least: new Uint8Array(3 * count),
    most: new Uint8Array(3 * count),
    weights: new Float32Array(count),
  };
}

function lookDown(
  { sums, least, most, weights }: Columns,
  [above, row, below]: readonly [Uint8Array, Uint8Array, Uint8Array],
  channels: 3 | 4,
): void {
  const width = row.length / channels;
  for (let x = 0, at = 0, to = 3; x < width; x++, at += channels, to += 3) {
    const first = channels === 4 ? above[at + 3]! : 255;
    const second = 2 * (channels === 4 ? row[at + 3]! : 255);
    const third = channels === 4 ? below[at + 3]! : 255;
    weights[x + 1] = first + second + third;
    for (let c = 0; c < 3; c++) {
      const a = above[at + c]!;
      const b = row[at + c]!;
      const d = below[at + c]!;
      sums[to + c] = first * a + second * b + third * d;
      // What is not to be seen sets no bound.
      least[to + c] = Math.min(first === 0 ? 255 : a, second === 0 ? 255 : b, third === 0 ? 255 : d);
      most[to + c] = Math.max(first === 0 ? 0 : a, second === 0 ? 0 : b, third === 0 ? 0 : d);
    }
  }
  // Beyond the ends, the outermost columns go on.
  for (const plane of [sums, least, most]) {
    plane.copyWithin(0, 3, 6);
    plane.copyWithin(3 * width + 3, 3 * width, 3 * width + 3);
  }
  weights[0] = weights[1]!;
  weights[width + 1] = weights[width]!;
}

interface Target {
  readonly amount: number;
  readonly pixels: Uint8Array;
  /** Where the row begins. */
  readonly at: number;
}

function writeRow({ sums, least, most, weights }: Columns, row: Uint8Array, channels: 3 | 4, target: Target): void {
  const { amount, pixels, at: start } = target;
  const width = row.length / channels;
  for (let x = 0, at = 0, from = 3; x < width; x++, at += channels, from += 3) {
    if (channels === 4 && row[at + 3] === 0) continue;
    const share = 1 / (weights[x]! + 2 * weights[x + 1]! + weights[x + 2]!);
    for (let c = from; c < from + 3; c++) {
      const value = row[at + c - from]!;
      const blurred = (sums[c - 3]! + 2 * sums[c]! + sums[c + 3]!) * share;
      const low = Math.min(least[c - 3]!, least[c]!, least[c + 3]!);
      const high = Math.max(most[c - 3]!, most[c]!, most[c + 3]!);
      const room = overshootMax * (high - low);
      const wanted = Math.min(high + room, Math.max(low - room, value + amount * (value - blurred)));
      pixels[start + at + c - from] = wanted < 0 ? 0 : Math.min(255, wanted + 0.5);
    }
  }
}
