import type { Size } from "../pixels/geometry.ts";

/** The network's matte, from which refinement starts. */
export interface Prior extends Size {
  /** u8, width × height: the matte of the whole photo, aspect not kept. */
  readonly alpha: Uint8Array;
  /** Side of one pixel of the network's output, in pixels of `alpha`. */
  readonly networkPixel: number;
}
