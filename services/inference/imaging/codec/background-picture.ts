/** Opens pictures that came with an edit beside its photo: to stand behind the product, or to be read. */

import { PackshotError } from "@packshot/domain/errors.ts";
import { type PicturePart, pictureProblem } from "@packshot/domain/edits/pictures.ts";
import { toInfrastructureFault } from "@packshot/service/infrastructure-fault.ts";
import { inspectImage } from "@packshot/platform/images/inspect-image.ts";
import sharp, { type ResizeOptions, type Sharp } from "sharp";
import type { Size } from "../pixels/geometry.ts";
import type { Image } from "../pixels/image.ts";
import type { Photo } from "../pixels/photo.ts";
import { asUint8Array } from "../pixels/resize.ts";
import { decodeEnded, decodePhoto, explainFailure, openFile } from "./decode.ts";
import { needsOwnDecoder } from "./decode-tiff.ts";
import { openImage } from "./open-image.ts";

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
  const { pixels } = await openPicture("background", bytes, { ...frame, fit: "cover", kernel: "lanczos3" }, limits);
  return pixels;
}

/**
 * A picture beside the photo, resized: opaque, in sRGB, white where it is transparent.
 *
 * @throws PackshotError the part's own code
 */
export async function openPicture(
  part: PicturePart,
  bytes: Uint8Array,
  resize: ResizeOptions,
  limits: { readonly maxPixels: number },
): Promise<Image> {
  try {
    const { format } = await inspectImage(bytes, limits);
    if (format === "heic") throw new PackshotError("unsupported_media_type", "HEIC is not read here: send a JPEG.");
    const file = await openFile(bytes, format);
    return await explainFailure(file, async () => {
      if (file.page !== undefined && (needsOwnDecoder(file.page) || file.page.extraSamples.length > 0))
        return await resized(openImage(layOnWhite(await decodePhoto(bytes, limits))), resize);
      return await decodeEnded(file, async (source, options) => {
        const { space, icc } = await sharp(source, options).metadata();
        const opened = sharp(source, options).autoOrient();
        // Without a profile of the output, sharp converts 16 bits from their profile to Display P3.
        return await resized(space === "rgb16" && icc !== undefined ? opened.withIccProfile("srgb") : opened, resize);
      });
    });
  } catch (cause) {
    if (toInfrastructureFault(cause) !== undefined) throw cause;
    throw pictureProblem(part, cause instanceof PackshotError ? cause.message : "It cannot be read.", cause);
  }
}

async function resized(opened: Sharp, resize: ResizeOptions): Promise<Image> {
  const small = opened.toColorspace("srgb").flatten({ background: "#ffffff" }).resize(resize);
  const { data, info } = await small.removeAlpha().raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 3, pixels: asUint8Array(data) };
}

/** A TIFF with extra samples is decoded first: sharp would take any of them for transparency. */
function layOnWhite({ width, height, rgb, alpha, icc }: Photo): Image {
  const pixels = alpha === undefined ? rgb : rgb.map((value, i) => over(value, alpha[Math.floor(i / 3)]!));
  return { width, height, channels: 3, pixels, icc };
}

function over(value: number, alpha: number): number {
  return Math.round((value * alpha + 255 * (255 - alpha)) / 255);
}
