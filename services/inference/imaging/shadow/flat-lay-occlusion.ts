import type { Rays } from "./light.ts";
import type { Silhouette } from "./silhouette.ts";

/** Thickness of a flat-lay product, as a share of its longer side. */
const thicknessShare = 0.075;
const heights = [0.12, 0.4, 0.7, 1] as const;

/**
 * The share of rays that the product blocks from each cell of a plane parallel to the image. The image's top counts as
 * "behind", as when the camera looks down on a table.
 * @returns silhouette.width × silhouette.height, 0–1.
 */
export function computeFlatLayOcclusion(silhouette: Silhouette, rays: Rays, lift: number): Float32Array {
  const { width, height, inside, left, top, right, bottom } = silhouette;
  const thickness = Math.max(right - left, bottom - top) * thicknessShare * lift;
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
