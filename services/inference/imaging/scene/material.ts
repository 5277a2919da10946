import type { Random } from "@packshot/domain/random.ts";
import type { Linear } from "./color.ts";
import type { SurfaceKind } from "./lexicon.ts";
import { concrete, fabric, metal, plain, stone, terrazzo, tile } from "./materials-made.ts";
import { asphalt, grass, pebble, sand, snow, soil, water } from "./materials-outdoor.ts";
import { marble } from "./materials-marble.ts";
import { wood } from "./materials-wood.ts";
import type { Noise } from "./noise.ts";

/**
 * The look of a ground at a point: writes linear albedo into out[0..2] and gloss 0–1 into out[3].
 * @param u to the right and `v` away from the viewer, in sizes of the product (taken for about 25 cm).
 * @param footprint the width of a pixel there, in the same unit: finer detail is left out.
 */
export type Material = (u: number, v: number, footprint: number, out: Float32Array) => void;

export interface MaterialInput {
  readonly color: Linear;
  readonly noise: Noise;
  readonly random: Random;
  /** Unit vector on the ground toward the lamp, for surfaces with a relief. */
  readonly towardLamp: readonly [number, number];
}

export type MaterialMaker = (input: MaterialInput) => Material;

const makers: Readonly<Record<SurfaceKind, MaterialMaker>> = {
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
  return makers[kind](input);
}

/** How much of its surroundings each surface mirrors when seen from the side, 0–1. */
export const mirrorShare: Readonly<Record<SurfaceKind, number>> = {
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
