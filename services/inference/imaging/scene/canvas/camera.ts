import type { ProductPose } from "../../shadow/pose.ts";
import { longSide } from "../../shadow/silhouette.ts";
import { standingParts } from "../../shadow/standing-parts.ts";

/** The product's position in the image and the perspective of its ground; lengths in scene pixels. */
export interface Camera {
  readonly width: number;
  readonly height: number;
  /** `above`: the ground is parallel to the image and fills it. */
  readonly view: "level" | "above";
  /** The product's longer side. */
  readonly size: number;
  readonly baseX: number;
  readonly baseY: number;
  readonly horizonY: number;
  /** Distance from the lens to the product, in scene pixels at the product. */
  readonly distance: number;
}

/** Focal length as a share of the image's longer side, that of a 60 mm lens: it sets the horizon's height. */
const focalShare = 1.7;

/** A camera that follows no product, so that photos of a set have one background. */
export interface FixedCamera {
  /** Where products stand, as a share of the frame's height from above. */
  readonly baseline: number;
}

/** What hangs from a rail is so many of its sizes above the floor. */
const hangingHeight = 0.3;
/** Size of a product in front of a fixed camera, as a share of the frame's height: it sets the scale of the ground. */
const fixedSizeShare = 0.6;
/** Rounding puts a product in the middle this far off it, as a share of the frame's width. */
const centerToleranceShare = 0.02;

/** The pixels of each row between which the product hides the scene: from…to − 1, none where from ≥ to. */
export interface HiddenSpans {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/**
 * @param scale scene pixels per source pixel
 * @param pitch image rows per unit of ground depth, as for the shadow
 * @param fixed absent: the camera follows from the product
 * @param isSteep it looks down at a product that is low: its horizon is above the image
 */
export function fitCamera(
  pose: ProductPose | null,
  width: number,
  height: number,
  scale: number,
  pitch: number,
  fixed?: FixedCamera,
  isSteep = false,
): Camera {
  let size = 0.5 * Math.min(width, height);
  let baseX = width / 2;
  let baseY = height * 0.78;
  let view: Camera["view"] = "level";
  if (pose !== null) {
    const { silhouette, ground, stance } = pose;
    const cell = silhouette.cellPx * scale;
    size = Math.max(2, Math.max(silhouette.right - silhouette.left, silhouette.bottom - silhouette.top) * cell);
    baseX = ((silhouette.left + silhouette.right) / 2) * cell;
    baseY = (stance === "standing" ? ground.baseRow : silhouette.bottom) * cell;
    view = pose.view;
    if (stance === "hanging" && view === "level") baseY += hangingHeight * size;
  }
  if (fixed !== undefined) {
    size = fixedSizeShare * height;
    // Below a product that stands elsewhere is its stand, too.
    if (Math.abs(baseX - width / 2) < centerToleranceShare * width) baseX = width / 2;
    baseY = view === "above" ? (height + size) / 2 : fixed.baseline * height;
  }
  // The horizon stays within a usual composition. The distance follows from it, so that the ground keeps its tilt.
  const ideal = baseY - pitch * focalShare * Math.max(width, height);
  const lowest = Math.min(0.5 * height, baseY - 0.2 * height);
  const horizonY = isSteep ? Math.min(ideal, steepHorizon * height) : Math.min(lowest, Math.max(0.2 * height, ideal));
  return { width, height, view, size, baseX, baseY, horizonY, distance: (baseY - horizonY) / pitch };
}

/** The horizon of a camera that looks down is at least so far above the image, as a share of its height. */
const steepHorizon = -0.05;

/** The camera of somebody whose feet are below the image by `share` of what is seen of them: the ground in the image is behind them. */
export function withFeetBelow(camera: Camera, share: number): Camera {
  const { size, baseY, horizonY, distance } = camera;
  const lowered = baseY + share * size;
  return { ...camera, baseY: lowered, distance: (distance * (lowered - horizonY)) / (baseY - horizonY) };
}

/** Whether the horizon of a level view is above the image: only the foot of what is behind the floor shows. */
export function looksDown({ view, horizonY }: Camera): boolean {
  return view === "level" && horizonY < 0;
}

/** What is as wide and seen from so far above as a robot vacuum shows about as much depth; what is not as deep as wide, less. */
const depthPerWidth = 0.9;
/** The ground shows behind the product by this share of its longer side. */
const behindShare = 0.06;
/** Above the ground so much of the image's height is left for what is behind it. */
const backdropLeast = 0.12;

/** @returns the lowest row of the image at which a ground may end that goes on behind its product; what is in the air needs none */
export function rowBehind({ size, baseY, height, horizonY, distance }: Camera, pose: ProductPose | null): number {
  if (pose?.stance !== "standing") return height;
  if (horizonY < 0) return backdropLeast * height;
  const { left, right, top, bottom } = pose.silhouette;
  const pitch = (baseY - horizonY) / distance;
  const deep = Math.min(depthPerWidth * (right - left) * pitch, bottom - top) / longSide(pose.silhouette);
  const behind = Math.max(deep, farthestFoot(pose));
  return Math.max(backdropLeast * height, horizonY + 1, baseY - (behind + behindShare) * size);
}

/** A column of the outline whose contact is more than this touches the ground. */
const contactMin = 0.35;

/** How much higher in the image than the nearest one its farthest foot is, as a share of the product's longer side: that of the rear shoe of somebody who walks. */
function farthestFoot({ silhouette, ground, pitch }: ProductPose): number {
  const rows = standingParts(silhouette, ground, pitch).flatMap((part) =>
    Array.from(part.ground.groundRow).filter((_, x) => part.ground.contact[x]! > contactMin),
  );
  return Math.max(0, ...rows.map((row) => ground.baseRow - row)) / longSide(silhouette);
}
