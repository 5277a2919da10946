/**
 * Specks in the band around an edge: pixels that stand out from what surrounds them on all sides. A JPEG's noise beside
 * an edge, on white most of all, has now and then the product's color, and a knit's or a rope's edge that of the backdrop.
 */

import type { Size } from "../../pixels/geometry.ts";

/** Visits runs of pixels in a row, [from, end). */
export type VisitRuns = (row: number, visit: (from: number, end: number) => void) => void;

/**
 * Gives each pixel at least the second lowest alpha of the eight around it and at most the second highest: single pixels and pairs
 * vanish, lines of one pixel stay, and what is smooth keeps its bytes.
 */
export function removeSpecks(alpha: Uint8Array, { width, height }: Size, visitRuns: VisitRuns): void {
  // Each pixel is compared with the alpha that its neighbors had before.
  let above = alpha.slice(0, width);
  let here = alpha.slice(width, 2 * width);
  let below = new Uint8Array(width);
  for (let y = 1; y < height - 1; y++) {
    const row = y * width;
    below.set(alpha.subarray(row + width, row + 2 * width));
    const out = alpha.subarray(row, row + width);
    visitRuns(y, (from, end) =>
      removeFromRun(out, { above, here, below }, Math.max(1, from), Math.min(width - 1, end)),
    );
    [above, here, below] = [here, below, above];
  }
}

interface RowsAround {
  readonly above: Uint8Array;
  readonly here: Uint8Array;
  readonly below: Uint8Array;
}

function removeFromRun(out: Uint8Array, { above, here, below }: RowsAround, from: number, end: number): void {
  for (let x = from; x < end; x++) {
    if (!isBetween(here[x]!, above[x]!, below[x]!) || !isBetween(here[x]!, here[x - 1]!, here[x + 1]!)) {
      out[x] = clampToAround(above, here, below, x);
    }
  }
}

const isBetween = (value: number, a: number, b: number) => (value >= a && value <= b) || (value >= b && value <= a);

/** Alpha of the eight around a pixel. */
const around = new Uint8Array(8);

function clampToAround(above: Uint8Array, here: Uint8Array, below: Uint8Array, x: number): number {
  for (let n = 0; n < 3; n++) {
    around[n] = above[x - 1 + n]!;
    around[3 + n] = below[x - 1 + n]!;
  }
  around[6] = here[x - 1]!;
  around[7] = here[x + 1]!;
  let lowest = 255;
  let low = 255;
  let high = 0;
  let highest = 0;
  for (let n = 0; n < 8; n++) {
    const value = around[n]!;
    if (value < lowest) {
      low = lowest;
      lowest = value;
    } else if (value < low) low = value;
    if (value > highest) {
      high = highest;
      highest = value;
    } else if (value > high) high = value;
  }
  return Math.min(high, Math.max(low, here[x]!));
}
