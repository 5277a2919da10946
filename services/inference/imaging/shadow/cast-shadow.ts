import { blurPlane } from "../pixels/blur.ts";
import type { CutSides, Size } from "../pixels/geometry.ts";
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
/** Darkness below this is invisible, but would make every pixel of a large image count as shadow. */
const darknessMin = 0.012;
/**
 * Shares of the lamp's and the sky's light that a full shadow takes: product and ground throw light back into it, and an
 * outline says little of what is behind. Fitted on 105 of the path-traced views of training/stance/trace_shadows.py.
 */
const lampTaken = 0.8;
const skyTaken = 0.65;
/** The ground is at the product's foot where the outline hides this share of the sky, and surely where it hides the second. */
const footSky = [0.12, 0.52] as const;
/** As in the guide (docs/guides/shadows.md): with more, shadows are farther from those of rendered products. */
const usualFootShade = 0.12;
/**
 * Bags and sofas fill this share of a square as wide, or as high, as they are. Brims, rims, soles and tubes, which have no soft underside,
 * belong to products that fill less than the first.
 */
const bulkOfSoft = [0.3, 0.5] as const;
/** A little below the share of light whose loss makes that darkness. */
const takenMin = 0.026;
const edgeFadeShare = 0.17;
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
  const soft = softUnderside(silhouette);
  const toCell = layer.stepPx / silhouette.cellPx;
  const from = Math.max(0, Math.floor(bounds.left / toCell));
  const to = Math.min(layer.width, Math.ceil(bounds.right / toCell) + 1);
  const lampRow = rowSampler(lamp, from, to, toCell);
  const skyRow = rowSampler(sky, from, to, toCell);
  for (let y = 0; y < layer.height; y++) {
    const z = (ground.baseRow - y * toCell) / pitch;
    if (z < bounds.near || z > bounds.far) continue;
    const ofLamp = lampRow(z);
    const ofSky = skyRow(z);
    const row = y * layer.width;
    for (let x = from; x < to; x++) {
      layer.darkness[row + x] = groundDarkness(ofLamp[x - from]!, ofSky[x - from]!, light, soft);
    }
  }
  const size = longSide(silhouette);
  for (const part of parts) addContactShadow(layer, part, light, size);
}

/**
 * How dark the ground is, 0–1.
 *
 * @param lamp the share of the lamp that the outline hides, 0–1
 * @param sky the share of the sky that it hides, 0–1
 * @param soft how soft the product's underside is, 0–1
 */
export function groundDarkness(lamp: number, sky: number, light: Light, soft: number): number {
  const atFoot = light.footShade ?? usualFootShade * soft;
  return 1 - (1 - darkness(lamp, sky, light)) * (1 - atFoot * light.opacity * besideFoot(sky));
}

/** How much of the ground's further loss at the product's foot is left here, 0–1, by the share of the sky that the outline hides. */
function besideFoot(sky: number): number {
  const [from, to] = footSky;
  return Math.min(1, Math.max(0, (sky - from) / (to - from))) ** 1.5;
}

/** 0–1: undersides of massive products are round or sag, of which an upright outline knows nothing. */
export function softUnderside(silhouette: Silhouette): number {
  const side = longSide(silhouette);
  const bulk = silhouette.inside.reduce((sum, cell) => sum + cell, 0) / side ** 2;
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
  for (let y = 0; y < layer.height; y++) {
    for (let x = 0; x < layer.width; x++) {
      const cellX = x * toCell - 0.5;
      const cellY = y * toCell - 0.5;
      const k = bilinear(key, width, height, cellX, cellY);
      const a = bilinear(ambient, width, height, cellX, cellY);
      layer.darkness[y * layer.width + x] = darkness(k, a, light);
    }
  }
}

/** Converts occlusion to the opacity of black: the remaining light, as the eye (sRGB) perceives it. */
function darkness(key: number, ambient: number, light: Light): number {
  const taken = lampTaken * light.keyShare * key + skyTaken * (1 - light.keyShare) * ambient;
  if (taken < takenMin) return 0;
  const at = taken * perceivedSteps;
  const low = Math.floor(at);
  const perceived = perceivedLoss[low]! + (perceivedLoss[low + 1]! - perceivedLoss[low]!) * (at - low);
  return (light.opacity * Math.max(0, perceived - darknessMin)) / (1 - darknessMin);
}

/** How much darker a ground looks that loses so many 1,024ths of its light. */
const perceivedSteps = 1024;
const perceivedLoss = Float64Array.from(
  { length: perceivedSteps + 2 },
  (_, i) => 1 - Math.max(0, 1 - i / perceivedSteps) ** (1 / 2.2),
);

/**
 * Fades the shadow out toward the image's edges, in place, so that the result shows no frame when it is put on a page.
 * The product is not changed.
 *
 * @param sides those at which it fades
 */
export function fadeAtEdges(
  layer: ShadowLayer,
  { width, height }: Size,
  { left, top, right, bottom }: CutSides = allSides,
): void {
  const reach = edgeFadeShare * Math.min(width, height);
  for (let y = 0; y < layer.height; y++) {
    const fromTop = top ? y * layer.stepPx : reach;
    const fromRow = Math.min(fromTop, bottom ? height - 1 - y * layer.stepPx : reach);
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

/** Interpolates a map at the layer's points from…to − 1 of a row, which is one depth of the ground. */
function rowSampler(map: OcclusionMap, from: number, to: number, toCell: number): (z: number) => Float32Array {
  const { width, depth, occlusion } = map;
  const left = new Uint32Array(to - from);
  const share = new Float32Array(to - from);
  for (let x = from; x < to; x++) {
    const at = Math.min(width - 1, Math.max(0, (x * toCell - map.originX) / map.cells - 0.5));
    left[x - from] = Math.floor(at);
    share[x - from] = at - Math.floor(at);
  }
  const line = new Float32Array(width + 1);
  const row = new Float32Array(to - from);
  return (z) => {
    const at = Math.min(depth - 1, Math.max(0, (z - map.originZ) / map.depthStep - 0.5));
    const upper = Math.floor(at) * width;
    const lower = Math.min(depth - 1, Math.floor(at) + 1) * width;
    const below = at - Math.floor(at);
    for (let i = 0; i < width; i++)
      line[i] = occlusion[upper + i]! + (occlusion[lower + i]! - occlusion[upper + i]!) * below;
    line[width] = line[width - 1]!;
    for (let i = 0; i < row.length; i++) row[i] = line[left[i]!]! + (line[left[i]! + 1]! - line[left[i]!]!) * share[i]!;
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
  const thickness = longSide(silhouette) * thicknessShare * lift;
  const hits = new Uint16Array(width * height);
  const lastRay = new Uint16Array(width * height);
  const count = rays.x.length;
  for (let ray = 0; ray < count; ray++) {
    const jitterX = ((ray * 0.7548776662) % 1) - 0.5;
    const jitterY = ((ray * 0.569840291) % 1) - 0.5;
    for (const share of heights) {
      const shiftX = Math.round(rays.x[ray]! * thickness * share + jitterX);
      const shiftY = Math.round(-rays.z[ray]! * thickness * share + jitterY);
      const fromX = Math.max(left, -shiftX);
      const toX = Math.min(right, width - shiftX);
      for (let y = Math.max(top, -shiftY); y < Math.min(bottom, height - shiftY); y++) {
        const target = (y + shiftY) * width + shiftX;
        const row = y * width;
        for (let x = fromX; x < toX; x++) {
          if (inside[row + x] === 0 || lastRay[target + x] === ray + 1) continue;
          lastRay[target + x] = ray + 1;
          hits[target + x]!++;
        }
      }
    }
  }
  const occlusion = new Float32Array(width * height);
  for (let i = 0; i < occlusion.length; i++) occlusion[i] = hits[i]! / count;
  return occlusion;
}
