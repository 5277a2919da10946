/**
 * From which side the light of a product's photo comes. A cast shadow on the other side contradicts the shading of the product, which
 * looks worse than a soft one below it.
 *
 * The photo's shadow tells it where it lies beside the product. Else the product does: as a rule what has the same color at its left
 * and its right outline is brighter on the lit side, in most of its rows. Prints, handles and gloss make some rows differ, so nearly
 * all of them have to agree; a product that is lit from the viewer's side has none to say.
 */

import type { CutOut } from "../pixels/cut-out.ts";
import type { LightSide } from "./light.ts";
import type { PhotoShadow, ProductPose } from "./pose.ts";
import { photoShadowBearing } from "./shadow-bearing.ts";
import type { Silhouette } from "./silhouette.ts";

export interface PhotoLight {
  readonly side: LightSide;
  /** Where the photo's shadow falls, in degrees clockwise as seen from above, 0 away from the viewer; absent: the product alone told the side. */
  readonly shadowBearing?: number | undefined;
}

/** @returns undefined where the photo does not show from which side its light comes */
export function photoLightOf(cut: CutOut, pose: ProductPose, photoShadow?: PhotoShadow): PhotoLight | undefined {
  const shown = photoShadow && sideOfShadow(pose.silhouette, photoShadow);
  if (shown !== undefined) return { side: shown, shadowBearing: photoShadowBearing(pose, photoShadow!) };
  const side = sideOfShading(cut, pose.silhouette);
  return side && { side };
}

/** The lowest part of the outline, as a share of its height. */
const footShare = 0.12;
/** Covered cells have no shadow of the ground, and fainter alpha is noise. */
const coverageMax = 8;
const shadowAlphaMin = 4;
/** So much more of the shadow lies on one side of the foot, and at least this share of the product's box. */
const lopsidedMin = 0.6;
const besideShareMin = 0.004;

function sideOfShadow(silhouette: Silhouette, { alpha, width: rowPx }: PhotoShadow): LightSide | undefined {
  const { left, right, top, bottom, width, coverage, cellPx } = silhouette;
  const rows = alpha.length / rowPx;
  const foot = spanOf(silhouette, Math.floor(bottom - footShare * (bottom - top)), bottom);
  let toLeft = 0;
  let toRight = 0;
  for (let y = 0; (y + 0.5) * cellPx < rows; y++) {
    const row = Math.floor((y + 0.5) * cellPx) * rowPx;
    for (let x = 0; (x + 0.5) * cellPx < rowPx; x++) {
      if (x >= foot.from && x < foot.to) continue;
      const dark = alpha[row + Math.floor((x + 0.5) * cellPx)]!;
      if (dark < shadowAlphaMin || coverage[y * width + x]! >= coverageMax) continue;
      if (x < foot.from) toLeft += dark;
      else toRight += dark;
    }
  }
  const beside = toLeft + toRight;
  if (beside < besideShareMin * 255 * (right - left) * (bottom - top)) return undefined;
  if (Math.abs(toRight - toLeft) < lopsidedMin * beside) return undefined;
  return toLeft > toRight ? "right" : "left";
}

function spanOf({ inside, width }: Silhouette, top: number, bottom: number): { from: number; to: number } {
  let from = width;
  let to = 0;
  for (let at = top * width; at < bottom * width; at++) {
    if (inside[at] === 0) continue;
    from = Math.min(from, at % width);
    to = Math.max(to, (at % width) + 1);
  }
  return { from, to };
}

/** Bands beside the outline, as shares of a row: its outermost part mirrors the backdrop. */
const rimShare = 0.04;
const bandShare = 0.12;
/** Narrower rows are those of handles and spouts; as a share of the product's width. */
const rowShareMin = 0.25;
/** The sum of differences of red's, green's and blue's shares, up to which both bands have one color. */
const hueMax = 0.15;
/** Rows that have to be comparable, as a share of the product's height, and those of them that have to agree. */
const comparedMin = 0.2;
const agreeMin = 0.85;
/** The natural logarithm of how much brighter the lit side has to be in the middle one of all rows. */
const ratioMin = 0.1;
/** Keeps the noise of black from counting. */
const darkest = 0.004;

function sideOfShading(cut: CutOut, silhouette: Silhouette): LightSide | undefined {
  const { top, bottom } = silhouette;
  const ratios: number[] = [];
  for (let y = top; y < bottom; y++) {
    const ratio = brighterToTheRight(cut, silhouette, y);
    if (ratio !== undefined) ratios.push(ratio);
  }
  if (ratios.length < comparedMin * (bottom - top)) return undefined;
  const toRight = ratios.filter((ratio) => ratio > 0).length / ratios.length;
  if (Math.max(toRight, 1 - toRight) < agreeMin) return undefined;
  const middle = ratios.toSorted((a, b) => a - b)[ratios.length >> 1]!;
  if (Math.abs(middle) < ratioMin) return undefined;
  return middle > 0 ? "right" : "left";
}

/** @returns the logarithm of a row's brightness at the right over that at the left; undefined where colors differ or the row is narrow */
function brighterToTheRight(cut: CutOut, silhouette: Silhouette, y: number): number | undefined {
  const { from, to } = spanOf(silhouette, y, y + 1);
  const across = to - from;
  if (across < rowShareMin * (silhouette.right - silhouette.left)) return undefined;
  const rim = rimShare * across;
  const band = bandShare * across;
  const left = meanLight(cut, silhouette, y, from + rim, from + rim + band);
  const right = meanLight(cut, silhouette, y, to - rim - band, to - rim);
  if (left === undefined || right === undefined) return undefined;
  const hue = left.shares.reduce((sum, share, c) => sum + Math.abs(share - right.shares[c]!), 0);
  return hue > hueMax ? undefined : Math.log((right.luminance + darkest) / (left.luminance + darkest));
}

interface BandLight {
  readonly luminance: number;
  /** The shares of red, green and blue in all light. */
  readonly shares: readonly number[];
}

/** The mean of opaque pixels from one column of cells to another, a sample in each half of a cell. */
function meanLight(
  { rgb, alpha, width, height }: CutOut,
  { cellPx }: Silhouette,
  y: number,
  from: number,
  to: number,
): BandLight | undefined {
  const row = Math.min(height - 1, Math.floor((y + 0.5) * cellPx)) * width;
  const sums = [0, 0, 0];
  let count = 0;
  for (let x = from; x < to; x += 0.5) {
    const at = row + Math.min(width - 1, Math.floor(x * cellPx));
    if (alpha[at] !== 255) continue;
    count++;
    for (let c = 0; c < 3; c++) sums[c]! += (rgb[3 * at + c]! / 255) ** 2.2;
  }
  if (count === 0) return undefined;
  const [red, green, blue] = sums.map((sum) => sum / count) as [number, number, number];
  const all = red + green + blue + 5 * darkest;
  return { luminance: 0.2126 * red + 0.7152 * green + 0.0722 * blue, shares: [red / all, green / all, blue / all] };
}
