/** Lays an image with alpha over a color that lets some light through, or over a picture. */

import type { Image } from "../pixels/image.ts";
import type { Background } from "./layout.ts";

/** In place. Where the image is transparent, the color remains with its own alpha. */
export function layOverColor(image: Image, { r, g, b, alpha }: Background): Image {
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
export function layOverPicture({ width, height, pixels }: Image, picture: Uint8Array): Image {
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    const own = pixels[from + 3]!;
    if (own === 0) continue;
    for (let c = 0; c < 3; c++) {
      const behind = picture[to + c]!;
      picture[to + c] = behind + ((pixels[from + c]! - behind) * own) / 255 + 0.5;
    }
  }
  return { width, height, channels: 3, pixels: picture };
}
