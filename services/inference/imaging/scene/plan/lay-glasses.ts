/**
 * Glasses that were photographed from the front stand on their rims. On a table they do; on sand, snow or grass nobody would stand them up,
 * and they seem to hover there, so they lie and are seen from above.
 */

import type { ProductPose } from "../../shadow/pose.ts";
import type { SurfaceKind } from "../words/lexicon.ts";
import type { ScenePlan } from "./scene-plan.ts";

const softGrounds: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["sand", "snow", "grass"]);

/** Whether the product is a pair of glasses that stands, and the theme a soft ground. */
export function liesThere({ silhouette, stance, view }: ProductPose, { surface, stand }: ScenePlan): boolean {
  return (
    stance === "standing" && view === "level" && stand === null && softGrounds.has(surface) && isGlasses(silhouette)
  );
}

/** Width over height of glasses from the front. */
const aspect = [1.8, 4.5] as const;
/** The columns of the bridge, as shares of the width. */
const bridge = [0.47, 0.53] as const;
/** The bridge is at most so thick, and at least so high above the rims' lowest points; as shares of the height. */
const thickMax = 0.45;
const gapMin = 0.5;
/** Both halves cover each other, mirrored, by this share of what either covers. */
const symmetryMin = 0.8;

/** The middle of a rim, and columns at both its sides, as shares of the width; there the rim ends so much higher, as a share of the height. */
const rimMiddle = 0.23;
const rimSides = [0.06, 0.4] as const;
const roundMin = 0.06;

/** Two round halves alike, and a thin bridge high above their foot: of 215 photos and 1,560 rendered outlines only glasses have them. */
export function isGlasses({ inside, width, left, right, top, bottom }: ProductPose["silhouette"]): boolean {
  const wide = right - left;
  const tall = bottom - top;
  if (wide < aspect[0] * tall || wide > aspect[1] * tall) return false;
  const mirrored = (x: number) => right - 1 - (x - left);
  const spanOf = (x: number) => {
    let first = bottom;
    let last = -1;
    for (let y = top; y < bottom; y++) {
      if (inside[y * width + x] === 0) continue;
      first = Math.min(first, y);
      last = y;
    }
    return { first, last };
  };
  for (let x = Math.floor(left + bridge[0] * wide); x < left + bridge[1] * wide; x++) {
    const { first, last } = spanOf(x);
    if (last < 0 || last - first >= thickMax * tall || bottom - 1 - last < gapMin * tall) return false;
  }
  const columnAt = (share: number) => Math.floor(left + share * wide);
  for (const side of rimSides) {
    for (const turned of [(x: number) => x, mirrored]) {
      const rises = spanOf(turned(columnAt(rimMiddle))).last - spanOf(turned(columnAt(side))).last;
      if (rises < roundMin * tall) return false;
    }
  }
  let either = 0;
  let both = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const covered = inside[y * width + x]! + inside[y * width + mirrored(x)]!;
      if (covered > 0) either++;
      if (covered === 2) both++;
    }
  }
  return both > symmetryMin * either;
}
