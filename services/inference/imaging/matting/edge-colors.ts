/** The colors of product and background on either side of an edge, from cells that are not a mix of both. */

import { addressOf, computeBytes, computeFloats, inKernelMemory, reserve } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import type { Size } from "../pixels/geometry.ts";
import { dilate, erode, invertMask } from "../pixels/morphology.ts";
import type { WorkGrid } from "./work-grid.ts";

/** Cells within this distance of the edge mix both sides' colors. */
export const mixedCells = 2;
/**
 * Per cell: the background's red, green, blue and spread, then the product's. Spread is the colors' standard deviation.
 */
export const edgeColorChannels = 8;

export interface ColorField extends Size {
  readonly values: Float32Array;
}

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
  // Bilinear interpolation reads the four cells around a pixel.
  const values = computeFloats(size.width * size.height * edgeColorChannels, (to) => {
    kernels.clear(to, 4 * size.width * size.height * edgeColorChannels);
    const band = computeBytes(size.width * size.height, (marks) => {
      kernels.clear(marks, size.width * size.height);
      kernels.markNearEdge(addressOf(signed), grid.width, grid.height, reach, size.width, marks);
    });
    const needed = addressOf(dilate(band, size, 2));
    fillLocalColors(grid, invertMask(region), size, needed, to, 0);
    fillLocalColors(grid, region, size, needed, to, 4);
  });
  return { ...size, values };
}

/**
 * Writes the mean color of one side around each needed cell: of the unmixed cells in a small window, else of all
 * cells of the side in wider windows. A cell far from the side keeps its zeros.
 */
function fillLocalColors(grid: WorkGrid, side: Uint8Array, half: Size, needed: number, values: number, first: number) {
  const { width, height } = half;
  inKernelMemory(() => {
    const pure = buildColorTable(grid, erode(side, grid, mixedCells), half);
    const missing = reserve(4 * width * height);
    const count = kernels.fillFromPure(pure, needed, width, height, values, first, missing);
    // Only thin parts and narrow gaps need them.
    if (count === 0) return;
    const any = buildColorTable(grid, side, half);
    kernels.fillFromAny(pure, any, missing, count, width, height, values, first);
  });
}

/** Sums of one side's colors at half the grid's resolution: five 32-bit numbers per entry. */
function buildColorTable({ rgb, width, height }: WorkGrid, mask: Uint8Array, half: Size): number {
  const table = reserve(5 * 4 * (half.width + 1) * (half.height + 1));
  kernels.buildColorTable(addressOf(rgb), addressOf(mask), width, height, half.width, half.height, table);
  return table;
}
