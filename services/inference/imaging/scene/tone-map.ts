import { addressOf, inKernelMemory, kernelFloats } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import type { Camera } from "./camera.ts";
import { toSrgb } from "./color.ts";
import type { ScenePlan } from "./scene-plan.ts";

export const steps = 4096;

/**
 * Converts light to display values in place: exposure, vignette, tone curve and color grade. Interleaved RGB, 0–255.
 */
export function toneMap(light: Float32Array, plan: ScenePlan, camera: Camera): void {
  const { grade, lighting } = plan;
  const { width, height } = camera;
  const cx = width / 2;
  const cy = height * 0.52;
  const perCorner = 1 / (cx * cx + cy * cy);
  inKernelMemory(() => {
    const curve = addressOf(toneCurve(grade.contrast, grade.lift));
    const row = kernelFloats(width * 3);
    for (let y = 0; y < height; y++) {
      const from = y * width * 3;
      row.set(light.subarray(from, from + row.length));
      kernels.toneMapRow(
        row.byteOffset,
        width,
        cx,
        (y - cy) ** 2,
        perCorner,
        lighting.exposure,
        lighting.vignette,
        ...grade.tint,
        grade.saturation,
        curve,
        steps,
      );
      light.set(row, from);
    }
  });
}

/** A lookup table for light 0–4, in even steps of its square root, which are nearly even to the eye. */
export function toneCurve(contrast: number, lift: number): Float32Array {
  const curve = new Float32Array(steps + 1);
  for (let i = 0; i <= steps; i++) {
    const light = 4 * (i / steps) ** 2;
    // Linear up to 0.55, then a shoulder that reaches white at about 4.
    const shouldered = light < 0.55 ? light : 0.55 + 0.45 * (1 - Math.exp(-(light - 0.55) / 0.52));
    const srgb = toSrgb(shouldered);
    const contrasted = 0.5 + (srgb - 0.5) * contrast;
    curve[i] = 255 * Math.min(1, Math.max(0, lift + contrasted * (1 - lift)));
  }
  return curve;
}
