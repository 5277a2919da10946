import { blurPlane } from "../pixels/blur.ts";
import type { Camera } from "./camera.ts";
import type { RenderedScene } from "./render-scene.ts";

/**
 * Blurs the rows that are out of focus, in place: each row is mixed from the sharp image and two blurred, downscaled
 * copies of it.
 */
export function applyDepthOfField(scene: RenderedScene, camera: Camera): void {
  let blurMax = 0;
  for (const blur of scene.defocus) blurMax = Math.max(blurMax, blur);
  if (blurMax < 0.05) return;
  const step = Math.max(1, Math.round(Math.max(camera.width, camera.height) / 340));
  const near = downscale(scene.light, camera.width, camera.height, step);
  for (const plane of near.planes) blurPlane(plane, near.width, near.height, 0.9);
  const far = { ...near, planes: near.planes.map((plane) => plane.slice()) };
  for (const plane of far.planes) blurPlane(plane, far.width, far.height, 2.6);
  for (let y = 0; y < camera.height; y++) {
    const blur = Math.min(1, scene.defocus[y]!);
    if (blur < 0.03) continue;
    // 0–0.4 goes from sharp to the slight blur, 0.4–1 on to the strong one.
    const strong = Math.max(0, (blur - 0.4) / 0.6);
    const keep = Math.max(0, 1 - blur / 0.4);
    mixRow(scene.light, camera.width, y, near, far, keep, strong);
  }
}

interface DownscaledCopy {
  readonly width: number;
  readonly height: number;
  readonly step: number;
  readonly planes: readonly Float32Array[];
}

function downscale(light: Float32Array, width: number, height: number, step: number): DownscaledCopy {
  const w = Math.ceil(width / step);
  const h = Math.ceil(height / step);
  const planes = [0, 1, 2].map(() => new Float32Array(w * h));
  const counts = new Uint16Array(w * h);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / step) * w;
    for (let x = 0; x < width; x++) {
      const to = row + Math.floor(x / step);
      const from = (y * width + x) * 3;
      planes[0]![to]! += light[from]!;
      planes[1]![to]! += light[from + 1]!;
      planes[2]![to]! += light[from + 2]!;
      counts[to]!++;
    }
  }
  for (const plane of planes) for (let i = 0; i < plane.length; i++) plane[i]! /= counts[i]!;
  return { width: w, height: h, step, planes };
}

function mixRow(
  light: Float32Array,
  width: number,
  y: number,
  near: DownscaledCopy,
  far: DownscaledCopy,
  keep: number,
  strong: number,
) {
  const py = Math.min(near.height - 1, Math.max(0, (y + 0.5) / near.step - 0.5));
  const y0 = Math.floor(py);
  const y1 = Math.min(near.height - 1, y0 + 1);
  const fy = py - y0;
  for (let x = 0; x < width; x++) {
    const px = Math.min(near.width - 1, Math.max(0, (x + 0.5) / near.step - 0.5));
    const x0 = Math.floor(px);
    const x1 = Math.min(near.width - 1, x0 + 1);
    const fx = px - x0;
    const at = (y * width + x) * 3;
    for (let c = 0; c < 3; c++) {
      const a = bilinear(near.planes[c]!, near.width, x0, x1, y0, y1, fx, fy);
      const b = strong > 0 ? bilinear(far.planes[c]!, far.width, x0, x1, y0, y1, fx, fy) : 0;
      light[at + c] = light[at + c]! * keep + (1 - keep) * (a * (1 - strong) + b * strong);
    }
  }
}

function bilinear(
  plane: Float32Array,
  width: number,
  x0: number,
  x1: number,
  y0: number,
  y1: number,
  fx: number,
  fy: number,
) {
  const upper = plane[y0 * width + x0]! * (1 - fx) + plane[y0 * width + x1]! * fx;
  const lower = plane[y1 * width + x0]! * (1 - fx) + plane[y1 * width + x1]! * fx;
  return upper * (1 - fy) + lower * fy;
}
