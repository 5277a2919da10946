/** How long a product is as its outline tells: garments and glasses are known by it. */

import { garmentOdds, type ProductPose } from "../shadow/pose.ts";
import { isGlasses } from "./lay-glasses.ts";
import { garmentCm, glassesCm, groundUnitCm } from "./product-length.ts";

/** An outline is a garment's where it is hardly anything else's, or likely one's and has sleeves. */
const garmentMin = 0.9;
const sleevedMin = 0.5;

/** @returns the product's longer side in units of the ground; 1: its outline does not tell it */
export function outlinedLength({ silhouette }: Pick<ProductPose, "silhouette">): number {
  if (isGlasses(silhouette)) return glassesCm / groundUnitCm;
  const odds = garmentOdds(silhouette);
  const isGarment = odds > garmentMin || (odds > sleevedMin && hasSleeves(silhouette));
  return isGarment ? garmentCm / groundUnitCm : 1;
}

/** A sleeve ends between these rows, within so many of them, as shares of the height, and by this share of the width inside its cuff. */
const cuffRows = [0.15, 0.62] as const;
const cuffDepth = 0.09;
const cuffStep = 0.07;
/** Both cuffs are as high, but for this share of the height. */
const cuffsApart = 0.1;

/** Whether short sleeves stick out at both sides above a narrower body. */
function hasSleeves({ inside, width, left, right, top, bottom }: ProductPose["silhouette"]): boolean {
  const wide = right - left;
  const tall = bottom - top;
  const depth = Math.max(1, Math.round(cuffDepth * tall));
  const insets = Array.from({ length: tall }, (_, row) => {
    const line = inside.subarray((top + row) * width + left, (top + row) * width + right);
    return [line.indexOf(1), wide - 1 - line.lastIndexOf(1)] as const;
  });
  const cuffs = [0, 1].map((side) => {
    let most = 0;
    let at = 0;
    for (let row = Math.floor(cuffRows[0] * tall); row < cuffRows[1] * tall && row + depth < tall; row++) {
      const step = insets[row + depth]![side]! - insets[row]![side]!;
      if (step <= most) continue;
      most = step;
      at = row;
    }
    return { most, at };
  });
  const isDeep = cuffs.every(({ most }) => most > cuffStep * wide);
  return isDeep && Math.abs(cuffs[0]!.at - cuffs[1]!.at) < cuffsApart * tall;
}
