/**
 * A kit of many parts that was laid out on a table and photographed from above: what is wholly above another part would stand on nothing in
 * a picture from the side.
 */

import { boxesOfParts } from "../matting/parts/matte-parts.ts";
import { labelComponents } from "../pixels/connected-components.ts";
import type { Box } from "../pixels/geometry.ts";
import { type ProductPose, sureMin } from "../shadow/pose.ts";

/** Sets of fewer parts mostly stand in rows. */
const partsMin = 5;
/** So many of them are above others. */
const aboveMin = 2;
/** Smaller pieces are crumbs and screws; as a share of all. */
const shareMin = 0.008;
/** A part is above another one where that is below so much of the narrower one's width. */
const belowMin = 0.5;

/** Whether it may stand, and its outline is that of parts which lie beside each other in both directions. */
export function isLaidOut({ silhouette, stance, confidence, view }: ProductPose): boolean {
  if (stance !== "standing" || view !== "level" || confidence >= sureMin) return false;
  const components = labelComponents(silhouette.inside, silhouette);
  const cellsMin = shareMin * components.sizes.reduce((sum, cells) => sum + cells, 0);
  const parts = boxesOfParts(components, silhouette).filter(
    (_, label) => label > 0 && components.sizes[label]! >= cellsMin,
  );
  if (parts.length < partsMin) return false;
  const above = parts.filter((part) => parts.some((other) => isAbove(part, other)));
  return above.length >= aboveMin;
}

function isAbove(part: Box, other: Box): boolean {
  const shared = Math.min(part.left + part.width, other.left + other.width) - Math.max(part.left, other.left);
  return part.top + part.height <= other.top && shared >= belowMin * Math.min(part.width, other.width);
}
