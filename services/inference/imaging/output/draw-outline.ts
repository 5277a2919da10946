/** Draws a line around the product in its frame. */

import type { OutlineParameters } from "@packshot/domain/edits/background.ts";
import sharp from "sharp";
import type { Box, Size } from "../pixels/geometry.ts";
import type { Image } from "../pixels/image.ts";
import { asUint8Array } from "../pixels/resize.ts";
import { signedDistance } from "../pixels/signed-distance.ts";
import { parseBackground } from "./layout.ts";

const usualWidth = 0.015;
/** Wide lines and large frames are measured in fewer cells, and the line is enlarged. */
const lineCellsMax = 64;
export const sideCellsMax = 3072;

/** In pixels, of a product of this size. */
export function outlinePixels({ width, height }: Size, outline: OutlineParameters): number {
  return (outline.width ?? usualWidth) * Math.max(width, height);
}

/** The product's box with its line around it, as far as the image reaches. */
export function withOutline(product: Box, outline: OutlineParameters, image: Size): Box {
  const room = Math.ceil(outlinePixels(product, outline)) + 1;
  const left = Math.max(0, product.left - room);
  const top = Math.max(0, product.top - room);
  const right = Math.min(image.width, product.left + product.width + room);
  const bottom = Math.min(image.height, product.top + product.height + room);
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * Lays the line over the image, and the product over both.
 *
 * @param image the whole result, whose memory is taken
 * @param product the product alone, RGBA of the image's size and color space
 * @param pixels the line's width
 */
export async function drawOutline(
  image: Image,
  product: Image,
  { color = "#ffffff" }: OutlineParameters,
  pixels: number,
): Promise<Image> {
  const line = await lineAround(product, pixels);
  const { r, g, b } = parseBackground(color);
  const colors = [r, g, b] as const;
  for (let i = 0; i < line.length; i++) {
    const alpha = product.pixels[i * 4 + 3]!;
    if (line[i] === 0 && alpha === 0) continue;
    layOver(image, i, { from: colors, at: 0, opacity: line[i]! / 255 });
    layOver(image, i, { from: product.pixels, at: i * 4, opacity: alpha / 255 });
  }
  return image;
}

export interface Paint {
  /** Has red, green and blue from `at` on. */
  readonly from: ArrayLike<number>;
  readonly at: number;
  /** 0–1 */
  readonly opacity: number;
}

/** Lays a color over a pixel. */
export function layOver({ pixels, channels }: Image, index: number, { from, at: fromAt, opacity }: Paint): void {
  if (opacity === 0) return;
  const at = index * channels;
  const below = channels === 4 ? (pixels[at + 3]! / 255) * (1 - opacity) : 1 - opacity;
  const total = below + opacity;
  for (let c = 0; c < 3; c++) pixels[at + c] = (pixels[at + c]! * below + from[fromAt + c]! * opacity) / total + 0.5;
  if (channels === 4) pixels[at + 3] = total * 255 + 0.5;
}

/** How much of each pixel the line covers, with the product's own inside, u8. */
async function lineAround({ width, height, pixels }: Image, linePixels: number): Promise<Uint8Array> {
  const scale = Math.min(1, lineCellsMax / linePixels, sideCellsMax / Math.max(width, height));
  const cells = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const matte = sharp(pixels, { raw: { width, height, channels: 4 } }).extractChannel(3);
  const reduced = scale === 1 ? matte : matte.resize({ ...cells, fit: "fill" });
  const alpha = asUint8Array(await reduced.raw().toBuffer());
  const wide = linePixels * scale;
  const distance = signedDistance(
    alpha.map((value) => (value >= 128 ? 1 : 0)),
    cells,
    Math.ceil(wide) + 2,
  );
  const coverage = Uint8Array.from(distance, (cell) => 255 * Math.min(1, Math.max(0, cell + wide + 0.5)));
  if (scale === 1) return coverage;
  const enlarged = sharp(coverage, { raw: { ...cells, channels: 1 } }).resize({
    width,
    height,
    fit: "fill",
    kernel: "cubic",
  });
  return asUint8Array(await enlarged.extractChannel(0).raw().toBuffer());
}
