import type { Random } from "@packshot/domain/random.ts";
import { paintInterior, paintShelves, paintTiledWall, paintWall } from "./backdrop-indoors.ts";
import { paintFoliage, paintSnowfield } from "./backdrop-plants.ts";
import { paintDunes, paintHills, paintMountains, paintSea, paintSky, paintStars } from "./backdrop-sky.ts";
import { paintSkyline } from "./backdrop-skyline.ts";
import type { Canvas } from "./canvas.ts";
import type { GoboLight } from "./gobo.ts";
import type { BackdropKind } from "./lexicon.ts";
import type { Noise } from "./noise.ts";
import type { ScenePlan } from "./plan.ts";

/** What a backdrop's painter is given; the canvas reaches from the picture's top to a little below the ground's edge. */
export interface BackdropInput {
  readonly canvas: Canvas;
  readonly plan: ScenePlan;
  readonly noise: Noise;
  readonly random: Random;
  readonly gobo: GoboLight;
  /** Where the true horizon lies on the canvas, 0–1. */
  readonly foot: number;
  /** Width over height of the canvas. */
  readonly aspect: number;
  /** Where the lamp stands, −1 left … 1 right. */
  readonly lampSide: number;
}

export type BackdropPainter = (input: BackdropInput) => void;

const painters: Readonly<Record<BackdropKind, BackdropPainter>> = {
  sweep: paintWall,
  wall: paintWall,
  "tiled-wall": paintTiledWall,
  interior: paintInterior,
  shelves: paintShelves,
  foliage: paintFoliage,
  sea: paintSea,
  dunes: paintDunes,
  hills: paintHills,
  mountains: paintMountains,
  skyline: paintSkyline,
  sky: paintSky,
  stars: paintStars,
  snowfield: paintSnowfield,
};

export function paintBackdrop(kind: BackdropKind, input: BackdropInput): void {
  painters[kind](input);
}

/** How far the ground is seen, in distances of the product from the lens; absent: it is a table with an edge. */
export const groundReach: Partial<Readonly<Record<BackdropKind, number>>> = {
  sea: 4.2,
  dunes: 7,
  hills: 7,
  mountains: 7,
  snowfield: 6,
  sky: 12,
  stars: 12,
};
