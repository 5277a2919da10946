/** Bilinear interpolation of a coarse grid's values at the pixels of a larger image. */

import type { Size } from "./geometry.ts";

/** Where each column and row of an image falls on a grid that covers the same area. */
export interface SamplePositions {
  /** Grid column left of each pixel column, and the weight of the next grid column. */
  readonly colOf: Int32Array;
  readonly colWeight: Float32Array;
  /** Index of the first cell of the grid row above each pixel row, and the weight of the next grid row. */
  readonly rowOf: Int32Array;
  readonly rowWeight: Float32Array;
  /** Index steps to the next column and row; 0 where the grid has only one. */
  readonly right: number;
  readonly down: number;
}

export function samplePositions(image: Size, grid: Size): SamplePositions {
  const columns = positionsAlong(image.width, grid.width);
  const rows = positionsAlong(image.height, grid.height);
  return {
    colOf: columns.at,
    colWeight: columns.weight,
    rowOf: rows.at.map((row) => row * grid.width),
    rowWeight: rows.weight,
    right: grid.width > 1 ? 1 : 0,
    down: grid.height > 1 ? grid.width : 0,
  };
}

function positionsAlong(pixels: number, cells: number) {
  const at = new Int32Array(pixels);
  const weight = new Float32Array(pixels);
  for (let i = 0; i < pixels; i++) {
    const position = Math.min(Math.max(((i + 0.5) * cells) / pixels - 0.5, 0), cells - 1);
    at[i] = Math.min(Math.floor(position), Math.max(0, cells - 2));
    weight[i] = position - at[i]!;
  }
  return { at, weight };
}

/** A grid with `channels` values per cell, read one row of pixels at a time. */
export interface Field {
  readonly values: Float32Array;
  readonly channels: number;
  readonly positions: SamplePositions;
  /** The grid interpolated at the height of one row of pixels, within the columns passed to `interpolateRows`. */
  readonly row: Float64Array;
}

export function createField(values: Float32Array, channels: number, grid: Size, positions: SamplePositions): Field {
  return { values, channels, positions, row: new Float64Array(grid.width * channels) };
}

/** Prepares row `y` for `interpolateAt` at the columns from `from` to before `to`. */
export function interpolateRows(
  { values, channels, positions, row }: Field,
  y: number,
  from: number,
  to: number,
): void {
  const weight = positions.rowWeight[y]!;
  const above = positions.rowOf[y]! * channels;
  const below = above + positions.down * channels;
  const end = (positions.colOf[to - 1]! + positions.right + 1) * channels;
  for (let k = positions.colOf[from]! * channels; k < end; k++) {
    row[k] = values[above + k]! * (1 - weight) + values[below + k]! * weight;
  }
}

/**
 * Writes all channels at column `x` to `out`. An array, because each double that a function returns is allocated on the
 * heap: 16 MB for a million pixels.
 */
export function interpolateAt({ channels, positions, row }: Field, x: number, out: Float64Array): void {
  const weight = positions.colWeight[x]!;
  const at = positions.colOf[x]! * channels;
  const next = at + positions.right * channels;
  for (let k = 0; k < channels; k++) out[k] = row[at + k]! * (1 - weight) + row[next + k]! * weight;
}
