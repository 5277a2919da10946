/**
 * Feet that stand farther back than the line on which most of the outline stands, and so higher in the image. A rear leg of a chair, a
 * table or a tripod is where the underside has a tip that points to the ground, between higher parts on both sides. A rear shoe is
 * a wide, solid piece whose underside ends at what stands before it. Neither is much farther back than the product is wide. A handle or a
 * strap that joins a lower part has no such tip, and is not so wide.
 */

import type { Ground } from "./ground.ts";
import { longSide, type Silhouette } from "./silhouette.ts";

/**
 * Around the cells of a rear leg, from where it leaves what it carries down to its foot; right and bottom are exclusive. Cells that are
 * also in the box of a leg that ends higher belong to that one.
 */
export interface RearLeg {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** How far a leg comes out of what it carries, as a share of the product's longer side: less is the wave of a hem. */
const outShareMin = 0.06;
/** A foot is as high as this share of the product's longer side. */
const footHeightShare = 0.02;
/**
 * A body's base may be round, so that it rises more to its side. Then it is solid up to so high, as a handle is not, and what hides it is so wide,
 * as a share of the product's width: beside a leg, a seat or a belly is held up.
 */
const roundFootHeightShare = 0.06;
const bodyHeightShare = 0.25;
const frontWidthMin = 0.25;
/** Widths of a foot, as shares of the product's width: of a leg, and of a piece that is partly hidden. */
const legFootWidth = [0, 0.35] as const;
const pieceFootWidth = [0.15, 0.6] as const;
/** Where the underside falls by this share of the longer side at once, something in front begins. */
const fallShareMin = 0.04;
/** What is higher in the image than if it were so far back is held up: a leg, and a wide piece; as shares of the product's width. */
const legDepthShareMax = 0.85;
const pieceDepthShareMax = 1.9;
/** And what is higher than this share of the product's height. */
const riseShareMax = 0.4;
/** A handle is open above its lower arm by more than this share. */
const openShareMax = 0.25;
/** Columns that touch the traced line more than this stand on it, and a foot does where half of its columns do. */
const contactMax = 0.35;

/** @param pitch the sine of the camera's pitch */
export function rearLegs(silhouette: Silhouette, ground: Ground, pitch: number): readonly RearLeg[] {
  const { left, right, top, bottom, width, height } = silhouette;
  const size = { across: right - left, long: longSide(silhouette) };
  const undersides = Int32Array.from({ length: width }, (_, x) => undersideOf(silhouette, x));
  const legs: RearLeg[] = [];
  // Where the border cuts the product, it stands farther down.
  if (undersides.includes(height)) return legs;
  for (let x = left; x < right; x++) {
    const foot = undersides[x]!;
    const rise = ground.baseRow - foot;
    if (foot <= top || undersides[x - 1] === foot || rise <= 0 || rise > riseShareMax * (bottom - top)) continue;
    if (legs.some((leg) => leg.bottom === foot && x < leg.right && x >= leg.left)) continue;
    const joint = jointOf(undersides, x, size.long);
    if (joint === undefined || rise > joint.depthShareMax * size.across * pitch) continue;
    const belongs = (column: number, from: number) => undersides[column]! > from && undersides[column]! <= foot;
    const span = (height: number) => spanAround(x, (column) => belongs(column, foot - height * size.long));
    const isOwnFoot =
      isFoot(silhouette, ground, span(footHeightShare), foot, joint, outShareMin) ||
      (joint.hiddenBy >= frontWidthMin * size.across &&
        isFoot(silhouette, ground, span(roundFootHeightShare), foot, joint, bodyHeightShare));
    if (!isOwnFoot) continue;
    const [legLeft, legRight] = spanAround(x, (column) => belongs(column, joint.row));
    legs.push({ left: legLeft, right: legRight, top: joint.row, bottom: foot });
  }
  return legs;
}

interface Joint {
  /** The row from which it comes out of what it carries; 0: it carries itself. */
  readonly row: number;
  /** Columns of what is in front and hides a part of it; 0: nothing does. */
  readonly hiddenBy: number;
  /** As shares of the product's width. */
  readonly footWidth: readonly [number, number];
  readonly depthShareMax: number;
}

/** @returns undefined where the column is not the lowest one of a leg, or of a piece that is partly hidden */
function jointOf(undersides: Int32Array, x: number, long: number): Joint | undefined {
  const foot = undersides[x]!;
  const sides = ([-1, 1] as const).map((step) => besideFoot(undersides, x, step));
  const open = sides.filter(
    ({ highest, fall }) => foot - highest > footHeightShare * long || fall < fallShareMin * long,
  );
  const row = Math.max(0, ...open.map(({ highest }) => highest));
  if (open.length === 0 || foot - row < outShareMin * long) return undefined;
  const hiddenBy = sides.find((side) => !open.includes(side))?.front ?? 0;
  if (open.length === 1) return { row, hiddenBy, footWidth: pieceFootWidth, depthShareMax: pieceDepthShareMax };
  return row === 0 ? undefined : { row, hiddenBy, footWidth: legFootWidth, depthShareMax: legDepthShareMax };
}

/** Whether columns from…to − 1 are wide enough, do not stand on the traced line already, and, beside what hides them, are no handle. */
function isFoot(
  { inside, width, left, right, top, bottom }: Silhouette,
  { contact }: Ground,
  [from, to]: readonly [number, number],
  foot: number,
  { hiddenBy, footWidth }: Joint,
  solidShare: number,
): boolean {
  const [least, most] = footWidth;
  const share = (to - from) / (right - left);
  const touching = contact.subarray(from, to).filter((value) => value > contactMax).length;
  if (share < least || share > most || 2 * touching >= to - from) return false;
  if (hiddenBy === 0) return true;
  const solidFrom = Math.floor(foot - solidShare * Math.max(right - left, bottom - top));
  let open = 0;
  for (let y = solidFrom; y < foot - footHeightShare * (bottom - top); y++) {
    for (let x = from; x < to; x++) if (inside[y * width + x] === 0) open++;
  }
  return open < openShareMax * (to - from) * (foot - solidFrom);
}

/** The row below the column's lowest cell; 0: nothing is in it. */
function undersideOf({ inside, width, top, bottom }: Silhouette, x: number): number {
  for (let y = bottom - 1; y >= top; y--) if (inside[y * width + x] === 1) return y + 1;
  return 0;
}

/** On one side of a foot: the highest underside up to where it comes lower than the foot, by how many rows, and in how many columns. */
function besideFoot(
  undersides: Int32Array,
  x: number,
  step: 1 | -1,
): { readonly highest: number; readonly fall: number; readonly front: number } {
  const foot = undersides[x]!;
  let highest = foot;
  let at = x + step;
  for (; at >= 0 && at < undersides.length && undersides[at]! <= foot; at += step) {
    highest = Math.min(highest, undersides[at]!);
  }
  let end = at;
  while ((undersides[end] ?? 0) > foot) end += step;
  // The last column before it may be half covered.
  const fall = Math.max(undersides[at] ?? 0, undersides[at + step] ?? 0) - foot;
  return { highest, fall, front: Math.abs(end - at) };
}

/** Columns around one, as far as they belong to it; the end is exclusive. */
function spanAround(x: number, belongs: (column: number) => boolean): readonly [number, number] {
  let from = x;
  while (belongs(from - 1)) from--;
  let to = x + 1;
  while (belongs(to)) to++;
  return [from, to];
}
