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

/**
 * Reads all the values of one place of a field that keeps `perCell` of them in each cell. Into an array: a function that
 * returns a double allocates one on the heap, at a million pixels 16 MB. Pixels beside each other mostly share a cell, so
 * what the cells above and below come to on a row is kept for the next pixel.
 */
export function fieldReader(values: Float32Array, places: Places, perCell: number) {
  const { colOf, colShare, rowOf, rowShare } = places;
  const right = places.right * perCell;
  const down = places.down * perCell;
  const left = new Float64Array(perCell);
  const rise = new Float64Array(perCell);
  let [lastCell, lastRow] = [-1, -1];
  return (x: number, y: number, out: Float64Array): void => {
    const cell = rowOf[y]! + colOf[x]!;
    if (cell !== lastCell || y !== lastRow) {
      const share = rowShare[y]!;
      for (let k = 0, from = cell * perCell; k < perCell; k++, from++) {
        const here = values[from]! + share * (values[from + down]! - values[from]!);
        const there = values[from + right]! + share * (values[from + right + down]! - values[from + right]!);
        left[k] = here;
        rise[k] = there - here;
      }
      lastCell = cell;
      lastRow = y;
    }
    const share = colShare[x]!;
    for (let k = 0; k < perCell; k++) out[k] = left[k]! + share * rise[k]!;
  };
}
