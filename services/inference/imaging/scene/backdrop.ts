import type { BackdropInput, BackdropPainter } from "./backdrop-painter.ts";
import { paintInterior, paintShelves, paintTiledWall, paintWall } from "./backdrop-indoors.ts";
import { paintFoliage, paintSnowfield } from "./backdrop-plants.ts";
import { paintDunes, paintHills, paintMountains, paintSea, paintSky, paintStars } from "./backdrop-sky.ts";
import { paintSkyline } from "./backdrop-skyline.ts";
import type { BackdropKind } from "./lexicon.ts";

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

/** Visible distance of the ground, in distances of the product from the lens. Absent: a table with an edge. */
export const groundDistance: Partial<Readonly<Record<BackdropKind, number>>> = {
  sea: 4.2,
  dunes: 7,
  hills: 7,
  mountains: 7,
  snowfield: 6,
  sky: 12,
  stars: 12,
};
