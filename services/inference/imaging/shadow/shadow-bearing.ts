/**
 * Where a shadow falls on the ground. A shadow does not point straight away from its light: where it lies follows from the product's
 * form as well, of which an outline shows a part. So a light is aimed until its shadow falls where the photo's does.
 */

import type { Size } from "../pixels/geometry.ts";
import type { Light } from "./light.ts";
import type { PhotoShadow, ProductPose } from "./pose.ts";
import { createRoughGround, type GroundPoints } from "./rough-shadow.ts";
import { longSide } from "./silhouette.ts";

/** Darkness that is nearer to the foot belongs to every light; as a share of the product's longer side. */
const nearShare = 0.25;
/** Fainter darkness is noise, and covered cells have no shadow of the ground. */
const darknessMin = 0.02;
const coverageMax = 8;
/** The least sum of darkness away from the foot, as a share of the square of the product's longer side. */
const sumShareMin = 0.001;

/**
 * The direction from the product's foot to the middle of the farther shadow, on the ground.
 *
 * @param darknessAt 0–1, at a point by its column and its row among the points
 * @param points absent: the middles of all cells of the silhouette
 * @returns degrees clockwise as seen from above, 0 away from the viewer; undefined where hardly any shadow is away from the foot
 */
export function shadowBearing(
  { silhouette, ground, pitch }: Pick<ProductPose, "silhouette" | "ground" | "pitch">,
  darknessAt: (i: number, j: number) => number,
  { columns, rows, cells }: GroundPoints = cellsOf(silhouette),
): number | undefined {
  const { left, right, width, height, coverage } = silhouette;
  const size = longSide(silhouette);
  const foot = middleOfContact(ground.contact) ?? (left + right) / 2;
  let sum = 0;
  let aside = 0;
  let away = 0;
  for (let j = 0; j < rows.length; j++) {
    const row = Math.floor(rows[j]!);
    if (row < 0 || row >= height) continue;
    const depth = (ground.baseRow - rows[j]!) / (size * pitch);
    for (let i = 0; i < columns.length; i++) {
      if (coverage[row * width + Math.min(width - 1, Math.floor(columns[i]!))]! > coverageMax) continue;
      const across = (columns[i]! - foot) / size;
      if (Math.hypot(across, depth) < nearShare) continue;
      const dark = darknessAt(i, j);
      if (dark < darknessMin) continue;
      sum += dark;
      aside += dark * across;
      away += dark * depth;
    }
  }
  if (cells * sum < sumShareMin * size * size) return undefined;
  return ((Math.atan2(aside, away) * 180) / Math.PI + 360) % 360;
}

function cellsOf({ width, height }: Size): GroundPoints {
  const middles = (count: number) => Float32Array.from({ length: count }, (_, i) => i + 0.5);
  return { columns: middles(width), rows: middles(height), cells: 1 };
}

function middleOfContact(contact: Float32Array): number | undefined {
  let sum = 0;
  let weighted = 0;
  for (let x = 0; x < contact.length; x++) {
    sum += contact[x]!;
    weighted += contact[x]! * (x + 0.5);
  }
  return sum === 0 ? undefined : weighted / sum;
}

export function photoShadowBearing(pose: ProductPose, { alpha, width }: PhotoShadow): number | undefined {
  const { cellPx } = pose.silhouette;
  const rows = alpha.length / width;
  return shadowBearing(pose, (x, y) => {
    const row = Math.min(rows - 1, Math.floor((y + 0.5) * cellPx));
    return alpha[row * width + Math.min(width - 1, Math.floor((x + 0.5) * cellPx))]! / 255;
  });
}

const roundsMax = 5;
/** A shadow that falls this near to where it should is not aimed again. */
const closeDeg = 4;
/** How far a shadow turns for each degree of its light: less where much of it is the sky's. */
const turnBounds = [0.25, 2] as const;
/** More than half a turn at once is less than that the other way. */
const moveMaxDeg = 180;
/** Where no round comes this near, the light goes once around the product. */
const farDeg = 15;
const aroundDeg = 30;

/**
 * The light whose cast shadow falls in the direction of `bearing`, or the nearest to it that was tried. Not every direction has
 * one: the shadow of staggered pieces lies beside those behind for each light, so that hardly any falls toward the viewer.
 *
 * @param bearing degrees, 0 to below 360; so is the direction of the light
 */
export function aimLight(pose: ProductPose, light: Light, bearing: number): Light {
  const { points, shadowOf } = createRoughGround(pose, light);
  let best = light;
  let least = Number.POSITIVE_INFINITY;
  let directionDeg = (bearing + 180) % 360;
  let turn = 1;
  let last: { readonly moved: number; readonly off: number } | undefined;
  for (let round = 0; round < roundsMax; round++) {
    const off = offFrom(directionDeg);
    if (off === undefined || least <= closeDeg) return best;
    if (last !== undefined)
      turn = Math.min(turnBounds[1], Math.max(turnBounds[0], turned(last.off - off) / last.moved));
    last = { moved: Math.min(moveMaxDeg, Math.max(-moveMaxDeg, off / turn)), off };
    directionDeg = (directionDeg + last.moved + 360) % 360;
  }
  for (let around = 0; around < 360 && least > farDeg; around += aroundDeg) offFrom(around);
  return best;

  /** By how much the shadow of a light from there misses; undefined where there is hardly one. */
  function offFrom(tried: number): number | undefined {
    const shadow = shadowOf(tried);
    const falls = shadowBearing(pose, (i, j) => shadow[j * points.columns.length + i]!, points);
    if (falls === undefined) return undefined;
    const off = turned(bearing - falls);
    if (Math.abs(off) < least) {
      least = Math.abs(off);
      best = { ...light, directionDeg: tried };
    }
    return off;
  }
}

/** An angle of −180 to 180 degrees. */
function turned(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}
