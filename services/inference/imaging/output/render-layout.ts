import { openPicture } from "../codec/encode.ts";
import { applyLayout, type Layout, parseBackground } from "./layout.ts";
import type { Picture } from "../pixels/image.ts";

/** Pixels of the finished frame: the result and the thumbnail are both made of them. */
export async function laidOut(picture: Picture, layout: Layout, background = "transparent"): Promise<Picture> {
  const ground = parseBackground(background);
  const { width, height, channels, pixels, icc } = picture;
  const opened = applyLayout(openPicture({ width, height, channels, pixels }), layout, ground);
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
