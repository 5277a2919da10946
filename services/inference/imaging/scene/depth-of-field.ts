import { blurPlane } from "../pixels/blur.ts";
import type { Camera } from "./camera.ts";

/** The light of a scene, and how much each of its rows is blurred, 0–1. */
interface BlurredScene {
  readonly light: Float32Array;
  readonly defocus: Float32Array;
}

/**
 * Blurs the rows that are out of focus, in place: each row is mixed from the sharp image and two blurred, downscaled
 * copies of it.
 */
export function applyDepthOfField(scene: BlurredScene, camera: Camera): void {
  const isBlurred = (blur: number) => blur >= blurMin;
  const first = scene.defocus.findIndex(isBlurred);
  if (first < 0 || !scene.defocus.some((blur) => blur >= 0.05)) return;
  const step = depthOfFieldStep(camera);
  const margin = blurReach * step;
  const top = Math.floor(Math.max(0, first - margin) / step) * step;
  const end = Math.min(camera.height, scene.defocus.findLastIndex(isBlurred) + margin);
  const near = downscale(scene.light, camera.width, top, end, step);
  for (const plane of near.planes) blurPlane(plane, near.width, near.height, 0.9);
  const far = near.planes.map((plane) => plane.slice());
  for (const plane of far) blurPlane(plane, near.width, near.height, 2.6);
  const points = pointsOfRow(camera.width, near);
  const line = new Float32Array(near.width);
  for (let y = first; y < camera.height; y++) {
    const blur = Math.min(1, scene.defocus[y]!);
    if (blur < blurMin) continue;
    // 0–0.4 goes from sharp to the slight blur, 0.4–1 on to the strong one.
    const strong = Math.max(0, (blur - 0.4) / 0.6);
    const keep = Math.max(0, 1 - blur / 0.4);
    const py = Math.min(near.height - 1, Math.max(0, (y - top + 0.5) / step - 0.5));
    const upper = Math.floor(py) * near.width;
    const lower = Math.min(near.height - 1, Math.floor(py) + 1) * near.width;
    const below = py - Math.floor(py);
    for (let c = 0; c < 3; c++) {
      const slight = near.planes[c]!;
      const full = far[c]!;
      for (let x = 0; x < line.length; x++) {
        const a = slight[upper + x]! * (1 - strong) + full[upper + x]! * strong;
        const b = slight[lower + x]! * (1 - strong) + full[lower + x]! * strong;
        line[x] = a + (b - a) * below;
      }
      mixRow(scene.light, y * camera.width * 3 + c, line, points, keep);
    }
  }
}

const blurMin = 0.03;
/** Cells that the strong blur takes in on each side, at most. */
const blurReach = 10;

/** Pixels of the scene, across and down, that are one of its blurred copies. */
export function depthOfFieldStep({ width, height }: Pick<Camera, "width" | "height">): number {
  return Math.max(1, Math.round(Math.max(width, height) / 340));
}

interface DownscaledCopy {
  readonly width: number;
  readonly height: number;
  readonly step: number;
  readonly planes: readonly Float32Array[];
}

/** Means of squares of the rows top…end − 1. */
function downscale(light: Float32Array, width: number, top: number, end: number, step: number): DownscaledCopy {
  const w = Math.ceil(width / step);
  const h = Math.ceil((end - top) / step);
  const planes = [0, 1, 2].map(() => new Float32Array(w * h));
  const [r, g, b] = planes as [Float32Array, Float32Array, Float32Array];
  for (let y = top; y < end; y++) {
    let to = Math.floor((y - top) / step) * w;
    let from = y * width * 3;
    for (let x = 0; x < width; to++) {
      for (const next = Math.min(width, x + step); x < next; x++, from += 3) {
        r[to]! += light[from]!;
        g[to]! += light[from + 1]!;
        b[to]! += light[from + 2]!;
      }
    }
  }
  for (let row = 0, at = 0; row < h; row++) {
    const rows = Math.min(step, end - top - row * step);
    for (let column = 0; column < w; column++, at++) {
      const count = rows * Math.min(step, width - column * step);
      for (const plane of planes) plane[at]! /= count;
    }
  }
  return { width: w, height: h, step, planes };
}

/** Where each pixel of a row is in the copy: its left cell, and the right one's share. */
function pointsOfRow(width: number, copy: DownscaledCopy) {
  const left = new Uint32Array(width);
  const share = new Float32Array(width);
  for (let x = 0; x < width; x++) {
    const at = Math.min(copy.width - 1, Math.max(0, (x + 0.5) / copy.step - 0.5));
    left[x] = Math.floor(at);
    share[x] = at - Math.floor(at);
  }
  return { left, share };
}

function mixRow(
  light: Float32Array,
  from: number,
  line: Float32Array,
  { left, share }: ReturnType<typeof pointsOfRow>,
  keep: number,
): void {
  const last = line.length - 1;
  for (let x = 0, at = from; x < left.length; x++, at += 3) {
    const cell = left[x]!;
    const value = line[cell]!;
    const blurred = value + (line[Math.min(last, cell + 1)]! - value) * share[x]!;
    light[at] = light[at]! * keep + blurred * (1 - keep);
  }
}
