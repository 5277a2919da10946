/** The reduced picture on which it is decided what belongs to the product; edges are then drawn at full resolution. */

import type { Backdrop } from "./backdrop.ts";
import { backdropAt } from "./backdrop.ts";
import { labOf } from "./lab.ts";
import type { Prior } from "./refine-matte.ts";
import { resamplePlane } from "./resample.ts";
import { fittedSize, resizePixels, type Size } from "./resize.ts";

export const workSideMax = 1024;

export interface WorkGrid extends Size {
  /** Interleaved u8 RGB. */
  readonly rgb: Uint8Array;
  /** Interleaved Lab. */
  readonly lab: Float32Array;
  /** The network's matte, 0…1. */
  readonly prior: Float32Array;
  /** Side of one of the network's pixels in cells: how far its edges may be off. */
  readonly priorCell: number;
}

export async function buildWorkGrid(rgb: Uint8Array, size: Size, prior: Prior): Promise<WorkGrid> {
  const grid = fittedSize(size, workSideMax);
  const small = await resizePixels(rgb, size, 3, grid);
  const matte = resamplePlane(prior.alpha, prior, grid);
  return {
    ...grid,
    rgb: small,
    lab: labOf(small),
    prior: sharesOf(matte),
    priorCell: Math.max(1, Math.max(grid.width / prior.width, grid.height / prior.height)),
  };
}

/** Bytes as shares of 1. A loop: TypedArray.from with a mapping takes ten times as long. */
export function sharesOf(bytes: Uint8Array): Float32Array {
  const shares = new Float32Array(bytes.length);
  for (let i = 0; i < shares.length; i++) shares[i] = bytes[i]! / 255;
  return shares;
}

/** 1 where `plane` reaches `threshold`. */
export function atLeast(plane: Float32Array, threshold: number): Uint8Array {
  const mask = new Uint8Array(plane.length);
  for (let i = 0; i < mask.length; i++) if (plane[i]! >= threshold) mask[i] = 1;
  return mask;
}

/** Lab of the fitted backdrop on the grid, interleaved. */
export function backdropOnGrid(backdrop: Backdrop, { width, height }: Size): Float32Array {
  const out = new Float32Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      backdropAt(backdrop, (x + 0.5) / width, (y + 0.5) / height, out, (y * width + x) * 3);
    }
  }
  return out;
}
