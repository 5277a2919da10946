/**
 * Narrow tips that reach out in front of a round base that is seen from above, and so lower in the image: the brushes of a robot vacuum,
 * a spout, a plug. The product does not stand on them alone. A box on its corner, and the straight belly between two feet, have no round
 * base.
 */

import { roundness, undersidesOf, withoutTips } from "./round-base.ts";
import { longSide, type Silhouette } from "./silhouette.ts";

/** Around the cells of a tip that are below the base; right and bottom are exclusive. */
export interface FrontTip {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A tip reaches so far below the base, as shares of its longer side. */
const tipReach = [0.02, 0.14] as const;
/** @returns none where the base is not plainly round */
export function frontTips(silhouette: Silhouette): readonly FrontTip[] {
  const { left, right } = silhouette;
  const undersides = undersidesOf(silhouette);
  const across = right - left;
  const base = withoutTips(undersides);
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
  return tips.length > 0 && roundness(base) !== undefined ? tips : [];
}
