/**
 * A kit of many parts that was laid out on a table and photographed from above: what is wholly above another part would stand on nothing in
 * a picture from the side.
 */

import { labelComponents, runStride } from "../pixels/connected-components.ts";
import { type ProductPose, sureMin } from "../shadow/pose.ts";

/** Sets of fewer parts mostly stand in rows. */
const partsMin = 5;
/** So many of them are above others. */
const aboveMin = 2;
/** Smaller pieces are crumbs and screws; as a share of all. */
const shareMin = 0.008;
/** A part is above another one where that is below so much of the narrower one's width. */
const belowMin = 0.5;

interface Part {
  left: number;
  right: number;
  top: number;
  bottom: number;
  cells: number;
}

/** Whether it may stand, and its outline is that of parts which lie beside each other in both directions. */
export function isLaidOut({ silhouette, stance, confidence, view }: ProductPose): boolean {
  if (stance !== "standing" || view !== "level" || confidence >= sureMin) return false;
  const all = partsOf(silhouette);
  const total = all.reduce((sum, { cells }) => sum + cells, 0);
  const parts = all.filter(({ cells }) => cells >= shareMin * total);
  if (parts.length < partsMin) return false;
  const above = parts.filter((part) => parts.some((other) => isAbove(part, other)));
  return above.length >= aboveMin;
}

function isAbove(part: Part, other: Part): boolean {
  const shared = Math.min(part.right, other.right) - Math.max(part.left, other.left);
  return part.bottom <= other.top && shared >= belowMin * Math.min(part.right - part.left, other.right - other.left);
}

function partsOf(silhouette: ProductPose["silhouette"]): Part[] {
  const { width } = silhouette;
  const { runs, sizes } = labelComponents(silhouette.inside, silhouette);
  const parts = new Map<number, Part>();
  for (let at = 0; at < runs.length; at += runStride) {
    const [from = 0, to = 0, label = 0] = runs.subarray(at, at + runStride);
    const row = Math.floor(from / width);
    const left = from % width;
    const right = left + to - from;
    const known = parts.get(label);
    if (known === undefined) parts.set(label, { left, right, top: row, bottom: row + 1, cells: sizes[label]! });
    else
      Object.assign(known, {
        left: Math.min(known.left, left),
        right: Math.max(known.right, right),
        bottom: row + 1,
      });
  }
  return [...parts.values()];
}
