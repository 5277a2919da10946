/**
 * Summed-area tables (F. Crow, "Summed-Area Tables for Texture Mapping", SIGGRAPH 1984): after one pass over the image,
 * the sums over any window take four reads, whatever its size.
 */

import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";

export interface SummedAreaTable extends Size {
  /** Values per cell. */
  readonly channels: number;
  /**
   * (width + 1) × (height + 1) × `channels`: each entry holds the sums over all cells above and left of its corner.
   * Sums may overflow 32 bits and wrap around. A window's own sum must not; its four reads are then exact.
   */
  readonly sums: Int32Array;
}

/**
 * @param fillLine writes a row of cells, `channels` values each, to a line of zeros
 */
export function buildSummedAreaTable(
  { width, height }: Size,
  channels: number,
  fillLine: (y: number, line: Int32Array) => void,
): SummedAreaTable {
  const stride = (width + 1) * channels;
  const sums = new Int32Array(stride * (height + 1));
  const line = new Int32Array(width * channels);
  for (let y = 0; y < height; y++) {
    line.fill(0);
    fillLine(y, line);
    for (let k = 0; k < channels; k++) sumLine(line, k, channels, sums, (y + 1) * stride + channels, stride);
  }
  return { width, height, channels, sums };
}

/** Adds one channel of the line: each entry is the sum of all before it in the line and of the table's entry above. */
function sumLine(line: Int32Array, k: number, channels: number, sums: Int32Array, to: number, stride: number): void {
  let sum = 0;
  for (let from = k; from < line.length; from += channels) {
    sum = (sum + line[from]!) | 0;
    sums[to + from] = sum + sums[to + from - stride]!;
  }
}

/**
 * Sums over (2 radius + 1)² cells; the window is cut at the border.
 *
 * @param out `channels` values
 * @returns the number of cells in the window
 */
export function sumWindow(table: SummedAreaTable, x: number, y: number, radius: number, out: Float64Array): number {
  const { width, height, channels, sums } = table;
  const left = Math.max(0, x - radius);
  const right = Math.min(width, x + radius + 1);
  const top = Math.max(0, y - radius);
  const bottom = Math.min(height, y + radius + 1);
  const above = (top * (width + 1) + left) * channels;
  const below = (bottom * (width + 1) + left) * channels;
  const across = (right - left) * channels;
  for (let k = 0; k < channels; k++) {
    const toBottom = (sums[below + across + k]! - sums[below + k]!) | 0;
    out[k] = (toBottom - ((sums[above + across + k]! - sums[above + k]!) | 0)) | 0;
  }
  return (right - left) * (bottom - top);
}
