/** The colors of product and background on either side of an edge, from cells that are not a mix of both. */

import {
  type ColorField,
  edgeColorChannels,
  mixedCells,
} from "../../services/inference/imaging/matting/alpha/edge-colors.ts";
import type { WorkGrid } from "../../services/inference/imaging/matting/evidence/work-grid.ts";
import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";
import { dilate, erode, invertMask } from "./morphology.ts";
import { buildSummedAreaTable, type SummedAreaTable, sumWindow } from "./summed-area-table.ts";

/** The windows searched for a cell's colors, one after another; radii in cells of the color grid. */
const searches = [
  { of: "pure", radius: 2 },
  { of: "pure", radius: 6 },
  { of: "any", radius: 6 },
  { of: "pure", radius: 16 },
  { of: "any", radius: 16 },
] as const;
/** Share of a window's cells that must be on the searched side. */
const windowShareMin = 0.02;

/**
 * Mean colors of both sides around the cells near an edge, on a grid of half the work grid's resolution.
 *
 * @param signed distance to the edge in cells, from `signedDistance`
 * @param reach cells from the edge within which pixels read the colors
 */
export function estimateEdgeColors(
  grid: WorkGrid,
  region: Uint8Array,
  signed: Float32Array,
  reach: number,
): ColorField {
  const size = { width: (grid.width + 1) >> 1, height: (grid.height + 1) >> 1 };
  const values = new Float32Array(size.width * size.height * edgeColorChannels);
  const band = new Uint8Array(size.width * size.height);
  for (let i = 0; i < signed.length; i++) {
    if (Math.abs(signed[i]!) > reach) continue;
    const x = i % grid.width;
    band[(((i - x) / grid.width) >> 1) * size.width + (x >> 1)] = 1;
  }
  // Bilinear interpolation reads the four cells around a pixel.
  const needed = dilate(band, size, 2);
  fillLocalColors(grid, invertMask(region), needed, values, 0);
  fillLocalColors(grid, region, needed, values, 4);
  return { ...size, values };
}

/**
 * Writes the mean color of one side around each needed cell: of the unmixed cells in a small window, else of all
 * cells of the side in wider windows.
 *
 * @param needed 1 for the cells that will be read; a cell far from the side keeps its zeros
 */
function fillLocalColors(
  grid: WorkGrid,
  side: Uint8Array,
  needed: Uint8Array,
  values: Float32Array,
  first: number,
): void {
  const size = { width: (grid.width + 1) >> 1, height: (grid.height + 1) >> 1 };
  const pure = buildColorTable(grid, erode(side, grid, mixedCells), size);
  const sums = new Float64Array(tableChannels);
  const sumPure = (x: number, y: number, radius: number) => sumWindow(pure, x, y, radius, sums);
  const sumAny = createWindowSums(grid, side, size, sums);
  for (let i = 0; i < needed.length; i++) {
    if (needed[i] === 0) continue;
    const x = i % size.width;
    const y = (i - x) / size.width;
    for (const { of, radius } of searches) {
      const cells = of === "any" ? sumAny(x, y, radius) : sumPure(x, y, radius);
      if (sums[0]! < windowShareMin * cells) continue;
      writeMean(sums, values, i * edgeColorChannels + first);
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

/** Number of cells of the side, their red, green and blue, and the sum of squares. */
const tableChannels = 5;

/**
 * Sums of all cells of the side in a window, to `out`. Only thin parts and narrow gaps need them, so the first
 * windows are summed cell by cell; the table is built when that has cost as much.
 */
function createWindowSums(grid: WorkGrid, side: Uint8Array, half: Size, out: Float64Array) {
  let table: SummedAreaTable | undefined;
  let visited = 0;
  return (x: number, y: number, radius: number): number => {
    if (visited > half.width * half.height) table ??= buildColorTable(grid, side, half);
    if (table !== undefined) return sumWindow(table, x, y, radius, out);
    const cells = sumWindowDirectly(grid, side, half, x, y, radius, out);
    visited += cells;
    return cells;
  };
}

/** Sums the same window as `sumWindow`, in cells of the half grid. */
function sumWindowDirectly(
  grid: WorkGrid,
  side: Uint8Array,
  half: Size,
  x: number,
  y: number,
  radius: number,
  out: Float64Array,
): number {
  const left = Math.max(0, x - radius);
  const right = Math.min(half.width, x + radius + 1);
  const top = Math.max(0, y - radius);
  const bottom = Math.min(half.height, y + radius + 1);
  const sums = new Int32Array(tableChannels);
  for (let v = 2 * top; v < Math.min(grid.height, 2 * bottom); v++) {
    addCells(grid.rgb, side, v * grid.width + 2 * left, v * grid.width + Math.min(grid.width, 2 * right), 0, sums);
  }
  out.set(sums);
  return (right - left) * (bottom - top);
}

/** Sums of one side's colors at half the grid's resolution. */
function buildColorTable(grid: WorkGrid, mask: Uint8Array, half: Size): SummedAreaTable {
  return buildSummedAreaTable(half, tableChannels, (y, line) => {
    for (let v = 2 * y; v < Math.min(grid.height, 2 * y + 2); v++) {
      addCells(grid.rgb, mask, v * grid.width, (v + 1) * grid.width, tableChannels, line);
    }
  });
}

/** Adds the side's cells of a row to `sums`, which advances by `step` after every two cells. */
function addCells(rgb: Uint8Array, mask: Uint8Array, from: number, end: number, step: number, sums: Int32Array): void {
  for (let i = from; i < end; i++) {
    if (mask[i] === 0) continue;
    const to = ((i - from) >> 1) * step;
    const r = rgb[i * 3]!;
    const g = rgb[i * 3 + 1]!;
    const b = rgb[i * 3 + 2]!;
    sums[to]! += 1;
    sums[to + 1]! += r;
    sums[to + 2]! += g;
    sums[to + 3]! += b;
    sums[to + 4]! += r * r + g * g + b * b;
  }
}
