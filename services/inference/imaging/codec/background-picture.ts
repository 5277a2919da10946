/** Opens a customer's picture that is to stand behind the product. */

import { PackshotError } from "@packshot/domain/errors.ts";
import { toInfrastructureFault } from "@packshot/platform/faults/infrastructure-fault.ts";
import { inspectImage } from "@packshot/platform/images/inspect-image.ts";
import sharp from "sharp";
import type { Size } from "../pixels/geometry.ts";
import { asUint8Array } from "../pixels/resize.ts";

/**
 * The picture as interleaved u8 RGB in sRGB. It covers the frame, cut off evenly where it is longer; where it is transparent
 * it is white.
 *
 * @throws PackshotError `background_unusable`
 */
export async function openBackgroundPicture(
  bytes: Uint8Array,
  frame: Size,
  limits: { readonly maxPixels: number },
): Promise<Uint8Array> {
  try {
    await inspectImage(bytes, limits);
    const opened = sharp(bytes, { failOn: "error", limitInputPixels: false }).autoOrient().toColorspace("srgb");
    const covering = opened
      .flatten({ background: "#ffffff" })
      .resize({ width: frame.width, height: frame.height, fit: "cover", kernel: "lanczos3" });
    return asUint8Array(await covering.removeAlpha().raw({ depth: "uchar" }).toBuffer());
  } catch (cause) {
    if (toInfrastructureFault(cause) !== undefined) throw cause;
    const problem = cause instanceof PackshotError ? cause.message : "It is damaged or cut short.";
    throw new PackshotError("background_unusable", `The background picture cannot be used: ${problem}`, { cause });
  }
}
