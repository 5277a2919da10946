/** What patches of a mask are like: how smooth they are, and where their outlines lead. */

import { type Components, runStride } from "../../pixels/connected-components.ts";
import type { Size } from "../../pixels/geometry.ts";

/** Sums by label. */
export interface PatchMeasures {
  /** Changes of the plane between neighbors in a row. */
  readonly steps: Float64Array;
  /** Steps from a cell of the patch out of it, within the photo. */
  readonly outlines: Float64Array;
  /** Those that lead to the ground. */
  readonly open: Float64Array;
}

/**
 * @param patches the components of `mask`
 * @param isGround whether a cell beyond the patches is ground
 */
export function measurePatches(
  { runs, sizes }: Components,
  mask: Uint8Array,
  plane: Float32Array,
  isGround: (cell: number) => boolean,
  { width, height }: Size,
): PatchMeasures {
  const steps = new Float64Array(sizes.length);
  const outlines = new Float64Array(sizes.length);
  const open = new Float64Array(sizes.length);
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    const look = (to: number) => {
      if (mask[to] === 1) return;
      outlines[label]!++;
      if (isGround(to)) open[label]!++;
    };
    const row = Math.floor(runs[at]! / width);
    if (runs[at]! > row * width) look(runs[at]! - 1);
    if (runs[at + 1]! < (row + 1) * width) look(runs[at + 1]!);
    for (let i = runs[at]!; i < runs[at + 1]!; i++) {
      if (i > runs[at]!) steps[label]! += Math.abs(plane[i]! - plane[i - 1]!);
      if (row > 0) look(i - width);
      if (row < height - 1) look(i + width);
    }
  }
  return { steps, outlines, open };
}
