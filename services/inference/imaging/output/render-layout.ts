/** Draws a layout: the pixels of the finished frame, from which result and thumbnail are encoded. */

import { openImage } from "../codec/open-image.ts";
import type { Image } from "../pixels/image.ts";
import { layOverColor, layOverPicture } from "./lay-over.ts";
import { applyLayout, type Layout, parseBackground } from "./layout.ts";

export async function renderLayout(image: Image, layout: Layout, background = "transparent"): Promise<Image> {
  const color = parseBackground(background);
  if (color.alpha > 0 && color.alpha < 1 && image.channels === 4) {
    return layOverColor(await renderLayout(image, layout), color);
  }
  const { width, height, channels, pixels, icc } = image;
  const opened = applyLayout(openImage({ width, height, channels, pixels }), layout, color);
  const flat = color.alpha === 1 ? opened.flatten({ background: color }) : opened;
  const { data, info } = await flat.raw().toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    channels: info.channels as 3 | 4,
    pixels: data,
    ...(icc === undefined ? {} : { icc }),
  };
}

/**
 * Draws a layout on a picture that fills the frame: opaque, in sRGB, because the picture may be in another color space
 * than the image.
 *
 * @param picture interleaved u8 RGB of the frame's size; the result takes its memory
 */
export async function renderOnPicture(image: Image, layout: Layout, picture: Uint8Array): Promise<Image> {
  // sharp converts pixels with a profile to sRGB where the profile is not to be kept.
  const opened = applyLayout(openImage(image).toColorspace("srgb"), layout, parseBackground("transparent"));
  const pixels = await opened.ensureAlpha().raw({ depth: "uchar" }).toBuffer();
  return layOverPicture({ ...layout.frame, channels: 4, pixels }, picture);
}
