import type { Photo } from "../pixels/photo.ts";

/**
 * The picture that matting looks at: a source with transparency is laid on a plain ground, white or, for a light
 * product, mid-gray, so that a white product on nothing still stands out.
 */
export function flattenForMatting(photo: Photo): Uint8Array {
  const { rgb, alpha } = photo;
  if (alpha === undefined) return rgb;
  const ground = meanOpaqueGreen(rgb, alpha) > 170 ? 96 : 255;
  const flat = new Uint8Array(rgb.length);
  for (let i = 0, at = 0; i < alpha.length; i++, at += 3) {
    const a = alpha[i]!;
    for (let c = 0; c < 3; c++) flat[at + c] = (rgb[at + c]! * a + ground * (255 - a) + 127) / 255;
  }
  return flat;
}

/** Green stands in for lightness: close enough to tell a light product from a dark one. */
function meanOpaqueGreen(rgb: Uint8Array, alpha: Uint8Array): number {
  let sum = 0;
  let weight = 0;
  for (let i = 0; i < alpha.length; i++) {
    sum += rgb[i * 3 + 1]! * alpha[i]!;
    weight += alpha[i]!;
  }
  return weight === 0 ? 0 : sum / weight;
}
