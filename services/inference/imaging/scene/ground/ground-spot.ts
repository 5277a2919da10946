/** Round spots of the ground, as either camera sees them. */

import type { Camera } from "../canvas/camera.ts";
import { smoothstep } from "../canvas/noise.ts";

/** A round spot of the ground, in sizes of the product. */
export interface GroundSpot {
  readonly u: number;
  readonly v: number;
  readonly radius: number;
}

/** Calls `at` with each pixel of a round spot of the ground: its place from −1 to 1 to the right and away, and its share. */
export function eachGroundPixel(
  camera: Camera,
  { u, v, radius }: GroundSpot,
  at: (i: number, du: number, dv: number, share: number) => void,
) {
  const far = camera.distance / camera.size;
  const rise = camera.baseY - camera.horizonY;
  if (camera.view === "above") return eachPixelFromAbove(camera, { u, v, radius }, at);
  const away = 1 + v / far;
  if (away < 0.2) return;
  const reachX = (radius * camera.size) / away;
  const nearY = camera.horizonY + rise / Math.max(0.2, 1 + (v - radius) / far);
  const farY = camera.horizonY + rise / (1 + (v + radius) / far);
  const cx = camera.baseX + (u * camera.size) / away;
  const soft = Math.min(0.8, 1.2 / Math.max(0.5, reachX));
  for (let y = Math.max(0, Math.floor(farY)); y <= Math.min(camera.height - 1, nearY); y++) {
    const depth = rise / Math.max(0.5, y + 0.5 - camera.horizonY);
    const dv = (far * (depth - 1) - v) / radius;
    for (let x = Math.max(0, Math.floor(cx - reachX)); x <= Math.min(camera.width - 1, cx + reachX); x++) {
      const du = (((x + 0.5 - camera.baseX) * depth) / camera.size - u) / radius;
      const distance = Math.hypot(du, dv);
      if (distance < 1) at((y * camera.width + x) * 3, du, dv, 1 - smoothstep(1 - soft, 1, distance));
    }
  }
}

/** The same on a ground that is parallel to the image. */
function eachPixelFromAbove(
  { width, height, size, baseX, baseY }: Camera,
  { u, v, radius }: GroundSpot,
  at: (i: number, du: number, dv: number, share: number) => void,
): void {
  const reach = radius * size;
  const cx = baseX + u * size;
  const cy = baseY - size / 2 - v * size;
  const soft = Math.min(0.8, 1.2 / Math.max(0.5, reach));
  for (let y = Math.max(0, Math.floor(cy - reach)); y <= Math.min(height - 1, cy + reach); y++) {
    const dv = (cy - y - 0.5) / reach;
    for (let x = Math.max(0, Math.floor(cx - reach)); x <= Math.min(width - 1, cx + reach); x++) {
      const du = (x + 0.5 - cx) / reach;
      const distance = Math.hypot(du, dv);
      if (distance < 1) at((y * width + x) * 3, du, dv, 1 - smoothstep(1 - soft, 1, distance));
    }
  }
}
