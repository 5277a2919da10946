/** Dilation and erosion of masks (u8, 0 or 1) by a square. */

import {
  addressOf,
  computeBytes,
  computeIntegers,
  inKernelMemory,
  reserve,
  writePlane,
} from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import type { Size } from "./geometry.ts";

/** Dilation by a square of side 2 `radius` + 1. */
export function dilate(mask: Uint8Array, size: Size, radius: number): Uint8Array {
  return spreadValue(mask, size, radius, 1);
}

/** Erosion by a square of side 2 `radius` + 1; cells outside the image erode nothing. */
export function erode(mask: Uint8Array, size: Size, radius: number): Uint8Array {
  return spreadValue(mask, size, radius, 0);
}

/** Whether `is` holds for any cell of a square of side 2 `radius` + 1 around one: where few are asked, cheaper than a dilation. */
export function isAnyNear(cell: number, radius: number, { width, height }: Size, is: (at: number) => boolean): boolean {
  const y = Math.floor(cell / width);
  const x = cell - y * width;
  const left = Math.max(0, x - radius);
  const right = Math.min(width - 1, x + radius);
  for (let row = Math.max(0, y - radius); row <= Math.min(height - 1, y + radius); row++) {
    for (let at = row * width + left; at <= row * width + right; at++) if (is(at)) return true;
  }
  return false;
}

/** The same mask, to be changed. */
export function copyMask(mask: Uint8Array): Uint8Array {
  return computeBytes(mask.length, (to) => writePlane(mask, to));
}

/** A mask without marks, to be filled. */
export function emptyMask({ width, height }: Size): Uint8Array {
  return computeBytes(width * height, (to) => kernels.clear(to, width * height));
}

/** 1 where the mask is 0. */
export function invertMask(mask: Uint8Array): Uint8Array {
  return computeBytes(mask.length, (to) => kernels.invert(addressOf(mask), mask.length, to));
}

/** What is in the mask and not marked. */
export function withoutMarks(mask: Uint8Array, marks: Uint8Array): Uint8Array {
  return computeBytes(mask.length, (to) => kernels.takeMarks(addressOf(mask), addressOf(marks), mask.length, to));
}

/** What is in the mask and marked. */
export function onlyMarks(mask: Uint8Array, marks: Uint8Array): Uint8Array {
  return computeBytes(mask.length, (to) => kernels.keepMarks(addressOf(mask), addressOf(marks), mask.length, to));
}

/** What is in the mask or marked. */
export function joinMarks(mask: Uint8Array, marks: Uint8Array): Uint8Array {
  return computeBytes(mask.length, (to) => kernels.joinMarks(addressOf(mask), addressOf(marks), mask.length, to));
}

/** The bytes that are marked, and 0 for others. */
export function keepBytes(bytes: Uint8Array, marks: Uint8Array): Uint8Array {
  return computeBytes(bytes.length, (to) => kernels.keepBytes(addressOf(bytes), addressOf(marks), bytes.length, to));
}

/** 1 where a byte is at least so much. */
export function reachedBy(bytes: Uint8Array, least: number): Uint8Array {
  return computeBytes(bytes.length, (to) => kernels.thresholdBytes(addressOf(bytes), bytes.length, least, to));
}

/** 1 where a cell is in the mask and has a neighbor to a side that is not. */
export function markEdge(mask: Uint8Array, { width, height }: Size): Uint8Array {
  return computeBytes(mask.length, (to) => kernels.markEdge(addressOf(mask), width, height, to));
}

/** The cells that are 1, in their order. */
export function listMarks(mask: Uint8Array): Int32Array {
  return computeIntegers(countMarks(mask), (to) => kernels.listMarks(addressOf(mask), mask.length, to));
}

/** How many cells of a mask are 1. */
export function countMarks(mask: Uint8Array): number {
  return inKernelMemory(() => kernels.countMarks(addressOf(mask), mask.length));
}

/** Cells whose square holds a cell of `value` get that value. */
function spreadValue(mask: Uint8Array, { width, height }: Size, radius: number, value: 0 | 1): Uint8Array {
  // A bit for each cell.
  const stride = 16 * Math.ceil(width / 128);
  const bytes = stride * height;
  return computeBytes(mask.length, (to) => {
    const from = addressOf(mask);
    kernels.spread(from, to, width, height, radius, value, reserve(bytes), reserve(bytes), stride);
  });
}
