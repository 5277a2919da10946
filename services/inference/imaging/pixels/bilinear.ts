/** Reading smooth fields of a coarse grid at the pixels of a finer picture. */

import type { Size } from "./geometry.ts";

/** Where each column and row of a picture falls on a grid that covers the same area. */
export interface SamplePositions {
  /** Grid column left of each pixel column, and the share of the one to its right. */
  readonly colOf: Int32Array;
  readonly colShare: Float32Array;
  /** Index of the first cell of the grid row above each pixel row, and the share of the one below. */
  readonly rowOf: Int32Array;
  readonly rowShare: Float32Array;
  /** Index steps to the next column and row; 0 where the grid has only one. */
  readonly right: number;
  readonly down: number;
}

export function samplePositions(picture: Size, grid: Size): SamplePositions {
  const columns = positionsAlong(picture.width, grid.width);
  const rows = positionsAlong(picture.height, grid.height);
  return {
    colOf: columns.at,
    colShare: columns.share,
    rowOf: rows.at.map((row) => row * grid.width),
    rowShare: rows.share,
    right: grid.width > 1 ? 1 : 0,
    down: grid.height > 1 ? grid.width : 0,
  };
}

function positionsAlong(pixels: number, cells: number) {
  const at = new Int32Array(pixels);
  const share = new Float32Array(pixels);
  for (let i = 0; i < pixels; i++) {
    const place = Math.min(Math.max(((i + 0.5) * cells) / pixels - 0.5, 0), cells - 1);
    at[i] = Math.min(Math.floor(place), Math.max(0, cells - 2));
    share[i] = place - at[i]!;
  }
  return { at, share };
}

/** A field of `channels` values a cell, to be read row of pixels by row of pixels. */
export interface Field {
  readonly values: Float32Array;
  readonly channels: number;
  readonly positions: SamplePositions;
  /** The values between two rows of cells, at the height of a row of pixels, as far as `blendRows` was asked for them. */
  readonly row: Float64Array;
}

export function createField(values: Float32Array, channels: number, grid: Size, positions: SamplePositions): Field {
  return { values, channels, positions, row: new Float64Array(grid.width * channels) };
}

/** Must come before `readAcross` at the pixels from `from` to before `to` of row `y`. */
export function interpolateRows(
  { values, channels, positions, row }: Field,
  y: number,
  from: number,
  to: number,
): void {
  const share = positions.rowShare[y]!;
  const above = positions.rowOf[y]! * channels;
  const below = above + positions.down * channels;
  const end = (positions.colOf[to - 1]! + positions.right + 1) * channels;
  for (let k = positions.colOf[from]! * channels; k < end; k++) {
    row[k] = values[above + k]! * (1 - share) + values[below + k]! * share;
  }
}

/**
 * Reads all the values at column `x`. Into an array: a function that returns a double allocates one on the heap, at a
 * million pixels 16 MB.
 */
export function interpolateAt({ channels, positions, row }: Field, x: number, out: Float64Array): void {
  const share = positions.colShare[x]!;
  const at = positions.colOf[x]! * channels;
  const next = at + positions.right * channels;
  for (let k = 0; k < channels; k++) out[k] = row[at + k]! * (1 - share) + row[next + k]! * share;
}
