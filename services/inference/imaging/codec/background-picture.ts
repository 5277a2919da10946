/** Opens pictures that came with an edit beside its photo: to stand behind the product, or to be read. */

import { type PicturePart, pictureProblem } from "@packshot/domain/edits/pictures.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { inspectImage } from "@packshot/platform/images/inspect-image.ts";
import { toInfrastructureFault } from "@packshot/service/infrastructure-fault.ts";
import sharp, { type FitEnum, type Sharp } from "sharp";
import type { Size } from "../pixels/geometry.ts";
import type { Image } from "../pixels/image.ts";
import type { Photo } from "../pixels/photo.ts";
import { asUint8Array } from "../pixels/resize.ts";
import { type DecodeLimits, decodeEnded, decodePhoto, explainFailure, openFile } from "./decode.ts";
import { needsOwnDecoder } from "./decode-tiff.ts";
import { openImage } from "./open-image.ts";

/** How a picture is fitted into a size. */
export interface PictureResize extends Size {
  readonly fit: keyof FitEnum;
  readonly kernel?: "lanczos3";
}

/**
 * The picture as interleaved u8 RGB in sRGB. It covers the frame, cut off evenly where it is longer; where it is transparent
 * it is white.
 *
 * @throws PackshotError `background_unusable`
 */
export async function openBackgroundPicture(
  bytes: Uint8Array,
  { width, height }: Size,
  { maxPixels }: DecodeLimits,
  open: typeof openPicture = openPicture,
): Promise<Uint8Array> {
  const cover = { width, height, fit: "cover", kernel: "lanczos3" } as const;
  const { pixels } = await open("background", bytes, cover, { maxPixels });
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
  resize: PictureResize,
  limits: DecodeLimits,
): Promise<Image> {
  return await readPicture(part, bytes, limits, async (opened) => {
    const small = opened.flatten({ background: "#ffffff" }).resize(resize);
    const { data, info } = await small.removeAlpha().raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, channels: 3, pixels: asUint8Array(data) };
  });
}

/** More than the largest logo can show. */
export const logoPixelsMax = 25_000_000;

/**
 * A logo in a square of this side, with its transparency, in sRGB.
 *
 * @throws PackshotError `logo_unusable`
 */
export async function openLogo(bytes: Uint8Array, side: number): Promise<Image> {
  return await readPicture("logo", bytes, { maxPixels: logoPixelsMax }, async (opened) => {
    const fitted = opened.ensureAlpha().resize({ width: side, height: side, fit: "inside" });
    const { data, info } = await fitted.raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, channels: 4, pixels: data };
  });
}

/**
 * Opens a picture beside the photo, upright and in sRGB, with the transparency that it has, for `end` to read its pixels. It may
 * be opened twice.
 *
 * @throws PackshotError the part's own code
 */
async function readPicture<T>(
  part: PicturePart,
  bytes: Uint8Array,
  limits: DecodeLimits,
  end: (opened: Sharp) => Promise<T>,
): Promise<T> {
  try {
    const { format } = await inspectImage(bytes, limits);
    if (format === "heic") {
      const instead = part === "logo" ? "a PNG" : "a JPEG";
      throw new PackshotError("unsupported_media_type", `HEIC is not read here: send ${instead}.`);
    }
    const file = await openFile(bytes, format);
    return await explainFailure(file, async () => {
      // sharp would take any extra sample of a TIFF for transparency.
      if (file.page !== undefined && (needsOwnDecoder(file.page) || file.page.extraSamples.length > 0))
        return await end(openImage(imageOf(await decodePhoto(bytes, limits))).toColorspace("srgb"));
      return await decodeEnded(file, async (source, options) => {
        const { space, icc } = await sharp(source, options).metadata();
        const opened = sharp(source, options).autoOrient().toColorspace("srgb");
        // Without a profile of the output, sharp converts 16 bits from their profile to Display P3.
        return await end(space === "rgb16" && icc !== undefined ? opened.withIccProfile("srgb") : opened);
      });
    });
  } catch (cause) {
    if (toInfrastructureFault(cause) !== undefined) throw cause;
    throw pictureProblem(part, cause instanceof PackshotError ? cause.message : "It cannot be read.", cause);
  }
}

function imageOf({ width, height, rgb, alpha, icc }: Photo): Image {
  if (alpha === undefined) return { width, height, channels: 3, pixels: rgb, icc };
  const pixels = new Uint8Array(4 * alpha.length);
  for (let i = 0; i < alpha.length; i++) {
    for (let c = 0; c < 3; c++) pixels[4 * i + c] = rgb[3 * i + c]!;
    pixels[4 * i + 3] = alpha[i]!;
  }
  return { width, height, channels: 4, pixels, icc };
}
