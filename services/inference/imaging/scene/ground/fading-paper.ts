/** The bare ground of a theme that names a gradient, as a camera from above sees it: a wall's two colors. */

import { smoothstep } from "../canvas/noise.ts";
import type { Material } from "../materials/material.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import type { Ground } from "./render-ground.ts";

/** Whether the bare ground that a camera from above sees fades from one color to another. */
export function isFading({ gradientColor, floor, stand, pattern }: ScenePlan): boolean {
  return gradientColor !== null && stand === null && pattern === null && (floor === "plain" || floor === "gloss");
}

/** The ground's material with the plan's second color at the image's upper edge. */
export function fadingUpward({ material, camera, plan: { surfaceColor, gradientColor } }: Ground): Material {
  const toTop = surfaceColor.map((own, c) => (gradientColor?.[c] ?? own) / Math.max(0.01, own) - 1);
  const centerY = camera.baseY - camera.size / 2;
  return (u, v, footprint, out) => {
    material(u, v, footprint, out);
    const share = 1 - smoothstep(0.06, 0.94, (centerY - v * camera.size) / camera.height);
    for (let c = 0; c < 3; c++) out[c] = out[c]! * (1 + share * toTop[c]!);
  };
}
