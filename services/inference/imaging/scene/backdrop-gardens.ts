/** Plants that are known by their place, far out of focus: a bed of flowers, a greenhouse. */

import type { BackdropInput } from "./backdrop-painter.ts";
import { paintPlants } from "./backdrop-props.ts";
import { addGlow, blurCanvas, fillBox, fillDisc, fillRod, lensBlur, shadePixels } from "./canvas.ts";
import type { LinearRgb } from "./color.ts";
import { fromHex, luminance, mix, saturate, scale } from "./color.ts";
import { smoothstep } from "./noise.ts";

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

/** Panes of bright glass between slender bars, beds of leaves below and fronds at the sides. */
export function paintGreenhouse(input: BackdropInput): void {
  const { canvas, plan, noise, aspect, lampSide } = input;
  const light = daylight(input);
  const sky = mix(plan.lighting.horizon, [0.93, 0.95, 0.93], 0.6);
  const hasPlants = !plan.without.has("plants");
  const trees = hasPlants ? mix(plan.backdropColor, sky, 0.55) : scale(sky, 0.85);
  shadePixels(canvas, (x, y, out) => {
    const behind = smoothstep(0.42, 0.7, noise.fractal(x * 3 * aspect, y * 3 + 9, 3, 0.01) + 0.3 * (y - 0.45));
    const side = 1 + 0.14 * (x - 0.5) * lampSide;
    for (let c = 0; c < 3; c++) out[c] = light * side * (sky[c]! * (1 - behind) + trees[c]! * behind) * 0.95;
  });
  lensBlur(canvas, 0.03);
  const bar = scale(mix([0.82, 0.83, 0.8], plan.lighting.ambient, 0.2), light * 0.8);
  const panes = Math.max(3, Math.round(3.2 * aspect));
  if (!plan.without.has("windows")) {
    for (let i = 0; i <= panes; i++) {
      const x = (i + 0.35) / panes;
      fillBox(canvas, x - 0.007 / aspect, 0, x + 0.007 / aspect, 1, bar);
      fillBox(canvas, x - 0.007 / aspect, 0, x, 1, scale(bar, 0.72));
    }
    for (const y of [0.16, 0.5]) fillBox(canvas, 0, y, 1, y + 0.014, scale(bar, 0.85));
  }
  if (hasPlants) paintBed(input, light);
  lensBlur(canvas, 0.02);
  blurCanvas(canvas, 0.005);
}

/** Leaves that rise toward the sides, and plants before them. */
function paintBed(input: BackdropInput, light: number): void {
  const { canvas, plan, random } = input;
  for (let i = 0; i < 260; i++) {
    const x = random.next();
    const side = Math.abs(x - 0.5) * 2;
    const y = 1 - (0.1 + 0.62 * side ** 2.2) * random.next();
    const green = mix(plan.backdropColor, fromHex(random.pick(leafGreens)), random.next());
    fillDisc(canvas, x, y, random.between(0.018, 0.05), scale(green, light * random.between(0.45, 1.15)), 0.85);
  }
  paintPlants(input);
}
