import type { Photo } from "../../pixels/photo.ts";

/**
 * The photo that matting sees: a transparent source is laid on white, or on gray where the product is light, so that a
 * white product still stands out.
 *
 * @returns u8 RGB of the photo's size; `photo.rgb` itself where the photo is opaque
 */
export function flattenForMatting(photo: Photo): Uint8Array {
  const { rgb, alpha } = photo;
  if (alpha === undefined) return rgb;
  const background = meanGreen(rgb, alpha) > 170 ? 96 : 255;
  const flat = new Uint8Array(rgb.length);
  for (let i = 0, at = 0; i < alpha.length; i++, at += 3) {
    const a = alpha[i]!;
    for (let c = 0; c < 3; c++) flat[at + c] = (rgb[at + c]! * a + background * (255 - a) + 127) / 255;
  }
  return flat;
}

/** Mean green weighted by alpha: close enough to lightness to tell a light product from a dark one. */
function meanGreen(rgb: Uint8Array, alpha: Uint8Array): number {
  let sum = 0;
  let weight = 0;
  for (let i = 0; i < alpha.length; i++) {
    sum += rgb[i * 3 + 1]! * alpha[i]!;
    weight += alpha[i]!;
  }
  return weight === 0 ? 0 : sum / weight;
}
