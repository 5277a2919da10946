/** What builders of stands share. Lengths are sizes of the product. */

import type { Random } from "@packshot/domain/random.ts";
import type { Camera } from "../canvas/camera.ts";
import type { Noise } from "../canvas/noise.ts";
import type { Material } from "../materials/material.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import type { Piece } from "./set-pieces.ts";

/** What a stand is built from. */
export interface StandInput {
  readonly plan: ScenePlan;
  readonly camera: Camera;
  /** A disc of this radius below the product has room for it. */
  readonly radius: number;
  /** That of its top. */
  readonly material: Material;
  readonly noise: Noise;
  readonly random: Random;
}

export interface Stand {
  readonly pieces: readonly Piece[];
  /** Height of the floor, below 0. */
  readonly floor: number;
}

/** A stand as it is being built. */
export interface Build extends StandInput {
  /** How far behind the product's foot its middle is. */
  readonly v: number;
  /** As high as the image has room for. */
  readonly high: number;
}

export type Box = Extract<Piece, { shape: "box" }>;
export type Cylinder = Extract<Piece, { shape: "cylinder" }>;

/** A solid of the stand's material, from the floor to the product's foot. */
export const solidOf = ({ plan, v, high, material }: Build) => ({
  u: 0,
  v,
  bottom: -high,
  top: 0,
  color: plan.surfaceColor,
  material,
});
