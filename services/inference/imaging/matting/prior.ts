import type { Size } from "../pixels/geometry.ts";

export interface Prior extends Size {
  /** u8, width × height: the network's matte over the whole photo, squeezed. */
  readonly alpha: Uint8Array;
  /** Side of one of the network's own pixels in pixels of `alpha`. */
  readonly networkPixel: number;
}
