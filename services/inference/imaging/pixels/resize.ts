/** Resizing of raw planes and pictures in memory. */

import sharp from "sharp";
import type { Size } from "./geometry.ts";

/** Interleaved u8 pixels resized to exactly `to`, aspect not kept; Lanczos, as the networks were trained on. */
export async function resizePixels(pixels: Uint8Array, from: Size, channels: 1 | 3 | 4, to: Size): Promise<Uint8Array> {
  if (from.width === to.width && from.height === to.height) return pixels;
  const pipeline = sharp(pixels, { raw: { ...from, channels }, limitInputPixels: false });
  const resized = pipeline.resize({ ...to, fit: "fill", kernel: "lanczos3" });
  // A one-channel picture comes out as three without this.
  if (channels === 1) resized.toColorspace("b-w");
  return asUint8Array(await resized.raw().toBuffer());
}

/** A Buffer's memory as what it is: Buffer.slice() shares its bytes where Uint8Array.slice() copies them. */
export function asUint8Array(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}
