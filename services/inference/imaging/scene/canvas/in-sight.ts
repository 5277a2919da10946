/** Whether what is behind a product is to be seen: how much of it the product and the picture's edge leave. */

import type { ProductPose } from "../../shadow/pose.ts";

/** A thing's box in the picture: shares of the picture's width and height, from the left and from above. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The row at which the ground before it begins, which hides what is lower. Absent: it stands on that ground. */
  readonly groundFrom?: number;
}

/** One of the places at which a thing was painted. */
export interface Sighting {
  /** A drawing's or a prop's. */
  readonly name: string;
  readonly area: Area;
}

/** A thing is placed where so much of its box is free. */
const shareMin = 0.6;
/** What is seen less than this is not told to be there: of a parasol or dumbbells a third is enough to know them. */
const toldMin = 0.3;
/** Less of a large thing tells what it is: this share of its box, if it fills so much of the picture. */
const largeShareMin = 0.35;
const largeAreaMin = 0.06;
/** Points of a box, across and down. */
const points = 12;
/** Places that are tried, across the picture. */
const tries = 24;

/**
 * @param others boxes of what stands before it
 * @returns the share of the box that neither the product nor the picture's edge hides, 0–1
 */
function shareInSight(
  { left, right, top, bottom, groundFrom = 1 }: Area,
  pose: ProductPose | null,
  others: readonly Area[] = [],
): number {
  let free = 0;
  for (let i = 0; i < points; i++) {
    const y = top + ((i + 0.5) / points) * (bottom - top);
    for (let j = 0; j < points; j++) {
      const x = left + ((j + 0.5) / points) * (right - left);
      if (x < 0 || x >= 1 || y < 0 || y >= Math.min(1, groundFrom) || isProduct(x, y, pose)) continue;
      if (!others.some((one) => x > one.left && x < one.right && y > one.top && y < one.bottom)) free++;
    }
  }
  return free / points ** 2;
}

function isProduct(x: number, y: number, pose: ProductPose | null): boolean {
  if (pose === null) return false;
  const { width, height, inside } = pose.silhouette;
  return inside[Math.floor(y * height) * width + Math.floor(x * width)] === 1;
}

/** The area of what was left out: no picture has it. */
const nowhere: Area = { left: -1, right: -1, top: 0, bottom: 1 };

/** Whether a thing may stay where it is. */
export function isInSight(area: Area, pose: ProductPose | null): boolean {
  const share = shareInSight(area, pose);
  const size = (area.right - area.left) * (area.bottom - area.top);
  return share >= shareMin || (share >= largeShareMin && share * size >= largeAreaMin);
}

/**
 * @param others boxes of what is there already
 * @returns by which share of the picture's width a hidden box is to move so that it is seen; 0: it is seen, or there is no room
 */
export function shiftIntoSight(area: Area, pose: ProductPose | null, others: readonly Area[]): number {
  if (isInSight(area, pose)) return 0;
  const room = 1 - (area.right - area.left);
  if (room <= 0) return 0;
  const shifts = Array.from({ length: tries + 1 }, (_, i) => (room * i) / tries - area.left);
  const isFree = (shift: number) => {
    const moved = { ...area, left: area.left + shift, right: area.right + shift };
    return shareInSight(moved, pose, others) >= shareMin;
  };
  return shifts.toSorted((a, b) => Math.abs(a) - Math.abs(b)).find(isFree) ?? 0;
}

/** @returns names of what was painted and is nowhere to be seen */
export function outOfSight(sightings: readonly Sighting[], pose: ProductPose | null): ReadonlySet<string> {
  const seen = new Set(sightings.filter(({ area }) => shareInSight(area, pose) >= toldMin).map(({ name }) => name));
  return new Set(sightings.flatMap(({ name }) => (seen.has(name) ? [] : name)));
}

/** Keeps what a backdrop's painters paint, and finds room for it. */
export interface Sight {
  /** @param half half the box's width and height; all as shares of the canvas's */
  readonly areaAt: (x: number, y: number, half: readonly [wide: number, tall: number]) => Area;
  /** @param areas none: there was no room for it */
  readonly keep: (name: string, areas: readonly Area[]) => void;
  /** By which share of its width the first of the areas is to move where none of them is seen. */
  readonly shiftOf: (areas: readonly Area[]) => number;
}

/**
 * @param rows the canvas's first and last row, and the one at which the ground before it begins, as shares of the picture's height
 * @param sightings what is kept goes there
 */
export function createSight(
  pose: ProductPose | null,
  [from, to, groundFrom]: readonly [first: number, last: number, ground: number],
  sightings: Sighting[],
): Sight {
  const rowOf = (y: number) => from + y * (to - from);
  return {
    areaAt: (x, y, [wide, tall]) => ({
      left: x - wide,
      right: x + wide,
      top: rowOf(y - tall),
      bottom: rowOf(y + tall),
      groundFrom,
    }),
    keep: (name, areas) => {
      for (const area of areas.length === 0 ? [nowhere] : areas) sightings.push({ name, area });
    },
    shiftOf: (areas) => {
      const [first] = areas;
      if (first === undefined || areas.some((area) => isInSight(area, pose))) return 0;
      return shiftIntoSight(
        first,
        pose,
        sightings.map(({ area }) => area),
      );
    },
  };
}
