/** Rows of light from a smaller image, interpolated: in the kernels' memory, inside `inKernelMemory`. */

import { addressOf, kernelFloats, kernelIntegers } from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import type { Size } from "../../pixels/geometry.ts";

/** Addresses: of where each pixel of a row begins on a coarser row, and of the next one's share. */
export interface RowPoints {
  readonly index: number;
  readonly share: number;
}

/** Pixel x is at (x + ½) · scale + offset of the coarser row, whose values have `unit` bytes each. */
export function pointsOfRow(width: number, scale: number, offset: number, last: number, unit: number): RowPoints {
  const index = kernelIntegers(width);
  const share = kernelFloats(width);
  for (let x = 0; x < width; x++) {
    const at = Math.min(last, Math.max(0, (x + 0.5) * scale + offset));
    index[x] = Math.floor(at) * unit;
    share[x] = at - Math.floor(at);
  }
  return { index: index.byteOffset, share: share.byteOffset };
}

/** Cells of colors: vectors of four floats, the last of each row twice. */
export interface CellGrid extends Size {
  readonly address: number;
}

export const cellBytes = 16;

type Planes = readonly [Float32Array, Float32Array, Float32Array];

export function cellsOf([red, green, blue]: Planes, { width, height }: Size): CellGrid {
  const { byteOffset: address } = kernelFloats(4 * (width + 1) * height);
  kernels.interleaveCells(addressOf(red), addressOf(green), addressOf(blue), width, height, address);
  return { width, height, address };
}

/** The grid's row at `y`, which may lie between two of its rows, at `out`. */
export function mixRowAt({ width, height, address }: CellGrid, y: number, out: number): void {
  const floats = 4 * (width + 1);
  const within = Math.min(height - 1, Math.max(0, y));
  const upper = Math.floor(within);
  const first = address + 4 * floats * upper;
  const second = address + 4 * floats * Math.min(height - 1, upper + 1);
  kernels.mixRows(first, second, within - upper, floats, out);
}
