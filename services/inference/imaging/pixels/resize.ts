/** Resizing of raw pixels in memory. */

import sharp from "sharp";
import type { Size } from "./geometry.ts";

/** Resizes interleaved u8 pixels to exactly `to`, aspect not kept, with Lanczos, as the networks were trained. */
export async function resizePixels(pixels: Uint8Array, from: Size, channels: 1 | 3 | 4, to: Size): Promise<Uint8Array> {
  if (from.width === to.width && from.height === to.height) return pixels;
  const pipeline = sharp(pixels, { raw: { ...from, channels }, limitInputPixels: false });
  const resized = pipeline.resize({ ...to, fit: "fill", kernel: "lanczos3" });
  // Without this, sharp returns one channel as three.
  if (channels === 1) resized.toColorspace("b-w");
  return asUint8Array(await resized.raw().toBuffer());
}

/** The Buffer's memory as a Uint8Array: Buffer.slice() shares memory, Uint8Array.slice() copies it. */
export function asUint8Array(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}
