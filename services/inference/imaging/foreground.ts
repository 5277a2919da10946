/**
 * The product's own colour at its soft edges: blur fusion twice (M. Forte, "Approximate Fast Foreground Colour
 * Estimation", ICIP 2021), its blurs on a reduced grid, its correction at full resolution and only where 0 < alpha < 255.
 */

import { placesAlong, readField } from "./bilinear.ts";
import { boxMean } from "./box-filter.ts";
import type { Photo } from "./decode.ts";
import { nextSoftPixel } from "./soft-pixels.ts";
import { type ReducedPhoto, sharesOf } from "./work-grid.ts";
import { fittedSize, resizePixels, type Size } from "./resize.ts";

const gridSideMax = 512;
/** Of the grid's longer side: the wide blur reaches product colour from the middle of any soft edge. */
const wideRadiusShare = 0.06;
const narrowRadiusShare = 0.004;

/**
 * @param photo its colours are kept where alpha is 255, and where the source itself is transparent
 * @param seen what the matte was made from (the photo laid on a ground where it is transparent), u8 RGB
 * @param view the same, reduced; to the grid's size or less far
 * @param alpha u8, width × height
 * @returns u8 RGB of the photo's size; the same array as `photo.rgb` where nothing is soft
 */
export async function purifyForeground(
  photo: Photo,
  seen: Uint8Array,
  view: ReducedPhoto,
  alpha: Uint8Array,
): Promise<Uint8Array> {
  // A source with its own alpha brings straight colours already.
  if (photo.alpha !== undefined) return photo.rgb;
  const size = { width: photo.width, height: photo.height };
  const grid = fittedSize(view, gridSideMax);
  const [small, smallAlpha] = await Promise.all([
    resizePixels(view.rgb, view, 3, grid),
    resizePixels(alpha, size, 1, grid),
  ]);
  return correctSoftPixels(seen, alpha, size, { grid, values: blurFusion(small, smallAlpha, grid) });
}

interface ColourField {
  readonly grid: Size;
  /** Per cell the product's red, green and blue, then the background's, 0…255. */
  readonly values: Float32Array;
}

function blurFusion(rgb: Uint8Array, alpha: Uint8Array, grid: Size): Float32Array {
  const count = grid.width * grid.height;
  const a = sharesOf(alpha);
  const long = Math.max(grid.width, grid.height);
  const values = new Float32Array(count * 6);
  const plane = () => new Float32Array(count);
  const [seen, product, background, across] = [plane(), plane(), plane(), plane()];
  const radii = [wideRadiusShare, narrowRadiusShare].map((share) => Math.max(1, Math.round(long * share)));
  const weights = radii.map((radius) => boxMean(a, grid, radius, plane(), across));
  for (let c = 0; c < 3; c++) {
    for (let i = 0; i < count; i++) seen[i] = rgb[i * 3 + c]!;
    // The first pass starts from the picture itself, the second from what the first found.
    product.set(seen);
    background.set(seen);
    for (const [pass, radius] of radii.entries()) {
      weigh(a, product, background);
      boxMean(product, grid, radius, product, across);
      boxMean(background, grid, radius, background, across);
      settle(seen, a, weights[pass]!, product, background);
    }
    for (let i = 0; i < count; i++) {
      values[i * 6 + c] = product[i]!;
      values[i * 6 + c + 3] = background[i]!;
    }
  }
  return values;
}

/** Each side's colours by its share of the pixel, for means. In place. */
function weigh(a: Float32Array, product: Float32Array, background: Float32Array): void {
  for (let i = 0; i < a.length; i++) {
    product[i]! *= a[i]!;
    background[i]! *= 1 - a[i]!;
  }
}

/** From blurred weighted colours to colours: what both sides do not explain of the pixel goes to each by its share. In place. */
function settle(
  seen: Float32Array,
  a: Float32Array,
  weightOf: Float32Array,
  product: Float32Array,
  background: Float32Array,
): void {
  for (let i = 0; i < a.length; i++) {
    const ai = a[i]!;
    const fHat = product[i]! / (weightOf[i]! + 1e-5);
    const bHat = background[i]! / (1 - weightOf[i]! + 1e-5);
    const rest = seen[i]! - ai * fHat - (1 - ai) * bHat;
    product[i] = fHat + ai * rest;
    background[i] = bHat + (1 - ai) * rest;
  }
}

function correctSoftPixels(rgb: Uint8Array, alpha: Uint8Array, size: Size, field: ColourField): Uint8Array {
  const out = rgb.slice();
  const places = placesAlong(size, field.grid);
  const colours = new Float64Array(6);
  for (let i = nextSoftPixel(alpha, 0); i < alpha.length; i = nextSoftPixel(alpha, i)) {
    // Soft pixels come in runs.
    for (; i < alpha.length && alpha[i] !== 0 && alpha[i] !== 255; i++) {
      const x = i % size.width;
      readField(field.values, places, x, (i - x) / size.width, colours);
      correctPixel(out, i * 3, alpha[i]! / 255, colours);
    }
  }
  return out;
}

/** @param colours as in a cell of the colour field */
function correctPixel(rgb: Uint8Array, at: number, a: number, colours: Float64Array): void {
  let towards = 0;
  let span = 1e-3;
  for (let c = 0; c < 3; c++) {
    const p = colours[c]!;
    const b = colours[c + 3]!;
    towards += (rgb[at + c]! - a * p - (1 - a) * b) * (b - p);
    span += (b - p) ** 2;
  }
  // What points from the product's colour to the background's is left-over background, not the product's texture.
  const spill = Math.max(0, towards / span);
  for (let c = 0; c < 3; c++) {
    const p = colours[c]!;
    const b = colours[c + 3]!;
    const rest = rgb[at + c]! - a * p - (1 - a) * b;
    const value = p + a * (rest - spill * (b - p));
    rgb[at + c] = value < 0 ? 0 : value > 255 ? 255 : value + 0.5;
  }
}
