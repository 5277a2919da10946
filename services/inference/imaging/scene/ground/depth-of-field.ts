import { inKernelMemory, kernelFloats } from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import { blurPlane } from "../../pixels/blur.ts";
import type { Size } from "../../pixels/geometry.ts";
import type { Camera } from "../canvas/camera.ts";
import { type CellGrid, cellBytes, cellsOf, mixRowAt, pointsOfRow } from "../canvas/enlarge-rows.ts";

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
  inKernelMemory(() => {
    const { planes, ...size } = downscale(scene.light, camera.width, top, end, step);
    for (const plane of planes) blurPlane(plane, size.width, size.height, 0.9);
    const near = cellsOf(planes, size);
    for (const plane of planes) blurPlane(plane, size.width, size.height, 2.6);
    mixBlurredRows(scene, camera, { first, top, step }, near, cellsOf(planes, size));
  });
}

interface BlurredRows {
  readonly first: number;
  /** The row at which the blurred copies begin. */
  readonly top: number;
  readonly step: number;
}

function mixBlurredRows(
  { light, defocus }: BlurredScene,
  { width, height }: Camera,
  { first, top, step }: BlurredRows,
  near: CellGrid,
  far: CellGrid,
): void {
  const points = pointsOfRow(width, 1 / step, -0.5, near.width - 1, cellBytes);
  const floats = 4 * (near.width + 1);
  const slight = kernelFloats(floats).byteOffset;
  const strong = kernelFloats(floats).byteOffset;
  const row = kernelFloats(width * 3);
  for (let y = first; y < height; y++) {
    const blur = Math.min(1, defocus[y]!);
    if (blur < blurMin) continue;
    // 0–0.4 goes from sharp to the slight blur, 0.4–1 on to the strong one.
    const at = (y - top + 0.5) / step - 0.5;
    mixRowAt(near, at, slight);
    if (blur > 0.4) {
      mixRowAt(far, at, strong);
      kernels.mixRows(slight, strong, (blur - 0.4) / 0.6, floats, slight);
    }
    row.set(light.subarray(y * width * 3, (y + 1) * width * 3));
    kernels.enlargeRow(slight, points.index, points.share, width, Math.max(0, 1 - blur / 0.4), row.byteOffset);
    light.set(row, y * width * 3);
  }
}

const blurMin = 0.03;
/** Cells that the strong blur takes in on each side, at most. */
const blurReach = 10;

/** Pixels of the scene, across and down, that are one of its blurred copies. */
export function depthOfFieldStep({ width, height }: Pick<Camera, "width" | "height">): number {
  return Math.max(1, Math.round(Math.max(width, height) / 340));
}

interface DownscaledCopy extends Size {
  readonly planes: readonly [Float32Array, Float32Array, Float32Array];
}

/** Means of squares of the rows top…end − 1. */
function downscale(light: Float32Array, width: number, top: number, end: number, step: number): DownscaledCopy {
  const w = Math.ceil(width / step);
  const h = Math.ceil((end - top) / step);
  const planes = [kernelFloats(w * h), kernelFloats(w * h), kernelFloats(w * h)] as const;
  const [red, green, blue] = planes;
  const rows = kernelFloats(step * width * 3);
  for (let row = 0; row < h; row++) {
    const first = top + row * step;
    const count = Math.min(step, end - first);
    rows.set(light.subarray(first * width * 3, (first + count) * width * 3));
    const at = 4 * row * w;
    kernels.meansOfSquares(
      rows.byteOffset,
      width,
      count,
      step,
      red.byteOffset + at,
      green.byteOffset + at,
      blue.byteOffset + at,
    );
  }
  return { width: w, height: h, planes };
}
