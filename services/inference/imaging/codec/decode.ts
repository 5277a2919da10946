/** Decodes a source once, at full resolution: upright, 8 bit, RGB, with the source's own alpha beside it. */

import { PackshotError } from "@packshot/domain/errors.ts";
import type { ImageFormat, ImageHeader } from "@packshot/platform/images/image-header.ts";
import { inspectImage } from "@packshot/platform/images/inspect-image.ts";
import { largestTiffPage, readTiffPages, type TiffPage } from "@packshot/platform/images/tiff-pages.ts";
import { toInfrastructureFault } from "@packshot/service/infrastructure-fault.ts";
import sharp, { type SharpOptions } from "sharp";
import type { Photo } from "../pixels/photo.ts";
import { asUint8Array } from "../pixels/resize.ts";
import { decodeHeic } from "./decode-heic.ts";
import {
  alphaOfTiff,
  checkSize,
  compressionProblem,
  decodeTiff,
  needsOwnDecoder,
  refusalOfTiff,
  tiffOptions,
} from "./decode-tiff.ts";
import { isPlainProfile } from "./icc-profile.ts";
import { endJpeg, jpegProblem } from "./jpeg-end.ts";
import { toSrgb } from "./open-image.ts";

export interface DecodeLimits {
  readonly maxPixels: number;
  /** An image of more pixels is scaled down to about so many while it is decoded; HEIC and some TIFFs come as large as they are. */
  readonly shrinksAbove?: number;
}

/**
 * Decodes an image's first frame, of a TIFF the largest page. EXIF orientation is applied; CMYK, gray and L*a*b* become sRGB;
 * 16 bit and floating point become 8; what has another profile than a plain one (icc-profile.ts) becomes sRGB.
 *
 * @throws PackshotError `unsupported_media_type`, `image_too_large` (judged by the header, before decoding),
 *   `image_unreadable` (truncated, damaged or of a kind that nobody here decodes; a decoder's harmless warnings do not count)
 */
export async function decodePhoto(bytes: Uint8Array, limits: DecodeLimits): Promise<Photo> {
  return await withPlainProfile(await decodeUnderProfile(bytes, limits));
}

/** Others than plain profiles end here, in the process that decodes: the pixels become sRGB. */
async function withPlainProfile(photo: Photo): Promise<Photo> {
  const { icc, width, height, ...rest } = photo;
  if (icc === undefined || isPlainProfile(icc)) return photo;
  const { pixels } = await toSrgb({ width, height, channels: 3, pixels: photo.rgb, icc });
  return { ...rest, width, height, rgb: pixels };
}

async function decodeUnderProfile(bytes: Uint8Array, limits: DecodeLimits): Promise<Photo> {
  const header = await inspectImage(bytes, limits);
  const file = await openFile(bytes, header.format);
  const { page } = file;
  return await explainFailure(file, async () => {
    if (page !== undefined && needsOwnDecoder(page)) {
      const { width, height, channels, data } = await decodeTiff(bytes, page);
      return { format: "tiff", width, height, ...splitTiffChannels(data, channels, page) };
    }
    const opened = sharp(bytes, optionsOf(header.format, page));
    const { space, icc } = page === undefined ? await opened.metadata() : await checkSize(opened, page);
    if (header.format === "heic")
      return await decodeHeicPhoto(bytes, header, limits, space === "srgb" ? icc : undefined);
    const keepsProfile = icc !== undefined && (space === "srgb" || space === "rgb" || space === "rgb16");
    const { data, info } = await decodeEnded(file, async (source, options) => {
      const upright = sharp(source, options).autoOrient().toColorspace("srgb");
      // With keepIccProfile the pixels stay as they are; without it, sharp converts them from their profile to sRGB.
      const shrunk = shrunkTo(header, limits);
      const sized = shrunk === undefined ? upright : upright.resize(shrunk);
      const pipeline = keepsProfile ? sized.keepIccProfile() : sized;
      return await pipeline.raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
    });
    const pixels = asUint8Array(data);
    return {
      format: header.format,
      width: info.width,
      height: info.height,
      ...(page === undefined
        ? splitChannels(pixels, info.channels, 3)
        : splitTiffChannels(pixels, info.channels, page)),
      ...(keepsProfile ? { icc } : {}),
    };
  });
}

/** A square around the shrunk image, because the header does not say which side is upright. undefined: it stays as it is. */
function shrunkTo({ width, height }: ImageHeader, { shrinksAbove = Number.POSITIVE_INFINITY }: DecodeLimits) {
  const scale = Math.sqrt(shrinksAbove / (width * height));
  if (scale >= 1) return undefined;
  const side = Math.max(1, Math.round(Math.max(width, height) * scale));
  return { width: side, height: side, fit: "inside" } as const;
}

export interface SourceFile {
  readonly bytes: Uint8Array;
  readonly format: ImageFormat;
  /** The page of a TIFF that shows the photo; undefined where its directories cannot be read, and of other formats. */
  readonly page: TiffPage | undefined;
}

export async function openFile(bytes: Uint8Array, format: ImageFormat): Promise<SourceFile> {
  return { bytes, format, page: format === "tiff" ? largestTiffPage(await readTiffPages(bytes)) : undefined };
}

/** With failOn "error", a truncated file fails; a color profile with a wrong checksum does not. */
function optionsOf(format: ImageFormat, page: TiffPage | undefined): SharpOptions {
  return format === "tiff" ? tiffOptions(page) : { failOn: "error", limitInputPixels: false };
}

/**
 * Decodes, and once more with its end where a JPEG lacks no more than that: then warnings count as errors, because libjpeg
 * warns of missing bits.
 */
export async function decodeEnded<T>(
  { bytes, format, page }: SourceFile,
  decode: (file: Uint8Array, options: SharpOptions) => Promise<T>,
): Promise<T> {
  const options = optionsOf(format, page);
  return await decode(bytes, options).catch(async (error: unknown) => {
    const ended = format === "jpeg" ? endJpeg(bytes) : undefined;
    if (ended === undefined) throw error;
    return await decode(ended, { ...options, failOn: "warning" });
  });
}

/** Runs a decoder, and says in words for people why it failed. */
export async function explainFailure<T>({ bytes, format, page }: SourceFile, decode: () => Promise<T>): Promise<T> {
  const refusal = page && refusalOfTiff(page);
  if (refusal !== undefined) throw new PackshotError("image_unreadable", refusal);
  try {
    return await decode();
  } catch (cause) {
    // Where memory is short, the photo is not to blame.
    if (cause instanceof PackshotError || toInfrastructureFault(cause) !== undefined) throw cause;
    const problem = (page && compressionProblem(page)) ?? (format === "jpeg" ? jpegProblem(bytes) : undefined);
    const damaged = `The ${format.toUpperCase()} is damaged or cut short: export it again and send the whole file.`;
    throw new PackshotError("image_unreadable", problem ?? damaged, { cause });
  }
}

/** libvips reads the header and the profile of a HEIC; its pixels are decoded by libheif, which leaves them under the profile. */
async function decodeHeicPhoto(
  bytes: Uint8Array,
  header: ImageHeader,
  limits: DecodeLimits,
  icc: Buffer | undefined,
): Promise<Photo> {
  const { width, height, channels, data } = await decodeHeic(bytes, limits);
  // The header's size was judged, and memory was reserved by it.
  if (width !== header.width || height !== header.height)
    throw new Error(`${width} × ${height} pixels, where the header says ${header.width} × ${header.height}`);
  return { format: "heic", width, height, ...splitChannels(data, channels, 3), icc };
}

type Channels = Pick<Photo, "rgb" | "alpha" | "hasAmbiguousAlpha">;

/** TIFF 6.0: an extra sample is transparency only where the file says so. */
function splitTiffChannels(data: Uint8Array, channels: number, page: TiffPage): Channels {
  const alphaAt = alphaOfTiff(page);
  if (channels === 3 || alphaAt !== undefined) return splitChannels(data, channels, 3 + (alphaAt ?? 0));
  return { ...splitChannels(data, channels, noAlpha), hasAmbiguousAlpha: true };
}

const noAlpha = -1;

/** @param alphaAt the channel that is alpha, or `noAlpha` */
function splitChannels(data: Uint8Array, channels: number, alphaAt: number): Channels {
  if (channels === 3) return { rgb: data };
  if (alphaAt >= channels) throw new Error(`expected channel ${alphaAt} to be alpha, found ${channels} channels`);
  const count = data.length / channels;
  const rgb = new Uint8Array(count * 3);
  for (let i = 0, from = 0, to = 0; i < count; i++, from += channels, to += 3) {
    rgb[to] = data[from]!;
    rgb[to + 1] = data[from + 1]!;
    rgb[to + 2] = data[from + 2]!;
  }
  if (alphaAt === noAlpha) return { rgb };
  const alpha = new Uint8Array(count);
  let alphaMin = 255;
  for (let i = 0, from = alphaAt; i < count; i++, from += channels) {
    const a = data[from]!;
    alpha[i] = a;
    if (a < alphaMin) alphaMin = a;
  }
  return alphaMin === 255 ? { rgb } : { rgb, alpha };
}
