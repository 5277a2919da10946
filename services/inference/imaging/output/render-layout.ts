import { openImage } from "../codec/encode.ts";
import { applyLayout, type Layout, parseBackground } from "./layout.ts";
import type { Image } from "../pixels/image.ts";

/** Pixels of the finished frame: the result and the thumbnail are both made of them. */
export async function renderLayout(picture: Image, layout: Layout, background = "transparent"): Promise<Image> {
  const ground = parseBackground(background);
  const { width, height, channels, pixels, icc } = picture;
  const opened = applyLayout(openImage({ width, height, channels, pixels }), layout, ground);
  const flat = ground.alpha === 1 ? opened.flatten({ background: ground }) : opened;
  const { data, info } = await flat.raw().toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    channels: info.channels as 3 | 4,
    pixels: data,
    ...(icc === undefined ? {} : { icc }),
  };
}
