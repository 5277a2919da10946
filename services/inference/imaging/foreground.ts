/**
 * The product's own colour at its soft edges: blur fusion twice (M. Forte, "Approximate Fast Foreground Colour
 * Estimation", ICIP 2021), its blurs on a reduced grid, its correction at full resolution and only where 0 < alpha < 255.
 */

import { boxMean } from "./box-filter.ts";
import type { Photo } from "./decode.ts";
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
  const a = Float32Array.from(alpha, (v) => v / 255);
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
  const out = rgb.slice();
  const sx = grid.width / size.width;
  const sy = grid.height / size.height;
  for (let y = 0; y < size.height; y++) {
    const gy = Math.min(Math.max((y + 0.5) * sy - 0.5, 0), grid.height - 1);
    const y0 = Math.min(gy | 0, Math.max(0, grid.height - 2));
    const fy = gy - y0;
    const down = grid.height > 1 ? grid.width : 0;
    for (let x = 0; x < size.width; x++) {
      const i = y * size.width + x;
      const v = alpha[i]!;
      if (v === 255 || v === 0) continue;
      const gx = Math.min(Math.max((x + 0.5) * sx - 0.5, 0), grid.width - 1);
      const x0 = Math.min(gx | 0, Math.max(0, grid.width - 2));
      const fx = gx - x0;
      const right = grid.width > 1 ? 1 : 0;
      const at = y0 * grid.width + x0;
      const w00 = (1 - fx) * (1 - fy);
      const w10 = fx * (1 - fy);
      const w01 = (1 - fx) * fy;
      const w11 = fx * fy;
      const a = v / 255;
      for (let c = 0; c < 3; c++) {
        const p = c * count + at;
        const q = p + down;
        const f =
          foreground[p]! * w00 + foreground[p + right]! * w10 + foreground[q]! * w01 + foreground[q + right]! * w11;
        const b =
          background[p]! * w00 + background[p + right]! * w10 + background[q]! * w01 + background[q + right]! * w11;
        const value = f + a * (rgb[i * 3 + c]! - a * f - (1 - a) * b);
        out[i * 3 + c] = value < 0 ? 0 : value > 255 ? 255 : value + 0.5;
      }
    }
  }
  return out;
}
