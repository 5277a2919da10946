/** Refines a network's small matte to the photo's resolution. */

import { inKernelMemory } from "../kernels/kernel-memory.ts";
import type { Size } from "../pixels/geometry.ts";
import type { Backdrop } from "./backdrop.ts";
import { addColorEvidence } from "./color-evidence.ts";
import { estimateEdgeAlpha } from "./edge-alpha.ts";
import { measureBackdrop } from "./measure-backdrop.ts";
import type { Prior } from "./prior.ts";
import { fillFalseHoles, removeEdgelessParts, removeSmallComponents } from "./region-cleanup.ts";
import { segmentByColor } from "./segment-by-color.ts";
import { addUnseenThings } from "./unseen-things.ts";
import { segmentPlainBackdrop } from "./segment-plain-backdrop.ts";
import { createWorkGrid, type ScaledPhoto, type WorkGrid } from "./work-grid.ts";

export interface RefinedMatte {
  /** u8, of the photo's size. */
  readonly alpha: Uint8Array;
  /** Whether the backdrop is plain. */
  readonly isPlain: boolean;
  /** Whether the photo shows things on a backdrop and nothing else: then all of them are the product. */
  readonly showsAll: boolean;
}

/**
 * Segments the product on the work grid: by its distance to the backdrop where the backdrop is plain, else by the
 * colors on either side of the network's edge. The segmentation with a band around its edge is a trimap: alpha is
 * estimated in the band, at full resolution.
 *
 * @param rgb the photo, interleaved u8 RGB of `size`
 * @param onGrid the same photo on the work grid
 */
export function refineMatte(
  rgb: Uint8Array,
  size: Size,
  onGrid: ScaledPhoto,
  prior: Prior,
  backdrop: Backdrop,
): RefinedMatte {
  // All planes of the grid stay in the kernels' memory: none is copied, and the next photo uses the same pages.
  return inKernelMemory(() => {
    const grid = createWorkGrid(onGrid, prior);
    const evidence = measureBackdrop(grid, backdrop);
    const { isPlain, isAllAround } = evidence;
    const region = isPlain ? segmentPlainBackdrop(grid, evidence) : segmentScene(grid);
    if (isAllAround) addUnseenThings(region, grid, evidence);
    return { alpha: estimateEdgeAlpha(rgb, size, region, grid), isPlain, showsAll: isAllAround };
  });
}

function segmentScene(workGrid: WorkGrid): Uint8Array {
  const grid = addColorEvidence(workGrid);
  const region = fillFalseHoles(segmentByColor(grid), grid);
  return removeEdgelessParts(removeSmallComponents(region, grid), grid);
}
