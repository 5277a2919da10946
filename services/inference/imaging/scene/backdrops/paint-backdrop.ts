/** Paints what is behind the ground on a small canvas, by the place that the theme names, and enlarges it into the scene. */

import { inKernelMemory, kernelFloats } from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import { type Camera, looksDown } from "../canvas/camera.ts";
import { type Canvas, createCanvas, defocus } from "../canvas/canvas.ts";
import { cellBytes, cellsOf, mixRowAt, pointsOfRow } from "../canvas/enlarge-rows.ts";
import type { DrawnThing } from "../motifs/draw-thing.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import type { BackdropKind, Decor } from "../words/lexicon.ts";
import { paintAirport } from "./airport.ts";
import { paintBar } from "./bar.ts";
import { paintBarnDoor } from "./barn.ts";
import { paintBathroom } from "./bathroom.ts";
import { paintBistro } from "./bistro.ts";
import { paintClassroom } from "./classroom.ts";
import { paintThings } from "./drawings.ts";
import { paintKitchenGarden, paintLavender, paintOlives, paintOrchard, paintVines } from "./fields.ts";
import { paintFlowers, paintGreenhouse } from "./gardens.ts";
import { paintGraffiti } from "./graffiti.ts";
import { paintBedroom, paintLivingRoom, paintNursery, paintPlayroom, paintSpa } from "./homes.ts";
import { paintBrickWall, paintInterior, paintShelves, paintTiledWall } from "./indoors.ts";
import { paintKitchen } from "./kitchen.ts";
import { paintLobby } from "./lobby.ts";
import { paintLaundry, paintLockers } from "./lockers.ts";
import { paintLoft } from "./loft.ts";
import { paintMarket } from "./market.ts";
import {
  paintBandedWall,
  paintFoilWall,
  paintHammeredWall,
  paintHerringboneWall,
  paintLeafWall,
  paintPaintedTiles,
} from "./material-walls.ts";
import { paintMeetingRoom } from "./meeting.ts";
import { isMistyWood } from "./misty-wood.ts";
import type { BackdropInput, BackdropPainter } from "./painter.ts";
import { paintPalmGrove } from "./palms.ts";
import { paintMountains } from "./peaks.ts";
import { paintFoliage, paintSnowfield } from "./plants.ts";
import { paintBackdropProps } from "./props.ts";
import { paintRainyWindow } from "./rain.ts";
import { paintRestaurantKitchen } from "./restaurant-kitchen.ts";
import { paintCafe, paintChristmas, paintGarage, paintGym, paintHearth, paintJoinery } from "./rooms.ts";
import { paintFlowerShop, paintIceCreamParlor, paintSupermarket } from "./shops.ts";
import { paintWindowSill } from "./sill.ts";
import { paintSkatepark } from "./skatepark.ts";
import { paintDunes, paintFog, paintHills, paintSea, paintSky, paintStars } from "./sky.ts";
import { paintSkyline } from "./skyline.ts";
import { paintStadium } from "./stadium.ts";
import { paintGallery, paintPorch, paintRooftop, paintRunway, paintTerrace } from "./stages.ts";
import { paintStairwell } from "./stairwell.ts";
import { paintStation } from "./station.ts";
import { paintStream } from "./stream.ts";
import { paintTennisCourt } from "./tennis.ts";
import { paintNamedThings } from "./things.ts";
import { paintTown } from "./town.ts";
import {
  paintBoardWall,
  paintClothWall,
  paintConcreteWall,
  paintMarbleWall,
  paintPlasterWall,
  paintPrintedWall,
  paintStoneWall,
  paintTubes,
  paintWall,
} from "./walls.ts";
import { paintCoastDunes, paintLake, paintMountainLake, paintPool, paintUnderwater } from "./water.ts";
import { paintBakery, paintDesk, paintLibrary } from "./work.ts";

/** Pixels of the canvas's longer side. A smaller scene has a smaller canvas. */
const canvasSideMax = 420;
const canvasSideMin = 140;

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

const decorPainters: Readonly<Partial<Record<Decor, BackdropPainter>>> = {
  gym: paintGym,
  garage: paintGarage,
  station: paintStation,
  joinery: paintJoinery,
  cafe: paintCafe,
  lobby: paintLobby,
  bedroom: paintBedroom,
  "living-room": paintLivingRoom,
  playroom: paintPlayroom,
  loft: paintLoft,
  industrial: paintLoft,
  palms: paintPalmGrove,
  bricks: paintBrickWall,
  christmas: paintChristmas,
  runway: paintRunway,
  gallery: paintGallery,
  terrace: paintTerrace,
  market: paintMarket,
  greenhouse: paintGreenhouse,
  flowers: paintFlowers,
  fireplace: paintHearth,
  nursery: paintNursery,
  spa: paintSpa,
  rooftop: paintRooftop,
  porch: paintPorch,
  orchard: paintOrchard,
  olives: paintOlives,
  vines: paintVines,
  lavender: paintLavender,
  dunes: paintCoastDunes,
  underwater: paintUnderwater,
  lake: paintLake,
  "mountain-lake": paintMountainLake,
  bathroom: paintBathroom,
  kitchen: paintKitchen,
  "restaurant-kitchen": paintRestaurantKitchen,
  stairwell: paintStairwell,
  bakery: paintBakery,
  library: paintLibrary,
  desk: paintDesk,
  pool: paintPool,
  town: paintTown,
  "concrete-wall": paintConcreteWall,
  "board-wall": paintBoardWall,
  "stone-wall": paintStoneWall,
  "marble-wall": paintMarbleWall,
  "cloth-wall": paintClothWall,
  "foil-wall": paintFoilWall,
  "painted-tiles": paintPaintedTiles,
  airport: paintAirport,
  "rainy-window": paintRainyWindow,
  "window-sill": paintWindowSill,
  stadium: paintStadium,
  bar: paintBar,
  graffiti: paintGraffiti,
  bistro: paintBistro,
  lockers: paintLockers,
  laundry: paintLaundry,
  skatepark: paintSkatepark,
  classroom: paintClassroom,
  supermarket: paintSupermarket,
  "ice-cream-parlor": paintIceCreamParlor,
  "flower-shop": paintFlowerShop,
  "meeting-room": paintMeetingRoom,
  stream: paintStream,
  "barn-door": paintBarnDoor,
  "kitchen-garden": paintKitchenGarden,
  "tennis-court": paintTennisCourt,
  "plaster-wall": paintPlasterWall,
  "printed-wall": paintPrintedWall,
  "leaf-wall": paintLeafWall,
  "banded-wall": paintBandedWall,
  "hammered-wall": paintHammeredWall,
  "herringbone-wall": paintHerringboneWall,
};

/** Walls with nothing before them but the light: without tubes, neon of a color would be no more than dusk there. */
const bareWalls: ReadonlySet<Decor> = new Set<Decor>([
  "bricks",
  "concrete-wall",
  "board-wall",
  "stone-wall",
  "marble-wall",
  "plaster-wall",
  "leaf-wall",
  "banded-wall",
  "hammered-wall",
  "herringbone-wall",
]);

/** Rooms and streets that are painted thing by thing. A bare wall keeps its texture, and in bars and cafés lights are discs already. */
const deepPlaces: ReadonlySet<Decor> = new Set<Decor>([
  "airport",
  "bakery",
  "bathroom",
  "bedroom",
  "bistro",
  "classroom",
  "desk",
  "fireplace",
  "flower-shop",
  "garage",
  "gym",
  "ice-cream-parlor",
  "industrial",
  "joinery",
  "kitchen",
  "laundry",
  "library",
  "living-room",
  "lobby",
  "lockers",
  "loft",
  "meeting-room",
  "nursery",
  "playroom",
  "restaurant-kitchen",
  "spa",
  "station",
  "supermarket",
  "town",
]);

type Backdrop = Pick<BackdropInput, "plan" | "productHalf" | "sight" | "noise" | "random" | "gobo" | "lampSide"> & {
  readonly camera: Camera;
  readonly things: readonly DrawnThing[];
  /** The product's longer side in units of the ground. */
  readonly productLong: number;
};

/** The image's rows at which a canvas begins and ends. */
export type CanvasRows = readonly [top: number, bottom: number];

/** A room's vanishing point, where only its foot is in the image. */
const levelHorizon = 0.4;

/**
 * Radius of the discs that a lens makes of what is endlessly far away, as a share of the image's longer side: by the lens that blurs the
 * ground it is .027, and with a painter's own blur this much more comes to it.
 */
const endlessBlur = 0.024;
/** So far behind the product are the things of a room, in units of the ground: before a person they are less out of focus. */
const roomDepth = 6;
/** A disc's rim is as soft as this, as a share of the canvas's height. */
const softness = 0.002;

/** @returns the radius in rows of the image; 0: the place is as its painter blurs it */
function farBlurOf(
  { decor, isEmpty }: ScenePlan,
  { width, height, size, distance }: Camera,
  productLong: number,
): number {
  if (isEmpty || decor === null || !deepPlaces.has(decor)) return 0;
  const toProduct = (productLong * distance) / size;
  return (endlessBlur * Math.max(width, height) * roomDepth) / (roomDepth + toProduct);
}

/** @param tall rows of the image that the canvas covers, above the image, too */
export function paintBackdrop({ camera, things, productLong, ...backdrop }: Backdrop, tall: number): Canvas {
  const side = Math.min(canvasSideMax, Math.max(canvasSideMin, camera.width, tall));
  const scale = side / Math.max(camera.width, tall);
  const canvas = createCanvas(Math.max(2, Math.round(camera.width * scale)), Math.max(2, Math.round(tall * scale)));
  const aspect = canvas.width / canvas.height;
  const horizonY = looksDown(camera) ? levelHorizon : Math.max(0.05, camera.horizonY / tall);
  const { plan } = backdrop;
  const farBlur = looksDown(camera) ? 0 : farBlurOf(plan, camera, productLong) / tall;
  const input = { ...backdrop, canvas, aspect, horizonY, unit: camera.size / camera.width, farBlur };
  const painter = plan.decor === null ? undefined : decorPainters[plan.decor];
  (painter ?? painters[plan.backdrop])(input);
  if (farBlur > 0) defocus(canvas, farBlur, softness);
  if (plan.lightKind === "neon" && plan.decor !== null && bareWalls.has(plan.decor)) paintTubes(input);
  paintBackdropProps(input);
  paintNamedThings(input);
  paintThings(input, things);
  if (plan.props.includes("fog") && !isMistyWood(plan)) paintFog(input);
  return canvas;
}

export function fillBackdrop(light: Float32Array, canvas: Canvas, camera: Camera, [top, end]: CanvasRows): void {
  const tall = end - top;
  const rows = Math.min(camera.height, Math.ceil(end));
  const { width, height, planes } = canvas;
  inKernelMemory(() => {
    const cells = cellsOf(planes, canvas);
    const points = pointsOfRow(camera.width, width / camera.width, -0.5, width - 1, cellBytes);
    const line = kernelFloats(4 * (width + 1)).byteOffset;
    // What is there counts with the weight 0, which makes no number of what is none.
    const row = kernelFloats(camera.width * 3).fill(0);
    for (let y = 0; y < rows; y++) {
      mixRowAt(cells, ((y + 0.5 - top) / tall) * height - 0.5, line);
      kernels.enlargeRow(line, points.index, points.share, camera.width, 0, row.byteOffset);
      light.set(row, y * camera.width * 3);
    }
  });
}
