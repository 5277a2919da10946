/**
 * The product's own colour at its soft edges: blur fusion twice (M. Forte, "Approximate Fast Foreground Colour
 * Estimation", ICIP 2021), its blurs on a reduced grid, its correction at full resolution and only where 0 < alpha < 255.
 */

import { bilinear, placesAlong } from "./bilinear.ts";
import { boxMean } from "./box-filter.ts";
import type { Photo } from "./decode.ts";
import { sharesOf } from "./work-grid.ts";
import { fittedSize, resizePixels, type Size } from "./resize.ts";

const gridSideMax = 768;
/** Of the grid's longer side: the wide blur reaches product colour from the middle of any soft edge. */
const wideRadiusShare = 0.06;
const narrowRadiusShare = 0.004;

/**
 * @param photo its colours are kept where alpha is 255, and where the source itself is transparent
 * @param seen what the matte was made from (the photo laid on a ground where it is transparent), u8 RGB
 * @param alpha u8, width × height
 * @returns u8 RGB of the photo's size; the same array as `photo.rgb` where nothing is soft
 */
export async function purifyForeground(photo: Photo, seen: Uint8Array, alpha: Uint8Array): Promise<Uint8Array> {
  // A source with its own alpha brings straight colours already.
  if (photo.alpha !== undefined) return photo.rgb;
  const size = { width: photo.width, height: photo.height };
  const grid = fittedSize(size, gridSideMax);
  const [small, smallAlpha] = await Promise.all([
    resizePixels(seen, size, 3, grid),
    resizePixels(alpha, size, 1, grid),
  ]);
  const { foreground, background } = blurFusion(small, smallAlpha, grid);
  return correctSoftPixels(seen, alpha, size, { grid, foreground, background });
}

interface ColourFields {
  readonly grid: Size;
  /** Three planes one after another, 0…255. */
  readonly foreground: Float32Array;
  readonly background: Float32Array;
}

function blurFusion(rgb: Uint8Array, alpha: Uint8Array, grid: Size): Omit<ColourFields, "grid"> {
  const count = grid.width * grid.height;
  const a = sharesOf(alpha);
  const long = Math.max(grid.width, grid.height);
  const foreground = new Float32Array(count * 3);
  const background = new Float32Array(count * 3);
  for (const [pass, share] of [wideRadiusShare, narrowRadiusShare].entries()) {
    const radius = Math.max(1, Math.round(long * share));
    const weightOf = boxMean(a, grid, radius);
    const scratch = new Float32Array(count);
    for (let c = 0; c < 3; c++) {
      const f = foreground.subarray(c * count, (c + 1) * count);
      const b = background.subarray(c * count, (c + 1) * count);
      for (let i = 0; i < count; i++) scratch[i] = a[i]! * (pass === 0 ? rgb[i * 3 + c]! : f[i]!);
      const meanF = boxMean(scratch, grid, radius);
      for (let i = 0; i < count; i++) scratch[i] = (1 - a[i]!) * (pass === 0 ? rgb[i * 3 + c]! : b[i]!);
      const meanB = boxMean(scratch, grid, radius);
      for (let i = 0; i < count; i++) {
        const ai = a[i]!;
        const fHat = meanF[i]! / (weightOf[i]! + 1e-5);
        const bHat = meanB[i]! / (1 - weightOf[i]! + 1e-5);
        const rest = rgb[i * 3 + c]! - ai * fHat - (1 - ai) * bHat;
        f[i] = fHat + ai * rest;
        b[i] = bHat + (1 - ai) * rest;
      }
    }
  }
  return { foreground, background };
}

function correctSoftPixels(rgb: Uint8Array, alpha: Uint8Array, size: Size, fields: ColourFields): Uint8Array {
  const { grid, foreground, background } = fields;
  const count = grid.width * grid.height;
  const planes = [0, 1, 2].map((c) => ({
    product: foreground.subarray(c * count, (c + 1) * count),
    behind: background.subarray(c * count, (c + 1) * count),
  }));
  const out = rgb.slice();
  const places = placesAlong(size, grid);
  const field = bilinear();
  const f = new Float32Array(3);
  const rest = new Float32Array(3);
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const i = y * size.width + x;
      const v = alpha[i]!;
      if (v === 255 || v === 0) continue;
      field.moveTo(places, x, y);
      const a = v / 255;
      let towards = 0;
      let span = 1e-3;
      for (let c = 0; c < 3; c++) {
        const p = field.at(planes[c]!.product);
        const b = field.at(planes[c]!.behind);
        f[c] = p;
        rest[c] = rgb[i * 3 + c]! - a * p - (1 - a) * b;
        towards += rest[c]! * (b - p);
        span += (b - p) ** 2;
      }
      // What points from the product's colour to the background's is left-over background, not the product's texture.
      const spill = Math.max(0, towards / span);
      for (let c = 0; c < 3; c++) {
        const value = f[c]! + a * (rest[c]! - spill * (field.at(planes[c]!.behind) - f[c]!));
        out[i * 3 + c] = value < 0 ? 0 : value > 255 ? 255 : value + 0.5;
      }
    }
  }
  return out;
}
