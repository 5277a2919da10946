/** Opens images in memory as sharp pipelines. */

import sharp, { type Sharp } from "sharp";
import type { Image } from "../pixels/image.ts";

/** Opens an image as a sharp pipeline, with its ICC profile. */
export function openImage(image: Image): Sharp {
  const { width, height, channels, pixels, icc } = image;
  if (icc === undefined) return sharp(pixels, { raw: { width, height, channels }, limitInputPixels: false });
  return sharp(tiffOf(image, icc), { limitInputPixels: false });
}

/**
 * The image as an uncompressed TIFF 6.0 in memory. Raw pixels cannot carry a profile into sharp, and attaching one at
 * the output would convert the pixels to it. A container that carries the profile costs one copy.
 *
 * @param bits of a sample: 8, or 16 in the machine's order, little-endian
 */
export function tiffOf({ width, height, channels, pixels }: Image, icc: Buffer, bits: 8 | 16 = 8): Buffer {
  const short = 3;
  const long = 4;
  const undefinedType = 7;
  const entries: [tag: number, type: number, count: number, value: number][] = [];
  const headerBytes = 8 + 2 + 12 * 13 + 4;
  const bitsAt = headerBytes;
  const iccAt = bitsAt + 8;
  const pixelsAt = iccAt + icc.length + (icc.length % 2);
  entries.push([256, long, 1, width], [257, long, 1, height], [258, short, channels, bitsAt]);
  // Compression none, photometric RGB, one strip, interleaved.
  entries.push([259, short, 1, 1], [262, short, 1, 2], [273, long, 1, pixelsAt], [274, short, 1, 1]);
  entries.push([277, short, 1, channels], [278, long, 1, height], [279, long, 1, pixels.length], [284, short, 1, 1]);
  // ExtraSamples 2 is straight alpha.
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
  for (let c = 0; c < channels; c++) file.writeUInt16LE(bits, bitsAt + 2 * c);
  icc.copy(file, iccAt);
  file.set(pixels, pixelsAt);
  return file;
}

/** The image in sRGB, without a profile. */
export async function toSrgb(image: Image): Promise<Image> {
  const { icc, channels } = image;
  if (icc === undefined) return image;
  // sharp converts pixels with a profile to sRGB where the profile is not to be kept.
  const opened = openImage(image).toColorspace("srgb").raw({ depth: "uchar" });
  const { data, info } = await opened.toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels, pixels: data };
}
