/** Paints what is behind the ground on a small canvas, by the place that the theme names, and enlarges it into the scene. */

import { inKernelMemory, kernelFloats } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import { paintAirport } from "./backdrop-airport.ts";
import { paintBar } from "./backdrop-bar.ts";
import { paintBarnDoor } from "./backdrop-barn.ts";
import { paintBathroom } from "./backdrop-bathroom.ts";
import { paintBistro } from "./backdrop-bistro.ts";
import { paintClassroom } from "./backdrop-classroom.ts";
import { paintThings } from "./backdrop-drawings.ts";
import { paintKitchenGarden, paintLavender, paintOlives, paintOrchard, paintVines } from "./backdrop-fields.ts";
import { paintFlowers, paintGreenhouse } from "./backdrop-gardens.ts";
import { paintGraffiti } from "./backdrop-graffiti.ts";
import { paintBedroom, paintLivingRoom, paintNursery, paintPlayroom, paintSpa } from "./backdrop-homes.ts";
import { paintBrickWall, paintInterior, paintShelves, paintTiledWall } from "./backdrop-indoors.ts";
import { paintKitchen } from "./backdrop-kitchen.ts";
import { paintLobby } from "./backdrop-lobby.ts";
import { paintLaundry, paintLockers } from "./backdrop-lockers.ts";
import { paintLoft } from "./backdrop-loft.ts";
import { paintMarket } from "./backdrop-market.ts";
import { paintMeetingRoom } from "./backdrop-meeting.ts";
import { isMistyWood } from "./backdrop-misty-wood.ts";
import type { BackdropInput, BackdropPainter } from "./backdrop-painter.ts";
import { paintPalmGrove } from "./backdrop-palms.ts";
import { paintMountains } from "./backdrop-peaks.ts";
import { paintFoliage, paintSnowfield } from "./backdrop-plants.ts";
import { paintBackdropProps } from "./backdrop-props.ts";
import { paintRainyWindow } from "./backdrop-rain.ts";
import { paintRestaurantKitchen } from "./backdrop-restaurant-kitchen.ts";
import { paintCafe, paintChristmas, paintGarage, paintGym, paintHearth, paintJoinery } from "./backdrop-rooms.ts";
import { paintFlowerShop, paintIceCreamParlor, paintSupermarket } from "./backdrop-shops.ts";
import { paintWindowSill } from "./backdrop-sill.ts";
import { paintSkatepark } from "./backdrop-skatepark.ts";
import { paintDunes, paintFog, paintHills, paintSea, paintSky, paintStars } from "./backdrop-sky.ts";
import { paintSkyline } from "./backdrop-skyline.ts";
import { paintStadium } from "./backdrop-stadium.ts";
import { paintGallery, paintPorch, paintRooftop, paintRunway, paintTerrace } from "./backdrop-stages.ts";
import { paintStairwell } from "./backdrop-stairwell.ts";
import { paintStation } from "./backdrop-station.ts";
import { paintStream } from "./backdrop-stream.ts";
import { paintTennisCourt } from "./backdrop-tennis.ts";
import { paintNamedThings } from "./backdrop-things.ts";
import { paintTown } from "./backdrop-town.ts";
import {
  paintBoardWall,
  paintClothWall,
  paintConcreteWall,
  paintFoilWall,
  paintMarbleWall,
  paintPlasterWall,
  paintStoneWall,
  paintWall,
} from "./backdrop-walls.ts";
import { paintCoastDunes, paintLake, paintMountainLake, paintPool, paintUnderwater } from "./backdrop-water.ts";
import { paintBakery, paintDesk, paintLibrary } from "./backdrop-work.ts";
import { type Camera, looksDown } from "./camera.ts";
import { type Canvas, createCanvas } from "./canvas.ts";
import type { DrawnThing } from "./draw-thing.ts";
import { cellBytes, cellsOf, mixRowAt, pointsOfRow } from "./enlarge-rows.ts";
import { paintPaintedTiles } from "./painted-tiles.ts";
import type { BackdropKind, Decor } from "./words/lexicon.ts";

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
};

type Backdrop = Pick<BackdropInput, "plan" | "productHalf" | "noise" | "random" | "gobo" | "lampSide"> & {
  readonly camera: Camera;
  readonly things: readonly DrawnThing[];
};

/** The image's rows at which a canvas begins and ends. */
export type CanvasRows = readonly [top: number, bottom: number];

/** A room's vanishing point, where only its foot is in the image. */
const levelHorizon = 0.4;

/** @param tall rows of the image that the canvas covers, above the image, too */
export function paintBackdrop({ camera, things, ...backdrop }: Backdrop, tall: number): Canvas {
  const side = Math.min(canvasSideMax, Math.max(canvasSideMin, camera.width, tall));
  const scale = side / Math.max(camera.width, tall);
  const canvas = createCanvas(Math.max(2, Math.round(camera.width * scale)), Math.max(2, Math.round(tall * scale)));
  const aspect = canvas.width / canvas.height;
  const horizonY = looksDown(camera) ? levelHorizon : Math.max(0.05, camera.horizonY / tall);
  const { plan } = backdrop;
  const input = { ...backdrop, canvas, aspect, horizonY };
  const painter = plan.decor === null ? undefined : decorPainters[plan.decor];
  (painter ?? painters[plan.backdrop])(input);
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
