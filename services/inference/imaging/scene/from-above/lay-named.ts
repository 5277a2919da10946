/** Lays what a theme names where most of it shows, beside a product that is seen from above. */

import type { Random } from "@packshot/domain/random.ts";
import type { ProductPose } from "../../shadow/pose.ts";
import { longSide } from "../../shadow/silhouette.ts";
import type { Camera } from "../canvas/camera.ts";
import type { Motif } from "../motifs/motifs.ts";
import type { Spot, Stamp } from "../motifs/stamp.ts";
import { productShares } from "../stands/build-set.ts";

/** Things of one kind. */
export interface Group {
  readonly motif: (random: Random, index: number) => Motif;
  /** Half their length, in units of the ground. */
  readonly reach: readonly [number, number];
  readonly lift: number;
  /** As `Spot.wide`. */
  readonly wide?: number;
}

/** Places along each side of the picture at which a named thing is tried, and how often it is tried smaller. */
const placesAcross = 12;
const sizesTried = 6;
const smaller = 0.8;
/** A thing takes up a circle of this share of half its length, and is so far from the product, in units of the ground. */
const roundShare = 0.95;
const gap = 0.02;

/** One of the things that the theme names, where most of it shows: beside the product, or cut by the picture's border. */
export function layNamed(
  { motif, reach: [low, high], lift }: Group,
  camera: Camera,
  pose: ProductPose | null,
  productLong: number,
  placed: Spot[],
  random: Random,
): Stamp[] {
  const { width, height, baseX, baseY, size } = camera;
  const drawnReach = random.between(low, high);
  const turn = random.between(-Math.PI, Math.PI);
  for (let tried = 0; tried < sizesTried; tried++) {
    const reach = drawnReach * smaller ** tried;
    let best: Spot | null = null;
    let mostShown = 0;
    for (let i = 0; i <= placesAcross; i++) {
      for (let j = 0; j <= placesAcross; j++) {
        const px = (i / placesAcross) * width;
        const py = (j / placesAcross) * height;
        const spot = { x: (px - baseX) / size, y: (baseY - size / 2 - py) / size, reach, turn };
        const toBorder = [px, width - px, py, height - py].map((away) => Math.min(1, away / (reach * size)));
        const shown = toBorder.reduce((share, part) => share * (1 + part), 1) + 0.5 * random.next();
        const isUpon = (one: Spot) => Math.hypot(one.x - spot.x, one.y - spot.y) < 0.9 * (one.reach + reach);
        if (shown <= mostShown || placed.some(isUpon) || !isBeside(spot, pose, productLong)) continue;
        best = spot;
        mostShown = shown;
      }
    }
    if (best === null) continue;
    placed.push(best);
    return [{ motif: motif(random, 0), spot: best, lift }];
  }
  return [];
}

/** Whether a round thing is beside all of the product's outline. */
function isBeside({ x, y, reach }: Spot, pose: ProductPose | null, productLong: number): boolean {
  const round = roundShare * reach + gap;
  if (pose === null) {
    const { wide, tall } = productShares(null, productLong);
    return Math.abs(x) - round > 0.5 * wide || Math.abs(y) - round > 0.5 * tall;
  }
  const { inside, width, left, right, top, bottom } = pose.silhouette;
  const long = longSide(pose.silhouette);
  const cellsPerUnit = long / productLong;
  const column = (left + right) / 2 + x * cellsPerUnit;
  const row = bottom - long / 2 - y * cellsPerUnit;
  const cells = round * cellsPerUnit;
  for (let at = Math.max(top, Math.floor(row - cells)); at < Math.min(bottom, row + cells); at++) {
    const half = Math.sqrt(Math.max(0, cells ** 2 - (at + 0.5 - row) ** 2));
    const from = Math.max(left, Math.floor(column - half));
    const to = Math.min(right, Math.ceil(column + half));
    for (let cell = from; cell < to; cell++) if (inside[at * width + cell] === 1) return false;
  }
  return true;
}
