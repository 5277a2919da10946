/** Lights far behind the focus, where a theme asks for bokeh: disks of many sizes, in its color. */

import { createRandom } from "@packshot/domain/random.ts";
import { type Canvas, fillDisc } from "../canvas/canvas.ts";
import { type LinearRgb, luminance, mix, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { isLampLit } from "../plan/lighting.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import { outdoorBackdrops } from "../words/lexicon.ts";
import type { BackdropInput } from "./painter.ts";

const lights = 44;
/** What is left of a room's daylight behind them, and below them: lights show before what is darker. */
const leftByDay = 0.55;
const leftBelowByDay = 0.92;
/** Under the sky less would not be day. */
const leftOutdoors = 0.93;
/** Lamps and candles, of which there are several hues in any street. */
const warm: readonly [LinearRgb, LinearRgb, LinearRgb] = [
  [1, 0.58, 0.22],
  [1, 0.78, 0.45],
  [1, 0.42, 0.16],
];
/** Apart from other draws of the scene, which stays as it is without them. */
const ownSeed = 0x626f6b65;

export function paintBokehLights(input: BackdropInput): void {
  const { canvas, plan, aspect } = input;
  if (plan.without.has("lights")) return;
  const random = createRandom((plan.seed ^ ownSeed) >>> 0);
  const asked = plan.propColor === null || luminance(plan.propColor) < blackMost ? null : shining(plan.propColor);
  const isBare = (plan.backdrop === "sweep" || plan.backdrop === "wall") && plan.roomWall === null;
  const isDay = !isLampLit(plan.lightKind);
  const isOutdoors = outdoorBackdrops.has(plan.backdrop);
  const wall = isBare ? wallBehind(plan, asked) : null;
  if (wall !== null) dim(input, wall);
  else if (isDay) dimDay(canvas, isOutdoors ? leftOutdoors : leftByDay);
  const isPale = wall?.isPale ?? (isDay && isOutdoors);
  const power = isPale ? 0.24 : isDay ? 0.42 : 0.5;
  // Lights by day are pale, and before a wall they take some of its color.
  const veil: LinearRgb = wall?.isPale ? shining(plan.backdropColor) : [1, 0.95, 0.86];
  for (let i = 0; i < lights; i++) {
    const lamp = asked ?? random.pick(warm);
    const own = isPale && asked === null ? mix(lamp, veil, veiled) : lamp;
    const hue = mix(own, random.chance(0.3) ? [1, 0.93, 0.82] : own, random.between(0.1, 0.45));
    const radius = 0.016 + 0.05 * random.next() ** 2;
    const x = (i + random.next()) / lights;
    const y = 0.06 + 0.68 * (0.5 * random.next() + 0.5 * random.next());
    const color = scale(hue, power * random.between(0.25, 1.1));
    fillDisc(canvas, x, y, radius, color, 1, true, 0.12);
    // The rim of a disk is brighter than its middle.
    fillDisc(canvas, x, y, 0.9 * radius, scale(color, -0.3), 1, true, 0.35);
    // Some lights overlap others of their string.
    if (random.chance(0.3))
      fillDisc(canvas, x + (1.3 * radius) / aspect, y + 0.3 * radius, radius, scale(color, 0.6), 1, true, 0.12);
  }
}

/** A light's color, with its brightest channel at 1. */
const shining = (color: LinearRgb): LinearRgb => scale(color, 1 / Math.max(0.05, ...color));

/** How much of the lights' color daylight takes, unless the theme names it. */
const veiled = 0.45;
/** Walls that reflect less than twice this are black, as are lights below it. */
const blackMost = 0.05;

/** What lamps out of sight make of a bare wall. */
interface LitWall {
  /** How much of its own light is left at its top, and where it meets the ground. */
  readonly left: readonly [number, number];
  /** The light that they throw on it. */
  readonly wash: LinearRgb;
  /** It is as bright as the theme has it. */
  readonly isPale: boolean;
}

/** Before a pale wall few lights are seen: unless its color is asked for, or no other light is, it is far away and dark. */
function wallBehind({ backdropColor, isWallColorAsked, lightKind }: ScenePlan, asked: LinearRgb | null): LitWall {
  const lit = luminance(backdropColor);
  if (lit < 2 * blackMost)
    return { left: [1, 1], wash: scale(asked ?? warm[0], Math.min(0.016, 0.4 * lit)), isPale: false };
  const isBright = asked === null && !isLampLit(lightKind);
  if (!isWallColorAsked && !isBright)
    return asked === null
      ? { left: [0.16, 0.7], wash: scale(warm[0], 0.12), isPale: false }
      : { left: [0.09, 0.7], wash: scale(asked, 0.17), isPale: false };
  return { left: [0.8, 0.95], wash: scale(backdropColor, 0.05), isPale: lit > 0.3 };
}

function dim({ canvas, noise, aspect }: BackdropInput, { left: [above, below], wash }: LitWall): void {
  const { width, height, planes } = canvas;
  const across = Float32Array.from({ length: width }, (_, i) => noise.at(((i + 0.5) / width) * aspect * 2.2 + 31, 17));
  for (let row = 0; row < height; row++) {
    const y = (row + 0.5) / height;
    const left = above + (below - above) * smoothstep(0.7, 1, y);
    const most = 1 - smoothstep(0.75, 1, y);
    const even = most * (0.3 + 0.7 * noise.at(31, y * 2.2 + 17));
    for (let c = 0; c < 3; c++) {
      const line = planes[c]!.subarray(row * width, (row + 1) * width);
      dimRow(line, left, across, 0.7 * most * wash[c]!, even * wash[c]!);
    }
  }
}

/** Daylight reaches what is near, such as the table below the lights. */
function dimDay({ width, height, planes }: Canvas, above: number): void {
  const across = new Float32Array(width);
  for (let row = 0; row < height; row++) {
    const left = above + (Math.max(above, leftBelowByDay) - above) * smoothstep(0.5, 0.9, (row + 0.5) / height);
    for (const plane of planes) dimRow(plane.subarray(row * width, (row + 1) * width), left, across, 0, 0);
  }
}

/** A function for each row: in a loop of loops the engine meets each scene's without machine code. */
function dimRow(line: Float32Array, left: number, across: Float32Array, share: number, even: number): void {
  for (let i = 0; i < line.length; i++) line[i] = line[i]! * left + across[i]! * share + even;
}
