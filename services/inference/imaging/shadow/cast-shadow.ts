import {
  addressOf,
  inKernelMemory,
  kernelBytes,
  kernelFloats,
  kernelIntegers,
  reserve,
} from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import { blurPlane } from "../pixels/blur.ts";
import type { CutSides, Size } from "../pixels/geometry.ts";
import { countMarks } from "../pixels/morphology.ts";
import {
  darknessOf,
  footLoss,
  footSky,
  lampTaken,
  skyTaken,
  takenLight,
  takenMin,
  writeDarkness,
} from "./ground-darkness.ts";
import { type Light, lampRays, lampReach, type Rays, skyRays } from "./light.ts";
import {
  computeOcclusion,
  extrudeSilhouette,
  halveOutline,
  joinSlabs,
  type OcclusionBounds,
  type OcclusionMap,
} from "./occlusion.ts";
import type { ProductPose } from "./pose.ts";
import { longSide, type Silhouette } from "./silhouette.ts";
import { type StandingPart, standingParts } from "./standing-parts.ts";

/** The shadow without the product, on a coarse grid: darkness 0–1 at points `stepPx` source pixels apart. */
export interface ShadowLayer {
  readonly width: number;
  readonly height: number;
  readonly stepPx: number;
  readonly darkness: Float32Array;
}

const lampRayCount = 112;
const skyRayCount = 96;
/** Shadow points per silhouette cell, because contact edges are finer than a cell. */
const pointsPerCell = 2;
/** Half-width of the contact shadow, as a share of the product's longer side. */
const contactShadowShare = 0.005;
/** A smaller lamp's shadow has edges as fine as the outline's cells. */
const softLampMin = 0.15;
/** Width of the contact shadow's soft surround, as a multiple of its own. */
const contactSpread = 3.4;
/** A garment is farther from its wall than a flat product is thick, by this factor. */
const hangingLift = 1.8;
/** The contact of what lies or hangs: the plane is nearer than that of a cast shadow, and something is below it rather than above. */
const contactLift = 0.7;
const lampFarAbove = { directionDeg: 0, elevationDeg: 62, softness: 0.8 } as const;
/** Without a sky, and so small that all of its shadow is below. */
const lampAlone = { keyShare: 0.8, softness: 0.5 } as const;
/**
 * Bags and sofas fill this share of a square as wide, or as high, as they are. Brims, rims, soles and tubes, which have no soft underside,
 * belong to products that fill less than the first.
 */
const bulkOfSoft = [0.3, 0.5] as const;
const edgeFadeShare = 0.17;
/** Below a product that stands near the lower edge the shadow fades within at least this share. */
const footFadeShareMin = 0.08;
const allSides: CutSides = { left: true, top: true, right: true, bottom: true };
/** The sky's ambient shadow is followed so far from the product, as a share of its height. */
const reachMin = 1.5;

/** A layer without shadow, for an image of this size. */
export function emptyLayer({ width, height }: Size, stepPx: number): ShadowLayer {
  const across = Math.ceil(width / stepPx) + 1;
  const down = Math.ceil(height / stepPx) + 1;
  return { width: across, height: down, stepPx, darkness: new Float32Array(across * down) };
}

export function layerOf({ silhouette }: ProductPose, size: Size): ShadowLayer {
  return emptyLayer(size, Math.max(1, silhouette.cellPx / pointsPerCell));
}

/** The shadow on the ground that recedes, or on the plane behind what lies or hangs. @param size of the image in pixels */
export function castShadow(pose: ProductPose, light: Light, size: Size): ShadowLayer {
  const layer = layerOf(pose, size);
  if (pose.view === "above") fillFlatLay(layer, pose.silhouette, light, pose.stance === "hanging" ? hangingLift : 1);
  else fillStanding(layer, pose, light);
  return layer;
}

/** The ground on which the shadow of what stands may fall, as far as it is in the image: in cells of the silhouette. */
export function groundReach({ silhouette, ground, pitch }: ProductPose, light: Light): OcclusionBounds {
  const tall = silhouette.bottom - silhouette.top;
  const size = Math.max(tall, silhouette.right - silhouette.left);
  const reach = Math.max(reachMin, lampReach(light)) * tall + 0.4 * size;
  return {
    left: Math.max(-4, silhouette.left - reach),
    right: Math.min(silhouette.width + 4, silhouette.right + reach),
    near: -Math.min(reach, (silhouette.height + 2 - ground.baseRow) / pitch),
    far: Math.min(reach + size, ground.baseRow / pitch),
  };
}

function fillStanding(layer: ShadowLayer, pose: ProductPose, light: Light): void {
  const { silhouette, ground, pitch } = pose;
  const bounds = groundReach(pose, light);
  const parts = standingParts(silhouette, ground, pitch);
  // The soft light of a large lamp and of the sky has no detail finer than two cells.
  const coarse = joinSlabs(parts.map((part) => extrudeSilhouette(halveOutline({ ...part, cells: 1 }), pitch)));
  const isHard = light.softness < softLampMin;
  const lit = isHard ? joinSlabs(parts.map((part) => extrudeSilhouette({ ...part, cells: 1 }, pitch))) : coarse;
  const lamp = computeOcclusion(lit, lampRays(light, lampRayCount), bounds);
  const sky = computeOcclusion(coarse, skyRays(skyRayCount), bounds);
  blurPlane(lamp.occlusion, lamp.width, lamp.depth, (0.9 + 1.4 * light.softness) / lit.cells);
  blurPlane(sky.occlusion, sky.width, sky.depth, 0.8 / sky.cells);
  const toCell = layer.stepPx / silhouette.cellPx;
  const shown = shownGround(lamp, sky, light, bounds);
  const from = Math.max(0, Math.floor(shown.left / toCell));
  const to = Math.min(layer.width, Math.ceil(shown.right / toCell) + 1);
  if (from < to) {
    const foot = footLoss(light, softUnderside(silhouette));
    inKernelMemory(() => {
      const lampRow = rowSampler(lamp, from, to, toCell);
      const skyRow = rowSampler(sky, from, to, toCell);
      const row = kernelFloats(to - from);
      for (let y = 0; y < layer.height; y++) {
        const z = (ground.baseRow - y * toCell) / pitch;
        if (z < shown.near || z > shown.far) continue;
        const ofLamp = lampRow(z);
        if (light.reaches !== undefined) dimRow(ofLamp, { y, from, stepPx: layer.stepPx }, light);
        writeDarkness(ofLamp.byteOffset, skyRow(z).byteOffset, row.length, light, foot, row.byteOffset);
        layer.darkness.set(row, y * layer.width + from);
      }
    });
  }
  const size = longSide(silhouette);
  for (const part of parts) addContactShadow(layer, part, light, size);
}

/** The lamp's light changes slowly from point to point: between each so many its share is interpolated. */
const pointsBetween = 4;

/** Weighs the hidden share of the lamp by what of its light arrives at each point of a row, in place. */
function dimRow(
  ofLamp: Float32Array,
  { y, from, stepPx }: { readonly y: number; readonly from: number; readonly stepPx: number },
  light: Light,
): void {
  const shareAt = (i: number) => dimmedAt(light, (from + i) * stepPx, y * stepPx);
  let known = -1;
  let last = 0;
  for (let start = 0; start < ofLamp.length; start += pointsBetween) {
    const points = ofLamp.subarray(start, start + pointsBetween);
    if (!points.some((share) => share > 0)) continue;
    const first = known === start ? last : shareAt(start);
    known = start + pointsBetween;
    last = shareAt(known);
    for (let i = 0; i < points.length; i++) points[i]! *= first + ((last - first) * i) / pointsBetween;
  }
}

/** By how much less of the ground's light a hidden lamp takes at a point of the image where less of the lamp's light arrives. */
function dimmedAt({ keyShare, reaches }: Light, x: number, y: number): number {
  if (reaches === undefined) return 1;
  const lit = Math.min(1, reaches(x, y));
  return lit / (keyShare * lit + 1 - keyShare);
}

/** Interpolated values may be this much more than those between which they lie. */
const rounding = 1e-5;

/** The part of the ground that `groundDarkness` may darken: outside of it neither light is hidden enough to be missed. */
function shownGround(lamp: OcclusionMap, sky: OcclusionMap, light: Light, bounds: OcclusionBounds): OcclusionBounds {
  const half = (takenMin / 2) * (1 - rounding);
  const ofLamp = reachOf(lamp, half / (lampTaken * light.keyShare), bounds);
  const ofSky = reachOf(sky, Math.min(half / (skyTaken * (1 - light.keyShare)), footSky[0] * (1 - rounding)), bounds);
  return {
    left: Math.min(ofLamp.left, ofSky.left),
    right: Math.max(ofLamp.right, ofSky.right),
    near: Math.min(ofLamp.near, ofSky.near),
    far: Math.max(ofLamp.far, ofSky.far),
  };
}

/** The part of the ground within `bounds` where a map may have at least that much, between its cells, too. */
function reachOf(map: OcclusionMap, least: number, bounds: OcclusionBounds): OcclusionBounds {
  const { width, depth, cells, depthStep, originX, originZ } = map;
  const box = boxReaching(map.occlusion, { width, height: depth }, least);
  // The map's outermost values repeat outward.
  const left = box.left === 0 ? bounds.left : Math.max(bounds.left, (box.left - 0.5) * cells + originX);
  const right = box.right === width ? bounds.right : Math.min(bounds.right, (box.right + 0.5) * cells + originX);
  const near = box.top === 0 ? bounds.near : Math.max(bounds.near, (box.top - 0.5) * depthStep + originZ);
  const far = box.bottom === depth ? bounds.far : Math.min(bounds.far, (box.bottom + 0.5) * depthStep + originZ);
  return { left, right, near, far };
}

/** Right and bottom are exclusive. */
type Bounds = Readonly<Record<"left" | "top" | "right" | "bottom", number>>;

/** The box of a plane's values that are at least that much. */
function boxReaching(plane: Float32Array, { width, height }: Size, least: number): Bounds {
  const box = { left: width, top: height, right: 0, bottom: 0 };
  for (let y = 0; y < height; y++) {
    const row = plane.subarray(y * width, (y + 1) * width);
    const first = firstReaching(row, least);
    if (first === width) continue;
    box.left = Math.min(box.left, first);
    box.right = Math.max(box.right, endOfReaching(row, least));
    box.top = Math.min(box.top, y);
    box.bottom = y + 1;
  }
  return box;
}

function firstReaching(row: Float32Array, least: number): number {
  let first = 0;
  while (first < row.length && row[first]! < least) first++;
  return first;
}

function endOfReaching(row: Float32Array, least: number): number {
  let end = row.length;
  while (end > 0 && row[end - 1]! < least) end--;
  return end;
}

/** 0–1: undersides of massive products are round or sag, of which an upright outline knows nothing. */
export function softUnderside(silhouette: Silhouette): number {
  const side = longSide(silhouette);
  const bulk = countMarks(silhouette.inside) / side ** 2;
  const [from, to] = bulkOfSoft;
  return Math.min(1, Math.max(0, (bulk - from) / (to - from)));
}

/** Darkens the contact line, the gap that no light reaches: it is finer than the grid of rays. */
export function addContactShadow(
  layer: ShadowLayer,
  { silhouette, ground }: StandingPart,
  light: Light,
  size: number,
): void {
  const toCell = layer.stepPx / silhouette.cellPx;
  const sigma = Math.max(0.9, size * contactShadowShare);
  const surround = contactSpread * sigma;
  const gain = light.contactGain ?? 1;
  const contact = ground.contact.slice();
  blurPlane(contact, contact.length, 1, 1.2);
  for (let x = 0; x < layer.width; x++) {
    const column = Math.min(silhouette.width - 1, Math.floor(x * toCell));
    const strength = contact[column]! * light.opacity;
    if (strength < 0.02) continue;
    const row = ground.groundRow[column]!;
    const from = Math.max(0, Math.floor((row - 3 * surround) / toCell));
    const to = Math.min(layer.height - 1, Math.ceil((row + 3 * surround) / toCell));
    for (let y = from; y <= to; y++) {
      const away = y * toCell - row;
      const gap = gain * (0.31 * Math.exp(-0.5 * (away / sigma) ** 2) + 0.12 * Math.exp(-0.5 * (away / surround) ** 2));
      const at = y * layer.width + x;
      layer.darkness[at] = 1 - (1 - layer.darkness[at]!) * (1 - strength * gap);
    }
  }
}

/**
 * The narrow shadow around what lies or hangs close to the plane behind it, under a large lamp far above: it falls to no side.
 *
 * @param isSure else it is below the product's lower edges only, which also suits what stands before a wall
 */
export function contactOnPlane(pose: ProductPose, light: Light, size: Size, isSure: boolean): ShadowLayer {
  const layer = layerOf(pose, size);
  const lamp = isSure ? lampFarAbove : { ...lampFarAbove, ...lampAlone };
  fillFlatLay(layer, pose.silhouette, { ...light, ...lamp }, contactLift);
  return layer;
}

/** @param lift how far from its plane the product is, beside one that lies */
function fillFlatLay(layer: ShadowLayer, silhouette: Silhouette, light: Light, lift: number): void {
  const { width, height } = silhouette;
  const key = computeFlatLayOcclusion(silhouette, lampRays(light, 64), lift);
  const ambient = computeFlatLayOcclusion(silhouette, skyRays(64), lift);
  blurPlane(key, width, height, 0.8 + 1.4 * light.softness * lift);
  blurPlane(ambient, width, height, 1);
  const toCell = layer.stepPx / silhouette.cellPx;
  const taken = new Float32Array(key.length);
  for (let i = 0; i < taken.length; i++) taken[i] = takenLight(key[i]!, ambient[i]!, light);
  const shown = boxReaching(taken, silhouette, takenMin * (1 - rounding));
  // Between cells, of which the outermost repeat outward.
  const left = shown.left === 0 ? 0 : Math.floor((shown.left - 0.5) / toCell);
  const right =
    shown.right === width ? layer.width : Math.min(layer.width, Math.ceil((shown.right + 0.5) / toCell) + 1);
  for (let y = 0; y < layer.height; y++) {
    const cellY = y * toCell - 0.5;
    const isAbove = shown.top > 0 && cellY < shown.top - 1;
    const isBelow = shown.bottom < height && cellY > shown.bottom;
    if (!isAbove && !isBelow) darkenPlaneRow(layer, { y, left, right, toCell }, { key, ambient, width, height }, light);
  }
}

/** Points left…right − 1 of a layer's row. */
interface PartOfRow {
  readonly y: number;
  readonly left: number;
  readonly right: number;
  /** Cells from a point to the next. */
  readonly toCell: number;
}

interface PlaneOcclusion extends Size {
  readonly key: Float32Array;
  readonly ambient: Float32Array;
}

function darkenPlaneRow(
  layer: ShadowLayer,
  { y, left, right, toCell }: PartOfRow,
  { key, ambient, width, height }: PlaneOcclusion,
  light: Light,
): void {
  const cellY = y * toCell - 0.5;
  for (let x = left; x < right; x++) {
    const cellX = x * toCell - 0.5;
    const k = bilinear(key, width, height, cellX, cellY) * dimmedAt(light, x * layer.stepPx, y * layer.stepPx);
    const a = bilinear(ambient, width, height, cellX, cellY);
    layer.darkness[y * layer.width + x] = darknessOf(k, a, light);
  }
}

/**
 * Fades the shadow out toward the image's edges, in place, so that the result shows no frame when it is put on a page.
 * The product is not changed.
 *
 * @param foot the row on which the product stands, in pixels: there the shadow is whole, however near the lower edge is; absent: it stands on none
 * @param sides those at which it fades
 */
export function fadeAtEdges(
  layer: ShadowLayer,
  { width, height }: Size,
  foot?: number,
  { left, top, right, bottom }: CutSides = allSides,
): void {
  const reach = edgeFadeShare * Math.min(width, height);
  const below = Math.max(footFadeShareMin * Math.min(width, height), Math.min(reach, height - 1 - (foot ?? 0)));
  for (let y = 0; y < layer.height; y++) {
    const fromTop = top ? y * layer.stepPx : reach;
    const fromBottom = bottom ? (height - 1 - y * layer.stepPx) * (reach / below) : reach;
    const fromRow = Math.min(fromTop, fromBottom);
    for (let x = 0; x < layer.width; x++) {
      if (layer.darkness[y * layer.width + x] === 0) continue;
      const fromLeft = left ? x * layer.stepPx : reach;
      const distance = Math.min(fromRow, fromLeft, right ? width - 1 - x * layer.stepPx : reach);
      if (distance >= reach) continue;
      const share = Math.max(0, distance / reach);
      layer.darkness[y * layer.width + x]! *= share * share * share * (share * (share * 6 - 15) + 10);
    }
  }
}

/**
 * Interpolates a map at the layer's points from…to − 1 of a row, which is one depth of the ground.
 *
 * @returns a function that gives a depth's values; the next one's are there, too
 */
function rowSampler(map: OcclusionMap, from: number, to: number, toCell: number): (z: number) => Float32Array {
  const { width, depth, occlusion } = map;
  const count = to - from;
  const left = kernelIntegers(count + 1).fill(0);
  const share = kernelFloats(count + 1).fill(0);
  for (let x = from; x < to; x++) {
    const at = Math.min(width - 1, Math.max(0, (x * toCell - map.originX) / map.cells - 0.5));
    left[x - from] = 4 * Math.floor(at);
    share[x - from] = at - Math.floor(at);
  }
  const plane = addressOf(occlusion);
  const line = kernelFloats(width + 1).byteOffset;
  const row = kernelFloats(count);
  return (z) => {
    const at = Math.min(depth - 1, Math.max(0, (z - map.originZ) / map.depthStep - 0.5));
    const upper = plane + 4 * width * Math.floor(at);
    const lower = plane + 4 * width * Math.min(depth - 1, Math.floor(at) + 1);
    const below = at - Math.floor(at);
    kernels.sampleGroundRow(upper, lower, below, width, line, left.byteOffset, share.byteOffset, count, row.byteOffset);
    return row;
  };
}

export function bilinear(plane: Float32Array, width: number, height: number, x: number, y: number): number {
  const cx = Math.min(width - 1, Math.max(0, x));
  const cy = Math.min(height - 1, Math.max(0, y));
  const x0 = Math.floor(cx);
  const y0 = Math.floor(cy);
  const x1 = Math.min(width - 1, x0 + 1);
  const y1 = Math.min(height - 1, y0 + 1);
  const fx = cx - x0;
  const fy = cy - y0;
  const upper = plane[y0 * width + x0]! * (1 - fx) + plane[y0 * width + x1]! * fx;
  const lower = plane[y1 * width + x0]! * (1 - fx) + plane[y1 * width + x1]! * fx;
  return upper * (1 - fy) + lower * fy;
}

/** Thickness of a flat-lay product, as a share of its longer side. */
const thicknessShare = 0.075;
const heights = [0.12, 0.4, 0.7, 1] as const;

/**
 * The share of rays that the product blocks from each cell of a plane parallel to the image. The image's top counts as
 * "behind", as when the camera looks down on a table.
 * @returns silhouette.width × silhouette.height, 0–1.
 */
function computeFlatLayOcclusion(silhouette: Silhouette, rays: Rays, lift: number): Float32Array {
  const { width, height, inside, left, top, right, bottom } = silhouette;
  const shifts = shiftsOf(rays, longSide(silhouette) * thicknessShare * lift);
  const reach = shifts.reduce((most, shift) => Math.max(most, Math.abs(shift)), 0);
  // The whole plane of a small product in a huge image is too large for the kernels' memory.
  const from = { x: Math.max(0, left - reach), y: Math.max(0, top - reach) };
  const across = Math.min(width, right + reach) - from.x;
  const down = Math.min(height, bottom + reach) - from.y;
  const places = shifts.map((shift, i) => shift + (i % 2 === 0 ? left - from.x : top - from.y));
  const count = rays.x.length;
  const occlusion = new Float32Array(width * height);
  inKernelMemory(() => {
    const box = { width: right - left, height: bottom - top };
    const mask = kernelBytes(box.width * box.height);
    for (let y = 0; y < box.height; y++) {
      const start = (top + y) * width + left;
      mask.set(inside.subarray(start, start + box.width), y * box.width);
    }
    const hits = kernelBytes(across * down).fill(0);
    const marks = reserve(across);
    const at = addressOf(places);
    for (let ray = 0; ray < count; ray++) {
      const ofRay = at + 8 * heights.length * ray;
      kernels.countShifted(
        mask.byteOffset,
        box.width,
        box.height,
        ofRay,
        heights.length,
        marks,
        hits.byteOffset,
        across,
        down,
      );
    }
    const shareOf = Float32Array.from({ length: count + 1 }, (_, covered) => covered / count);
    for (let y = 0; y < down; y++) {
      const row = hits.subarray(y * across, (y + 1) * across);
      occlusion.set(
        Float32Array.from(row, (covered) => shareOf[covered]!),
        (from.y + y) * width + from.x,
      );
    }
  });
  return occlusion;
}

/** How far to the right and down each ray moves the shadow of each height, in pairs; at most 255 rays. */
function shiftsOf(rays: Rays, thickness: number): Int32Array {
  const shifts = new Int32Array(2 * rays.x.length * heights.length);
  let at = 0;
  for (let ray = 0; ray < rays.x.length; ray++) {
    const jitterX = ((ray * 0.7548776662) % 1) - 0.5;
    const jitterY = ((ray * 0.569840291) % 1) - 0.5;
    for (const share of heights) {
      shifts[at++] = Math.round(rays.x[ray]! * thickness * share + jitterX);
      shifts[at++] = Math.round(-rays.z[ray]! * thickness * share + jitterY);
    }
  }
  return shifts;
}
