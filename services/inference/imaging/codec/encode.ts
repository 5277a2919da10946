/** Pixels to bytes. The settings are those of the table in bench/results: time and size measured on 1, 4 and 12 MP. */

import type { OutputFormat } from "@packshot/domain/tools.ts";
import sharp, { type Sharp } from "sharp";
import { type FillRow, type Image, fillRowOf, subsample, thumbnailSideMax } from "../pixels/image.ts";
import { encodePng } from "./png.ts";
import { fitWithin } from "../pixels/geometry.ts";

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
  /** JPEG with full-resolution chroma: edges against pure white keep their color, and white stays 255. */
  readonly fullChroma?: boolean;
  /** One channel, where the format has that. */
  readonly gray?: boolean;
}

/** PNG is written here, not by sharp. */
type PipelineSettings = EncodeSettings & { readonly format: Exclude<OutputFormat, "png"> };

export const defaultQuality: Readonly<Record<Exclude<OutputFormat, "png">, number>> = { jpeg: 90, webp: 90, avif: 60 };

/**
 * Encodes a picture. Alpha into JPEG is laid on white. An ICC profile is attached as it is; no other metadata of the
 * source survives, so no GPS position can.
 */
export async function encodeImage(picture: Image, { format, ...settings }: EncodeSettings): Promise<EncodedImage> {
  if (format !== "png") {
    return await encodePipeline(openImage(picture), { ...settings, format }, picture.icc !== undefined);
  }
  const { width, height, channels, icc } = picture;
  const bytes = settings.gray
    ? await encodePng({ width, height, channels: 1, fillRow: firstChannelOf(picture) })
    : await encodePng({ width, height, channels, fillRow: fillRowOf(picture), ...(icc === undefined ? {} : { icc }) });
  return { bytes, contentType: "image/png", width, height };
}

function firstChannelOf({ pixels, width, channels }: Image): FillRow {
  const all = { first: 0, last: Math.ceil(width / 4) };
  return (y, { bytes }) => {
    for (let x = 0, from = y * width * channels; x < width; x++, from += channels) bytes[x] = pixels[from]!;
    return all;
  };
}

/** A WebP of at most 512 pixels a side, in sRGB, from pixels in memory; on white where the result's `format` has no alpha. */
export async function encodeThumbnail(picture: Image, format: OutputFormat): Promise<EncodedImage> {
  const size = fitWithin(picture, thumbnailSideMax);
  const opened = openImage(picture.reduced ?? subsample(picture, size));
  const small = (format === "jpeg" ? opened.flatten({ background: "#ffffff" }) : opened).resize({
    ...size,
    fit: "fill",
  });
  return toEncodedImage(await small.webp({ quality: 80, effort: 2 }).toBuffer({ resolveWithObject: true }), "webp");
}

/** Opens pixels as a sharp pipeline whose profile, if any, sharp knows. */
export function openImage(picture: Image): Sharp {
  const { width, height, channels, pixels, icc } = picture;
  if (icc === undefined) return sharp(pixels, { raw: { width, height, channels }, limitInputPixels: false });
  return sharp(tiffOf(picture, icc), { limitInputPixels: false });
}

/** Ends a pipeline: flattens for JPEG, keeps the profile if asked, encodes. */
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

/**
 * The pixels as an uncompressed TIFF 6.0 in memory. Raw pixels cannot carry a profile into sharp, and attaching one on
 * output would convert the pixels to it; a container that carries it costs one copy.
 */
function tiffOf({ width, height, channels, pixels }: Image, icc: Buffer): Buffer {
  const [short, long, undefinedType] = [3, 4, 7];
  const entries: [tag: number, type: number, count: number, value: number][] = [];
  const headerBytes = 8 + 2 + 12 * 13 + 4;
  const bitsAt = headerBytes;
  const iccAt = bitsAt + 8;
  const pixelsAt = iccAt + icc.length + (icc.length % 2);
  entries.push([256, long, 1, width], [257, long, 1, height], [258, short, channels, bitsAt]);
  // Uncompressed, RGB, one strip, interleaved.
  entries.push([259, short, 1, 1], [262, short, 1, 2], [273, long, 1, pixelsAt], [274, short, 1, 1]);
  entries.push([277, short, 1, channels], [278, long, 1, height], [279, long, 1, pixels.length], [284, short, 1, 1]);
  // Extra sample 2: straight alpha.
  if (channels === 4) entries.push([338, short, 1, 2]);
  entries.push([34675, undefinedType, icc.length, iccAt]);
  const file = Buffer.allocUnsafe(pixelsAt + pixels.length).fill(0, 0, pixelsAt);
  file.write("II*\0", 0, "latin1");
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(entries.length, 8);
  entries.forEach(([tag, type, count, value], i) => {
    const at = 10 + 12 * i;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(type, at + 2);
    file.writeUInt32LE(count, at + 4);
    if (type === short && count === 1) file.writeUInt16LE(value, at + 8);
    else file.writeUInt32LE(value, at + 8);
  });
  for (let c = 0; c < channels; c++) file.writeUInt16LE(8, bitsAt + 2 * c);
  icc.copy(file, iccAt);
  file.set(pixels, pixelsAt);
  return file;
}
