/** Draws a layout: the pixels of the finished frame, from which result and thumbnail are encoded. */

import { openImage } from "../codec/open-image.ts";
import type { Size } from "../pixels/geometry.ts";
import type { Image } from "../pixels/image.ts";
import { applyLayout, type Background, type Layout, parseBackground, sharpeningOf } from "./layout.ts";
import { sharpen } from "./sharpen.ts";

export async function renderLayout(image: Image, layout: Layout, background = "transparent"): Promise<Image> {
  const color = parseBackground(background);
  if (color.alpha > 0 && color.alpha < 1 && image.channels === 4) {
    return layOverColor(await renderLayout(image, layout), color);
  }
  const strength = sharpeningOf(layout);
  // The color behind the product must not count at its edge.
  if (strength > 0 && color.alpha === 1 && image.channels === 4) {
    return layOverPicture(await renderLayout(image, layout), plainPicture(layout.frame, color));
  }
  const { width, height, channels, pixels, icc } = image;
  const opened = applyLayout(openImage({ width, height, channels, pixels }), layout, color);
  const flat = color.alpha === 1 ? opened.flatten({ background: color }) : opened;
  const { data, info } = await flat.raw().toBuffer({ resolveWithObject: true });
  const drawn: Image = {
    width: info.width,
    height: info.height,
    channels: info.channels as 3 | 4,
    pixels: data,
    icc,
  };
  if (strength > 0) sharpen(drawn, layout.placement, strength);
  return drawn;
}

function plainPicture({ width, height }: Size, { r, g, b }: Background): Uint8Array {
  const picture = new Uint8Array(3 * width * height);
  for (let at = 0; at < picture.length; at += 3) {
    picture[at] = r;
    picture[at + 1] = g;
    picture[at + 2] = b;
  }
  return picture;
}

/**
 * Draws a layout on a picture that fills the frame: opaque, in sRGB, because the picture may be in another color space
 * than the image.
 *
 * @param picture interleaved u8 RGB of the frame's size; the result takes its memory
 */
export async function renderOnPicture(image: Image, layout: Layout, picture: Uint8Array): Promise<Image> {
  return layOverPicture(await renderInSrgb(image, layout), picture);
}

/** Draws a layout in sRGB, whatever the image's profile: with alpha, transparent where the image shows nothing. */
export async function renderInSrgb(image: Image, layout: Layout): Promise<Image> {
  // sharp converts pixels with a profile to sRGB where the profile is not to be kept.
  const opened = applyLayout(openImage(image).toColorspace("srgb"), layout, parseBackground("transparent"));
  const pixels = await opened.ensureAlpha().raw({ depth: "uchar" }).toBuffer();
  const drawn: Image = { ...layout.frame, channels: 4, pixels };
  const strength = sharpeningOf(layout);
  if (strength > 0) sharpen(drawn, layout.placement, strength);
  return drawn;
}

/** Lays an image with alpha over a color that lets some light through, or over a picture. */

/** In place. Where the image is transparent, the color remains with its own alpha. */
function layOverColor(image: Image, { r, g, b, alpha }: Background): Image {
  const { pixels } = image;
  for (let i = 0; i < pixels.length; i += 4) {
    const own = pixels[i + 3]! / 255;
    if (own === 1) continue;
    const behind = alpha * (1 - own);
    const total = own + behind;
    pixels[i] = (pixels[i]! * own + r * behind) / total + 0.5;
    pixels[i + 1] = (pixels[i + 1]! * own + g * behind) / total + 0.5;
    pixels[i + 2] = (pixels[i + 2]! * own + b * behind) / total + 0.5;
    pixels[i + 3] = total * 255 + 0.5;
  }
  return image;
}

/**
 * An opaque image, in the memory of the picture.
 *
 * @param image with alpha
 * @param picture interleaved u8 RGB of the image's size
 */
function layOverPicture({ width, height, pixels, icc }: Image, picture: Uint8Array): Image {
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    const own = pixels[from + 3]!;
    if (own === 0) continue;
    for (let c = 0; c < 3; c++) {
      const behind = picture[to + c]!;
      picture[to + c] = behind + ((pixels[from + c]! - behind) * own) / 255 + 0.5;
    }
  }
  return { width, height, channels: 3, pixels: picture, icc };
}
