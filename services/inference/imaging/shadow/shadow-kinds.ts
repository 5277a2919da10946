/** The shadows other than the cast one, and which of them `auto` takes. */

import type { ShadowKind, ShadowParameters } from "@packshot/domain/edits/shadow.ts";
import { blurPlane } from "../pixels/blur.ts";
import type { Size } from "../pixels/geometry.ts";
import { addContactShadow, bilinear, castShadow, contactOnPlane, layerOf, type ShadowLayer } from "./cast-shadow.ts";
import type { Light } from "./light.ts";
import { skyRays } from "./light.ts";
import { computeOcclusion, extrudeSilhouette, joinSlabs, type OcclusionBounds } from "./occlusion.ts";
import { type ProductPose, setDown, sureMin } from "./pose.ts";
import { longSide } from "./silhouette.ts";
import { countPieces, type StandingPart, standingParts } from "./standing-parts.ts";

/** `natural`: the photo's own. */
export type CastKind = SceneKind | "natural";
export type SceneKind = Exclude<ShadowKind, "auto">;

/** How much of the product a glossy ground mirrors, 0–1. */
export const mirroredShare = 0.32;

/** A standing product that is less sure to stand has a shadow that could also be that of something else. */
const sureToStandMin = 0.7;

/** The kind that ai-shadows makes. */
export function chooseKind(pose: ProductPose, requested: ShadowParameters, hasPhotoShadow: boolean): CastKind {
  const { kind = "auto" } = requested;
  if (kind !== "auto") return onSeenGround(kind, pose);
  return hasPhotoShadow && mayKeepPhotoShadow(requested) ? "natural" : kindForStance(pose);
}

/**
 * What the lower border cuts stands below the picture: the ground that its uncut parts seem to touch is none. The plane on which
 * something lies that is seen from above shows.
 */
function onSeenGround(kind: SceneKind, { reason, view }: ProductPose): SceneKind {
  const standsBelow = reason === "cut-at-bottom" && view === "level";
  return standsBelow && (kind === "cast" || kind === "contact") ? "none" : kind;
}

/** A light of the request's own is worth more than the photo's shadow: all photos of a catalog then look alike. */
function mayKeepPhotoShadow({ kind = "auto", direction, softness, length }: ShadowParameters): boolean {
  return kind === "auto" && direction === undefined && softness === undefined && length === undefined;
}

/** Without a direction, what is cast to a side falls away from the light of the photo, which its shadow shows best. */
export function followsPhotoLight({ kind = "auto", direction }: ShadowParameters): boolean {
  return direction === undefined && (kind === "auto" || kind === "cast" || kind === "drop");
}

/** Whether it hangs from a rail, and not before a wall. */
export function isHung({ stance, view }: ProductPose): boolean {
  return stance === "hanging" && view === "level";
}

/** A scene has a light of its own, so that the photo's shadow is never kept. What hangs from a rail has none near it. */
export function chooseKindInScene(pose: ProductPose, { kind = "auto" }: ShadowParameters): SceneKind {
  if (kind !== "auto") return onSeenGround(kind, pose);
  return isHung(pose) || pose.reason === "cut-at-bottom" ? "none" : "cast";
}

/** The length of a cast shadow, as a share of the product's height, to which other shadows refer theirs. */
const usualLength = 0.75;

/** The requested length, relative to the usual one. */
export function relativeLength({ length }: ShadowParameters): number {
  return length === undefined ? 1 : length / usualLength;
}

/** What is laid out in so many pieces looks much like a set that stands in rows. */
const kitPieces = 5;

function kindForStance({ silhouette, stance, confidence, reason }: ProductPose): CastKind {
  switch (stance) {
    case "standing":
      return confidence >= (countPieces(silhouette) < kitPieces ? sureToStandMin : sureMin) ? "cast" : "contact";
    case "lying":
      return confidence >= sureMin ? "cast" : "contact";
    case "hanging":
      return confidence >= sureMin ? "drop" : "contact";
    case "floating":
      return reason === "cut-at-bottom" ? "none" : "float";
  }
}

/**
 * The pose with the ground or the plane on which a shadow is made that touches the product. A shadow around something that stands looks
 * worse than one on a floor below something that lies or hangs. What hovers has the ground on which it would rest.
 */
export function onGroundUnlessSure(pose: ProductPose): ProductPose {
  const { view, confidence } = setDown(pose);
  return { ...pose, view: view === "above" && confidence < sureMin ? "level" : view };
}

/** @param length relative to the usual one: how far a shadow is moved, or how high the product floats. */
export function makeShadow(kind: SceneKind, pose: ProductPose, light: Light, size: Size, length = 1): ShadowLayer {
  switch (kind) {
    case "cast":
      return castShadow(pose, light, size);
    case "contact":
      return contactOf(pose, light, size);
    case "reflection":
      return contactShadow(pose, light, size);
    case "drop":
      return dropShadow(pose, light, size, length);
    case "float":
      return floatShadow(pose, light, size, length);
    case "none":
      return layerOf(pose, size);
  }
}

/** From this confidence on what lies or hangs has its contact on the plane behind it; less sure it has one on a floor. */
const likelyOnPlaneMin = 0.8;

function contactOf(pose: ProductPose, light: Light, size: Size): ShadowLayer {
  const { view, stance, confidence } = pose;
  if (view === "above") return contactOnPlane(pose, light, size, true);
  const isLikely =
    (stance === "lying" || stance === "hanging") && confidence >= likelyOnPlaneMin && confidence < sureMin;
  return isLikely ? contactOnPlane(pose, light, size, false) : contactShadow(pose, light, size);
}

/** Only the lowest part of the product darkens its ground, as a share of its longer side. */
const contactHeightShare = 0.14;
/** Above the ground line it ends within this share of the product's longer side: never is it a glow. */
const contactRiseShare = 0.03;

/** What the sky's light leaves dark below the product: it has no direction, and suits whatever the product does. */
function contactShadow({ silhouette, ground, pitch }: ProductPose, light: Light, size: Size): ShadowLayer {
  const layer = layerOf({ silhouette } as ProductPose, size);
  const long = longSide(silhouette);
  const parts = standingParts(silhouette, ground, pitch);
  const slabs = joinSlabs(
    parts.map((part) => extrudeSilhouette({ ...part, cells: 1 }, pitch, contactHeightShare * long)),
  );
  const edge = upperEdge(parts, contactHeightShare * long, Math.max(1, contactRiseShare * long));
  const reach = 3 * contactHeightShare * long;
  const bounds: OcclusionBounds = {
    left: silhouette.left - reach,
    right: silhouette.right + reach,
    near: -Math.min(reach, (silhouette.height + 2 - ground.baseRow) / pitch),
    far: Math.min(reach + long, ground.baseRow / pitch),
  };
  const sky = computeOcclusion(slabs, skyRays(64), bounds);
  blurPlane(sky.occlusion, sky.width, sky.depth, 1.2);
  const toCell = layer.stepPx / silhouette.cellPx;
  for (let y = 0; y < layer.height; y++) {
    const row = y * toCell;
    const z = (ground.baseRow - row) / pitch;
    if (z < bounds.near || z > bounds.far) continue;
    for (let x = 0; x < layer.width; x++) {
      const column = Math.min(silhouette.width - 1, Math.floor(x * toCell));
      const below = Math.min(1, Math.max(0, 1 + (row - edge.rows[column]!) / edge.rises[column]!));
      if (below === 0) continue;
      const depth = (z - sky.originZ) / sky.depthStep - 0.5;
      const share = bilinear(sky.occlusion, sky.width, sky.depth, x * toCell - sky.originX - 0.5, depth);
      layer.darkness[y * layer.width + x] = light.opacity * share ** 1.4 * below;
    }
  }
  for (const part of parts) addContactShadow(layer, part, light, long);
  return layer;
}

/** A column touches its ground where the contact is more than this. */
const contactMin = 0.35;

/** Where in each column a shadow ends above its ground, in cells. */
interface UpperEdge {
  readonly rows: Float32Array;
  /** Above the row it fades out within so many rows. */
  readonly rises: Float32Array;
}

/**
 * It is at the ground line of the part that stands farthest back in the column. Beside such a part it comes forward, within `reach`
 * columns. Between two feet a shadow may go as far up as to the sides.
 */
function upperEdge([front, ...behind]: readonly StandingPart[], reach: number, riseMin: number): UpperEdge {
  const rows = front!.ground.groundRow.slice();
  const rises = awayFromFeet(front!.ground.contact).map((columns) => riseMin + columns);
  for (const { silhouette, ground } of behind) {
    for (let x = 0; x < rows.length; x++) {
      const beside = Math.max(0, silhouette.left - x, x + 1 - silhouette.right) / reach;
      const back = rows[x]! - ground.groundRow[x]!;
      if (beside >= 1 || back <= 0) continue;
      const share = (1 - beside ** 2) ** 2;
      rows[x]! -= back * share;
      rises[x]! += 2 * back * share * (1 - share);
    }
  }
  return { rows, rises };
}

/** How many columns away the nearer one of the two feet is between which a column is; 0 elsewhere. */
function awayFromFeet(contact: Float32Array): Float32Array {
  const away = new Float32Array(contact.length);
  let last = -1;
  for (let x = 0; x < contact.length; x++) {
    if (contact[x]! <= contactMin) continue;
    for (let between = last + 1; last >= 0 && between < x; between++) {
      away[between] = Math.min(between - last, x - between);
    }
    last = x;
  }
  return away;
}

/** How far the outline is moved, and how soft it is, as shares of the product's longer side. */
const dropShare = 0.045;
const dropSoftness = [0.008, 0.06] as const;
const dropStrength = 0.5;

/** The outline, moved away from the lamp on the plane behind it: the plane's upper edge counts as behind the product. */
function dropShadow(pose: ProductPose, light: Light, size: Size, length: number): ShadowLayer {
  const { silhouette } = pose;
  const layer = layerOf(pose, size);
  const long = longSide(silhouette);
  const moved = dropShare * long * length;
  const angle = (light.directionDeg * Math.PI) / 180;
  const plane = Float32Array.from(silhouette.coverage, (value) => value / 255);
  const [least, most] = dropSoftness;
  blurPlane(plane, silhouette.width, silhouette.height, long * (least + (most - least) * light.softness));
  const toCell = layer.stepPx / silhouette.cellPx;
  // A lamp beside the product is above it, too: something is always below.
  const shiftX = -Math.sin(angle) * moved;
  const shiftY = (0.6 + 0.4 * Math.cos(angle)) * moved;
  for (let y = 0; y < layer.height; y++) {
    const row = y * toCell - 0.5 - shiftY;
    if (row < 0 || row > silhouette.height - 1) continue;
    for (let x = 0; x < layer.width; x++) {
      const column = x * toCell - 0.5 - shiftX;
      if (column < 0 || column > silhouette.width - 1) continue;
      const share = bilinear(plane, silhouette.width, silhouette.height, column, row);
      layer.darkness[y * layer.width + x] = light.opacity * dropStrength * share;
    }
  }
  return layer;
}

/** The pool's half width as a share of the product's, its depth as a share of that, and how high the product hovers. */
const poolWidthShare = 0.42;
const poolDepthShare = 0.2;
const hoverShare = 0.09;
const poolStrength = 0.5;

function floatShadow(pose: ProductPose, light: Light, size: Size, length: number): ShadowLayer {
  const { silhouette } = pose;
  const layer = layerOf(pose, size);
  const { left, right, bottom, height } = silhouette;
  const halfWidth = poolWidthShare * (right - left);
  const halfDepth = Math.max(1, Math.max(poolDepthShare, 0.5 * pose.pitch) * halfWidth);
  const wanted = hoverShare * longSide(silhouette) * length;
  // In an image without room below, it hovers lower.
  const row = Math.min(bottom + wanted + halfDepth / 2, (bottom + height) / 2);
  const middle = (left + right) / 2;
  const edge = 0.35 + 0.65 * light.softness;
  const toCell = layer.stepPx / silhouette.cellPx;
  for (let y = 0; y < layer.height; y++) {
    for (let x = 0; x < layer.width; x++) {
      const distance = Math.hypot((x * toCell - middle) / halfWidth, (y * toCell - row) / halfDepth);
      const share = Math.min(1, Math.max(0, (1 + edge - distance) / (2 * edge)));
      layer.darkness[y * layer.width + x] = light.opacity * poolStrength * share * share * (3 - 2 * share);
    }
  }
  return layer;
}
