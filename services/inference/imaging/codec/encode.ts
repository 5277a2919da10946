/** Encodes images. `bench/mask/measure-codecs.ts` measures the time and size of these and other settings. */

import type { Chroma } from "@packshot/domain/edits/export.ts";
import type { OutputFormat } from "@packshot/domain/edits/tools.ts";
import type { Exif, Sharp } from "sharp";
import { fitWithin, type Size } from "../pixels/geometry.ts";
import { type FillRow, fillRowOf, type Image, subsample, thumbnailSideMax } from "../pixels/image.ts";
import { shrinkPixels } from "../pixels/shrink.ts";
import { addExtendedXmp, splitXmpForJpeg } from "./jpeg-xmp.ts";
import { openImage } from "./open-image.ts";
import { encodePng, type PngRows } from "./png.ts";
import { formatXmp, type SplitXmp, type XmpProperties } from "./xmp.ts";

/** An encoded file in memory. */
export interface EncodedImage {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
}

export interface EncodeSettings {
  readonly format: OutputFormat;
  /** 1–100, for JPEG, WebP and AVIF. */
  readonly quality?: number;
  /** For JPEG and AVIF. With 4:4:4, edges on pure white keep their color in a JPEG, and white stays 255. */
  readonly chroma?: Chroma;
  /** One channel, where the format supports it. */
  readonly gray?: boolean;
  /** A progressive JPEG or an interlaced PNG. */
  readonly progressive?: boolean;
  /** For WebP and AVIF. */
  readonly lossless?: boolean;
  /** A PNG takes much longer, and is smaller by a quarter or so. */
  readonly isCompressedHard?: boolean;
  readonly embedded?: Embedded;
}

/** What a file says beside its pixels and their profile. */
export interface Embedded {
  readonly xmp?: XmpProperties;
  readonly exif?: Exif;
  /** Pixels per inch. */
  readonly dpi?: number;
}

/** PNG is encoded by `encodePng`, not by sharp. */
type PipelineSettings = EncodeSettings & { readonly format: Exclude<OutputFormat, "png">; readonly pixels: number };

export const defaultQuality: Readonly<Record<Exclude<OutputFormat, "png">, number>> = { jpeg: 90, webp: 90, avif: 60 };

/** Pixels of a side: WebP has 14 bits for it, libheif and libjpeg stop here, and a PNG is larger than any photo. */
export const outputSideMax: Readonly<Record<OutputFormat, number>> = {
  png: 2 ** 31 - 1,
  jpeg: 65_500,
  webp: 16_383,
  avif: 16_384,
};

/**
 * Encodes an image. JPEG lays transparent pixels on white. An ICC profile is attached as it is; of the source's other metadata
 * there is only what `embedded` has.
 */
export async function encodeImage(image: Image, { format, ...settings }: EncodeSettings): Promise<EncodedImage> {
  if (format !== "png") {
    const pixels = image.width * image.height;
    return await encodePipeline(openImage(image), { ...settings, format, pixels }, image.icc !== undefined);
  }
  const { exif, xmp, dpi } = settings.embedded ?? {};
  const needsSharp = settings.progressive === true || settings.isCompressedHard === true || exif !== undefined;
  if (needsSharp) return await encodePngBySharp(image, settings);
  const { width, height, channels, icc } = image;
  const rows: PngRows = settings.gray
    ? { width, height, channels: 1, fillRow: firstChannelOf(image) }
    : { width, height, channels, fillRow: fillRowOf(image), icc };
  return {
    bytes: await encodePng({ ...rows, xmp: xmp && formatXmp(xmp), dpi }),
    contentType: "image/png",
    width,
    height,
  };
}

/** Interlaced, smaller or with EXIF, at several times the time. */
async function encodePngBySharp(image: Image, settings: Omit<EncodeSettings, "format">): Promise<EncodedImage> {
  const { progressive = false, isCompressedHard = false, gray = false, embedded } = settings;
  const opened = openImage(image);
  const profiled = image.icc === undefined || gray ? opened : opened.keepIccProfile();
  const packet = embedded?.xmp && formatXmp(embedded.xmp);
  const shown = embed(gray ? profiled.extractChannel(0) : profiled, embedded, packet);
  const encoder = shown.png({ progressive, compressionLevel: isCompressedHard ? 9 : 2, adaptiveFiltering: true });
  return toEncodedImage(await encoder.toBuffer({ resolveWithObject: true }), "png");
}

function embed(pipeline: Sharp, { exif, dpi }: Omit<Embedded, "xmp"> = {}, xmp: string | undefined): Sharp {
  const withExif = exif === undefined ? pipeline : pipeline.withExif(exif);
  const withXmp = xmp === undefined ? withExif : withExif.withXmp(xmp);
  return dpi === undefined ? withXmp : withXmp.withDensity(dpi);
}

function firstChannelOf({ pixels, width, channels }: Image): FillRow {
  const all = { first: 0, last: Math.ceil(width / 4) };
  return (y, { bytes }) => {
    for (let x = 0, from = y * width * channels; x < width; x++, from += channels) bytes[x] = pixels[from]!;
    return all;
  };
}

/** A WebP in sRGB of at most 512 pixels per side; on white where the result's `format` has no alpha. */
export async function encodeThumbnail(image: Image, format: OutputFormat): Promise<EncodedImage> {
  const size = fitWithin(image, thumbnailSideMax);
  const opened = openImage(image.reduced ?? reduceImage(image, size));
  const small = (format === "jpeg" ? opened.flatten({ background: "#ffffff" }) : opened).resize({
    ...size,
    fit: "fill",
  });
  // Below 100, alpha has fewer levels (96 here): nobody sees it at this size, and it takes up to 10 ms less.
  const webp = small.webp({ quality: 80, alphaQuality: 80, effort: 2 });
  return toEncodedImage(await webp.toBuffer({ resolveWithObject: true }), "webp");
}

/** Colors without alpha at the thumbnail's size; with it, at most four times as large: libvips weighs the colors by it. */
function reduceImage(image: Image, size: Size): Image {
  if (image.channels === 4) return subsample(image, size);
  const { pixels, icc } = image;
  return { ...size, channels: 3, pixels: shrinkPixels(pixels, image, 3, size), icc };
}

/** Ends a pipeline: flattens for JPEG, keeps the profile if `keepProfile`, encodes. */
async function encodePipeline(
  pipeline: Sharp,
  settings: PipelineSettings,
  keepProfile: boolean,
): Promise<EncodedImage> {
  const profiled = keepProfile ? pipeline.keepIccProfile() : pipeline;
  const opened = settings.gray ? profiled.extractChannel(0) : profiled;
  const { format } = settings;
  const { packet, extended } = xmpFor(format, settings.embedded?.xmp);
  const pixels = embed(opened, settings.embedded, packet);
  const encoded = toEncodedImage(await encodeAs(pixels, settings).toBuffer({ resolveWithObject: true }), format);
  return extended === undefined ? encoded : { ...encoded, bytes: addExtendedXmp(encoded.bytes, extended) };
}

function xmpFor(format: OutputFormat, xmp: XmpProperties | undefined): Partial<SplitXmp> {
  if (xmp === undefined) return {};
  return format === "jpeg" ? splitXmpForJpeg(xmp) : { packet: formatXmp(xmp) };
}

function encodeAs(
  pipeline: Sharp,
  { format, quality = defaultQuality[format], chroma, progressive = false, lossless = false, pixels }: PipelineSettings,
): Sharp {
  switch (format) {
    case "webp":
      // Most of a large cut-out's time is its soft alpha, which is kept without loss: of 67 MP 7 s of 9.6, as long at alphaQuality 99.
      // Effort 1 saves nothing there, effort 0 doubles the file, and both fail at 67 MP, where what they write first is too long.
      return pipeline.webp({ quality: lossless ? losslessWebpQuality(pixels) : quality, effort: 2, lossless });
    case "avif":
      return pipeline.avif({
        quality,
        effort: 0,
        lossless,
        chromaSubsampling: lossless ? "4:4:4" : (chroma ?? "4:4:4"),
      });
    case "jpeg":
      return pipeline
        .flatten({ background: "#ffffff" })
        .jpeg({ quality, chromaSubsampling: chroma ?? "4:2:0", progressive });
  }
}

/**
 * Without loss, libwebp takes quality for how hard it compresses. At 67 MP the usual 75 takes 32 s of processor time, which a busy
 * machine makes minutes of a job's five; 25 takes 14 s, for files that are an eighth larger.
 */
export function losslessWebpQuality(pixels: number): number {
  return pixels > 20_000_000 ? 25 : 75;
}

function toEncodedImage(
  encoded: { data: Buffer; info: { width: number; height: number } },
  format: OutputFormat,
): EncodedImage {
  const { data, info } = encoded;
  return { bytes: data, contentType: `image/${format}`, width: info.width, height: info.height };
}
