/** A round base that is seen from above shows the front half of an ellipse, as flat as the sine of the camera's pitch. */

import type { Silhouette } from "./silhouette.ts";

/** What sticks out below the base is at most so wide, as a share of the product's width. */
const tipWidthMax = 0.14;
/** An ellipse as flat as this, by its half axes, may be a straight belly; one as high may be what stands on its rim. */
const flatness = [0.1, 0.75] as const;
/** Within its inner nine tenths the base is this near to the ellipse, as a share of the product's width: a corner and two feet are not. */
const innerShare = 0.9;
const apartMax = 0.015;

/** For each column of the product, the row below its lowest cell; 0: nothing is in it. */
export function undersidesOf({ inside, width, left, right, top, bottom }: Silhouette): Int32Array {
  const undersides = new Int32Array(right - left);
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) if (inside[y * width + x] === 1) undersides[x - left] = y + 1;
  }
  return undersides;
}

/** The underside without narrow tips that reach below it. */
export function withoutTips(undersides: Int32Array): Int32Array {
  const wide = Math.max(2, Math.round(tipWidthMax * undersides.length));
  const within = (values: Int32Array, pick: (...some: number[]) => number, from: number, to: number) =>
    values.map((_, x) => pick(...values.subarray(Math.max(0, x + from), Math.min(values.length, x + to))));
  const half = Math.floor(wide / 2);
  const raised = within(undersides, Math.min, -half, wide - half + 1);
  return within(raised, Math.max, half - wide, half + 1);
}

/**
 * @param base the underside without tips
 * @returns height over width of the ellipse that suits it best and is as wide as the product; undefined: it is not plainly round
 */
export function roundness(base: Int32Array): number | undefined {
  const half = base.length / 2;
  const front = base[Math.floor(half)]!;
  const columns = [...base.keys()].filter((x) => Math.abs(x + 0.5 - half) < innerShare * half);
  const rises = columns.map((x) => 1 - Math.sqrt(1 - ((x + 0.5) / half - 1) ** 2));
  const risen = columns.map((x) => front - base[x]!);
  const squares = rises.reduce((sum, rise) => sum + rise ** 2, 0);
  const high = rises.reduce((sum, rise, i) => sum + rise * risen[i]!, 0) / squares;
  const [flat, steep] = flatness;
  if (high < flat * half || high > steep * half) return undefined;
  const apart = rises.reduce((sum, rise, i) => sum + (risen[i]! - high * rise) ** 2, 0) / columns.length;
  return Math.sqrt(apart) < apartMax * base.length ? high / half : undefined;
}

/**
 * A disc is so tall, as a share of its width, and both its rims are as flat but for the second. One of no height cannot be told from an egg
 * or a lemon that lies on its side.
 */
const discTall = [0.07, 0.4] as const;
const rimsApartMax = 0.12;

/** A low upright cylinder. */
export interface Disc {
  /** The sine of the camera's pitch. */
  readonly pitch: number;
  /** Rows between its rims, in cells. */
  readonly tall: number;
}

/** @returns undefined where the outline is not plainly that of a disc */
export function discOf(silhouette: Silhouette): Disc | undefined {
  const base = withoutTips(undersidesOf(silhouette));
  const pitch = roundness(base);
  if (pitch === undefined) return undefined;
  const upper = roundness(upperRim(silhouette));
  const wide = silhouette.right - silhouette.left;
  const tall = base[Math.floor(wide / 2)]! - silhouette.top - pitch * wide;
  const [least, most] = discTall;
  const isUpright = tall > least * wide && tall < most * wide;
  return upper !== undefined && Math.abs(upper - pitch) < rimsApartMax && isUpright ? { pitch, tall } : undefined;
}

/** The upper outline, turned over. */
function upperRim({ inside, width, left, right, top, bottom }: Silhouette): Int32Array {
  return Int32Array.from({ length: right - left }, (_, column) => {
    let y = top;
    while (y < bottom && inside[y * width + left + column] === 0) y++;
    return bottom - y;
  });
}
