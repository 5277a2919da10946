import type { Random } from "@packshot/domain/random.ts";
import type { LinearRgb } from "../canvas/color.ts";
import type { Noise } from "../canvas/noise.ts";
import type { Pattern } from "../words/lexicon.ts";
import type { Print } from "../words/lexicon-patterns.ts";

/**
 * The appearance of a ground at a point: writes linear albedo into out[0..2] and gloss 0–1 into out[3].
 * @param u to the right and `v` away from the viewer, in sizes of the product (assumed to be about 25 cm).
 * @param footprint the width of a pixel at the point, in the same unit: finer detail is left out.
 */
export type Material = (u: number, v: number, footprint: number, out: Float32Array) => void;

/** A print on its ground, in up to three inks. */
export interface PrintColors {
  readonly print: Print;
  readonly ground: LinearRgb;
  readonly inks: readonly [LinearRgb, LinearRgb, LinearRgb];
}

export interface MaterialInput {
  readonly color: LinearRgb;
  readonly noise: Noise;
  readonly random: Random;
  /** The color of a marble's veins; absent: its own. */
  readonly veins?: LinearRgb;
  /** Absent: none. */
  readonly pattern?: Pattern;
  /** The pattern's colors, where it is a print that has more than two. */
  readonly print?: PrintColors;
  /** Boards lie from left to right, as on a shelf; absent: either way. */
  readonly liesAcross?: boolean;
  /** The camera looks down on it. */
  readonly isFromAbove?: boolean;
  /** Wind has drawn all of a sand: it has ripples everywhere, and no bits of shells. */
  readonly isWindblown?: boolean;
  /** Cloth covers a stand without folds. */
  readonly isTaut?: boolean;
  /** Unit vector on the ground toward the lamp, for surfaces with relief. */
  readonly towardLamp: readonly [number, number];
}

export type MaterialFactory = (input: MaterialInput) => Material;
