import type { Camera } from "./camera.ts";
import { toSrgb } from "./color.ts";
import type { ScenePlan } from "./scene-plan.ts";

const steps = 4096;

/**
 * Converts light to display values in place: exposure, vignette, tone curve and color grade. Interleaved RGB, 0–255.
 */
export function toneMap(light: Float32Array, plan: ScenePlan, camera: Camera): void {
  const { grade, lighting } = plan;
  const curve = toneCurve(grade.contrast, grade.lift);
  const { width, height } = camera;
  const cx = width / 2;
  const cy = height * 0.52;
  const corner = cx * cx + cy * cy;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 3) {
      const distance = ((x - cx) ** 2 + (y - cy) ** 2) / corner;
      const gain = lighting.exposure * (1 - lighting.vignette * distance * (0.55 + 0.45 * distance));
      const r = light[i]! * gain * grade.tint[0];
      const g = light[i + 1]! * gain * grade.tint[1];
      const b = light[i + 2]! * gain * grade.tint[2];
      const gray = 0.2126 * r + 0.7152 * g + 0.0722 * b;
      light[i] = applyCurve(curve, gray + (r - gray) * grade.saturation);
      light[i + 1] = applyCurve(curve, gray + (g - gray) * grade.saturation);
      light[i + 2] = applyCurve(curve, gray + (b - gray) * grade.saturation);
    }
  }
}

/** A lookup table for light 0–4, in even steps of its square root, which are nearly even to the eye. */
function toneCurve(contrast: number, lift: number): Float32Array {
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

function applyCurve(curve: Float32Array, light: number): number {
  const at = light <= 0 ? 0 : Math.min(steps - 0.001, Math.sqrt(light / 4) * steps);
  const low = Math.floor(at);
  return curve[low]! + (curve[low + 1]! - curve[low]!) * (at - low);
}
