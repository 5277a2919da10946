/** Decides what of its light is taken out of a photo. */

import { type LinearRgb, luminance, scale } from "../scene/canvas/color.ts";
import type { BackdropLight } from "./backdrop-light.ts";
import type { ToneCorrection } from "./correct-tone.ts";
import { lightColorOf } from "./light-color.ts";

export interface TonePlan {
  readonly correction: ToneCorrection;
  /** Linear light that the backdrop should have. */
  readonly goal: LinearRgb;
  /** Color of the light, in kelvins, where the backdrop is known to be white or gray. */
  readonly temperature?: number;
  /** How much brighter all becomes, in stops. */
  readonly exposure: number;
}

/** The color of the backdrop is none of a light: it is colored paper. */
type ColoredBackdrop = "backdrop_colored";

/** Lights from candles to a blue sky. */
const warmestLight = 2_500;
const coldestLight = 10_000;
/** Fluorescent lamps and daylight are nearer to glowing bodies. */
const lightDistanceMax = 0.02;
/**
 * A light of 2,500 K has a ninth of its luminance in blue. Paper with less is yellow, however near its color lies to a light's: what is
 * divided by so little of a color is mostly noise.
 */
const colorGainMax = 9;
/** Luminance of white paper in a well exposed photo. */
const paperLuminance = 0.9;
/** A backdrop that is darker by more is gray or black paper. */
const exposureMax = 4;
/** White paper is brighter than what stands before it, but for highlights, and white things in better light. */
const productShareMax = 1.25;

/** Beyond these the photo is of another set. */
const matchedExposureMax = 4;
const matchedColorMax = 4;

/** @param reference the backdrop's color in the picture to match */
export function planMatchedTone(
  { color, lightness }: BackdropLight,
  reference: LinearRgb,
): TonePlan | "reference_differs" {
  const brightness = luminance(color);
  const factor = luminance(reference) / brightness;
  const gains: LinearRgb = [reference[0] / color[0], reference[1] / color[1], reference[2] / color[2]];
  const isWithin = (value: number, most: number) => value >= 1 / most && value <= most;
  const isAlike = gains.every((gain) => isWithin(gain / factor, matchedColorMax));
  if (!isWithin(factor, matchedExposureMax) || !isAlike) return "reference_differs";
  return {
    correction: { gains, lightness, luminance: brightness },
    goal: reference,
    exposure: Math.log2(factor),
  };
}

export function planNeutralTone({ color, lightness, productShare }: BackdropLight): TonePlan | ColoredBackdrop {
  const { temperature, distance } = lightColorOf(color);
  const brightness = luminance(color);
  const hasAllColors = color.every((value) => value * colorGainMax >= brightness);
  if (!hasAllColors || distance > lightDistanceMax || temperature < warmestLight || temperature > coldestLight)
    return "backdrop_colored";
  const lift = paperLuminance / brightness;
  const isWhite = lift > 1 && lift <= exposureMax && productShare <= productShareMax;
  const goal = brightness * (isWhite ? lift : 1);
  const gains: LinearRgb = [goal / color[0], goal / color[1], goal / color[2]];
  return {
    correction: { gains, lightness, luminance: brightness },
    goal: scale([1, 1, 1], goal),
    temperature,
    exposure: Math.log2(goal / brightness),
  };
}
