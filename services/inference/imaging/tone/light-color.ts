/** Whether a color is one that light has: near the colors of glowing bodies, on which lamps and daylight lie. */

import type { LinearRgb } from "../scene/canvas/color.ts";

export interface LightColor {
  /** Correlated color temperature, in kelvins. */
  readonly temperature: number;
  /** Distance to the color of a glowing body of that temperature, in CIE 1960 u and v. */
  readonly distance: number;
}

const coldest = 12_000;
const warmest = 1_700;

/** @param linear with a luminance above 0 */
export function lightColorOf([r, g, b]: LinearRgb): LightColor {
  const x = 0.4124564 * r + 0.3575761 * g + 0.1804375 * b;
  const y = 0.2126729 * r + 0.7151522 * g + 0.072175 * b;
  const z = 0.0193339 * r + 0.119192 * g + 0.9503041 * b;
  const sum = x + 15 * y + 3 * z;
  const u = (4 * x) / sum;
  const v = (6 * y) / sum;
  let nearest: LightColor = { temperature: coldest, distance: Number.POSITIVE_INFINITY };
  // Equal steps of the reciprocal look equally far apart.
  for (let mired = 1e6 / coldest; mired <= 1e6 / warmest; mired++) {
    const temperature = 1e6 / mired;
    const body = glowingBody(temperature);
    const distance = Math.hypot(u - body.u, v - body.v);
    if (distance < nearest.distance) nearest = { temperature, distance };
  }
  return nearest;
}

/** Krystek 1985, from 1,000 to 15,000 K. */
function glowingBody(t: number): { readonly u: number; readonly v: number } {
  return {
    u: (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t) / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t),
    v: (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t) / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t),
  };
}
