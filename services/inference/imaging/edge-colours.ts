/** The colours of product and background on either side of an edge, from cells that are not mixed of both. */

import { dilate, erode, inverted } from "./regions.ts";
import type { Size } from "./resize.ts";
import type { WorkGrid } from "./work-grid.ts";

/** Cells beside the edge that are mixed themselves and so tell neither side's colour. */
const mixedCells = 2;
/** Where a cell's colours are looked for, radii in cells of the colour grid; each search wider than the last. */
const searches = [
  { of: "pure", radius: 2 },
  { of: "pure", radius: 6 },
  { of: "any", radius: 6 },
  { of: "pure", radius: 16 },
  { of: "any", radius: 16 },
] as const;
/** Share of a window's cells that must be on the side whose colour is looked for. */
const windowShareMin = 0.02;

/** Per cell: the background's red, green, blue and spread, then the product's; spread is their standard deviation. */
export const perCell = 8;

export interface ColourField extends Size {
  readonly values: Float32Array;
}

/**
 * Mean colours of both sides around the cells near a region's edge, on a grid of half the work grid's resolution.
 *
 * @param signed cells to the edge, as `signedDistance` gives them
 * @param reach cells from the edge within which pixels will ask
 */
export function coloursBesideEdge(
  grid: WorkGrid,
  region: Uint8Array,
  signed: Float32Array,
  reach: number,
): ColourField {
  const size = { width: (grid.width + 1) >> 1, height: (grid.height + 1) >> 1 };
  const values = new Float32Array(size.width * size.height * perCell);
  const band = new Uint8Array(size.width * size.height);
  for (let i = 0; i < signed.length; i++) {
    if (Math.abs(signed[i]!) > reach) continue;
    const x = i % grid.width;
    band[(((i - x) / grid.width) >> 1) * size.width + (x >> 1)] = 1;
  }
  // A pixel reads the four cells around it.
  const wanted = dilate(band, size, 2);
  localColours(grid, inverted(region), wanted, values, 0);
  localColours(grid, region, wanted, values, 4);
  return { ...size, values };
}

/**
 * Mean colour of one side around each wanted cell: of its unmixed cells near by, else of all its cells in ever wider
 * windows.
 *
 * @param wanted 1 for the cells that are looked at; a cell far from the side keeps its zeros
 */
function localColours(grid: WorkGrid, side: Uint8Array, wanted: Uint8Array, values: Float32Array, first: number): void {
  const size = { width: (grid.width + 1) >> 1, height: (grid.height + 1) >> 1 };
  const pure = summedColours(grid, erode(side, grid, mixedCells), size);
  // The table of all cells is made for thin parts and narrow gaps only: elsewhere unmixed ones are near.
  let any: Int32Array | undefined;
  const found = new Float64Array(perTableCell);
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === 0) continue;
    const x = i % size.width;
    const y = (i - x) / size.width;
    for (const { of, radius } of searches) {
      if (of === "any") any ??= summedColours(grid, side, size);
      const table = of === "any" ? any! : pure;
      if (!sumWindow(table, size, x, y, radius, found)) continue;
      writeMean(found, values, i * perCell + first);
      break;
    }
  }
}

function writeMean(sums: Float64Array, values: Float32Array, at: number): void {
  const weight = sums[0]!;
  const r = sums[1]! / weight;
  const g = sums[2]! / weight;
  const b = sums[3]! / weight;
  values[at] = r;
  values[at + 1] = g;
  values[at + 2] = b;
  values[at + 3] = Math.sqrt(Math.max(0, (sums[4]! / weight - r * r - g * g - b * b) / 3));
}

/** Cells of the side, its red, green and blue, and their squares. */
const perTableCell = 5;

/**
 * A summed-area table of one side at half the grid's resolution: each entry holds the sums over all cells above and left
 * of its corner, so that any window is four reads. Sums may run over 32 bits and wrap around: a window's own sum never
 * does, and so its four reads give it exactly.
 *
 * @returns (width + 1) × (height + 1) × `perTableCell`
 */
function summedColours(grid: WorkGrid, mask: Uint8Array, { width, height }: Size): Int32Array {
  const stride = (width + 1) * perTableCell;
  const table = new Int32Array(stride * (height + 1));
  for (let y = 0; y < grid.height; y++) {
    const row = ((y >> 1) + 1) * stride;
    for (let x = 0; x < grid.width; x++) {
      const i = y * grid.width + x;
      if (mask[i] === 0) continue;
      const to = row + ((x >> 1) + 1) * perTableCell;
      const r = grid.rgb[i * 3]!;
      const g = grid.rgb[i * 3 + 1]!;
      const b = grid.rgb[i * 3 + 2]!;
      table[to]!++;
      table[to + 1]! += r;
      table[to + 2]! += g;
      table[to + 3]! += b;
      table[to + 4]! += r * r + g * g + b * b;
    }
  }
  for (let row = stride; row < table.length; row += stride) {
    let [count, red, green, blue, squares] = [0, 0, 0, 0, 0];
    for (let at = row; at < row + stride; at += perTableCell) {
      count = (count + table[at]!) | 0;
      red = (red + table[at + 1]!) | 0;
      green = (green + table[at + 2]!) | 0;
      blue = (blue + table[at + 3]!) | 0;
      squares = (squares + table[at + 4]!) | 0;
      table[at] = table[at - stride]! + count;
      table[at + 1] = table[at + 1 - stride]! + red;
      table[at + 2] = table[at + 2 - stride]! + green;
      table[at + 3] = table[at + 3 - stride]! + blue;
      table[at + 4] = table[at + 4 - stride]! + squares;
    }
  }
  return table;
}

/**
 * The sums over (2 radius + 1)² cells around one, cut at the border.
 *
 * @returns whether enough of the window is on the table's side
 */
function sumWindow(table: Int32Array, size: Size, x: number, y: number, radius: number, out: Float64Array): boolean {
  const stride = (size.width + 1) * perTableCell;
  const left = Math.max(0, x - radius);
  const right = Math.min(size.width, x + radius + 1);
  const top = Math.max(0, y - radius);
  const bottom = Math.min(size.height, y + radius + 1);
  const aboveLeft = top * stride + left * perTableCell;
  const across = (right - left) * perTableCell;
  const belowLeft = bottom * stride + left * perTableCell;
  for (let k = 0; k < perTableCell; k++) {
    const below = (table[belowLeft + across + k]! - table[belowLeft + k]!) | 0;
    out[k] = (below - ((table[aboveLeft + across + k]! - table[aboveLeft + k]!) | 0)) | 0;
  }
  return out[0]! >= windowShareMin * (right - left) * (bottom - top);
}
