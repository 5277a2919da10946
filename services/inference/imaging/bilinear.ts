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
 * Reads all the values of one place of a field that keeps `out.length` values per cell. Into an array: a function that
 * returns a double allocates one on the heap, at a million pixels 16 MB.
 */
export function readField(values: Float32Array, places: Places, x: number, y: number, out: Float64Array): void {
  const perCell = out.length;
  const fx = places.colShare[x]!;
  const fy = places.rowShare[y]!;
  const p = (places.rowOf[y]! + places.colOf[x]!) * perCell;
  const right = places.right * perCell;
  const down = places.down * perCell;
  const w00 = (1 - fx) * (1 - fy);
  const w10 = fx * (1 - fy);
  const w01 = (1 - fx) * fy;
  const w11 = fx * fy;
  for (let k = p, n = 0; n < perCell; k++, n++) {
    out[n] = values[k]! * w00 + values[k + right]! * w10 + values[k + down]! * w01 + values[k + right + down]! * w11;
  }
}
