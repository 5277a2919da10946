/**
 * Alpha at full resolution in the trimap's unknown band around an edge: the position of a pixel's color on the line
 * from the background's color beside the edge to the product's color beside it.
 */

import {
  addressOf,
  inKernelMemory,
  keepTable,
  kernelBytes,
  kernelDoubles,
  kernelIntegers,
  reserve,
} from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import { type SamplePositions, samplePositions } from "../../pixels/bilinear.ts";
import type { Size } from "../../pixels/geometry.ts";
import { signedDistance } from "../../pixels/signed-distance.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { type ColorField, edgeColorChannels, estimateEdgeColors } from "./edge-colors.ts";
import { removeSpecks } from "./remove-specks.ts";

/** Half-width of the unknown band in cells: alpha may be soft on either side of the edge. */
export const bandCells = 3;

/**
 * @param region 1 where the product is, on the grid
 * @param rgb interleaved u8 RGB of `size`
 * @returns alpha, u8, of `size`: exactly 0 or 255 outside the band
 */
export function estimateEdgeAlpha(rgb: Uint8Array, size: Size, region: Uint8Array, grid: WorkGrid): Uint8Array {
  const signed = signedDistance(region, grid, bandCells + 2);
  return fillBand(rgb, size, grid, signed, estimateEdgeColors(grid, region, signed, bandCells + 1));
}

function fillBand(rgb: Uint8Array, size: Size, grid: WorkGrid, signed: Float32Array, field: ColorField): Uint8Array {
  const alpha = new Uint8Array(size.width * size.height);
  const onGrid = samplePositions(size, grid);
  inKernelMemory(() => {
    const firstPixels = kernelIntegers(grid.width + 1);
    firstPixels.set(firstPixelOfCells(onGrid.colOf, grid.width));
    const found = kernelIntegers(3 * grid.width);
    const trimap: Trimap = { signed, rowOf: onGrid.rowOf, firstPixels, found, runs: [] };
    fillRows(trimap, openBand({ rgb, alpha, size, grid, onGrid, signed, field }));
    removeSpecks(alpha, size, (y, visit) => visitUnknown(runsOfRow(trimap, y), visit));
  });
  return alpha;
}

/** The trimap, whose rows are read twice. */
interface Trimap {
  readonly signed: Float32Array;
  /** Index of the first cell of the grid row above each pixel row. */
  readonly rowOf: Int32Array;
  readonly firstPixels: Int32Array;
  /** Room for the runs of a row. */
  readonly found: Int32Array;
  /** Runs by grid row, of the rows that have been read. */
  readonly runs: Int32Array[];
}

function runsOfRow(trimap: Trimap, y: number): Int32Array {
  const { signed, rowOf, firstPixels, found, runs } = trimap;
  const firstCell = rowOf[y]!;
  const gridRow = firstCell / (firstPixels.length - 1);
  runs[gridRow] ??= trimapRuns(signed, firstCell, firstPixels, found);
  return runs[gridRow];
}

function fillRows(trimap: Trimap, band: OpenBand): void {
  const { alpha, size } = band;
  for (let y = 0; y < size.height; y++) {
    const row = y * size.width;
    const ofRow = runsOfRow(trimap, y);
    for (let k = 0; k < ofRow.length; k += 3) {
      if (ofRow[k] === 1) alpha.fill(255, row + ofRow[k + 1]!, row + ofRow[k + 2]!);
      else if (ofRow[k] === 0) fillUnknownRun(band, y, ofRow[k + 1]!, ofRow[k + 2]!);
    }
  }
}

function visitUnknown(ofRow: Int32Array, visit: (from: number, end: number) => void): void {
  for (let k = 0; k < ofRow.length; k += 3) if (ofRow[k] === 0) visit(ofRow[k + 1]!, ofRow[k + 2]!);
}

interface Band {
  readonly rgb: Uint8Array;
  readonly alpha: Uint8Array;
  readonly size: Size;
  readonly grid: Size;
  readonly onGrid: SamplePositions;
  readonly signed: Float32Array;
  readonly field: ColorField;
}

/** What the kernel needs of a band, in its memory. */
interface OpenBand extends Band {
  readonly onField: SamplePositions;
  readonly rgbOfRow: Uint8Array;
  readonly alphaOfRow: Uint8Array;
  readonly pointers: Int32Array;
  readonly heights: Float64Array;
  readonly signedAt: number;
  readonly colorsAt: number;
}

function openBand(band: Band): OpenBand {
  const { size, grid, onGrid, signed, field } = band;
  const onField = samplePositions(size, field);
  const rgbOfRow = kernelBytes(3 * size.width);
  const alphaOfRow = kernelBytes(size.width);
  // As the kernel reads them: the positions, rows and steps of both fields, and the heights between their rows.
  const pointers = kernelIntegers(14);
  const heights = kernelDoubles(2);
  const signedAt = addressOf(signed);
  const colorsAt = addressOf(field.values);
  pointers[0] = addressOf(onGrid.colOf);
  pointers[1] = addressOf(onGrid.colWeight);
  pointers[4] = reserve(8 * grid.width);
  pointers[5] = onGrid.right;
  pointers[6] = addressOf(onField.colOf);
  pointers[7] = addressOf(onField.colWeight);
  pointers[10] = reserve(8 * field.width * edgeColorChannels);
  pointers[11] = onField.right;
  pointers[12] = linearLight;
  return { ...band, onField, rgbOfRow, alphaOfRow, pointers, heights, signedAt, colorsAt };
}

/** Fills a run of pixels in the band. Only it is copied to the kernels' memory and back, not the photo. */
function fillUnknownRun(band: OpenBand, y: number, from: number, end: number): void {
  const { rgb, alpha, size, onGrid, onField, rgbOfRow, alphaOfRow, pointers, heights } = band;
  const above = onGrid.rowOf[y]!;
  pointers[2] = band.signedAt + 4 * above;
  pointers[3] = band.signedAt + 4 * (above + onGrid.down);
  const aboveColors = onField.rowOf[y]!;
  pointers[8] = band.colorsAt + 4 * edgeColorChannels * aboveColors;
  pointers[9] = band.colorsAt + 4 * edgeColorChannels * (aboveColors + onField.down);
  heights[0] = onGrid.rowWeight[y]!;
  heights[1] = onField.rowWeight[y]!;
  const first = y * size.width + from;
  const pixels = end - from;
  // A run is a few pixels long, and there are thousands: views of each would take longer than its bytes.
  for (let i = 0; i < 3 * pixels; i++) rgbOfRow[i] = rgb[3 * first + i]!;
  for (let i = 0; i < pixels; i++) alphaOfRow[i] = 0;
  kernels.fillUnknownRun(
    rgbOfRow.byteOffset,
    alphaOfRow.byteOffset,
    from,
    end,
    pointers.byteOffset,
    heights.byteOffset,
  );
  for (let i = 0; i < pixels; i++) alpha[first + i] = alphaOfRow[i]!;
}

/** The first pixel of a row that falls on each cell, and after the last cell the row's length. */
export function firstPixelOfCells(colOf: Int32Array, cells: number): Int32Array {
  const first = new Int32Array(cells + 1).fill(colOf.length);
  for (let x = colOf.length - 1; x >= 0; x--) first[colOf[x]!] = x;
  // A cell on which no pixel falls begins where the next cell begins.
  for (let cell = cells - 1; cell >= 0; cell--) first[cell] = Math.min(first[cell]!, first[cell + 1]!);
  return first;
}

/** The trimap of a row as runs [kind, from, to): kind 1 is product, 0 unknown, −1 background. */
function trimapRuns(signed: Float32Array, firstCell: number, firstPixels: Int32Array, found: Int32Array): Int32Array {
  const row = addressOf(signed) + 4 * firstCell;
  const cells = firstPixels.length - 1;
  const count = kernels.writeTrimapRuns(row, cells, bandCells + 1, addressOf(firstPixels), found.byteOffset);
  return found.slice(0, 3 * count);
}

/** Linear light of an sRGB value, 0…1. */
const linearLight = keepTable(Float32Array.from({ length: 257 }, (_, v) => (Math.min(v, 255) / 255) ** 2.2));
