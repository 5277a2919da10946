/** A network's small matte made into one of the photo's own resolution. */

import type { Backdrop } from "./backdrop.ts";
import { regionOnBackdrop, weighBackdrop } from "./segment-plain-backdrop.ts";
import { alphaAtEdges } from "./edge-alpha.ts";
import { withColorEvidence } from "./color-evidence.ts";
import { regionByColors } from "./segment-by-color.ts";
import type { Size } from "../pixels/resize.ts";
import { dropEdgeless, dropScraps, fillGaps } from "./region-cleanup.ts";
import { type PhotoView, type WorkGrid, withPrior } from "./work-grid.ts";

export interface Prior extends Size {
  /** u8, width × height: the network's matte over the whole photo, squeezed. */
  readonly alpha: Uint8Array;
  /** Side of one of the network's own pixels in pixels of `alpha`. */
  readonly cell: number;
}

/**
 * First what belongs to the product (from the backdrop where it is plain, else from the colors on either side of the
 * network's edge), then alpha in a narrow band around that region's edge.
 *
 * @param rgb the photo, interleaved u8 RGB of `size`
 * @param view the same, reduced
 * @returns alpha, u8, of `size`
 */
export function refineMatte(
  rgb: Uint8Array,
  size: Size,
  view: PhotoView,
  prior: Prior,
  backdrop: Backdrop,
): Uint8Array {
  const grid = withPrior(view, prior);
  const evidence = weighBackdrop(grid, backdrop);
  const region = evidence.plain ? regionOnBackdrop(grid, evidence) : regionInScene(grid);
  return alphaAtEdges(rgb, size, region, grid);
}

function regionInScene(seen: WorkGrid): Uint8Array {
  const grid = withColorEvidence(seen);
  const region = fillGaps(regionByColors(grid), grid);
  return dropEdgeless(dropScraps(region, grid), grid);
}
