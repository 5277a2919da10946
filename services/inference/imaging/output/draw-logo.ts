/** Draws a customer's logo over a corner of a result. */

import type { LogoParameters } from "@packshot/domain/edits/background.ts";
import { openLogo } from "../codec/background-picture.ts";
import type { Point, Size } from "../pixels/geometry.ts";
import type { Image } from "../pixels/image.ts";
import { layOver } from "./draw-outline.ts";

/**
 * @param image in sRGB; its memory is taken
 * @throws PackshotError `logo_unusable`
 */
export async function drawLogo(
  image: Image,
  file: Uint8Array,
  parameters: LogoParameters,
  open: typeof openLogo = openLogo,
): Promise<Image> {
  const { size = 0.15, opacity = 1 } = parameters;
  const shortSide = Math.min(image.width, image.height);
  const logo = await open(file, Math.max(1, Math.round(size * shortSide)));
  const { x, y } = placeLogo(image, logo, parameters);
  for (let row = 0, from = 0; row < logo.height; row++) {
    const start = (y + row) * image.width + x;
    for (let column = 0; column < logo.width; column++, from += 4) {
      const alpha = (logo.pixels[from + 3]! / 255) * opacity;
      layOver(image, start + column, { from: logo.pixels, at: from, opacity: alpha });
    }
  }
  return image;
}

function placeLogo(frame: Size, logo: Size, { corner = "bottom-right", margin = 0.03 }: LogoParameters): Point {
  const free = { x: frame.width - logo.width, y: frame.height - logo.height };
  const distance = Math.round(margin * Math.min(frame.width, frame.height));
  const near = { x: Math.min(distance, free.x), y: Math.min(distance, free.y) };
  return {
    x: corner.endsWith("left") ? near.x : free.x - near.x,
    y: corner.startsWith("top") ? near.y : free.y - near.y,
  };
}
