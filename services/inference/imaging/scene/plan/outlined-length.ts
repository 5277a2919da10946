/** How long a product is as its outline tells: garments, glasses, furniture on legs and what people wear are known by it. */

import { cutBelowMin, garmentOdds, type ProductPose } from "../../shadow/pose.ts";
import { isGlasses } from "./lay-glasses.ts";
import { furnitureCm, garmentCm, glassesCm, groundUnitCm } from "./product-length.ts";

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

/** The lower rows of what stands on legs, as shares of the height from the bottom; feet of appliances are lower. */
const legRows = [0.08, 0.14, 0.2, 0.26] as const;
/** Legs stand so far apart at least, and each is so wide at most, as shares of the width. */
const legsApart = 0.45;
const legWide = 0.17;
/** Above its legs it is that solid in some row, and that wide. */
const seatFill = 0.7;
const seatWide = 0.5;

/** Shops' photos cut people at their border, and hardly anything else: a cord is narrower than this share of the product's width. */
const cutAboveMin = 0.12;
/** A picture that was trimmed to the product ends within this share of its longer side of it, on all sides. */
const trimMax = 0.02;
/** Much taller than wide, a person shows the legs. */
const wholeTallness = 1.8;
/** From the neck to the knees or to the feet; legs from the hips down; the upper body; feet in shoes, cut at the shins. */
const figureCm = 140;
const legsCm = 105;
const torsoCm = 70;
const wornShoesCm = 42;

/**
 * @returns the longer side of what is seen level, in units of the ground, where that is more than usual: a chair's floor has boards of a
 * true width below it, and people stand on small stones; 1: its outline does not tell it
 */
export function standingLength(pose: Pick<ProductPose, "silhouette" | "stance" | "ground" | "view">): number {
  const { silhouette, stance, view } = pose;
  if (view === "level" && isWorn(pose)) return wornCm(pose) / groundUnitCm;
  return stance === "standing" && standsOnLegs(silhouette) ? furnitureCm / groundUnitCm : 1;
}

/** Whether somebody wears it: the photo's upper or lower border cuts a broad part of it. */
export function isWorn({ silhouette, ground }: Pick<ProductPose, "silhouette" | "ground">): boolean {
  if (isTrimmed(silhouette)) return false;
  return ground.cutShare > cutBelowMin || cutShareAbove(silhouette) > cutAboveMin;
}

/** Borders that touch the product on every side cut nothing off it. */
function isTrimmed({ width, height, left, right, top, bottom }: ProductPose["silhouette"]): boolean {
  return Math.max(left, width - right, top, height - bottom) <= trimMax * Math.max(width, height);
}

function wornCm({ silhouette, ground }: Pick<ProductPose, "silhouette" | "ground">): number {
  const { left, right, top, bottom } = silhouette;
  const isFigure = bottom - top > wholeTallness * (right - left);
  if (ground.cutShare > cutBelowMin) return isFigure ? figureCm : torsoCm;
  return isFigure ? legsCm : wornShoesCm;
}

/** What the border hides of an upper body's legs, and of a figure's, as a share of what is seen. */
const hiddenBelowTorso = 0.6;
const hiddenBelowFigure = 0.1;

/** @returns how far below the photo's border the feet of somebody are, as a share of the longer side of what is seen */
export function hiddenBelow({ silhouette, ground, view }: Pick<ProductPose, "silhouette" | "ground" | "view">): number {
  if (view !== "level" || ground.cutShare <= cutBelowMin || isTrimmed(silhouette)) return 0;
  const { left, right, top, bottom } = silhouette;
  return bottom - top > wholeTallness * (right - left) ? hiddenBelowFigure : hiddenBelowTorso;
}

/** Whether it is somebody's legs, or somebody whole: the photo's upper border cuts no bottle. */
export function isSomebody({ silhouette, view }: Pick<ProductPose, "silhouette" | "view">): boolean {
  if (view !== "level" || isTrimmed(silhouette) || silhouette.top > 0) return false;
  // White shirts may be lost in the very first row.
  return cutShareAbove(silhouette) > cutAboveMin || shareOfRow(silhouette, 1) > belowBorderMin;
}

/** Nothing round that only touches the upper border is as wide as this share of its width just below it. */
const belowBorderMin = 0.5;

/** The share of its width at which the upper border of the photo cuts it. */
function cutShareAbove(silhouette: ProductPose["silhouette"]): number {
  return silhouette.top > 0 ? 0 : shareOfRow(silhouette, 0);
}

/** The share of its width that it covers in a row. */
function shareOfRow({ inside, width, left, right }: ProductPose["silhouette"], row: number): number {
  const covered = inside.subarray(row * width + left, row * width + Math.min(right, width));
  return covered.reduce((sum, cell) => sum + cell, 0) / (right - left);
}

function standsOnLegs({ inside, width, left, right, top, bottom }: ProductPose["silhouette"]): boolean {
  const wide = right - left;
  const tall = bottom - top;
  const runsAt = (row: number) => {
    const runs: number[] = [];
    let last = -1;
    let first = wide;
    for (let x = 0; x < wide; x++) {
      if (inside[row * width + left + x] === 0) continue;
      if (last === x - 1 && runs.length > 0) runs[runs.length - 1]!++;
      else runs.push(1);
      first = Math.min(first, x);
      last = x;
    }
    return { runs, span: last + 1 - first };
  };
  const onLegs = legRows.filter((share) => {
    const { runs, span } = runsAt(bottom - 1 - Math.floor(share * tall));
    return runs.length > 1 && span >= legsApart * wide && Math.max(...runs) <= legWide * wide;
  });
  // A rung may be in one of the rows, and below another one only the front leg of four.
  if (onLegs.length < legRows.length / 2) return false;
  for (let row = top; row < bottom - legRows[3] * tall; row++) {
    const widest = Math.max(0, ...runsAt(row).runs);
    if (widest >= seatWide * wide && widest >= seatFill * runsAt(row).span) return true;
  }
  return false;
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
