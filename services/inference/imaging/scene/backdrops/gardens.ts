/** Plants that are known by their place, far out of focus: a bed of flowers, a greenhouse. */

import { addGlow, blurCanvas, fillBox, fillDisc, fillRod, lensBlur, shadePixels } from "../canvas/canvas.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { fromHex, luminance, mix, saturate, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { fillStrokes, type Stroke } from "../canvas/strokes.ts";
import type { BackdropInput } from "./painter.ts";
import { palmsAtSides } from "./palms.ts";

const leafGreens = ["#7d9a5e", "#93ab70", "#6a8a52", "#a9bd86"] as const;

/** Daylight on leaves and petals, 0–1. */
function daylight({ plan }: BackdropInput): number {
  return Math.min(1, 0.55 * luminance(plan.lighting.key) + 0.75 * luminance(plan.lighting.ambient));
}

/** Blossoms in the place's color and its neighbors, before leaves and a bright haze. */
export function paintFlowers(input: BackdropInput): void {
  const { canvas, plan, noise, random, aspect, lampSide } = input;
  const light = daylight(input);
  const haze = mix(plan.lighting.horizon, [0.92, 0.93, 0.88], 0.5);
  const shadow = mix(fromHex("#8fa574"), haze, 0.35);
  shadePixels(canvas, (x, y, out) => {
    const depth = noise.fractal(x * 2.2 * aspect, y * 2.2, 3, 0.01);
    const share = smoothstep(0.3, 0.75, depth + 0.35 * (y - 0.4));
    for (let c = 0; c < 3; c++) out[c] = light * (haze[c]! * (1 - share) + shadow[c]! * share);
  });
  for (let i = 0; i < 70; i++) {
    const x = random.next();
    const y = random.between(0.3, 1);
    const green = scale(fromHex(random.pick(leafGreens)), light * random.between(0.75, 1.15));
    fillRod(canvas, x, 1, x + random.between(-0.06, 0.06), y, random.between(0.008, 0.02), green);
    fillDisc(canvas, x + random.between(-0.05, 0.05), y + 0.08, random.between(0.03, 0.06), green, 0.7);
  }
  lensBlur(canvas, 0.03);
  const own = plan.backdropColor;
  const tints: readonly [LinearRgb, ...LinearRgb[]] = [
    own,
    mix(own, [0.95, 0.92, 0.9], 0.55),
    saturate(own, 1.35),
    mix(own, fromHex("#f3c99a"), 0.4),
    [0.88, 0.86, 0.84],
  ];
  const blossoms = Array.from({ length: 44 }, () => ({ x: random.next(), y: 1 - 0.72 * random.next() ** 1.4 }));
  for (const { x, y } of blossoms.sort((a, b) => a.y - b.y)) {
    const size = 0.028 + 0.05 * random.next();
    paintBlossom(input, x, y, size, scale(random.pick(tints), light * random.between(0.9, 1.2)));
  }
  addGlow(canvas, 0.5 + 0.4 * lampSide, 0.05, 0.5, scale(plan.lighting.key, 0.22 * light));
  lensBlur(canvas, 0.017);
  blurCanvas(canvas, 0.005);
}

/** Five petals around a warm heart; the lower ones lie in shade. */
function paintBlossom({ canvas, random, aspect }: BackdropInput, x: number, y: number, size: number, tint: LinearRgb) {
  const turn = random.between(0, Math.PI);
  for (let i = 0; i < 5; i++) {
    const angle = turn + (i * Math.PI * 2) / 5;
    const shade = 0.86 - 0.16 * Math.sin(angle);
    const px = x + (Math.cos(angle) * size * 0.62) / aspect;
    fillDisc(canvas, px, y + Math.sin(angle) * size * 0.5, size * 0.6, scale(tint, shade), 0.92);
  }
  fillDisc(canvas, x, y, size * 0.3, mix(tint, fromHex("#e0a83c"), 0.65), 0.9);
}

/** A glass house full of plants: ribs of iron that meet above, tall palms, and beds of broad leaves and ferns. */
export function paintGreenhouse(input: BackdropInput): void {
  const { canvas, plan, noise, aspect, lampSide } = input;
  const light = daylight(input);
  const sky = mix(plan.lighting.horizon, [0.93, 0.95, 0.93], 0.6);
  const hasPlants = !plan.without.has("plants");
  const trees = hasPlants ? mix(plan.backdropColor, sky, 0.42) : scale(sky, 0.85);
  shadePixels(canvas, (x, y, out) => {
    const behind = smoothstep(0.38, 0.7, noise.fractal(x * 3 * aspect, y * 3 + 9, 3, 0.01) + 0.5 * (y - 0.4));
    const side = 1 + 0.14 * (x - 0.5) * lampSide;
    for (let c = 0; c < 3; c++) out[c] = light * side * (sky[c]! * (1 - behind) + trees[c]! * behind) * 0.95;
  });
  if (!plan.without.has("windows")) paintRibs(input, light);
  if (hasPlants) {
    paintThicket(input, light, 0, 0.44);
    blurCanvas(canvas, 0.01);
    fillStrokes(canvas, palmsAtSides(input));
    paintThicket(input, light, 1, 0.27);
    fillStrokes(canvas, broadPlants(input, light));
  }
  lensBlur(canvas, 0.011);
  blurCanvas(canvas, 0.004);
}

/** Bars of iron between panes; the ones that stand upright bend to the ridge. */
function paintRibs({ canvas, plan, aspect }: BackdropInput, light: number): void {
  const bar = scale(mix([0.8, 0.83, 0.8], plan.lighting.ambient, 0.2), light * 0.72);
  const ribs = Math.max(4, Math.round(3.6 * aspect));
  const spring = 0.36;
  for (let i = 0; i <= ribs; i++) {
    const x = (i + 0.35) / ribs;
    fillBox(canvas, x - 0.008 / aspect, spring, x + 0.008 / aspect, 1, bar);
    const steps = 7;
    const bendAt = (step: number) => {
      const turn = (step / steps) * (Math.PI / 2);
      return { x: x + (0.5 - x) * (1 - Math.cos(turn)), y: spring - (spring + 0.05) * Math.sin(turn) };
    };
    for (let step = 0; step < steps; step++) {
      const from = bendAt(step);
      const to = bendAt(step + 1);
      fillRod(canvas, from.x, from.y, to.x, to.y, 0.015, scale(bar, 0.95));
    }
  }
  for (const y of [0.15, spring, 0.62]) fillBox(canvas, 0, y, 1, y + 0.013, scale(bar, 0.85));
}

/** A bank of leaves from edge to edge, higher at the sides. @param near 0 in the haze … 1 */
function paintThicket(input: BackdropInput, light: number, near: number, high: number): void {
  const { canvas, plan, noise, random, aspect } = input;
  const haze = scale(mix(plan.lighting.horizon, [0.9, 0.93, 0.88], 0.5), light);
  const count = Math.round(190 * aspect);
  for (let i = 0; i < count; i++) {
    const x = random.next();
    const side = Math.abs(x - 0.5) * 2;
    const top = high * (0.55 + 0.5 * side ** 1.6 + 0.6 * (noise.fractal(x * 4 * aspect + 40 * near, 7, 3, 0.01) - 0.5));
    const up = random.next();
    const green = mix(plan.backdropColor, fromHex(random.pick(leafGreens)), random.next());
    const lit = scale(green, light * random.between(0.35, 0.75 + 0.5 * up));
    const color = mix(lit, haze, near === 0 ? 0.36 : 0.06);
    fillDisc(canvas, x, 1.02 - top * up, random.between(0.018, 0.045), color, 0.9);
  }
}

/** Plants with leaves as long as an arm, and ferns before them. */
function broadPlants(input: BackdropInput, light: number): readonly Stroke[] {
  const { plan, random, aspect } = input;
  const strokes: Stroke[] = [];
  const green = (power: number) =>
    scale(mix(plan.backdropColor, fromHex(random.pick(leafGreens)), random.next()), light * power);
  const plants = Math.round(4.6 * aspect);
  for (let i = 0; i < plants; i++) {
    const x = (i + random.between(0.15, 0.85)) / plants;
    const isFern = i % 3 === 1;
    const leaves = isFern ? 17 : 9;
    const foot = random.between(0.98, 1.06);
    const tall = (isFern ? 0.26 : random.between(0.36, 0.56)) * (0.75 + 0.5 * Math.abs(x - 0.5));
    for (let leaf = 0; leaf < leaves; leaf++) {
      const angle = Math.PI / 2 + ((leaf + 0.5) / leaves - 0.5) * 2.5 + random.between(-0.15, 0.15);
      const stem = isFern ? 0 : tall * random.between(0.25, 0.5);
      const from = { x: x + (Math.cos(angle) * stem * 0.5) / aspect, y: foot - Math.sin(angle) * stem };
      const long = tall * random.between(0.6, 0.85);
      const wide = isFern ? 0.02 : long * random.between(0.16, 0.24);
      strokes.push({ kind: "leaf", ...from, angle, long, wide, color: green(random.between(0.5, 1.25)) });
    }
  }
  return strokes;
}
