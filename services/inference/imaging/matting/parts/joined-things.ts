/** Whether what a matte shows as one part may be two things, one before the other: two bodies with a neck between them. */

import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { labelComponents, sumPerComponent } from "../../pixels/connected-components.ts";
import type { Size } from "../../pixels/geometry.ts";
import { erode } from "../../pixels/morphology.ts";
import { subsampleMask } from "../../pixels/subsample-mask.ts";

/** Half the widths of necks that are tried, as shares of the grid's longer side. */
const neckShares = [0.003, 0.0045, 0.006, 0.009, 0.012, 0.018, 0.025, 0.035, 0.05, 0.07];
/** Either body is so many times as wide as the neck: a mug's handle is no body. */
const bodyWidthMin = 2.2;
/** The lesser body's share of all bodies. */
const bodyShareMin = 0.2;

/** @param alpha u8 of `size` */
export function mayBeTwoThings(alpha: Uint8Array, size: Size): boolean {
  return inKernelMemory(() => {
    const grid = subsampleMask(alpha, size);
    const cells = (share: number) => Math.max(1, Math.round(share * Math.max(grid.width, grid.height)));
    return neckShares.some((share) => {
      const cut = labelComponents(erode(grid.inside, grid, cells(share)), grid);
      const cores = erode(grid.inside, grid, cells(bodyWidthMin * share));
      const coresOf = sumPerComponent(cut, Float32Array.from(cores));
      const bodies = cut.sizes.filter((_, label) => label > 0 && coresOf[label]! > 0).sort((a, b) => b - a);
      const total = bodies.reduce((sum, cellsOfBody) => sum + cellsOfBody, 0);
      return bodies.length > 1 && bodies[1]! >= bodyShareMin * total;
    });
  });
}
