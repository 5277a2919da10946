/** The colors of product and background on either side of an edge, from cells that are not mixed of both. */

import { type SummedAreaTable, buildSummedAreaTable, sumWindow } from "../pixels/summed-area-table.ts";
import type { WorkGrid } from "./work-grid.ts";
import { dilate, erode, invertMask } from "../pixels/morphology.ts";
import type { Size } from "../pixels/geometry.ts";

/** Cells beside the edge that are mixed themselves and so tell neither side's color. */
const mixedCells = 2;
/** Where a cell's colors are looked for, radii in cells of the color grid; each search wider than the last. */
const searches = [
  { of: "pure", radius: 2 },
  { of: "pure", radius: 6 },
  { of: "any", radius: 6 },
  { of: "pure", radius: 16 },
  { of: "any", radius: 16 },
] as const;
/** Share of a window's cells that must be on the side whose color is looked for. */
const windowShareMin = 0.02;

/** Per cell: the background's red, green, blue and spread, then the product's; spread is their standard deviation. */
export const edgeColorChannels = 8;

export interface ColorField extends Size {
  readonly values: Float32Array;
}

/**
 * Mean colors of both sides around the cells near a region's edge, on a grid of half the work grid's resolution.
 *
 * @param signed cells to the edge, as `signedDistance` gives them
 * @param reach cells from the edge within which pixels will ask
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
  // A pixel reads the four cells around it.
  const wanted = dilate(band, size, 2);
  localColors(grid, invertMask(region), wanted, values, 0);
  localColors(grid, region, wanted, values, 4);
  return { ...size, values };
}

/**
 * Mean color of one side around each wanted cell: of its unmixed cells near by, else of all its cells in ever wider
 * windows.
 *
 * @param wanted 1 for the cells that are looked at; a cell far from the side keeps its zeros
 */
function localColors(grid: WorkGrid, side: Uint8Array, wanted: Uint8Array, values: Float32Array, first: number): void {
  const size = { width: (grid.width + 1) >> 1, height: (grid.height + 1) >> 1 };
  const pure = buildColorTable(grid, erode(side, grid, mixedCells), size);
  const found = new Float64Array(tableChannels);
  const sumPure = (x: number, y: number, radius: number) => sumWindow(pure, x, y, radius, found);
  const sumAny = createWindowSums(grid, side, size, found);
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === 0) continue;
    const x = i % size.width;
    const y = (i - x) / size.width;
    for (const { of, radius } of searches) {
      const cells = of === "any" ? sumAny(x, y, radius) : sumPure(x, y, radius);
      if (found[0]! < windowShareMin * cells) continue;
      writeMean(found, values, i * edgeColorChannels + first);
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
const tableChannels = 5;

/**
 * Sums of all the side's cells in a window, to `out`. Only thin parts and narrow gaps ask for them: a few windows are
 * added up cell by cell, and a table is made when that has cost as much.
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

/** As `sumWindow` does: the window is of the half grid's cells. */
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

/** Sums over one side at half the grid's resolution. */
function buildColorTable(grid: WorkGrid, mask: Uint8Array, half: Size): SummedAreaTable {
  return buildSummedAreaTable(half, tableChannels, (y, line) => {
    for (let v = 2 * y; v < Math.min(grid.height, 2 * y + 2); v++) {
      addCells(grid.rgb, mask, v * grid.width, (v + 1) * grid.width, tableChannels, line);
    }
  });
}

/** Cells of a row of the grid to `sums`, which moves on by `step` after two of them. */
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
