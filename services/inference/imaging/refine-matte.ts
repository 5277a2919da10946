/** A network's small matte made into one of the photo's own resolution. */

import type { Backdrop } from "./backdrop.ts";
import { resizePixels, type Size } from "./resize.ts";

export interface Prior extends Size {
  /** u8, width × height: the network's matte over the whole photo, squeezed. */
  readonly alpha: Uint8Array;
}

/**
 * @param rgb the photo, interleaved u8 RGB of `size`
 * @returns alpha, u8, of `size`
 */
export async function refineMatte(
  _rgb: Uint8Array,
  size: Size,
  prior: Prior,
  _backdrop: Backdrop,
): Promise<Uint8Array> {
  return await resizePixels(prior.alpha, prior, 1, { width: size.width, height: size.height });
}
