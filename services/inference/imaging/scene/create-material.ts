import type { SurfaceKind } from "./lexicon.ts";
import type { Material, MaterialInput, MaterialFactory } from "./material.ts";
import { concrete, fabric, metal, plain, stone, terrazzo, tile } from "./materials-indoor.ts";
import { asphalt, grass, pebble, sand, snow, soil, water } from "./materials-outdoor.ts";
import { marble } from "./materials-marble.ts";
import { wood } from "./materials-wood.ts";

const factories: Readonly<Record<SurfaceKind, MaterialFactory>> = {
  wood,
  marble,
  concrete,
  stone,
  sand,
  grass,
  fabric,
  tile,
  metal,
  water,
  snow,
  plain,
  gloss: (input) => plain(input, 0.55),
  pebble,
  soil,
  asphalt,
  terrazzo,
};

export function createMaterial(kind: SurfaceKind, input: MaterialInput): Material {
  return factories[kind](input);
}

/** Share of its surroundings that each surface reflects at a grazing view, 0–1. */
export const reflectance: Readonly<Record<SurfaceKind, number>> = {
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
};
