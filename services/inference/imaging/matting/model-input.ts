/** What the network sees: the photo squeezed to its input size, with the backdrop channel where it wants one. */

import type { ModelInput, Tensor } from "../../model-client/model-client.ts";
import { type Backdrop, fitBackdrop } from "./backdrop.ts";
import { resizePixels } from "../pixels/resize.ts";
import type { Size } from "../pixels/geometry.ts";

export interface PreparedInput {
  /** u8 NHWC, [1, height, width, 3 or 4]. */
  readonly tensor: Tensor;
  /** Fitted when it is first asked for: a network that does not see it need not wait for it. */
  readonly backdrop: () => Promise<Backdrop>;
}

/** Resizes without keeping the aspect ratio, as the networks were trained. `rgb` is interleaved u8 of `size`. */
export async function prepareInput(rgb: Uint8Array, size: Size, wanted: ModelInput): Promise<PreparedInput> {
  const { width, height, channels } = wanted;
  const seen = await resizePixels(rgb, size, 3, wanted);
  const fit = async () => {
    if (width === height) return fitBackdrop(seen, width);
    return fitBackdrop(await resizePixels(rgb, size, 3, { width: backdropSide, height: backdropSide }), backdropSide);
  };
  let fitted: Promise<Backdrop> | undefined;
  const backdrop = () => (fitted ??= fit());
  if (channels === "rgb") return { tensor: { shape: [1, height, width, 3], data: seen }, backdrop };
  if (width !== height) throw new Error("a network that sees the backdrop channel has a square input");
  const { channel } = await backdrop();
  const data = new Uint8Array(width * height * 4);
  for (let i = 0; i < channel.length; i++) {
    data[i * 4] = seen[i * 3]!;
    data[i * 4 + 1] = seen[i * 3 + 1]!;
    data[i * 4 + 2] = seen[i * 3 + 2]!;
    data[i * 4 + 3] = channel[i]!;
  }
  return { tensor: { shape: [1, height, width, 4], data }, backdrop };
}

/** Side of the square on which the backdrop is fitted where the network's own picture is none. */
const backdropSide = 320;
