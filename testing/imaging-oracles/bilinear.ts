/** Bilinear interpolation of a coarse grid's values at the pixels of a larger image. */

import type { SamplePositions } from "../../services/inference/imaging/pixels/bilinear.ts";
import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";

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
