/** How much a scene's ground mirrors of what is on it: its surface, and water that lies on it. */

import { isLampLit } from "../plan/lighting.ts";
import { hasFilm, hasPuddles, type ScenePlan } from "../plan/scene-plan.ts";
import { outdoorBackdrops, type SurfaceKind } from "../words/lexicon.ts";

/** Share of its surroundings that each surface reflects at a grazing view, 0–1. */
const reflectance: Readonly<Record<SurfaceKind, number>> = {
  wood: 0.1,
  marble: 0.2,
  concrete: 0.03,
  stone: 0.06,
  sand: 0,
  grass: 0,
  fabric: 0,
  tile: 0.2,
  metal: 0.26,
  water: 0.3,
  snow: 0,
  plain: 0.05,
  gloss: 0.38,
  pebble: 0,
  soil: 0,
  asphalt: 0.06,
  terrazzo: 0.16,
  silk: 0,
  velvet: 0,
  ice: 0.08,
  mirror: 0.8,
  foil: 0.24,
};

/** Water between a street's light and its stones. */
const wetReflectance = 0.3;
/** Puddles lie here and there: the product stands between them. */
const puddledReflectance = 0.16;

/** A film of water on a table. */
const filmReflectance = 0.34;

/** Worn stones, each of them domed. */
const settsReflectance = 0.04;

/** Whether it is an old street or square, which is paved with setts. */
export function isPavedWithSetts({ decor, surface, pattern, stand }: ScenePlan): boolean {
  return decor === "town" && surface === "tile" && pattern === null && stand === null;
}

/** Whether the whole ground is wet: neon shines on streets after the rain, and so do towns in the evening and at night. */
export function isWet(plan: ScenePlan): boolean {
  const { lightKind, props, backdrop, floor } = plan;
  const isEvening = isLampLit(lightKind) || lightKind === "sunset";
  return (
    lightKind === "neon" ||
    (hasPuddles(plan) && backdrop === "skyline" && isEvening) ||
    (props.includes("rain") && outdoorBackdrops.has(backdrop)) ||
    (lightKind === "night" && backdrop === "skyline" && floor !== "snow")
  );
}

/** The share of a product that the ground below it mirrors, 0–1; a stand stays dry. */
export function groundReflectance(plan: ScenePlan): number {
  const ofSurface = isPavedWithSetts(plan) ? settsReflectance : reflectance[plan.surface];
  if (plan.stand !== null) return ofSurface;
  if (isWet(plan)) return Math.max(ofSurface, wetReflectance);
  if (hasFilm(plan)) return Math.max(ofSurface, filmReflectance);
  return hasPuddles(plan) ? Math.max(ofSurface, puddledReflectance) : ofSurface;
}
