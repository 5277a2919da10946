import type { ProductPose } from "../shadow/cast-shadow.ts";

/** Where the product stands in the picture and how the ground runs away from it; lengths in scene pixels. */
export interface Camera {
  readonly width: number;
  readonly height: number;
  /** `above`: the ground fills the picture, parallel to it. */
  readonly view: "level" | "above";
  /** The product's longer side. */
  readonly size: number;
  readonly baseX: number;
  readonly baseY: number;
  readonly horizonY: number;
  /** Distance from the lens to the product, in scene pixels at the product. */
  readonly distance: number;
}

/** Seen through about 60 mm, a camera at `pitch` has its horizon this far above the product's foot. */
const focalShare = 1.7;

/** @param scale scene pixels per source pixel. @param pitch as for the shadow: ground depth to picture rows. */
export function fitCamera(
  footing: ProductPose | null,
  width: number,
  height: number,
  scale: number,
  pitch: number,
): Camera {
  let size = 0.5 * Math.min(width, height);
  let baseX = width / 2;
  let baseY = height * 0.78;
  let view: Camera["view"] = "level";
  if (footing !== null) {
    const { silhouette, stance } = footing;
    const cell = silhouette.cellPx * scale;
    size = Math.max(2, Math.max(silhouette.right - silhouette.left, silhouette.bottom - silhouette.top) * cell);
    baseX = ((silhouette.left + silhouette.right) / 2) * cell;
    baseY = (stance.kind === "standing" ? stance.baseRow : silhouette.bottom) * cell;
    if (stance.kind === "lying" && stance.reason === "seen-from-above") view = "above";
  }
  // The horizon keeps to where a photographer would put it; the distance follows, so that the ground's tilt is kept.
  const wanted = baseY - pitch * focalShare * Math.max(width, height);
  const lowest = Math.min(0.5 * height, baseY - 0.2 * height);
  const horizonY = Math.min(lowest, Math.max(0.2 * height, wanted));
  return { width, height, view, size, baseX, baseY, horizonY, distance: (baseY - horizonY) / pitch };
}
