/** Fur and sheepskin: tufts of hair, light at their tips and dark between them. */

import { smoothstep } from "../canvas/noise.ts";
import type { Material, MaterialInput } from "./material.ts";

/** How many tufts lie side by side on the product's length. */
const tuftsPerLength = 11;

export function fur({ color, noise, towardLamp, isFromAbove }: MaterialInput): Material {
  if (isFromAbove !== true) return pile({ color, noise });
  const [lx, ly] = towardLamp;
  return (u, v, footprint, out) => {
    const bend = noise.fractal(u * 3 + 40, v * 3 + 8, 2, 0) - 0.5;
    const x = (u + 0.1 * bend) * tuftsPerLength;
    const y = (v - 0.1 * bend) * tuftsPerLength;
    const column = Math.floor(x);
    const row = Math.floor(y);
    let nearest = 9;
    let toLamp = 0;
    let own = 0;
    let angle = 0;
    for (let j = row - 1; j <= row + 1; j++) {
      for (let i = column - 1; i <= column + 1; i++) {
        const dx = i + noise.cell(i * 3 + 1, j * 5) - x;
        const dy = j + noise.cell(i * 7, j * 3 + 2) - y;
        const away = Math.hypot(dx, dy);
        if (away >= nearest) continue;
        nearest = away;
        // The side of a tuft that is turned to the lamp is the one before its tip.
        toLamp = -(dx * lx + dy * ly);
        own = noise.cell(i * 11 + 4, j);
        angle = Math.atan2(dy + 0.4 * ly, dx + 0.4 * lx);
      }
    }
    // Hairs run from a tuft's tip outward, and those of its neighbors lie between them.
    const seen = Math.max(0, 1 - footprint * 9);
    const hair = noise.fractal(angle * 3.2 + 60 * own, nearest * 2.2 + 30 * own, 3, 0) - 0.5;
    const between = noise.fractal(x * 2.6 + 8, y * 2.6 + 3, 3, footprint * tuftsPerLength * 2.6) - 0.5;
    const deep = 1 - 0.3 * smoothstep(0.35, 0.95, nearest + 0.5 * between);
    const shade = deep * (0.95 + 0.13 * toLamp + 0.1 * (own - 0.5)) + seen * 0.5 * hair + 0.22 * between;
    for (let c = 0; c < 3; c++) out[c] = color[c]! * Math.max(0.3, shade);
    out[3] = 0;
  };
}

/** Long hair that is seen along the ground: it hides what is between its tufts, and is told by bright tips and soft dents. */
function pile({ color, noise }: Pick<MaterialInput, "color" | "noise">): Material {
  return (u, v, footprint, out) => {
    const bend = noise.fractal(u * 2.2 + 9, v * 2.2 + 30, 2, 0) - 0.5;
    const tips = noise.fractal((u + 0.12 * bend) * 30, v * 13, 4, footprint * 11) - 0.5;
    const dents = noise.fractal(u * 7 + 60, v * 4.5 + 12, 2, footprint * 5) - 0.5;
    const shade = 0.94 + 0.8 * tips + 0.2 * dents;
    for (let c = 0; c < 3; c++) out[c] = color[c]! * Math.max(0.4, shade);
    out[3] = 0;
  };
}
