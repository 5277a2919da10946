/** Opens a caller's own matte of a photo. */

import { PackshotError } from "@packshot/domain/errors.ts";
import { toInfrastructureFault } from "@packshot/service/infrastructure-fault.ts";
import { coversAtLeast } from "../pixels/alpha-scan.ts";
import type { Size } from "../pixels/geometry.ts";
import { resamplePlane } from "../pixels/resample.ts";
import { type DecodeLimits, decodePhoto } from "./decode.ts";

/** Editors round a side that they scale, and JPEG encoders take even sides. */
const aspectToleranceMax = 0.01;
/** A mask that shows less than this share of the photo shows a speck, not a product. */
const productShareMin = 0.0005;
/** A mask of more times the photo's pixels is scaled down as it is decoded. */
const maskSizeKept = 4;
/** A mask may have the size of a camera's picture though the photo has that of the web. */
const maskPixelsMax = 25_000_000;

/** How a mask of a photo of so many pixels is decoded. */
export function maskLimits(photoPixels: number): Required<DecodeLimits> {
  const shrinksAbove = maskSizeKept * photoPixels;
  return { maxPixels: Math.max(maskPixelsMax, shrinksAbove), shrinksAbove };
}

/**
 * The mask as a plane of the photo's size: its alpha where it has some transparency, else its brightness.
 *
 * @throws PackshotError `mask_unusable`
 */
export async function openMask(
  bytes: Uint8Array,
  photo: Size,
  limits: DecodeLimits,
  decode: typeof decodePhoto = decodePhoto,
): Promise<Uint8Array> {
  const mask = await decode(bytes, limits).catch((cause: unknown) => {
    if (!(cause instanceof PackshotError) || toInfrastructureFault(cause) !== undefined) throw cause;
    throw unusable(cause.message, cause);
  });
  const ratio = (mask.width * photo.height) / (mask.height * photo.width);
  if (Math.max(ratio, 1 / ratio) > 1 + aspectToleranceMax) {
    const sizes = `it has ${mask.width} × ${mask.height} pixels, and the photo ${photo.width} × ${photo.height}`;
    throw unusable(`its aspect ratio is not the photo's: ${sizes}.`);
  }
  const own = mask.alpha ?? brightness(mask.rgb);
  const plane = mask.width === photo.width && mask.height === photo.height ? own : resamplePlane(own, mask, photo);
  if (!coversAtLeast(plane, productShareMin)) throw unusable("it shows nothing: the product must be white or opaque.");
  return plane;
}

function brightness(rgb: Uint8Array): Uint8Array {
  const plane = new Uint8Array(rgb.length / 3);
  for (let i = 0, at = 0; i < plane.length; i++, at += 3) {
    plane[i] = Math.round((rgb[at]! + rgb[at + 1]! + rgb[at + 2]!) / 3);
  }
  return plane;
}

function unusable(problem: string, cause?: unknown): PackshotError {
  return new PackshotError("mask_unusable", `The mask cannot be used: ${problem}`, { cause });
}
