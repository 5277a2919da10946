/** `toneMap` in plain TypeScript, without a table. */

import type { Camera } from "../../services/inference/imaging/scene/canvas/camera.ts";
import type { ScenePlan } from "../../services/inference/imaging/scene/plan/scene-plan.ts";
import { shownFor } from "../../services/inference/imaging/scene/tone-map.ts";

export function toneMap(light: Float32Array, { grade, lighting }: ScenePlan, { width, height }: Camera): void {
  const shown = (light: number) => shownFor(Math.min(4, Math.max(0, light)), grade.contrast, grade.lift);
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
      light[i] = shown(gray + (r - gray) * grade.saturation);
      light[i + 1] = shown(gray + (g - gray) * grade.saturation);
      light[i + 2] = shown(gray + (b - gray) * grade.saturation);
    }
  }
}
