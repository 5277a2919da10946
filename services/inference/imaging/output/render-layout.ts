/** Draws a layout: the pixels of the finished frame, from which result and thumbnail are encoded. */

import { openImage } from "../codec/open-image.ts";
import type { Image } from "../pixels/image.ts";
import { applyLayout, type Layout, parseBackground } from "./layout.ts";

export async function renderLayout(image: Image, layout: Layout, background = "transparent"): Promise<Image> {
  const color = parseBackground(background);
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
