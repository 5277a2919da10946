import { addressOf, computeBytes, reserve } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import type { Size } from "./geometry.ts";

/** u8 per cell: chessboard distance, at most 255, to the nearest cell of that value in a plane of signed bytes. */
export function chessboardDistance(plane: number, value: 1 | -1, { width, height }: Size): Uint8Array {
  const stride = ((width + 15) & ~15) + 32;
  return computeBytes(width * height, (to) =>
    kernels.chessboardDistance(plane, value, width, height, reserve(stride * (height + 2)), stride, to),
  );
}

/** u8 per cell: chessboard distance, at most 255, to the nearest cell of a mask (u8, 0 or 1). */
export function distanceToMask(mask: Uint8Array, size: Size): Uint8Array {
  return chessboardDistance(addressOf(mask), 1, size);
}
