/** The network's input: the photo resized to its input size, with the backdrop channel where the network takes one. */

import type { ModelInput, Tensor } from "../../../model-client/model-client.ts";
import { addressOf, computeBytes } from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import type { Size } from "../../pixels/geometry.ts";
import { resizePixels } from "../../pixels/resize.ts";
import { type Backdrop, fitBackdrop } from "../evidence/backdrop.ts";
import type { ScaledPhoto } from "../evidence/work-grid.ts";

export interface PreparedInput {
  /** u8 NHWC, [1, height, width, 3 or 4]. */
  readonly tensor: Tensor;
  /** Fits the backdrop when first called, because a network without the channel need not wait for it. */
  readonly backdrop: () => Promise<Backdrop>;
}

/**
 * Resizes without keeping the aspect ratio, as the networks were trained.
 *
 * @param rgb interleaved u8 RGB of `size`
 */
export async function prepareInput(rgb: Uint8Array, size: Size, modelInput: ModelInput): Promise<PreparedInput> {
  const { width, height, channels } = modelInput;
  const resized = await resizePixels(rgb, size, 3, modelInput);
  const fit = async () => {
    if (width === height) return fitBackdrop(resized, width);
    return fitBackdrop(await resizePixels(rgb, size, 3, { width: backdropSide, height: backdropSide }), backdropSide);
  };
  let fitted: Promise<Backdrop> | undefined;
  const backdrop = () => (fitted ??= fit());
  if (channels === "rgb") return { tensor: { shape: [1, height, width, 3], data: resized }, backdrop };
  if (width !== height) throw new Error("a network with the backdrop channel must have a square input");
  const { channel } = await backdrop();
  return { tensor: { shape: [1, height, width, 4], data: joinChannels(resized, channel) }, backdrop };
}

/** Interleaves a fourth channel with three. */
export function joinChannels(rgb: Uint8Array, channel: Uint8Array): Uint8Array {
  return computeBytes(4 * channel.length, (to) => {
    kernels.joinChannels(addressOf(rgb), addressOf(channel), channel.length, to);
  });
}

/**
 * Resizes the reduced photo, so that one of 12 MP is reduced once. Only a network whose input is larger than the work grid
 * reads the photo itself.
 */
export async function prepareReduced(
  reduced: ScaledPhoto,
  photo: ScaledPhoto,
  modelInput: ModelInput,
): Promise<PreparedInput> {
  const isEnough = reduced.width >= modelInput.width && reduced.height >= modelInput.height;
  const { rgb, ...size } = isEnough ? reduced : photo;
  return await prepareInput(rgb, size, modelInput);
}

/** Side of the square on which the backdrop is fitted where the network's input is not square. */
const backdropSide = 320;
