/** Lights far behind the focus, where a theme asks for bokeh: disks of many sizes, in its color. */

import { createRandom } from "@packshot/domain/random.ts";
import { type Canvas, fillDisc } from "../canvas/canvas.ts";
import { type LinearRgb, mix, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { isLampLit } from "../plan/lighting.ts";
import type { BackdropInput } from "./painter.ts";

const lights = 44;
/** What is left of daylight behind them, and below them: lights show before what is darker. */
const leftByDay = 0.55;
const leftBelowByDay = 0.92;
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
  const asked = plan.propColor === null ? null : shining(plan.propColor);
  const isBare = (plan.backdrop === "sweep" || plan.backdrop === "wall") && plan.roomWall === null;
  if (isBare) dim(input, asked);
  else if (!isLampLit(plan.lightKind)) dimDay(canvas);
  const power = isLampLit(plan.lightKind) ? 0.5 : 0.42;
  for (let i = 0; i < lights; i++) {
    const own = asked ?? random.pick(warm);
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

/** How much of a bare wall's own light is left, at its top and where it meets the ground. */
const leftAbove = 0.16;
const leftBelow = 0.7;
/** The light that many lamps out of sight throw on it. */
const wash = 0.12;

/** Before a pale wall no light would be seen: it is far away, and dark. */
function dim({ canvas, noise, aspect }: BackdropInput, asked: LinearRgb | null): void {
  const { width, height, planes } = canvas;
  const color = asked ?? warm[0];
  const across = Float32Array.from({ length: width }, (_, i) => noise.at(((i + 0.5) / width) * aspect * 2.2 + 31, 17));
  for (let row = 0; row < height; row++) {
    const y = (row + 0.5) / height;
    const left = leftAbove + (leftBelow - leftAbove) * smoothstep(0.7, 1, y);
    const most = wash * (1 - smoothstep(0.75, 1, y));
    const even = most * (0.3 + 0.7 * noise.at(31, y * 2.2 + 17));
    for (let c = 0; c < 3; c++) {
      const line = planes[c]!.subarray(row * width, (row + 1) * width);
      dimRow(line, left, across, 0.7 * most * color[c]!, even * color[c]!);
    }
  }
}

/** Daylight reaches what is near, such as the table below the lights. */
function dimDay({ width, height, planes }: Canvas): void {
  const across = new Float32Array(width);
  for (let row = 0; row < height; row++) {
    const left = leftByDay + (leftBelowByDay - leftByDay) * smoothstep(0.5, 0.9, (row + 0.5) / height);
    for (const plane of planes) dimRow(plane.subarray(row * width, (row + 1) * width), left, across, 0, 0);
  }
}

/** A function for each row: in a loop of loops the engine meets each scene's without machine code. */
function dimRow(line: Float32Array, left: number, across: Float32Array, share: number, even: number): void {
  for (let i = 0; i < line.length; i++) line[i] = line[i]! * left + across[i]! * share + even;
}
