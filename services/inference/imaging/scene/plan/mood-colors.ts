/** What a theme's moods, its light and its materials do to the colors of a scene. */

import { fromHex, type LinearRgb, luminance, mix, multiply, saturate, scale } from "../canvas/color.ts";
import type { LightKind, Mood, Setting } from "../words/lexicon.ts";

export interface Grade {
  readonly saturation: number;
  readonly contrast: number;
  /** Lift of the blacks, 0–0.1, as of faded film. */
  readonly lift: number;
  readonly tint: LinearRgb;
}

/** A ground on which the product's shadow would not be seen is too dark: below this, "dark" darkens it no further. */
const darkGroundMin = 0.035;

export function darkened(color: LinearRgb): LinearRgb {
  return scale(color, Math.min(1, Math.max(0.32, darkGroundMin / Math.max(0.001, luminance(color)))));
}

/** Tints a material but keeps its depth: green velvet is darker than green linen. Neutral colors are not changed. */
export function tintSurface(color: LinearRgb, materialColor: LinearRgb | undefined): LinearRgb {
  const isGray = Math.max(...color) < 1.25 * Math.min(...color) + 0.02;
  if (materialColor === undefined || isGray) return color;
  const depth = Math.sqrt(luminance(materialColor) / Math.max(0.01, luminance(color)));
  return saturate(scale(color, Math.min(1.15, Math.max(0.5, depth))), 0.85);
}

const darkCupboards = fromHex("#57524d");

/** The wall of a place before its moods. Cupboards and tiles of a dark kitchen are dark: a pale wall in the shade would not tell it. */
export function wallOf({ decor, color }: Setting, moods: readonly Mood[]): LinearRgb {
  return decor === "kitchen" && moods.includes("dark") ? darkCupboards : fromHex(color);
}

export function applyMoods(color: LinearRgb, moods: readonly Mood[]): LinearRgb {
  let c = color;
  // In the shade of a scene a pastel yellow would be khaki.
  if (moods.includes("pastel")) {
    const pale = mix([0.9, 0.88, 0.88], [0.9, 0.83, 0.4], Math.min(1, 2 * yellowness(c)));
    c = mix(saturate(c, 1.1), pale, 0.3 + 0.6 * yellowness(c));
  }
  if (moods.includes("vivid")) c = saturate(c, 1.5);
  if (moods.includes("minimal")) c = saturate(c, 0.75);
  if (moods.includes("dark")) c = scale(c, luminance(c) > 0.15 ? 0.4 : 0.85);
  if (moods.includes("warm")) c = [c[0] * 1.04, c[1], c[2] * 0.93];
  if (moods.includes("cold")) c = [c[0] * 0.9, c[1], c[2] * 1.08];
  if (moods.includes("vintage")) c = saturate(c, 0.75);
  return c;
}

/** How much more red and green a color has than blue, 0–1. */
const yellowness = ([red, green, blue]: LinearRgb) => Math.max(0, Math.min(red, green) - blue);

/** No painted object reflects more than 86 % of the light; only lamps are brighter. */
export function limitReflectance(color: LinearRgb): LinearRgb {
  const most = Math.max(...color, 0.0001);
  return most > 0.86 ? scale(color, 0.86 / most) : color;
}

/** @param isWarmed the scene is lit by the sky, and has no snow, which would look like sand */
export function createGrade(moods: readonly Mood[], light: LightKind, isWarmed: boolean): Grade {
  const has = (mood: Mood) => moods.includes(mood);
  // The low sun colors the haze, and with it all that is outdoors.
  const isLow = isWarmed && (light === "golden" || light === "sunset");
  const ofMood: LinearRgb = has("warm") || has("cosy") ? [1.02, 1, 0.96] : has("cold") ? [0.97, 1, 1.04] : [1, 1, 1];
  return {
    saturation: has("vivid") ? 1.15 : has("minimal") || has("vintage") ? 0.88 : 1,
    contrast: light === "dramatic" || has("luxury") ? 1.08 : has("pastel") || has("minimal") ? 0.96 : 1.02,
    lift: has("vintage") ? 0.045 : has("pastel") ? 0.02 : 0.006,
    tint: multiply(isLow ? [1.06, 1, 0.88] : [1, 1, 1], ofMood),
  };
}
