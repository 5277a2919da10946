/** Opens a picture from which a scene takes its colors and its light. */

import type { SmallPicture } from "../scene/read-reference.ts";
import { openPicture } from "./background-picture.ts";

/** Pixels of a reference picture: more say nothing more, and may take a decoder's memory. */
export const referencePixelsMax = 24_000_000;
/** What is finer than this is grain or an object's detail. */
const referenceSide = 64;

/** @throws PackshotError `palette_unusable` */
export async function openReferencePicture(
  bytes: Uint8Array,
  { maxPixels }: { readonly maxPixels: number },
): Promise<SmallPicture> {
  const limits = { maxPixels: Math.min(maxPixels, referencePixelsMax) };
  const size = { width: referenceSide, height: referenceSide, fit: "inside" } as const;
  const { width, height, pixels } = await openPicture("palette", bytes, size, limits);
  return { width, height, rgb: pixels };
}
