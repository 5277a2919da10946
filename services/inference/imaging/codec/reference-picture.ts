/** Opens pictures from which others take colors and light. */

import type { SmallPicture } from "../scene/read-reference.ts";
import { openPicture } from "./background-picture.ts";
import type { DecodeLimits } from "./decode.ts";

/** Pixels of a reference picture: more say nothing more, and may take a decoder's memory. */
export const referencePixelsMax = 24_000_000;
/** What is finer than this is grain or an object's detail. */
const referenceSide = 64;

/** @throws PackshotError `palette_unusable` */
export async function openReferencePicture(
  bytes: Uint8Array,
  limits: DecodeLimits,
  open: typeof openPicture = openPicture,
): Promise<SmallPicture> {
  return await openStylePicture(bytes, referenceSide, limits, open);
}

/**
 * The same picture for its look: no side of it is longer than `side`.
 *
 * @throws PackshotError `palette_unusable`
 */
export async function openStylePicture(
  bytes: Uint8Array,
  side: number,
  { maxPixels }: DecodeLimits,
  open: typeof openPicture = openPicture,
): Promise<SmallPicture> {
  const size = { width: Math.floor(side), height: Math.floor(side), fit: "inside" } as const;
  const { width, height, pixels } = await open("palette", bytes, size, limitsOf(maxPixels));
  return { width, height, rgb: pixels };
}

/**
 * Interleaved u8 RGB of a square of this side, whatever the picture's aspect ratio.
 *
 * @throws PackshotError `tone_unusable`
 */
export async function openToneReference(
  bytes: Uint8Array,
  side: number,
  { maxPixels }: DecodeLimits,
  open: typeof openPicture = openPicture,
): Promise<Uint8Array> {
  const { pixels } = await open("tone", bytes, { width: side, height: side, fit: "fill" }, limitsOf(maxPixels));
  return pixels;
}

const limitsOf = (maxPixels: number) => ({ maxPixels: Math.min(maxPixels, referencePixelsMax) });
