import { createRandom } from "@packshot/domain/random.ts";
import type { ProductPose } from "../shadow/pose.ts";
import { paintFlowers, paintGreenhouse } from "./backdrop-gardens.ts";
import { paintInterior, paintShelves, paintTiledWall, paintWall } from "./backdrop-indoors.ts";
import { paintMarket } from "./backdrop-market.ts";
import type { BackdropPainter } from "./backdrop-painter.ts";
import { paintFoliage, paintSnowfield } from "./backdrop-plants.ts";
import { paintBackdropProps } from "./backdrop-props.ts";
import { paintCafe, paintChristmas, paintGarage, paintGym, paintHearth, paintLobby } from "./backdrop-rooms.ts";
import { paintDunes, paintHills, paintMountains, paintSea, paintSky, paintStars } from "./backdrop-sky.ts";
import { paintSkyline } from "./backdrop-skyline.ts";
import { paintGallery, paintRunway, paintTerrace } from "./backdrop-stages.ts";
import { buildSet, emptySet, productShares, shelfBack } from "./build-set.ts";
import type { Camera, HiddenSpans } from "./camera.ts";
import { type Canvas, createCanvas } from "./canvas.ts";
import { createMaterial } from "./create-material.ts";
import { depthOfFieldStep } from "./depth-of-field.ts";
import { createGobo, type GoboLight } from "./gobo.ts";
import type { BackdropKind, Decor, SurfaceKind } from "./lexicon.ts";
import type { Material } from "./material.ts";
import { underSnow } from "./materials-outdoor.ts";
import { createNoise, type Noise, smoothstep } from "./noise.ts";
import { renderSet } from "./render-set.ts";
import { scatterProps } from "./scatter.ts";
import type { ScenePlan } from "./scene-plan.ts";

/** Linear light, interleaved RGB, camera.width × camera.height, and the defocus of each row (0–1). */
export interface RenderedScene {
  readonly light: Float32Array;
  readonly defocus: Float32Array;
  /** Where the product's shadow and reflection may fall, 0–1 for each pixel; null: everywhere. */
  readonly standTop: Float32Array | null;
}

/** Pixels of the canvas's longer side. A smaller scene has a smaller canvas. */
const canvasSideMax = 420;
const canvasSideMin = 140;

/** A sweep has no edge: its ground turns into its wall between these multiples of the product's distance. */
const sweepFrom = 1.12;
const sweepTo = 2.1;
/** Depth that is sharp in front of and behind the product, as a share of its distance. */
const focusDepthShare = 0.07;
/** A ground with a lower reflectance does not reflect. */
const reflectanceMin = 0.05;
/** Reflections of lamps in a wet street are stretched toward the viewer. */
const wetStretch = 0.42;

/** @param hidden null: all of the scene shows */
export function renderScene(
  plan: ScenePlan,
  camera: Camera,
  pose: ProductPose | null,
  hidden: HiddenSpans | null = null,
): RenderedScene {
  const random = createRandom(plan.seed);
  const noise = createNoise(random);
  const { directionDeg } = plan.lighting.lamp;
  const angle = (directionDeg * Math.PI) / 180;
  const lampSide = Math.sin(angle);
  const gobo = createGobo(plan.lighting.gobo, noise, random, lampSide);
  const towardLamp = [Math.sin(angle), Math.cos(angle)] as const;
  const bare = createMaterial(plan.surface, { color: plan.surfaceColor, noise, random, towardLamp });
  const isDusted = plan.isSnowy && plan.stand === null && plan.surface !== "snow" && camera.view === "level";
  const material = isDusted ? underSnow(bare, { noise, towardLamp }) : bare;
  const scene = {
    light: new Float32Array(camera.width * camera.height * 3),
    defocus: new Float32Array(camera.height),
    standTop: null,
  };
  if (camera.view === "above") {
    const floor =
      plan.stand === null
        ? material
        : createMaterial(plan.floor, { color: plan.floorColor, noise, random, towardLamp });
    fillTopDown(scene.light, { plan, camera, gobo, material, noise, lampSide }, floor, boardBelow(plan.stand, pose));
    scatterProps(scene.light, plan, camera, random);
    return scene;
  }
  const openReach = isTable(plan) ? undefined : groundDistance[plan.backdrop];
  const isSweep = plan.backdrop === "sweep" && (plan.floor === "plain" || plan.floor === "gloss");
  const tableReach = plan.backdrop === "foliage" ? random.between(2.2, 3.2) : random.between(1.5, 1.85);
  const hasSet = plan.stand !== null || plan.props.length > 0;
  const set = hasSet ? buildSet(plan, camera, pose, material, random) : emptySet;
  const shelfReach = 1 + (shelfBack * camera.size) / camera.distance;
  const reach = set.isShelf ? shelfReach : (openReach ?? (isSweep ? sweepTo : tableReach));
  // The floor below a stand is the ground of a camera that stands higher.
  const floorCamera = { ...camera, baseY: camera.baseY - (set.isShelf ? 0 : set.floor * camera.size) };
  const edgeY = camera.horizonY + (floorCamera.baseY - camera.horizonY) / reach;
  const canvas = paintBackdropCanvas(plan, camera, noise, random, gobo, lampSide, edgeY);
  fillBackdrop(scene.light, canvas, camera, edgeY);
  const isStandOnly = plan.stand === null || set.isShelf;
  const floorMaterial = isStandOnly
    ? material
    : createMaterial(plan.floor, { color: plan.floorColor, noise, random, towardLamp });
  const ground: Ground = { plan, camera: floorCamera, gobo, material: floorMaterial, noise, lampSide };
  fillGround(scene, ground, canvas, edgeY, isSweep, openReach !== undefined, hidden);
  scatterProps(scene.light, plan, floorCamera, random);
  return { ...scene, standTop: renderSet(scene, set, plan, camera, isSweep, hidden) };
}

const tableSurfaces: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>([
  "wood",
  "marble",
  "terrazzo",
  "fabric",
  "silk",
  "tile",
  "metal",
  "gloss",
]);

/** A board before a landscape is a table; it has no end only before a sky. */
function isTable({ backdrop, floor }: ScenePlan): boolean {
  return tableSurfaces.has(floor) && backdrop !== "sky" && backdrop !== "stars";
}

interface Ground {
  readonly plan: ScenePlan;
  readonly camera: Camera;
  readonly gobo: GoboLight;
  readonly material: Material;
  readonly noise: Noise;
  readonly lampSide: number;
}

/** The canvas extends a little below the ground's edge. */
const canvasOverlap = 1.04;

function paintBackdropCanvas(
  plan: ScenePlan,
  camera: Camera,
  noise: Noise,
  random: ReturnType<typeof createRandom>,
  gobo: GoboLight,
  lampSide: number,
  edgeY: number,
): Canvas {
  const tall = edgeY * canvasOverlap;
  const side = Math.min(canvasSideMax, Math.max(canvasSideMin, camera.width, tall));
  const scale = side / Math.max(camera.width, tall);
  const canvas = createCanvas(Math.max(2, Math.round(camera.width * scale)), Math.max(2, Math.round(tall * scale)));
  const aspect = canvas.width / canvas.height;
  const horizonY = Math.max(0.05, camera.horizonY / tall);
  const input = { canvas, plan, noise, random, gobo, lampSide, aspect, horizonY };
  const painter = plan.decor === null ? undefined : decorPainters[plan.decor];
  (painter ?? painters[plan.backdrop])(input);
  paintBackdropProps(input);
  return canvas;
}

function fillBackdrop(light: Float32Array, canvas: Canvas, camera: Camera, edgeY: number): void {
  const rows = Math.min(camera.height, Math.ceil(edgeY * canvasOverlap));
  const { width, height, planes } = canvas;
  const left = new Uint32Array(camera.width);
  const share = new Float32Array(camera.width);
  for (let x = 0; x < camera.width; x++) {
    const px = Math.min(width - 1.001, Math.max(0, ((x + 0.5) / camera.width) * width - 0.5));
    left[x] = Math.floor(px);
    share[x] = px - Math.floor(px);
  }
  const line = new Float32Array(width);
  for (let y = 0; y < rows; y++) {
    const py = Math.min(height - 1.001, Math.max(0, ((y + 0.5) / (edgeY * canvasOverlap)) * height - 0.5));
    const upper = Math.floor(py) * width;
    const below = py - Math.floor(py);
    for (let c = 0; c < 3; c++) {
      const plane = planes[c]!;
      for (let x = 0; x < width; x++) {
        line[x] = plane[upper + x]! + (plane[upper + width + x]! - plane[upper + x]!) * below;
      }
      for (let x = 0, to = y * camera.width * 3 + c; x < camera.width; x++, to += 3) {
        const at = left[x]!;
        light[to] = line[at]! + (line[at + 1]! - line[at]!) * share[x]!;
      }
    }
  }
}

function sampleCanvas(canvas: Canvas, x: number, y: number, out: Float32Array): void {
  const { width, height, planes } = canvas;
  const px = Math.min(width - 1.001, Math.max(0, x * width - 0.5));
  const py = Math.min(height - 1.001, Math.max(0, y * height - 0.5));
  const x0 = Math.floor(px);
  const y0 = Math.floor(py);
  const fx = px - x0;
  const fy = py - y0;
  const at = y0 * width + x0;
  for (let c = 0; c < 3; c++) {
    const plane = planes[c]!;
    const upper = plane[at]! + (plane[at + 1]! - plane[at]!) * fx;
    const lower = plane[at + width]! + (plane[at + width + 1]! - plane[at + width]!) * fx;
    out[c] = upper + (lower - upper) * fy;
  }
}

/** Rows that are blurred this much show nothing of the ground's own detail. */
const lostDetailMin = 0.4;

function fillGround(
  scene: RenderedScene,
  ground: Ground,
  canvas: Canvas,
  edgeY: number,
  isSweep: boolean,
  isOpen: boolean,
  hidden: HiddenSpans | null,
): void {
  const { camera } = ground;
  const rise = camera.baseY - camera.horizonY;
  const from = Math.max(0, Math.floor(edgeY));
  for (let y = from; y < camera.height; y++) {
    const away = rise / Math.max(0.5, y + 0.5 - camera.horizonY);
    scene.defocus[y] = Math.max(0, Math.abs(1 - 1 / away) - focusDepthShare) / 0.5;
  }
  // What the lens blurs is computed once for as many pixels as its blurred copy merges to one.
  const { stand, props } = ground.plan;
  const coarse = isSweep || stand !== null || props.length > 0 ? 1 : depthOfFieldStep(camera);
  const shadeRow = createGroundShader(scene.light, ground, canvas, edgeY, isSweep, isOpen);
  for (let y = from; y < camera.height; ) {
    const end = Math.min(camera.height, y + coarse);
    const isLost = coarse > 1 && scene.defocus.subarray(y, end).every((blur) => blur >= lostDetailMin);
    const rows = isLost ? end - y : 1;
    shadeRow(y, rows, hidden);
    y += rows;
  }
  if (isSweep) blendSweep(scene.light, camera, edgeY, rise, canvas);
  const soft = 0.045 * camera.height;
  for (let y = 0; y < from; y++) scene.defocus[y] = isSweep ? 0 : Math.max(0, 1 - (from - y) / soft);
}

/** Shades `rows` rows from y on as one, in squares of as many pixels. */
type ShadeRow = (y: number, rows: number, hidden: HiddenSpans | null) => void;

function createGroundShader(
  light: Float32Array,
  ground: Ground,
  canvas: Canvas,
  edgeY: number,
  isSweep: boolean,
  isOpen: boolean,
): ShadeRow {
  const { camera, plan, material, gobo, noise } = ground;
  const { key, ambient, horizon } = plan.lighting;
  const { width } = camera;
  const rise = camera.baseY - camera.horizonY;
  const isWet =
    plan.lightKind === "neon" || (plan.lightKind === "night" && plan.backdrop === "skyline" && plan.floor !== "snow");
  const wetness = isWet ? 0.95 : 0;
  const stretch = isWet ? wetStretch : 1;
  const puddle = (u: number, v: number) =>
    0.3 + 0.7 * smoothstep(0.4, 0.62, noise.fractal(u * 1.1 + 7, v * 0.9 + 30, 3, 0.01));
  const out = new Float32Array(4);
  const reflected = new Float32Array(3);
  return (y, rows, hidden) => {
    const middle = y + rows / 2;
    const away = rise / Math.max(0.5, middle - camera.horizonY);
    const v = (camera.distance * (away - 1)) / camera.size;
    const footprint = (away / camera.size) * Math.max(1, away * 1.6) * rows;
    const haze = isOpen ? smoothstep(2, 9, away) * 0.5 : 0;
    const wallShare = isSweep && y < edgeY * canvasOverlap ? smoothstep(sweepFrom, sweepTo, away) : 0;
    const far = 1 - 0.1 * Math.min(1, Math.max(0, away - 1));
    const mirrorY = (edgeY - (middle - 0.5 - edgeY) * stretch) / (edgeY * canvasOverlap);
    for (let x = 0; x < width; x += rows) {
      const at = (y * width + x) * 3;
      if (hidden !== null && x > hidden.from[y]! && x < hidden.to[y]!) {
        light.copyWithin(at, at - 3 * rows, at);
        continue;
      }
      const u = ((x + rows / 2 - camera.baseX) * away) / camera.size;
      material(u, v, footprint, out);
      const lit = gobo.ground(u, v) * far;
      const wet = wetness === 0 ? 0 : wetness * puddle(u, v);
      const reflectance = Math.max(0, (out[3]! + wet) * 0.42 - reflectanceMin);
      if (reflectance > 0) {
        const ripple = plan.floor === "water" ? (out[0]! - 0.2) * 0.05 : 0;
        sampleCanvas(canvas, (x + rows / 2) / width, mirrorY + ripple, reflected);
      }
      for (let c = 0; c < 3; c++) {
        let value = Math.max(0, out[c]!) * (ambient[c]! + key[c]! * lit);
        if (reflectance > 0) value = value * (1 - reflectance) + reflected[c]! * reflectance;
        if (haze > 0) value += (horizon[c]! * 0.8 - value) * haze;
        if (wallShare > 0) value += (light[at + c]! - value) * wallShare;
        light[at + c] = value;
      }
      for (let i = 1; i < rows && x + i < width; i++) light.copyWithin(at + 3 * i, at, at + 3);
    }
    for (let i = 1; i < rows; i++) light.copyWithin((y + i) * width * 3, y * width * 3, (y + 1) * width * 3);
  };
}

/** Below the canvas, the sweep's wall takes the color of the canvas's lowest row. */
function blendSweep(light: Float32Array, camera: Camera, edgeY: number, rise: number, canvas: Canvas): void {
  const lowest = new Float32Array(3);
  for (let y = Math.ceil(edgeY * canvasOverlap); y < camera.height; y++) {
    const away = rise / Math.max(0.5, y + 0.5 - camera.horizonY);
    const share = smoothstep(sweepFrom, sweepTo, away);
    if (share <= 0) return;
    for (let x = 0; x < camera.width; x++) {
      sampleCanvas(canvas, (x + 0.5) / camera.width, 1, lowest);
      const at = (y * camera.width + x) * 3;
      for (let c = 0; c < 3; c++) light[at + c]! += (lowest[c]! - light[at + c]!) * share;
    }
  }
}

/** How far a point of the ground is outside the stand below a product that is seen from above; negative: inside. */
type Board = (u: number, v: number) => number;

/** The stand's rim, in sizes of the product. */
const boardMargin = 0.13;
const boardHeight = 0.09;

function boardBelow(stand: ScenePlan["stand"], pose: ProductPose | null): Board | null {
  if (stand === null) return null;
  const { wide, tall } = productShares(pose);
  const halfU = 0.5 * wide + boardMargin;
  const halfV = 0.5 * tall + boardMargin;
  if (stand === "podium" || stand === "tray") {
    const radius = Math.hypot(0.5 * wide, 0.5 * tall) + 0.5 * boardMargin;
    return (u, v) => Math.hypot(u, v) - radius;
  }
  return (u, v) => Math.max(Math.abs(u) - halfU, Math.abs(v) - halfV);
}

function fillTopDown(light: Float32Array, ground: Ground, floor: Material, board: Board | null): void {
  const { camera, plan, material, gobo, lampSide } = ground;
  const { key, ambient, lamp } = plan.lighting;
  const footprint = 1 / camera.size;
  const centerY = camera.baseY - camera.size / 2;
  const out = new Float32Array(4);
  const below = new Float32Array(4);
  const angle = (lamp.directionDeg * Math.PI) / 180;
  const fallU = Math.sin(angle) * boardHeight;
  const fallV = Math.cos(angle) * boardHeight;
  for (let y = 0; y < camera.height; y++) {
    const v = (centerY - y - 0.5) / camera.size;
    for (let x = 0; x < camera.width; x++) {
      const u = (x + 0.5 - camera.baseX) / camera.size;
      const outside = board === null ? -1 : board(u, v);
      const onBoard = Math.min(1, Math.max(0, 0.5 - outside / footprint));
      (onBoard > 0 ? material : floor)(u, v, footprint, out);
      let lit = gobo.ground(u * 0.8, v * 0.8) * (0.92 + 0.12 * u * lampSide + 0.08 * v);
      let open = 1;
      if (board !== null && outside > -0.014) {
        const tilt = board(u + fallU, v + fallV) - outside;
        const shaded = 1 - 0.85 * (1 - smoothstep(-0.03, 0.05, outside + tilt));
        lit *= onBoard * (1.12 - 0.5 * tilt) + (1 - onBoard) * shaded;
        open = 1 - 0.45 * Math.exp(-Math.max(0, outside) / 0.06) * (1 - onBoard);
        if (onBoard > 0 && onBoard < 1) {
          floor(u, v, footprint, below);
          for (let c = 0; c < 3; c++) out[c] = out[c]! * onBoard + below[c]! * (1 - onBoard);
        }
      }
      const at = (y * camera.width + x) * 3;
      for (let c = 0; c < 3; c++) light[at + c] = Math.max(0, out[c]!) * (ambient[c]! * open + key[c]! * lit);
    }
  }
}

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
  cafe: paintCafe,
  lobby: paintLobby,
  christmas: paintChristmas,
  runway: paintRunway,
  gallery: paintGallery,
  terrace: paintTerrace,
  market: paintMarket,
  greenhouse: paintGreenhouse,
  flowers: paintFlowers,
  fireplace: paintHearth,
};

/** Visible distance of the ground, in distances of the product from the lens. Absent: a table with an edge. */
const groundDistance: Partial<Readonly<Record<BackdropKind, number>>> = {
  sea: 4.2,
  dunes: 7,
  hills: 7,
  mountains: 7,
  snowfield: 6,
  sky: 12,
  stars: 12,
};
