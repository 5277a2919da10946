/** How dark hidden light makes the ground: by what product and ground throw back, and as the eye perceives it. */

import { keepTable } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import type { Light } from "./light.ts";

/** Darkness below this is invisible, but would make every pixel of a large image count as shadow. */
const darknessMin = 0.012;
/**
 * Shares of the lamp's and the sky's light that a full shadow takes: product and ground throw light back into it, and an
 * outline says little of what is behind. Fitted on 105 of the path-traced views of training/stance/trace_shadows.py.
 */
export const lampTaken = 0.8;
export const skyTaken = 0.65;
/** The ground is at the product's foot where the outline hides this share of the sky, and surely where it hides the second. */
export const footSky = [0.12, 0.52] as const;
/** As in the guide (docs/guides/shadows.md): with more, shadows are farther from those of rendered products. */
const usualFootShade = 0.12;
/** A little below the share of light whose loss makes that darkness. */
export const takenMin = 0.026;

/** How much darker a ground looks that loses so many 1,024ths of its light. */
const perceivedSteps = 1024;
const perceivedLoss = Float64Array.from(
  { length: perceivedSteps + 2 },
  (_, i) => 1 - Math.max(0, 1 - i / perceivedSteps) ** (1 / 2.2),
);
const perceived = keepTable(perceivedLoss);

export function takenLight(lamp: number, sky: number, { keyShare }: Light): number {
  return lampTaken * keyShare * lamp + skyTaken * (1 - keyShare) * sky;
}

/** The opacity of black that looks as what is left of the light: what is lost at a product's foot is not in it. */
export function darknessOf(lamp: number, sky: number, light: Light): number {
  const taken = takenLight(lamp, sky, light);
  if (taken < takenMin) return 0;
  const at = taken * perceivedSteps;
  const low = Math.floor(at);
  const lost = perceivedLoss[low]! + (perceivedLoss[low + 1]! - perceivedLoss[low]!) * (at - low);
  return (light.opacity * Math.max(0, lost - darknessMin)) / (1 - darknessMin);
}

/**
 * The share of its light that the ground loses further at the product's foot.
 *
 * @param soft how soft the product's underside is, 0–1
 */
export function footLoss({ footShade, opacity }: Light, soft: number): number {
  return (footShade ?? usualFootShade * soft) * opacity;
}

/**
 * Writes the darkness of points of the ground, 0–1.
 *
 * @param lamp the address of the shares of the lamp that are hidden from them, 0–1
 * @param sky the same of the sky
 * @param foot the light that is lost further at the product's foot, 0–1
 */
export function writeDarkness(
  lamp: number,
  sky: number,
  count: number,
  { keyShare, opacity }: Light,
  foot: number,
  to: number,
): void {
  kernels.darkenGround(
    lamp,
    sky,
    count,
    lampTaken * keyShare,
    skyTaken * (1 - keyShare),
    takenMin,
    darknessMin,
    opacity,
    foot,
    ...footSky,
    perceived,
    to,
  );
}
