/** Encodes images. `bench/mask/measure-codecs.ts` measures the time and size of these and other settings. */

import type { OutputFormat } from "@packshot/domain/edits/tools.ts";
import type { Sharp } from "sharp";
import { fitWithin } from "../pixels/geometry.ts";
import { type FillRow, fillRowOf, type Image, subsample, thumbnailSideMax } from "../pixels/image.ts";
import { openImage } from "./open-image.ts";
import { encodePng } from "./png.ts";

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
  /** JPEG with full-resolution chroma: edges on pure white keep their color, and white stays 255. */
  readonly fullChroma?: boolean;
  /** One channel, where the format supports it. */
  readonly gray?: boolean;
}

/** PNG is encoded by `encodePng`, not by sharp. */
type PipelineSettings = EncodeSettings & { readonly format: Exclude<OutputFormat, "png"> };

const defaultQuality: Readonly<Record<Exclude<OutputFormat, "png">, number>> = { jpeg: 90, webp: 90, avif: 60 };

/** Pixels of a side: WebP has 14 bits for it, libheif and libjpeg stop here, and a PNG is larger than any photo. */
export const outputSideMax: Readonly<Record<OutputFormat, number>> = {
  png: 2 ** 31 - 1,
  jpeg: 65_500,
  webp: 16_383,
  avif: 16_384,
};

/**
 * Encodes an image. JPEG lays transparent pixels on white. An ICC profile is attached as it is; no other metadata of
 * the source is kept, so no GPS position is.
 */
export async function encodeImage(image: Image, { format, ...settings }: EncodeSettings): Promise<EncodedImage> {
  if (format !== "png") {
    return await encodePipeline(openImage(image), { ...settings, format }, image.icc !== undefined);
  }
  const { width, height, channels, icc } = image;
  const bytes = settings.gray
    ? await encodePng({ width, height, channels: 1, fillRow: firstChannelOf(image) })
    : await encodePng({ width, height, channels, fillRow: fillRowOf(image), icc });
  return { bytes, contentType: "image/png", width, height };
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
  const opened = openImage(image.reduced ?? subsample(image, size));
  const small = (format === "jpeg" ? opened.flatten({ background: "#ffffff" }) : opened).resize({
    ...size,
    fit: "fill",
  });
  // Below 100, alpha has fewer levels (96 here): nobody sees it at this size, and it takes up to 10 ms less.
  const webp = small.webp({ quality: 80, alphaQuality: 80, effort: 2 });
  return toEncodedImage(await webp.toBuffer({ resolveWithObject: true }), "webp");
}

/** Ends a pipeline: flattens for JPEG, keeps the profile if `keepProfile`, encodes. */
export async function encodePipeline(
  pipeline: Sharp,
  settings: PipelineSettings,
  keepProfile: boolean,
): Promise<EncodedImage> {
  const profiled = keepProfile ? pipeline.keepIccProfile() : pipeline;
  const opened = settings.gray ? profiled.extractChannel(0) : profiled;
  const { format } = settings;
  return toEncodedImage(await encodeAs(opened, settings).toBuffer({ resolveWithObject: true }), format);
}

function encodeAs(pipeline: Sharp, { format, quality, fullChroma }: PipelineSettings): Sharp {
  switch (format) {
    case "webp":
      return pipeline.webp({ quality: quality ?? defaultQuality.webp, effort: 2 });
    case "avif":
      return pipeline.avif({ quality: quality ?? defaultQuality.avif, effort: 0 });
    case "jpeg":
      return pipeline
        .flatten({ background: "#ffffff" })
        .jpeg({ quality: quality ?? defaultQuality.jpeg, chromaSubsampling: fullChroma ? "4:4:4" : "4:2:0" });
  }
}

function toEncodedImage(
  encoded: { data: Buffer; info: { width: number; height: number } },
  format: OutputFormat,
): EncodedImage {
  const { data, info } = encoded;
  return { bytes: data, contentType: `image/${format}`, width: info.width, height: info.height };
}
