/** The colors of product and background on either side of an edge, from cells that are not a mix of both. */

import { addressOf, computeBytes, computeFloats, inKernelMemory, reserve } from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import { visibleBox } from "../../pixels/alpha-scan.ts";
import type { Box, Size } from "../../pixels/geometry.ts";
import { dilate, erode, invertMask } from "../../pixels/morphology.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";

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
    const needed = dilate(band, size, 2);
    const box = visibleBox(needed, size, 1);
    if (box === undefined) return;
    const part = { size, needed, read: dilate(needed, size, widestRadius), box: growBox(box, widestRadius, size) };
    fillLocalColors(grid, invertMask(region), part, to, 0);
    fillLocalColors(grid, region, part, to, 4);
  });
  return { ...size, values };
}

/** Half the side of the widest window around a needed cell. */
const widestRadius = 16;

function growBox({ left, top, width, height }: Box, by: number, size: Size): Box {
  const from = { left: Math.max(0, left - by), top: Math.max(0, top - by) };
  return {
    ...from,
    width: Math.min(size.width, left + width + by) - from.left,
    height: Math.min(size.height, top + height + by) - from.top,
  };
}

/** What is computed of the half grid. */
interface Part {
  readonly size: Size;
  /** 1 where colors are needed. */
  readonly needed: Uint8Array;
  /** 1 where the windows around those cells read, and the box of that. */
  readonly read: Uint8Array;
  readonly box: Box;
}

/**
 * Writes the mean color of one side around each needed cell: of the unmixed cells in a small window, else of all
 * cells of the side in wider windows. A cell far from the side keeps its zeros.
 */
function fillLocalColors(grid: WorkGrid, side: Uint8Array, part: Part, values: number, first: number) {
  const { width, height } = part.size;
  inKernelMemory(() => {
    const pure = buildColorTable(grid, erode(side, grid, mixedCells), part);
    const missing = reserve(4 * width * height);
    const count = kernels.fillFromPure(pure, addressOf(part.needed), width, height, values, first, missing);
    // Only thin parts and narrow gaps need them.
    if (count === 0) return;
    const any = buildColorTable(grid, side, part);
    kernels.fillFromAny(pure, any, missing, count, width, height, values, first);
  });
}

/** Sums of one side's colors at half the grid's resolution: five 32-bit numbers per entry. */
function buildColorTable({ rgb, width, height }: WorkGrid, mask: Uint8Array, { size, read, box }: Part): number {
  const table = reserve(5 * 4 * (size.width + 1) * (size.height + 1));
  const right = box.left + box.width;
  const bottom = box.top + box.height;
  const colors = addressOf(rgb);
  const marks = addressOf(mask);
  const cells = addressOf(read);
  kernels.buildColorTable(colors, marks, cells, width, height, size.width, box.left, box.top, right, bottom, table);
  return table;
}
