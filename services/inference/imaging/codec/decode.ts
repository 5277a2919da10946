/** Decodes a source once, at full resolution: upright, 8 bit, RGB, with the source's own alpha beside it. */

import { PackshotError } from "@packshot/domain/errors.ts";
import { toInfrastructureFault } from "@packshot/platform/faults/infrastructure-fault.ts";
import type { ImageHeader } from "@packshot/platform/images/image-header.ts";
import { inspectImage } from "@packshot/platform/images/inspect-image.ts";
import sharp from "sharp";
import type { Photo } from "../pixels/photo.ts";
import { asUint8Array } from "../pixels/resize.ts";
import { decodeHeic } from "./decode-heic.ts";

/**
 * Decodes the first page of an image. EXIF orientation is applied; CMYK and gray become sRGB; 16 bit becomes 8.
 *
 * @throws PackshotError `unsupported_media_type`, `image_too_large` (judged by the header, before decoding),
 *   `image_unreadable` (truncated or damaged; a decoder's harmless warnings do not count)
 */
export async function decodePhoto(bytes: Uint8Array, limits: { readonly maxPixels: number }): Promise<Photo> {
  const header = await inspectImage(bytes, limits);
  try {
    // With failOn "error", a truncated file fails; a color profile with a wrong checksum does not.
    const open = () => sharp(bytes, { failOn: "error", limitInputPixels: false }).autoOrient().toColorspace("srgb");
    const { space, icc } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (header.format === "heic")
      return await decodeHeicPhoto(bytes, header, limits, space === "srgb" ? icc : undefined);
    const keepsProfile = icc !== undefined && (space === "srgb" || space === "rgb" || space === "rgb16");
    // With keepIccProfile the pixels stay as they are; without it, sharp converts them from their profile to sRGB.
    const pipeline = keepsProfile ? open().keepIccProfile() : open();
    const { data, info } = await pipeline.raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
    return {
      format: header.format,
      width: info.width,
      height: info.height,
      ...splitChannels(asUint8Array(data), info.channels),
      ...(keepsProfile ? { icc } : {}),
    };
  } catch (cause) {
    // Where memory is short, the photo is not to blame.
    if (cause instanceof PackshotError || toInfrastructureFault(cause) !== undefined) throw cause;
    throw new PackshotError(
      "image_unreadable",
      `The ${header.format.toUpperCase()} is damaged or cut short: export it again and send the whole file.`,
      { cause },
    );
  }
}

/** libvips reads the header and the profile of a HEIC; its pixels are decoded by libheif, which leaves them under the profile. */
async function decodeHeicPhoto(
  bytes: Uint8Array,
  header: ImageHeader,
  limits: { readonly maxPixels: number },
  icc: Buffer | undefined,
): Promise<Photo> {
  const { width, height, channels, data } = await decodeHeic(bytes, limits);
  // The header's size was judged, and memory was reserved by it.
  if (width !== header.width || height !== header.height)
    throw new Error(`${width} × ${height} pixels, where the header says ${header.width} × ${header.height}`);
  return { format: "heic", width, height, ...splitChannels(data, channels), ...(icc === undefined ? {} : { icc }) };
}

function splitChannels(data: Uint8Array, channels: number): { rgb: Uint8Array; alpha?: Uint8Array } {
  if (channels === 3) return { rgb: data };
  if (channels !== 4) throw new Error(`expected RGB or RGBA after decoding, found ${channels} channels`);
  const count = data.length / 4;
  const rgb = new Uint8Array(count * 3);
  const alpha = new Uint8Array(count);
  let alphaMin = 255;
  for (let i = 0, from = 0, to = 0; i < count; i++, from += 4, to += 3) {
    rgb[to] = data[from]!;
    rgb[to + 1] = data[from + 1]!;
    rgb[to + 2] = data[from + 2]!;
    const a = data[from + 3]!;
    alpha[i] = a;
    if (a < alphaMin) alphaMin = a;
  }
  return alphaMin === 255 ? { rgb } : { rgb, alpha };
}
