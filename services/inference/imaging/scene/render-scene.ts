import { createRandom, type Random } from "@packshot/domain/random.ts";
import { inKernelMemory } from "../kernels/kernel-memory.ts";
import type { LightAt } from "../shadow/light.ts";
import type { ProductPose } from "../shadow/pose.ts";
import { fillBackdrop, paintBackdrop } from "./backdrops/paint-backdrop.ts";
import { type Camera, type HiddenSpans, looksDown, rowBehind } from "./canvas/camera.ts";
import { fromHex, type LinearRgb, luminance, mix, scale } from "./canvas/color.ts";
import { createSight, type Sighting } from "./canvas/in-sight.ts";
import { createNoise, type Noise, smoothstep } from "./canvas/noise.ts";
import { type Laid, type LyingThings, layFlat, nothingLaid } from "./from-above/flat-lay.ts";
import { growTurf } from "./from-above/turf-from-above.ts";
import { colorByGels } from "./gel-light.ts";
import { fadingUpward, isFading } from "./ground/fading-paper.ts";
import { drawAutumnLeaves, strewLitter } from "./ground/fallen-leaves.ts";
import { createGobo } from "./ground/gobo.ts";
import { isPavedWithSetts } from "./ground/ground-mirror.ts";
import { growField } from "./ground/grow-field.ts";
import { fillGround, type Ground, lampFromAbove, litFromAbove, litGround, sweepTo } from "./ground/render-ground.ts";
import { scatterProps } from "./ground/scatter.ts";
import { createShore } from "./ground/shore.ts";
import { takeLight } from "./light-memory.ts";
import { createMaterial } from "./materials/create-material.ts";
import type { Material, MaterialInput } from "./materials/material.ts";
import { betweenVerges, mossDepth, underFilm, underMoss, underSnow, underWater } from "./materials/outdoor.ts";
import type { DrawnItem, DrawnThing } from "./motifs/draw-thing.ts";
import { laidPlace } from "./plan/lay-places.ts";
import type { Gobo, Lighting } from "./plan/lighting.ts";
import type { NeonColors } from "./plan/neon.ts";
import { hiddenBelow, isWorn, standingLength } from "./plan/outlined-length.ts";
import { aboveGround, groundUnitCm, onPoleCm } from "./plan/product-length.ts";
import { hasFilm, hasPuddles, isTable, type ScenePlan } from "./plan/scene-plan.ts";
import { buildSet, emptySet, productShares, type StandInScene } from "./stands/build-set.ts";
import { highStands, shelfBack } from "./stands/build-stand.ts";
import { renderSet } from "./stands/render-set.ts";
import { reachOf } from "./stands/set-pieces.ts";
import {
  type BackdropKind,
  outdoorBackdrops,
  type Pattern,
  type StandKind,
  type SurfaceKind,
  surfaces,
} from "./words/lexicon.ts";

/** Linear light, interleaved RGB, camera.width × camera.height, and the defocus of each row (0–1). */
export interface RenderedScene {
  /** What found room around a product that is seen from above. */
  readonly laid: Laid;
  readonly light: Float32Array;
  /** What was painted behind the product, whether or not it is seen. */
  readonly sightings: readonly Sighting[];
  readonly defocus: Float32Array;
  /** Where the product's shadow and reflection may fall, 0–1 for each pixel; null: everywhere. */
  readonly standTop: Float32Array | null;
  /** What the product stands on, where it stands on the floor; null: the product is on the ground itself, or far above the floor. */
  readonly stand: StandInScene | null;
  /** The share of the lamp's light that arrives at the ground, at a point in scene pixels; about 1 where nothing shades it. */
  readonly litAt: LightAt;
}

/**
 * @param hidden null: all of the scene shows
 * @param things the plan's, with their drawings
 * @param items what lies in the plan's place, where the camera looks down
 */
export function renderScene(
  plan: ScenePlan,
  camera: Camera,
  pose: ProductPose | null,
  hidden: HiddenSpans | null = null,
  things: readonly DrawnThing[] = [],
  items: readonly DrawnItem[] = [],
): RenderedScene {
  const scene = inKernelMemory(() => paintScene(plan, camera, pose, hidden, { things, items }));
  if (plan.gels !== null) colorByGels(scene.light, camera, plan.gels);
  return scene;
}

const moss = fromHex(surfaces.get("moss")!.color);
const meadow = fromHex(surfaces.get("grass")!.color);

type GivenToMaterials = Pick<MaterialInput, "noise" | "random" | "towardLamp">;

/** Stands whose boards lie from left to right. */
const boardStands: ReadonlySet<StandKind> = new Set<StandKind>([
  "shelf",
  "log",
  "crate",
  "bench",
  "barrel",
  "stool",
  "chair",
]);

/** Concrete in a town is laid in slabs; from above nothing else tells a sidewalk or a roof from a wall. */
function isPavement({ surface, backdrop, decor, pattern, stand }: ScenePlan, { view }: Camera): boolean {
  const isBuilt = backdrop === "skyline" || decor === "town" || decor === "rooftop";
  return view === "above" && isBuilt && surface === "concrete" && pattern === null && stand === null;
}

/** Seen level it is drawn tight over a table; whoever lays something on it for a picture from above leaves its folds. */
const looseCloths: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["fabric"]);

/** Old towns are paved with setts. A bathroom's stone is laid in slabs, and linen is in folds: from above little else tells them. */
function patternOfPlace(plan: ScenePlan, { view }: Camera): Pattern | null {
  if (isPavedWithSetts(plan)) return "setts";
  if (view !== "above" || plan.stand !== null) return null;
  const place = laidPlace(plan);
  if (place === "bathroom") return "slabs";
  return place === "bedroom" || looseCloths.has(plan.surface) ? "folds" : null;
}

/** A camera that looks down sees no wall: the paper is below the product. */
function liesOnWallpaper({ print, pattern, decor, stand }: ScenePlan, { view }: Camera): boolean {
  return view === "above" && print !== null && pattern === null && decor === "printed-wall" && stand === null;
}

/** What the product stands on or lies on, with what has grown or fallen on it. */
function createGround(plan: ScenePlan, camera: Camera, given: GivenToMaterials): Material {
  const { noise, random, towardLamp } = given;
  const liesAcross = plan.stand !== null && boardStands.has(plan.stand);
  const isOnPaper = liesOnWallpaper(plan, camera);
  const own = isOnPaper ? plan.print!.print : (plan.pattern ?? patternOfPlace(plan, camera));
  const pattern = isPavement(plan, camera) ? "slabs" : own;
  const bare = createMaterial(isOnPaper ? "plain" : plan.surface, {
    color: plan.surfaceColor,
    noise,
    random,
    towardLamp,
    liesAcross,
    isFromAbove: camera.view === "above",
    isTaut: plan.stand !== null,
    isWindblown: plan.backdrop === "dunes",
    ...(pattern !== null && { pattern }),
    ...(plan.print !== null && pattern === plan.print.print && { print: plan.print }),
    ...(plan.hasAccentLights && { veins: plan.accent }),
  });
  const isDusted = plan.isSnowy && plan.stand === null && plan.surface !== "snow" && camera.view === "level";
  const isTrail = plan.decor === "trail" && plan.stand === null && plan.surface === "soil" && camera.view === "level";
  const trodden = isTrail
    ? betweenVerges(bare, { noise, towardLamp, random, color: mix(meadow, plan.backdropColor, 0.45) })
    : bare;
  const grown = plan.isMossy ? underMoss(trodden, { noise, towardLamp, random, color: moss }) : trodden;
  const wet = hasPuddles(plan)
    ? underWater(grown, { noise, sky: plan.lighting.horizon, isFromAbove: camera.view === "above" })
    : hasFilm(plan) && camera.view === "level"
      ? underFilm(grown, { noise })
      : grown;
  return isDusted ? underSnow(wet, { noise, towardLamp }) : wet;
}

/** Boards, tiles and slabs that are laid; what has grown or fallen looks alike at any size. */
const laidSurfaces: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["wood", "tile", "concrete", "stone", "marble"]);

/** The longer side of a product before a level camera, in units of the ground. */
function levelLength(plan: ScenePlan, pose: ProductPose): number {
  // On a table, what the lower border cuts may be a cropped bottle.
  const mayBeCropped = hiddenBelow(pose) > 0 && !outdoorBackdrops.has(plan.backdrop);
  return plan.isOnFloor ? onPoleCm / groundUnitCm : mayBeCropped ? 1 : standingLength(pose);
}

/** A ground before a level camera is that of a product of the usual size: below a chair its boards would be half as wide as the chair. */
function atTrueSize(material: Material, plan: ScenePlan, { view }: Camera, pose: ProductPose | null): Material {
  if (view === "above" || pose === null || plan.stand !== null || !laidSurfaces.has(plan.surface)) return material;
  const long = levelLength(plan, pose);
  if (long === 1) return material;
  return (u, v, footprint, out) => material(u * long, v * long, footprint * long, out);
}

/** A low sun reaches the ground of gardens and groves between leaves, which a camera that looks down does not see. */
function goboIn({ lighting, lightKind, backdrop, without }: ScenePlan, { view }: Camera): Gobo {
  const isLow = lightKind === "golden" || lightKind === "sunset";
  const isAmongPlants = (backdrop === "foliage" || backdrop === "hills") && !without.has("plants");
  const isFree = lighting.gobo === "none" && !without.has("patterns");
  return view === "above" && isLow && isAmongPlants && isFree ? "leaves" : lighting.gobo;
}

/** What a stand is on. */
function createFloor(plan: ScenePlan, given: GivenToMaterials): Material {
  const rust = plan.pattern === "rust" && { pattern: plan.pattern };
  return createMaterial(plan.floor, { color: plan.floorColor, ...given, ...rust });
}

function unpainted(camera: Camera) {
  return {
    sightings: [] as Sighting[],
    light: takeLight(camera.width * camera.height * 3),
    defocus: new Float32Array(camera.height),
    standTop: null,
    stand: null,
    laid: nothingLaid,
    litAt: () => 1,
  };
}

function paintScene(
  plan: ScenePlan,
  camera: Camera,
  pose: ProductPose | null,
  hidden: HiddenSpans | null,
  lying: LyingThings,
): RenderedScene {
  const { things } = lying;
  const random = createRandom(plan.seed);
  const noise = createNoise(random);
  const angle = (plan.lighting.lamp.directionDeg * Math.PI) / 180;
  const lampSide = Math.sin(angle);
  const gobo = createGobo(goboIn(plan, camera), noise, random, { lampSide, view: camera.view });
  const towardLamp = [Math.sin(angle), Math.cos(angle)] as const;
  const given = { noise, random, towardLamp };
  const material = atTrueSize(createGround(plan, camera, given), plan, camera, pose);
  const scene = unpainted(camera);
  if (camera.view === "above") {
    const ground = { plan, camera: aboveGround(camera, plan.productLong), gobo, material, noise, lampSide };
    return {
      ...scene,
      laid: paintFromAbove(scene.light, ground, given, pose, lying, hidden),
      litAt: litFromAbove(ground),
    };
  }
  const openReach = openReachOf(plan, pose);
  const isSweep = plan.backdrop === "sweep" && (plan.floor === "plain" || plan.floor === "gloss");
  const tableReach = plan.backdrop === "foliage" ? random.between(2.2, 3.2) : random.between(1.5, 1.85);
  const mayHaveSet = plan.stand !== null || plan.props.length > 0;
  const set = mayHaveSet ? buildSet(plan, camera, pose, { material, noise, random }) : emptySet;
  const hasSet = set.pieces.length > 0;
  const shelfReach = 1 + (shelfBack * camera.size) / camera.distance;
  const reach = set.isShelf ? shelfReach : (openReach ?? (isSweep ? sweepTo : tableReach));
  // The floor below a stand is the ground of a camera that stands higher.
  const floorCamera = { ...camera, baseY: camera.baseY - (set.isShelf ? 0 : set.floor * camera.size) };
  const edgeY = Math.min(rowAt(floorCamera, reach), plan.stand === null ? rowBehind(camera, pose) : camera.height);
  const isOpen = openReach !== undefined;
  const shore = openReach === undefined ? null : createShore(plan, floorCamera, noise, random, lampSide);
  const isOvergrown = plan.backdrop !== "sea" && isOutdoors(plan) && naturalGrounds.has(plan.floor);
  const overlap = isOvergrown ? (isOpen ? openOverlap : overgrownOverlap) : canvasOverlap;
  // Plants and what is far away are before the edge of open ground.
  const coveredFrom = overlap === canvasOverlap ? edgeY : camera.height;
  const canvasBottom = shore === null ? edgeY * overlap : rowAt(floorCamera, shore.seaFrom);
  const productHalf = (0.5 * productShares(pose).wide * camera.size) / camera.width;
  const canvasTop = looksDown(camera) ? canvasBottom - wallAbove * camera.height : 0;
  const rows = [canvasTop / camera.height, canvasBottom / camera.height, coveredFrom / camera.height] as const;
  const sight = createSight(pose, rows, scene.sightings);
  const productLong = pose === null ? 1 : levelLength(plan, pose);
  const backdrop = { plan, camera, noise, random, gobo, lampSide, things, productHalf, productLong, sight };
  const canvas = paintBackdrop(backdrop, canvasBottom - canvasTop);
  fillBackdrop(scene.light, canvas, camera, [canvasTop, canvasBottom]);
  const floorMaterial = plan.stand === null || set.isShelf ? material : createFloor(plan, given);
  const ground = { plan, camera: floorCamera, gobo, material: floorMaterial, noise, lampSide };
  fillGround(
    scene,
    { ...ground, canvas, edgeY, canvasBottom, canvasTop, isSweep, isOpen, shore, hasSet, isOvergrown },
    hidden,
  );
  growField(scene.light, plan, floorCamera, things, random);
  scatterProps(scene.light, plan, floorCamera, random);
  const drawn = renderSet(scene, set, plan, camera, isSweep, hidden);
  const isLow = drawn !== null && plan.stand !== null && !highStands.has(plan.stand);
  return {
    ...scene,
    standTop: set.clipsShadow && drawn !== null ? drawn.top : null,
    stand: isLow ? { floor: set.floor, half: halfOnFloor(set), covers: drawn.covers } : null,
    // A stand is lit by a lamp without a stencil.
    litAt: plan.stand === null || set.isShelf ? litGround(ground) : scene.litAt,
  };
}

/** How far the stand's lowest pieces reach to each side. */
function halfOnFloor({ pieces }: typeof emptySet): number {
  return Math.max(0, ...pieces.filter(({ top }) => top <= 0).map((piece) => Math.abs(piece.u) + reachOf(piece)));
}

/** @returns what found room around the product */
function paintFromAbove(
  light: Float32Array,
  ground: Ground,
  given: GivenToMaterials,
  pose: ProductPose | null,
  lying: LyingThings,
  hidden: HiddenSpans | null,
): Laid {
  const { plan, camera } = ground;
  fillTopDown(light, ground, given, pose, hidden);
  strewLitter(light, plan, camera, given.random);
  drawAutumnLeaves(light, plan, camera, given.random);
  const laid = layFlat(light, plan, camera, pose, lying);
  scatterProps(light, plan, camera, given.random);
  return laid;
}

/** A room whose floor fills the image goes on above it, by so many of its heights. */
const wallAbove = 0.8;
/** The canvas extends a little below the ground's edge. */
const canvasOverlap = 1.04;
/** Plants grow in front of the edge of these grounds. */
const overgrownOverlap = 1.1;
/** Far away they are smaller. */
const openOverlap = 1.06;
const naturalGrounds: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>([
  "grass",
  "soil",
  "stone",
  "pebble",
  "sand",
  "snow",
]);

function isOutdoors({ backdrop }: ScenePlan): boolean {
  return (
    backdrop === "foliage" ||
    backdrop === "hills" ||
    backdrop === "mountains" ||
    backdrop === "snowfield" ||
    backdrop === "dunes"
  );
}

/** The image's row of the ground that is so many times as far away as the product. */
function rowAt({ horizonY, baseY }: Camera, away: number): number {
  return horizonY + (baseY - horizonY) / away;
}

/** How far a point of the ground is outside the stand below a product that is seen from above, in units of the ground; negative: inside. */
type Board = (u: number, v: number) => number;

/** The stand's rim, in units of the ground. */
const boardMargin = 0.13;
const boardHeight = 0.09;

const roundStands: ReadonlySet<StandKind> = new Set<StandKind>(["podium", "tray", "stump", "barrel", "stool"]);
/** They go on beyond the image at both sides. */
const longStands: ReadonlySet<StandKind> = new Set<StandKind>(["log", "bench", "shelf", "sofa"]);

function boardBelow({ stand, productLong }: ScenePlan, pose: ProductPose | null): Board | null {
  if (stand === null) return null;
  const { wide, tall } = productShares(pose, productLong);
  const halfU = 0.5 * wide + boardMargin;
  const halfV = 0.5 * tall + boardMargin;
  if (roundStands.has(stand)) {
    const radius = Math.hypot(0.5 * wide, 0.5 * tall) + 0.5 * boardMargin;
    return (u, v) => Math.hypot(u, v) - radius;
  }
  if (longStands.has(stand)) return (_, v) => Math.abs(v) - halfV;
  return (u, v) => Math.max(Math.abs(u) - halfU, Math.abs(v) - halfV);
}

/** Above 0 where moss grows. */
function mossOf(noise: Noise): Board {
  const depth = mossDepth(noise);
  return (u, v) => depth(u, v, 0.01) - 0.48;
}

/** How far a blanket reaches beyond the product toward the corner where the meadow shows, in units of the ground. */
const blanketMargin = 0.12;

/** A blanket whose edge crosses a corner of the picture, a little waved. */
function blanketBelow({ camera, plan }: Ground, pose: ProductPose | null, random: Random): Board {
  const { wide, tall } = productShares(pose, plan.productLong);
  const halfU = camera.width / camera.size / 2;
  const halfV = camera.height / camera.size / 2;
  const turn = Math.atan2(halfV, random.chance(0.5) ? halfU : -halfU) + random.between(-0.25, 0.25);
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const ofProduct = 0.5 * (wide * Math.abs(cos) + tall * Math.abs(sin)) + blanketMargin;
  const reach = Math.max(ofProduct, 0.66 * (halfU * Math.abs(cos) + halfV * Math.abs(sin)));
  return (u, v) => {
    const across = v * cos - u * sin;
    return u * cos + v * sin - reach - 0.02 * Math.sin(4.1 * across + 9 * reach) - 0.011 * Math.sin(9.7 * across);
  };
}

const white: LinearRgb = [1, 1, 1];

/**
 * Light of two tubes that leaves gray things gray between them.
 *
 * @param named their colors, from the left and from the right; null: pink and blue
 */
function neonAt(u: number, v: number, named: NeonColors | null): LinearRgb {
  const pink = Math.exp(-((u + 1.1) ** 2 + (v - 0.5) ** 2) * 0.9);
  const blue = Math.exp(-((u - 1.1) ** 2 + (v + 0.4) ** 2) * 0.9);
  if (named !== null) return mix(mix([0.6, 0.6, 0.6], scale(named[0], 1.6), pink), scale(named[1], 1.6), blue);
  return [0.5 + 2.2 * pink + 0.1 * blue, 0.62 + 0.2 * pink + 1.5 * blue, 0.6 + 1.1 * pink + 2.4 * blue];
}

/** A low sun colors snow less than sand, which it would be taken for, and the sky colors its shade. */
function onSnow({ key, ambient }: Lighting): Pick<Lighting, "key" | "ambient"> {
  const sun = luminance(key);
  const sky = luminance(ambient);
  return { key: mix(key, [sun, sun, 1.02 * sun], 0.6), ambient: mix(ambient, [0.88 * sky, sky, 1.22 * sky], 0.6) };
}

/** What the rows of a ground that is seen from above have in common. */
interface TopDownShading extends Ground {
  readonly light: Float32Array;
  /** What is outside of a stand, or a blanket. */
  readonly floor: Material;
  readonly board: Board | null;
  readonly key: LinearRgb;
  readonly ambient: LinearRgb;
  /** By how much a point of the board is nearer to the lamp. */
  readonly fallU: number;
  readonly fallV: number;
}

function fillTopDown(
  light: Float32Array,
  ground: Ground,
  given: GivenToMaterials,
  pose: ProductPose | null,
  hidden: HiddenSpans | null,
): void {
  const { camera, plan } = ground;
  const material = isFading(plan) ? fadingUpward(ground) : ground.material;
  const isOnBlanket = plan.isPicnic;
  const grass = { ...plan, floor: "grass", floorColor: meadow } as const;
  const isOnGround = plan.stand === null && !isOnBlanket;
  const floor = isOnGround ? material : createFloor(isOnBlanket ? grass : plan, given);
  const board = isOnBlanket ? blanketBelow(ground, pose, given.random) : boardBelow(plan, pose);
  const { key, ambient } = plan.floor === "snow" && plan.stand === null ? onSnow(plan.lighting) : plan.lighting;
  const angle = (plan.lighting.lamp.directionDeg * Math.PI) / 180;
  const fallU = Math.sin(angle) * boardHeight;
  const fallV = Math.cos(angle) * boardHeight;
  const shading = { ...ground, light, material, floor, board, key, ambient, fallU, fallV };
  for (let y = 0; y < camera.height; y++) shadeRowFromAbove(shading, y, hidden);
  if (isOnBlanket) growTurf(light, ground, meadow, board);
  else if (plan.floor === "grass" && plan.pattern === null) growTurf(light, ground, plan.floorColor, board);
  else if (plan.isMossy) growTurf(light, ground, moss, mossOf(ground.noise));
}

const shaded = new Float32Array(4);
const below = new Float32Array(4);

/** A function for each row: of loops in a loop, V8 drops the inner one's code after each picture, and of a closure all of it. */
function shadeRowFromAbove(shading: TopDownShading, y: number, hidden: HiddenSpans | null): void {
  const { light, camera, plan, material, floor, board, key, ambient, fallU, fallV } = shading;
  const footprint = 1 / camera.size;
  const isNeon = plan.lightKind === "neon";
  const v = (camera.baseY - camera.size / 2 - y - 0.5) / camera.size;
  const hiddenFrom = hidden === null ? camera.width : hidden.from[y]!;
  const hiddenTo = hidden === null ? 0 : hidden.to[y]!;
  for (let x = 0; x < camera.width; x++) {
    const at = (y * camera.width + x) * 3;
    if (x > hiddenFrom && x < hiddenTo) {
      for (let to = at; to < at + 3; to++) light[to] = light[to - 3]!;
      continue;
    }
    const u = (x + 0.5 - camera.baseX) / camera.size;
    const outside = board === null ? -1 : board(u, v);
    const onBoard = Math.min(1, Math.max(0, 0.5 - outside / footprint));
    (onBoard > 0 ? material : floor)(u, v, footprint, shaded);
    let lit = lampFromAbove(shading, u, v);
    let open = 1;
    if (board !== null && outside > -0.014) {
      const tilt = board(u + fallU, v + fallV) - outside;
      const shade = 1 - 0.85 * (1 - smoothstep(-0.03, 0.05, outside + tilt));
      lit *= onBoard * (1.12 - 0.5 * tilt) + (1 - onBoard) * shade;
      open = 1 - 0.45 * Math.exp(-Math.max(0, outside) / 0.06) * (1 - onBoard);
      if (onBoard > 0 && onBoard < 1) {
        floor(u, v, footprint, below);
        for (let c = 0; c < 3; c++) shaded[c] = shaded[c]! * onBoard + below[c]! * (1 - onBoard);
      }
    }
    const tube = isNeon ? neonAt(u / plan.productLong, v / plan.productLong, plan.neon) : white;
    for (let c = 0; c < 3; c++)
      light[at + c] = Math.max(0, shaded[c]!) * (ambient[c]! * open + key[c]! * lit) * tube[c]!;
  }
}

/** A street goes on behind people; behind a thing that stands on it, it is blurred from a shorter distance on. */
const streetDistance = 3.4;

/** The visible distance of a ground without an edge; undefined: it is a table, or a floor that ends. */
function openReachOf(plan: ScenePlan, pose: ProductPose | null): number | undefined {
  const inStreet = plan.decor === "town" && pose !== null && isWorn(pose) ? streetDistance : undefined;
  return isTable(plan) || plan.decor === "stream" ? inStreet : (groundDistance[plan.backdrop] ?? inStreet);
}

/** Visible distance of the ground, in distances of the product from the lens. Absent: a table with an edge. */
const groundDistance: Partial<Readonly<Record<BackdropKind, number>>> = {
  sea: 4.2,
  dunes: 7,
  hills: 7,
  mountains: 7,
  snowfield: 6,
  sky: 2.4,
  stars: 12,
};
