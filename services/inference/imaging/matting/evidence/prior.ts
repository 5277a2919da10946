import type { Box, Size } from "../../pixels/geometry.ts";

/** The network's matte, from which refinement starts. */
export interface Prior extends Size {
  /** u8, width × height: the matte of the whole photo, aspect not kept. */
  readonly alpha: Uint8Array;
  /** Side of one pixel of the network's output, in pixels of `alpha`. */
  readonly networkPixel: number;
  /** Where two predictions were merged, either of them. */
  readonly views?: PriorViews;
}

export interface PriorViews {
  /** The prediction of the whole photo. */
  readonly whole: Prior;
  /** The prediction of the region of interest alone. */
  readonly detail: Prior;
  /** The region of interest, in cells of the work grid. */
  readonly box: Box;
}
