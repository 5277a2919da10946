/** Where the pixels of an image fall on a coarse grid, whose values are interpolated there. */

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
    rowOf: scaled(rows.at, grid.width),
    rowWeight: rows.weight,
    right: grid.width > 1 ? 1 : 0,
    down: grid.height > 1 ? grid.width : 0,
  };
}

function scaled(values: Int32Array, factor: number): Int32Array {
  const out = new Int32Array(values.length);
  for (let i = 0; i < out.length; i++) out[i] = values[i]! * factor;
  return out;
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
