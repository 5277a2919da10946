/** Photos at other sizes, with their aspect ratio, and as bytes that no edit has seen. */

import sharp from "sharp";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size with about so many pixels. */
export function sizeWithPixels({ width, height }: Size, pixels: number): Size {
  const scale = Math.sqrt(pixels / (width * height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/**
 * The photo as a JPEG of about `megapixels`, as a shop would send it.
 *
 * @param photo its bytes, or its path
 */
export async function resizedPhoto(photo: Buffer | string, megapixels: number): Promise<Buffer> {
  const { width, height } = await sharp(photo).metadata();
  const size = sizeWithPixels({ width, height }, megapixels * 1e6);
  return await sharp(photo).resize(size).jpeg({ quality: 92 }).toBuffer();
}

/** Makes copies of photos that no edit has seen, so that no kept matte is taken: a comment after the image's end. */
export function createUnseen(): (photo: Buffer) => Buffer {
  let count = 0;
  return (photo) => {
    count += 1;
    return Buffer.concat([photo, Buffer.from(`edit ${count}`)]);
  };
}
