/** What the network sees: the photo squeezed to its input size, with the backdrop channel where it wants one. */

import type { ModelInput, Tensor } from "../model-client/predict.ts";
import { type Backdrop, fitBackdrop } from "./backdrop.ts";
import { resizePixels, type Size } from "./resize.ts";

export interface PreparedInput {
  /** u8 NHWC, [1, height, width, 3 or 4]. */
  readonly tensor: Tensor;
  readonly backdrop: Backdrop;
}

/** Side of the square on which the backdrop is fitted for networks that do not see it themselves. */
const backdropSide = 320;

/** Resizes without keeping the aspect ratio, as the networks were trained. `rgb` is interleaved u8 of `size`. */
export async function prepareInput(rgb: Uint8Array, size: Size, wanted: ModelInput): Promise<PreparedInput> {
  const seen = await resizePixels(rgb, size, 3, wanted);
  const square = wanted.width === wanted.height;
  const side = square ? wanted.width : backdropSide;
  const backdrop = fitBackdrop(square ? seen : await resizePixels(rgb, size, 3, { width: side, height: side }), side);
  if (wanted.channels === "rgb") {
    return { tensor: { shape: [1, wanted.height, wanted.width, 3], data: seen }, backdrop };
  }
  if (!square) throw new Error("a network that sees the backdrop channel has a square input");
  const data = new Uint8Array(side * side * 4);
  for (let i = 0; i < side * side; i++) {
    data[i * 4] = seen[i * 3]!;
    data[i * 4 + 1] = seen[i * 3 + 1]!;
    data[i * 4 + 2] = seen[i * 3 + 2]!;
    data[i * 4 + 3] = backdrop.channel[i]!;
  }
  return { tensor: { shape: [1, side, side, 4], data }, backdrop };
}
