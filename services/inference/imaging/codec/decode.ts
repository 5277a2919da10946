/** Bytes to pixels, once, at full resolution: upright, 8 bit, RGB, with the source's own alpha beside them. */

import { PackshotError } from "@packshot/domain/errors.ts";
import { type ImageFormat, inspectImage } from "@packshot/platform/image-header.ts";
import sharp from "sharp";
import { asUint8Array } from "../pixels/resize.ts";

export interface Photo {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  /** Interleaved u8 RGB, width × height × 3, in sRGB or in the space of `icc`. */
  readonly rgb: Uint8Array;
  /** The source's own alpha (u8, width × height); absent where the source is opaque. */
  readonly alpha?: Uint8Array;
  /** The source's RGB profile. Absent after CMYK or gray, whose profiles do not fit RGB pixels. */
  readonly icc?: Buffer;
}

/**
 * Decodes the first page of a picture. EXIF orientation is applied; CMYK and gray become sRGB; 16 bit becomes 8.
 *
 * @throws PackshotError `unsupported_media_type`, `image_too_large` (judged by the header, before decoding),
 *   `image_unreadable` (truncated or damaged; a decoder's harmless warnings do not count)
 */
export async function decodePhoto(bytes: Uint8Array, limits: { readonly maxPixels: number }): Promise<Photo> {
  const header = await inspectImage(bytes, limits);
  try {
    // failOn "error": a truncated file fails, a color profile with a wrong checksum does not.
    const open = () => sharp(bytes, { failOn: "error", limitInputPixels: false }).autoOrient().toColorspace("srgb");
    const { space, icc } = await sharp(bytes, { limitInputPixels: false }).metadata();
    const keepsProfile = icc !== undefined && (space === "srgb" || space === "rgb" || space === "rgb16");
    // keepIccProfile leaves the pixels as they are; without it sharp converts them from their profile to sRGB.
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
    if (cause instanceof PackshotError) throw cause;
    throw new PackshotError(
      "image_unreadable",
      `The ${header.format.toUpperCase()} is damaged or cut short: export it again and send the whole file.`,
      { cause },
    );
  }
}

function splitChannels(data: Uint8Array, channels: number): { rgb: Uint8Array; alpha?: Uint8Array } {
  if (channels === 3) return { rgb: data };
  if (channels !== 4) throw new Error(`expected RGB or RGBA after decoding, found ${channels} channels`);
  const count = data.length / 4;
  const rgb = new Uint8Array(count * 3);
  const alpha = new Uint8Array(count);
  let least = 255;
  for (let i = 0, from = 0, to = 0; i < count; i++, from += 4, to += 3) {
    rgb[to] = data[from]!;
    rgb[to + 1] = data[from + 1]!;
    rgb[to + 2] = data[from + 2]!;
    const a = data[from + 3]!;
    alpha[i] = a;
    if (a < least) least = a;
  }
  return least === 255 ? { rgb } : { rgb, alpha };
}

/**
 * The picture that matting looks at: a source with transparency is laid on a plain ground, white or, for a light
 * product, mid-gray, so that a white product on nothing still stands out.
 */
export function flattenForMatting(photo: Photo): Uint8Array {
  const { rgb, alpha } = photo;
  if (alpha === undefined) return rgb;
  const ground = meanOpaqueGreen(rgb, alpha) > 170 ? 96 : 255;
  const flat = new Uint8Array(rgb.length);
  for (let i = 0, at = 0; i < alpha.length; i++, at += 3) {
    const a = alpha[i]!;
    for (let c = 0; c < 3; c++) flat[at + c] = (rgb[at + c]! * a + ground * (255 - a) + 127) / 255;
  }
  return flat;
}

/** Green stands in for lightness: close enough to tell a light product from a dark one. */
function meanOpaqueGreen(rgb: Uint8Array, alpha: Uint8Array): number {
  let sum = 0;
  let weight = 0;
  for (let i = 0; i < alpha.length; i++) {
    sum += rgb[i * 3 + 1]! * alpha[i]!;
    weight += alpha[i]!;
  }
  return weight === 0 ? 0 : sum / weight;
}
