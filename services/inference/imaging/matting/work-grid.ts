/** The reduced picture on which it is decided what belongs to the product; edges are then drawn at full resolution. */

import { rgbToLab } from "../pixels/lab.ts";
import { resamplePlane } from "../pixels/resample.ts";
import { resizePixels } from "../pixels/resize.ts";
import type { Prior } from "./prior.ts";
import { fitWithin, type Size } from "../pixels/geometry.ts";

export const workSideMax = 1024;

/** The photo on the grid. */
export interface ReducedPhoto extends Size {
  /** Interleaved u8 RGB. */
  readonly rgb: Uint8Array;
}

/** All that can be known before the network has answered. */
export interface LabPhoto extends ReducedPhoto {
  /** Interleaved Lab. */
  readonly lab: Float32Array;
}

export interface WorkGrid extends LabPhoto {
  /** The network's matte, 0…1. */
  readonly prior: Float32Array;
  /** Side of one of the network's pixels in cells: how far its edges may be off. */
  readonly networkPixel: number;
}

/** @param rgb the photo, interleaved u8 RGB of `size` */
export async function reducePhoto(rgb: Uint8Array, size: Size): Promise<ReducedPhoto> {
  const grid = fitWithin(size, workSideMax);
  return { ...grid, rgb: await resizePixels(rgb, size, 3, grid) };
}

export function withLab(reduced: ReducedPhoto): LabPhoto {
  return { ...reduced, lab: rgbToLab(reduced.rgb) };
}

export function withPrior(view: LabPhoto, prior: Prior): WorkGrid {
  return {
    ...view,
    prior: toUnitRange(resamplePlane(prior.alpha, prior, view)),
    networkPixel: Math.max(1, prior.networkPixel * Math.max(view.width / prior.width, view.height / prior.height)),
  };
}

/** Bytes as shares of 1. A loop: TypedArray.from with a mapping takes ten times as long. */
export function toUnitRange(bytes: Uint8Array): Float32Array {
  const shares = new Float32Array(bytes.length);
  for (let i = 0; i < shares.length; i++) shares[i] = bytes[i]! / 255;
  return shares;
}

/** 1 where `plane` reaches `threshold`. */
export function thresholdPlane(plane: Float32Array, threshold: number): Uint8Array {
  const mask = new Uint8Array(plane.length);
  for (let i = 0; i < mask.length; i++) if (plane[i]! >= threshold) mask[i] = 1;
  return mask;
}
