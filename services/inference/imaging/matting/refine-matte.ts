/** A network's small matte made into one of the photo's own resolution. */

import type { Backdrop } from "./backdrop.ts";
import { segmentPlainBackdrop, measureBackdrop } from "./segment-plain-backdrop.ts";
import { estimateEdgeAlpha } from "./edge-alpha.ts";
import { addColorEvidence } from "./color-evidence.ts";
import { segmentByColor } from "./segment-by-color.ts";
import { removeEdgelessParts, removeSmallComponents, fillFalseHoles } from "./region-cleanup.ts";
import { type LabPhoto, type WorkGrid, withPrior } from "./work-grid.ts";
import type { Size } from "../pixels/geometry.ts";
import type { Prior } from "./prior.ts";

/**
 * First what belongs to the product (from the backdrop where it is plain, else from the colors on either side of the
 * network's edge), then alpha in a narrow band around that region's edge.
 *
 * @param rgb the photo, interleaved u8 RGB of `size`
 * @param view the same, reduced
 * @returns alpha, u8, of `size`
 */
export function refineMatte(rgb: Uint8Array, size: Size, view: LabPhoto, prior: Prior, backdrop: Backdrop): Uint8Array {
  const grid = withPrior(view, prior);
  const evidence = measureBackdrop(grid, backdrop);
  const region = evidence.plain ? segmentPlainBackdrop(grid, evidence) : segmentScene(grid);
  return estimateEdgeAlpha(rgb, size, region, grid);
}

function segmentScene(seen: WorkGrid): Uint8Array {
  const grid = addColorEvidence(seen);
  const region = fillFalseHoles(segmentByColor(grid), grid);
  return removeEdgelessParts(removeSmallComponents(region, grid), grid);
}
