/** The light that a photo's plain backdrop shows: its color and brightness where the product is, and how it falls off. */

import { type Backdrop, backdropAt, fitBackdrop, terms } from "../matting/evidence/backdrop.ts";
import { mayBePlain } from "../matting/evidence/measure-backdrop.ts";
import { colorDifference } from "../pixels/color-difference.ts";
import type { Size } from "../pixels/geometry.ts";
import { rgbToLab } from "../pixels/lab.ts";
import { type Photo, sourceAlphaPlane } from "../pixels/photo.ts";
import { resizePixels } from "../pixels/resize.ts";
import { type LinearRgb, luminance } from "../scene/canvas/color.ts";

export interface BackdropLight {
  /** The backdrop where the product is. */
  readonly color: LinearRgb;
  /** Lightness of the fitted backdrop as [1, x, y, xy, x², y²], x and y from 0 to 1 over the photo. */
  readonly lightness: Float64Array;
  /** Luminance that 95 % of the product stay below, as a share of the backdrop's behind it. */
  readonly productShare: number;
  /** The backdrop's cells: interleaved u8 RGB of the square, and their indices in it. */
  readonly square: { readonly rgb: Uint8Array; readonly size: Size; readonly cells: Int32Array };
}

/** Why a backdrop says nothing of the light. */
export type NoLight = "no_backdrop" | "backdrop_not_plain" | "backdrop_clipped" | "backdrop_dark";

/** Side of the square on which the backdrop is fitted and measured. */
export const side = 240;
/** Up to this alpha a cell is backdrop, from the other on product. */
const backdropAlphaMax = 1;
const productAlphaMin = 250;
/**
 * Lab distance to the fit within which three quarters of the backdrop lie, and distance in a and b alone of nine tenths. A
 * backdrop for cutting out is plainer: here a sweep may bend, and a lamp may stand near.
 */
const distanceMax = 4;
const tintMax = 2.5;
/** A backdrop takes at least this share of the photo. */
const backdropShareMin = 0.05;
/** A color value from here on may have been brighter; where all three are near it, the backdrop is white. */
const clippedMin = 254;
const whiteMin = 248;
const clippedShareMax = 0.1;
/** Lightness below which the color of a light cannot be told. */
const lightnessMin = 25;
const brightShare = 0.95;

/** @param alpha the cut-out's, of the photo's size */
export async function measureBackdropLight(photo: Photo, alpha: Uint8Array): Promise<BackdropLight | NoLight> {
  if (sourceAlphaPlane(photo) !== undefined) return "no_backdrop";
  const size = { width: side, height: side };
  const [rgb, matte] = await Promise.all([
    resizePixels(photo.rgb, photo, 3, size),
    resizePixels(alpha, photo, 1, size),
  ]);
  const cells = indicesWhere(matte, (a) => a <= backdropAlphaMax);
  const product = indicesWhere(matte, (a) => a >= productAlphaMin);
  const fitted = fitBackdrop(rgb, side);
  if (!isPlain(fitted, rgb, cells)) return "backdrop_not_plain";
  if (isClipped(rgb, cells)) return "backdrop_clipped";
  const color = meanColor(fitted, product.length > 0 ? product : cells);
  const lightness = fitted.coefficients.slice(0, terms);
  if (lightnessAtDarkest(lightness) < lightnessMin) return "backdrop_dark";
  return { color, lightness, productShare: brightestShare(rgb, product, lightness), square: { rgb, size, cells } };
}

/** Where a reference's product is not known: the backdrop is at least so much of it, and its middle is where products are. */
const referenceShareMin = 0.25;
const middleFrom = 0.25 * side;
const middleEnd = 0.75 * side;

/** The color of the plain backdrop of a reference, in its middle. @param rgb of the square; undefined: it has none */
export function referenceColor(rgb: Uint8Array): LinearRgb | undefined {
  const fitted = fitBackdrop(rgb, side);
  const all = Int32Array.from({ length: side * side }, (_, cell) => cell);
  if (!mayBePlain(fitted) || countAlike(fitted, rgb, all).near < referenceShareMin * all.length) return undefined;
  const isMiddle = (value: number) => value >= middleFrom && value < middleEnd;
  const middle = all.filter((cell) => isMiddle(cell % side) && isMiddle(Math.floor(cell / side)));
  return meanColor(fitted, middle);
}

function indicesWhere(plane: Uint8Array, isWanted: (value: number) => boolean): Int32Array {
  const indices: number[] = [];
  for (let i = 0; i < plane.length; i++) if (isWanted(plane[i]!)) indices.push(i);
  return Int32Array.from(indices);
}

/** Where the middle of a cell is, 0–1 over the photo. */
const xOf = (cell: number) => ((cell % side) + 0.5) / side;
const yOf = (cell: number) => (Math.floor(cell / side) + 0.5) / side;

/** The backdrop's own cells decide: a shadow or a lamp makes some of them darker or brighter, but gives them no other color. */
function isPlain(fitted: Backdrop, rgb: Uint8Array, cells: Int32Array): boolean {
  if (!mayBePlain(fitted) || cells.length < backdropShareMin * side * side) return false;
  const { near, alike } = countAlike(fitted, rgb, cells);
  return near >= 0.75 * cells.length && alike >= 0.9 * cells.length;
}

/** How many cells are near to the fit, and how many have its color, whatever their lightness. */
function countAlike(fitted: Backdrop, rgb: Uint8Array, cells: Int32Array) {
  const lab = rgbToLab(rgb);
  const expected = new Float32Array(3);
  let near = 0;
  let alike = 0;
  for (const cell of cells) {
    backdropAt(fitted, xOf(cell), yOf(cell), expected);
    const tint = Math.hypot(lab[3 * cell + 1]! - expected[1]!, lab[3 * cell + 2]! - expected[2]!);
    if (tint <= tintMax) alike++;
    if (Math.hypot(lab[3 * cell]! - expected[0]!, tint) <= distanceMax) near++;
  }
  return { near, alike };
}

function isClipped(rgb: Uint8Array, cells: Int32Array): boolean {
  let clipped = 0;
  for (const cell of cells) {
    const color = [rgb[3 * cell]!, rgb[3 * cell + 1]!, rgb[3 * cell + 2]!];
    if (Math.max(...color) >= clippedMin && Math.min(...color) < whiteMin) clipped++;
  }
  return clipped > clippedShareMax * cells.length;
}

function meanColor(fitted: Backdrop, cells: Int32Array): LinearRgb {
  const lab = new Float32Array(3);
  const sum: [number, number, number] = [0, 0, 0];
  for (const cell of cells) {
    backdropAt(fitted, xOf(cell), yOf(cell), lab);
    linearOfLab(lab).forEach((value, c) => {
      sum[c]! += value;
    });
  }
  return [sum[0] / cells.length, sum[1] / cells.length, sum[2] / cells.length];
}

/** CIE 15, and the primaries of sRGB. Colors outside of sRGB have values below 0. */
function linearOfLab(lab: ArrayLike<number>): LinearRgb {
  const fy = (lab[0]! + 16) / 116;
  const x = 0.95047 * inverseCurve(fy + lab[1]! / 500);
  const y = inverseCurve(fy);
  const z = 1.08883 * inverseCurve(fy - lab[2]! / 200);
  return [
    3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
    -0.969266 * x + 1.8760108 * y + 0.041556 * z,
    0.0556434 * x - 0.2040259 * y + 1.0572252 * z,
  ];
}

function inverseCurve(t: number): number {
  return t > 6 / 29 ? t ** 3 : (116 * t - 16) / (24_389 / 27);
}

/** The fitted surface at a place, or one of its rows. */
export function lightnessAt(c: Float64Array, x: number, y: number): number {
  return c[0]! + c[1]! * x + c[2]! * y + c[3]! * x * y + c[4]! * x * x + c[5]! * y * y;
}

/** Holds for a lightness from 8 on. */
export const luminanceOf = (lightness: number) => ((lightness + 16) / 116) ** 3;

function lightnessAtDarkest(coefficients: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let y = 0; y <= 1; y += 0.125) {
    for (let x = 0; x <= 1; x += 0.125) least = Math.min(least, lightnessAt(coefficients, x, y));
  }
  return least;
}

function brightestShare(rgb: Uint8Array, product: Int32Array, coefficients: Float64Array): number {
  const lab = rgbToLab(rgb);
  const shares = Float64Array.from(product, (cell) => {
    const lightness = Math.max(0, lab[3 * cell]!);
    return luminanceOf(lightness) / luminanceOf(lightnessAt(coefficients, xOf(cell), yOf(cell)));
  }).sort();
  return shares.length === 0 ? 0 : shares[Math.min(shares.length - 1, Math.floor(brightShare * shares.length))]!;
}

/** Median CIEDE2000 between the backdrop and the color that it should have. @param rgb the square */
export function backdropDifference({ square: { cells } }: BackdropLight, rgb: Uint8Array, goal: LinearRgb): number {
  const lab = rgbToLab(rgb);
  const goalLab = labOfLinear(goal);
  const differences = Float64Array.from(cells, (cell) => colorDifference(lab, goalLab, 3 * cell)).sort();
  return differences[differences.length >> 1]!;
}

function labOfLinear([r, g, b]: LinearRgb): readonly number[] {
  const y = luminance([r, g, b]);
  const x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047;
  const z = (0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883;
  const [fx, fy, fz] = [x, y, z].map(curve) as [number, number, number];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

function curve(t: number): number {
  return t > 216 / 24_389 ? Math.cbrt(t) : ((24_389 / 27) * t + 16) / 116;
}
