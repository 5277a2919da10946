/**
 * Reads an image's format and size from its signature and header, never from its name or declared type. No pixel is
 * decoded, so a decompression bomb of 200 megapixels costs no more than its header. libvips parses most headers, so a process
 * that holds keys asks an image inspector instead.
 */

import { open } from "node:fs/promises";
import { PackshotError } from "@packshot/domain/errors.ts";
import sharp from "sharp";
import { assertContainerBounded } from "./container-walk.ts";
import { isHeicInstalled } from "./heic-support.ts";
import { type ImageFormat, type ImageHeader, type ImageLimits, sniffedBytesMax, sniffImage } from "./image-header.ts";
import { largestTiffPage, readTiffPages } from "./tiff-pages.ts";

const supportedFormats = `JPEG, PNG, WebP, AVIF, TIFF${isHeicInstalled() ? ", GIF or HEIC" : " or GIF"}`;

/**
 * Reads format and size from an image's first bytes and header.
 *
 * @param source the whole file's bytes, or the path of a file
 * @param limits.maxPixels width × height allowed, in pixels
 * @throws PackshotError `unsupported_media_type` (not one of the formats; SVG, and HEIC where its decoder is not
 *   installed, say what to do instead),
 *   `image_too_large` (more than maxPixels, or what `assertContainerBounded` refuses), `image_unreadable` (the header itself is damaged)
 */
export async function inspectImage(source: Uint8Array | string, limits: ImageLimits): Promise<ImageHeader> {
  const head = typeof source === "string" ? await firstBytes(source) : source.subarray(0, sniffedBytesMax);
  const format = sniffImage(head);
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
  await assertContainerBounded(source);
  const { width, height, pages } = await readHeader(source, format);
  if (width * height > limits.maxPixels) {
    throw new PackshotError("image_too_large", tooLargeMessage({ width, height }, limits.maxPixels));
  }
  return { format, contentType: `image/${format}`, width, height, pages };
}

/** With as many digits as tell the two numbers apart: 100.01 MP are not "100 MP; the limit is 100 MP". */
function tooLargeMessage({ width, height }: Pick<ImageHeader, "width" | "height">, maxPixels: number): string {
  const rounded = (pixels: number, digits: number) => Number((pixels / 1e6).toFixed(digits));
  const digits = [1, 2, 3, 4, 5].find((few) => rounded(width * height, few) > rounded(maxPixels, few)) ?? 6;
  const megapixels = (pixels: number) => `${rounded(pixels, digits)} MP`;
  return `The image has ${width} × ${height} pixels (${megapixels(width * height)}); the limit is ${megapixels(maxPixels)}.`;
}

async function readHeader(source: Uint8Array | string, format: ImageFormat) {
  try {
    return (format === "tiff" ? await readTiffHeader(source) : undefined) ?? (await readHeaderBySharp(source, format));
  } catch (cause) {
    if (cause instanceof PackshotError) throw cause;
    throw new PackshotError(
      "image_unreadable",
      `The ${format.toUpperCase()} is damaged, its header cannot be read: export it again and send the whole file.`,
      {
        cause,
      },
    );
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
