/**
 * Reads an image's format and size from its signature and header, never from its name or declared type. No pixel is
 * decoded, so a decompression bomb of 200 megapixels costs no more than its header. libvips parses most headers, so a process
 * that holds keys asks an image inspector instead.
 */

import { open } from "node:fs/promises";
import { PackshotError } from "@packshot/domain/errors.ts";
import sharp from "sharp";
import { isHeicInstalled } from "./heic-support.ts";
import type { ImageFormat, ImageHeader, ImageLimits } from "./image-header.ts";
import { largestTiffPage, readTiffPages } from "./tiff-pages.ts";

type Sniffed = ImageFormat | "svg" | "unknown";

const sniffedBytesMax = 1024;
const supportedFormats = `JPEG, PNG, WebP, AVIF, TIFF${isHeicInstalled() ? ", GIF or HEIC" : " or GIF"}`;

/**
 * Reads format and size from an image's first bytes and header.
 *
 * @param source the whole file's bytes, or the path of a file
 * @param limits.maxPixels width × height allowed, in pixels
 * @throws PackshotError `unsupported_media_type` (not one of the formats; SVG, and HEIC where its decoder is not
 *   installed, say what to do instead),
 *   `image_too_large` (more than maxPixels), `image_unreadable` (the header itself is damaged)
 */
export async function inspectImage(source: Uint8Array | string, limits: ImageLimits): Promise<ImageHeader> {
  const head = typeof source === "string" ? await firstBytes(source) : source.subarray(0, sniffedBytesMax);
  const format = sniff(head);
  if (format === "heic" && !isHeicInstalled()) {
    throw new PackshotError("unsupported_media_type", "HEIC is not supported: export the photo as JPEG or PNG.");
  }
  if (format === "svg") {
    throw new PackshotError("unsupported_media_type", "SVG is a vector format: render the image as PNG and send that.");
  }
  if (format === "unknown") {
    const what = head.length === 0 ? "The file is empty" : "The bytes are not a supported image";
    throw new PackshotError("unsupported_media_type", `${what}: send ${supportedFormats}.`);
  }
  const { width, height, pages } = await readHeader(source, format);
  if (width * height > limits.maxPixels) {
    const megapixels = (n: number) => `${Number((n / 1e6).toFixed(1))} MP`;
    throw new PackshotError(
      "image_too_large",
      `The image has ${width} × ${height} pixels (${megapixels(width * height)}); the limit is ${megapixels(limits.maxPixels)}.`,
    );
  }
  return { format, contentType: `image/${format}`, width, height, pages };
}

async function readHeader(source: Uint8Array | string, format: ImageFormat) {
  try {
    return (format === "tiff" ? await readTiffHeader(source) : undefined) ?? (await readHeaderBySharp(source, format));
  } catch (cause) {
    if (cause instanceof PackshotError) throw cause;
    throw new PackshotError("image_unreadable", `The ${format.toUpperCase()} is damaged: its header cannot be read.`, {
      cause,
    });
  }
}

async function readHeaderBySharp(source: Uint8Array | string, format: ImageFormat) {
  // sharp's limitInputPixels is off: the caller's limit decides, with our own message.
  const { autoOrient, pages, compression } = await sharp(source, { limitInputPixels: false }).metadata();
  // HEIF is a container: JPEG, AVC or VVC may be in it, which nobody here decodes.
  if (format === "heic" && compression !== "hevc") {
    throw new PackshotError("unsupported_media_type", `The HEIF file is not HEIC: send ${supportedFormats}.`);
  }
  return { width: autoOrient.width, height: autoOrient.height, pages: pages ?? 1 };
}

/** libvips refuses headers of kinds that are decoded here after all, and looks at the first page only. */
async function readTiffHeader(source: Uint8Array | string) {
  const pages = await readTiffPages(source);
  const page = largestTiffPage(pages);
  if (page === undefined || page.width === 0 || page.height === 0) return undefined;
  const [width, height] = page.orientation >= 5 ? [page.height, page.width] : [page.width, page.height];
  return { width, height, pages: pages.length };
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytesMax), 0, sniffedBytesMax, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function sniff(head: Uint8Array): Sniffed {
  const starts = (...bytes: number[]) => head.length >= bytes.length && bytes.every((byte, i) => head[i] === byte);
  const ascii = (from: number, to: number) => Buffer.from(head.subarray(from, to)).toString("latin1");
  if (starts(0xff, 0xd8, 0xff)) return "jpeg";
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "png";
  if (ascii(0, 4) === "RIFF" && ascii(8, 12) === "WEBP") return "webp";
  if (ascii(0, 6) === "GIF87a" || ascii(0, 6) === "GIF89a") return "gif";
  // II and MM with 42 is TIFF, with 43 BigTIFF.
  if (starts(0x49, 0x49, 0x2a, 0) || starts(0x4d, 0x4d, 0, 0x2a)) return "tiff";
  if (starts(0x49, 0x49, 0x2b, 0) || starts(0x4d, 0x4d, 0, 0x2b)) return "tiff";
  if (ascii(4, 8) === "ftyp") return sniffIsoMedia(head, ascii);
  if (/^\uFEFF?\s*(<\?xml|<!--|<!DOCTYPE svg|<svg)/i.test(Buffer.from(head).toString("utf8"))) {
    return /<svg[\s>:]/i.test(Buffer.from(head).toString("utf8")) ? "svg" : "unknown";
  }
  return "unknown";
}

/** ISO/IEC 23008-12: the brands of `ftyp` tell AV1 images from HEVC ones; `mif1` alone tells neither. */
function sniffIsoMedia(head: Uint8Array, ascii: (from: number, to: number) => string): Sniffed {
  const boxBytes = Math.min(new DataView(head.buffer, head.byteOffset, 4).getUint32(0), head.length);
  const brands = [ascii(8, 12)];
  for (let at = 16; at + 4 <= boxBytes; at += 4) brands.push(ascii(at, at + 4));
  if (brands.some((brand) => brand === "avif" || brand === "avis")) return "avif";
  if (brands.some((brand) => /^(hei[csmx]|hev[cmsx]|mif1|msf1)$/.test(brand))) return "heic";
  return "unknown";
}
