/**
 * Narrow tips that reach out in front of a round base that is seen from above, and so lower in the image: the brushes of a robot vacuum,
 * a spout, a plug. The product does not stand on them alone. A round base shows the front half of an ellipse, of which a box on its
 * corner, and the straight belly between two feet, have nothing.
 */

import { longSide, type Silhouette } from "./silhouette.ts";

/** Around the cells of a tip that are below the base; right and bottom are exclusive. */
export interface FrontTip {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A tip is at most so wide, as a share of the product's width, and reaches so far below the base, as shares of its longer side. */
const tipWidthMax = 0.14;
const tipReach = [0.02, 0.14] as const;
/** An ellipse as flat as this, by its half axes, may be a straight belly; one as high may be what stands on its rim. */
const flatness = [0.1, 0.75] as const;
/** Within its inner nine tenths the base is this near to the ellipse, as a share of the product's width: a corner and two feet are not. */
const innerShare = 0.9;
const apartMax = 0.015;

/** @returns none where the base is not plainly round */
export function frontTips(silhouette: Silhouette): readonly FrontTip[] {
  const { left, right } = silhouette;
  const undersides = undersidesOf(silhouette);
  const across = right - left;
  const base = opened(undersides, Math.max(2, Math.round(tipWidthMax * across)));
  const long = longSide(silhouette);
  const [reachMin, reachMax] = tipReach;
  const tips: FrontTip[] = [];
  for (let x = 0; x < across; x++) {
    if (undersides[x]! - base[x]! < reachMin * long) continue;
    const from = x;
    while (x < across && undersides[x]! - base[x]! > 1) x++;
    const below = undersides.subarray(from, x);
    const bottom = Math.max(...below);
    const top = Math.max(...base.subarray(from, x));
    if (bottom - top > reachMax * long) return [];
    if (bottom > top) tips.push({ left: left + from, right: left + x, top, bottom });
  }
  return tips.length > 0 && isRound(base) ? tips : [];
}

/** Whether the base is the front of an ellipse, as wide as the product and as high as suits it best. */
function isRound(base: Int32Array): boolean {
  const half = base.length / 2;
  const front = base[Math.floor(half)]!;
  const columns = [...base.keys()].filter((x) => Math.abs(x + 0.5 - half) < innerShare * half);
  const rises = columns.map((x) => 1 - Math.sqrt(1 - ((x + 0.5) / half - 1) ** 2));
  const risen = columns.map((x) => front - base[x]!);
  const squares = rises.reduce((sum, rise) => sum + rise ** 2, 0);
  const high = rises.reduce((sum, rise, i) => sum + rise * risen[i]!, 0) / squares;
  const [flat, steep] = flatness;
  if (high < flat * half || high > steep * half) return false;
  const apart = rises.reduce((sum, rise, i) => sum + (risen[i]! - high * rise) ** 2, 0) / columns.length;
  return Math.sqrt(apart) < apartMax * base.length;
}

/** For each column of the product, the row below its lowest cell; 0: nothing is in it. */
function undersidesOf({ inside, width, left, right, top, bottom }: Silhouette): Int32Array {
  return Int32Array.from({ length: right - left }, (_, column) => {
    for (let y = bottom - 1; y >= top; y--) if (inside[y * width + left + column] === 1) return y + 1;
    return 0;
  });
}

/** The line without whatever reaches down and is not wider than `wide` columns. */
function opened(line: Int32Array, wide: number): Int32Array {
  const within = (values: Int32Array, pick: (...some: number[]) => number, from: number, to: number) =>
    values.map((_, x) => pick(...values.subarray(Math.max(0, x + from), Math.min(values.length, x + to))));
  const half = Math.floor(wide / 2);
  const raised = within(line, Math.min, -half, wide - half + 1);
  return within(raised, Math.max, half - wide, half + 1);
}
