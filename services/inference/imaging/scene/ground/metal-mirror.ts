/** What brushed metal makes of the light and of what is behind it. */

import type { Canvas } from "../canvas/canvas.ts";
import { type LinearRgb, luminance, mix, scale } from "../canvas/color.ts";
import type { Lighting } from "../plan/lighting.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import type { SurfaceKind } from "../words/lexicon.ts";

/** In candle light steel would be taken for wood: this is left of a light's color. */
const colorLeft = 0.45;
/** How much a metal colors what it mirrors. */
const tintShare = 0.75;
/** The rows of a backdrop that run together, as a share of its height, above and below each. */
const stretch = 0.09;

const white: LinearRgb = [1, 1, 1];

/** Rust does not shine. */
export const isShiningMetal = (kind: SurfaceKind, { pattern }: Pick<ScenePlan, "pattern">): boolean =>
  kind === "metal" && pattern !== "rust" && pattern !== "leaf";

export function onMetal({ key, ambient }: Lighting): Pick<Lighting, "key" | "ambient"> {
  const paled = (light: LinearRgb) => mix(scale(white, luminance(light)), light, colorLeft);
  return { key: paled(key), ambient: paled(ambient) };
}

/** @returns the share of each channel of what the metal mirrors */
export function mirrorTint(metal: LinearRgb): LinearRgb {
  return mix(white, scale(metal, 1 / Math.max(0.01, ...metal)), tintShare);
}

/** A backdrop as metal mirrors it that is brushed from left to right: stretched across the lines. */
export function brushedMirror({ width, height, planes }: Canvas): Canvas {
  const reach = Math.max(1, Math.round(stretch * height));
  const [red, green, blue] = planes.map((plane) => stretched(plane, width, height, reach));
  return { width, height, planes: [red!, green!, blue!] };
}

/** The mean of so many rows above and below each; rows beyond the edges are those at the edges. */
function stretched(plane: Float32Array, width: number, height: number, reach: number): Float32Array {
  const out = new Float32Array(plane.length);
  const sums = new Float64Array(width);
  const add = (y: number, sign: number) => {
    const row = Math.min(height - 1, Math.max(0, y)) * width;
    for (let x = 0; x < width; x++) sums[x]! += sign * plane[row + x]!;
  };
  for (let y = -reach; y < reach; y++) add(y, 1);
  for (let y = 0; y < height; y++) {
    add(y + reach, 1);
    for (let x = 0; x < width; x++) out[y * width + x] = sums[x]! / (2 * reach + 1);
    add(y - reach, -1);
  }
  return out;
}
