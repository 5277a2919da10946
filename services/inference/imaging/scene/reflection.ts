import { blurPlane } from "../pixels/blur.ts";
import type { ProductPose, ShadowLayer } from "../shadow/cast-shadow.ts";
import type { CutOut } from "../pixels/cut-out.ts";

/** The product's reflection in a glossy ground: premultiplied planes on the shadow layer's grid, color 0–255. */
export interface Reflection {
  readonly alpha: Float32Array;
  readonly color: readonly [Float32Array, Float32Array, Float32Array];
}

/** Distance at which the reflection has faded to a third, as a share of the product's longer side. */
const fadeShare = 0.22;

/** @returns null when the product is a flat lay or the ground does not reflect. */
export function renderReflection(
  cut: CutOut,
  pose: ProductPose,
  grid: ShadowLayer,
  strength: number,
): Reflection | null {
  const { stance, silhouette } = pose;
  if (stance.kind !== "standing" || strength <= 0.015) return null;
  const { width, height, stepPx } = grid;
  const plane = () => new Float32Array(width * height);
  const image = { alpha: plane(), color: [plane(), plane(), plane()] as const };
  const fadePx =
    fadeShare * silhouette.cellPx * Math.max(silhouette.right - silhouette.left, silhouette.bottom - silhouette.top);
  for (let x = 0; x < width; x++) {
    const sourceX = Math.min(cut.width - 1, Math.floor(x * stepPx));
    const cell = Math.min(silhouette.width - 1, Math.floor(sourceX / silhouette.cellPx));
    const groundPx = stance.groundRow[cell]! * silhouette.cellPx;
    for (let y = Math.floor(groundPx / stepPx); y < height; y++) {
      const below = y * stepPx - groundPx;
      const sourceY = Math.floor(groundPx - below);
      if (sourceY < 0) break;
      if (sourceY >= cut.height) continue;
      const from = sourceY * cut.width + sourceX;
      const alpha = cut.alpha[from]!;
      if (alpha === 0) continue;
      const share = (alpha / 255) * strength * Math.exp(-Math.max(0, below) / fadePx);
      if (share < 0.004) break;
      const to = y * width + x;
      image.alpha[to] = share;
      for (let c = 0; c < 3; c++) image.color[c]![to] = cut.rgb[from * 3 + c]! * share;
    }
  }
  for (const each of [image.alpha, ...image.color]) blurPlane(each, width, height, 1.3);
  return image;
}
