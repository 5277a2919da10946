/** The work grid: a reduced photo on which the product is segmented. Edges are then refined at full resolution. */

import { fitWithin, type Size } from "../pixels/geometry.ts";
import { rgbToLab } from "../pixels/lab.ts";
import { resamplePlane } from "../pixels/resample.ts";
import { resizePixels } from "../pixels/resize.ts";
import type { Prior } from "./prior.ts";

const workSideMax = 1024;

/** The photo on the work grid. */
export interface ReducedPhoto extends Size {
  /** Interleaved u8 RGB. */
  readonly rgb: Uint8Array;
}

/** The photo on the work grid, with its Lab colors: all that is known before the network's prediction. */
export interface LabPhoto extends ReducedPhoto {
  /** Interleaved Lab. */
  readonly lab: Float32Array;
}

export interface WorkGrid extends LabPhoto {
  /** The network's matte, 0…1. */
  readonly prior: Float32Array;
  /** Side of one pixel of the network's output, in cells: its edges are accurate to about this distance. */
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

/** Maps 0…255 to 0…1. TypedArray.from with a mapping function takes ten times as long as this loop. */
export function toUnitRange(bytes: Uint8Array): Float32Array {
  const values = new Float32Array(bytes.length);
  for (let i = 0; i < values.length; i++) values[i] = bytes[i]! / 255;
  return values;
}

/** 1 where `plane` reaches `threshold`. */
export function thresholdPlane(plane: Float32Array, threshold: number): Uint8Array {
  const mask = new Uint8Array(plane.length);
  for (let i = 0; i < mask.length; i++) if (plane[i]! >= threshold) mask[i] = 1;
  return mask;
}
