/** Reading smooth fields of a coarse grid at the pixels of a finer picture. */

import type { Size } from "./resize.ts";

/** Where each column and row of a picture falls on a grid that covers the same area. */
export interface Places {
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

export function placesAlong(picture: Size, grid: Size): Places {
  const columns = placesOf(picture.width, grid.width);
  const rows = placesOf(picture.height, grid.height);
  return {
    colOf: columns.at,
    colShare: columns.share,
    rowOf: rows.at.map((row) => row * grid.width),
    rowShare: rows.share,
    right: grid.width > 1 ? 1 : 0,
    down: grid.height > 1 ? grid.width : 0,
  };
}

function placesOf(pixels: number, cells: number) {
  const at = new Int32Array(pixels);
  const share = new Float32Array(pixels);
  for (let i = 0; i < pixels; i++) {
    const place = Math.min(Math.max(((i + 0.5) * cells) / pixels - 0.5, 0), cells - 1);
    at[i] = Math.min(Math.floor(place), Math.max(0, cells - 2));
    share[i] = place - at[i]!;
  }
  return { at, share };
}

/** A field of `perCell` values a cell, to be read row of pixels by row of pixels. */
export interface Field {
  readonly values: Float32Array;
  readonly perCell: number;
  readonly places: Places;
  /** The values between two rows of cells, at the height of a row of pixels, as far as `blendRows` was asked for them. */
  readonly row: Float64Array;
}

export function fieldOf(values: Float32Array, perCell: number, grid: Size, places: Places): Field {
  return { values, perCell, places, row: new Float64Array(grid.width * perCell) };
}

/** Must come before `readAcross` at the pixels from `from` to before `to` of row `y`. */
export function blendRows({ values, perCell, places, row }: Field, y: number, from: number, to: number): void {
  const share = places.rowShare[y]!;
  const above = places.rowOf[y]! * perCell;
  const below = above + places.down * perCell;
  const end = (places.colOf[to - 1]! + places.right + 1) * perCell;
  for (let k = places.colOf[from]! * perCell; k < end; k++) {
    row[k] = values[above + k]! * (1 - share) + values[below + k]! * share;
  }
}

/**
 * Reads all the values at column `x`. Into an array: a function that returns a double allocates one on the heap, at a
 * million pixels 16 MB.
 */
export function readAcross({ perCell, places, row }: Field, x: number, out: Float64Array): void {
  const share = places.colShare[x]!;
  const at = places.colOf[x]! * perCell;
  const next = at + places.right * perCell;
  for (let k = 0; k < perCell; k++) out[k] = row[at + k]! * (1 - share) + row[next + k]! * share;
}
