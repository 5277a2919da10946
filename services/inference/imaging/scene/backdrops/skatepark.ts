/** A skate park out of focus: a bank of concrete with a steel edge across the picture, a quarter pipe at one side, trees and the sky. */

import { addGlow, defocus, fillBox, fillDisc, fillRod } from "../canvas/canvas.ts";
import { fromHex, type LinearRgb, mix, multiply, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { isLampLit } from "../plan/lighting.ts";
import type { BackdropInput } from "./painter.ts";
import { paintSkyGradient } from "./sky.ts";

/** The edge of the bank across the picture, and where it ends in the flat ground. */
const bankTop = 0.6;
const bankFoot = 0.93;
/** The same of the quarter pipe at the side, which is nearer. */
const pipeTop = 0.38;
const pipeWide = 0.86;

export function paintSkatepark(input: BackdropInput): void {
  paintSkyGradient(input, 0.5);
  const { canvas, plan, lampSide } = input;
  const { key, ambient, horizon } = plan.lighting;
  const lit = (share: number): LinearRgb => [
    ambient[0] + share * key[0],
    ambient[1] + share * key[1],
    ambient[2] + share * key[2],
  ];
  const concrete = mix(plan.surfaceColor, fromHex("#b3b0aa"), 0.4);
  if (!plan.without.has("plants")) paintTrees(input, mix(multiply(plan.backdropColor, lit(0.5)), horizon, 0.14));
  paintBank(input, (share) => multiply(concrete, lit(share)));
  if (!plan.without.has("drawing:skate-ramp"))
    paintPipe(input, lampSide > 0 ? -1 : 1, (share) => multiply(concrete, lit(share)));
  if (isLampLit(plan.lightKind) && !plan.without.has("lights")) paintMasts(input);
  defocus(canvas, 0.011, 0.004);
}

type LitConcrete = (share: number) => LinearRgb;

/** A row of crowns behind the bank, paler where the sun is. */
function paintTrees({ canvas, random, lampSide, noise }: BackdropInput, leaf: LinearRgb): void {
  const crownAt = (x: number) => 0.06 + 0.24 * noise.fractal(x * 3.4 + 30, 2, 4, 0.01);
  const columns = 160;
  for (let i = 0; i < columns; i++) {
    const x = i / columns;
    fillBox(canvas, x, bankTop - crownAt(x), x + 1 / columns, bankTop + 0.02, scale(leaf, 0.42));
  }
  for (let i = 0; i < 420; i++) {
    const x = random.between(-0.02, 1.02);
    const up = random.next();
    const sunny = 0.42 + 0.3 * lampSide * (2 * x - 1) + 0.5 * up;
    const tone = scale(leaf, (0.35 + 0.75 * sunny) * random.between(0.75, 1.15));
    fillDisc(canvas, x, bankTop - 0.98 * crownAt(x) * up, random.between(0.012, 0.03), tone, 0.85);
  }
}

/** It rises from the flat in a curve, so that its top faces the viewer and its foot the sky. */
function paintBank({ canvas, noise, aspect, lampSide, plan }: BackdropInput, lit: LitConcrete): void {
  const { width, height, planes } = canvas;
  for (let row = Math.floor(bankTop * height); row < height; row++) {
    const y = (row + 0.5) / height;
    const up = Math.min(1, Math.max(0, (bankFoot - y) / (bankFoot - bankTop)));
    const steep = up ** 0.7;
    for (let column = 0; column < width; column++) {
      const x = (column + 0.5) / width;
      const stain = noise.fractal(x * 5 * aspect, y * 7, 4, 0.01) - 0.5;
      // Wheels leave dark arcs.
      const worn = smoothstep(0.62, 0.72, noise.fractal(x * 2.2 * aspect + 9, y * 16, 3, 0.01)) * up;
      const seam = Math.abs(((x * aspect * 1.7) % 1) - 0.5) < 0.008 ? 0.78 : 1;
      const facing = 0.66 - 0.36 * steep + 0.1 * lampSide * (2 * x - 1);
      const shade = (1 + 0.24 * stain - 0.16 * worn) * seam * (1 - 0.14 * smoothstep(0.06, 0, Math.abs(y - bankFoot)));
      const color = lit(facing);
      const at = row * width + column;
      for (let c = 0; c < 3; c++) planes[c]![at] = color[c]! * shade;
    }
  }
  const steel = mix(lit(0.9), [0.6, 0.6, 0.6], 0.3);
  fillBox(canvas, 0, bankTop - 0.014, 1, bankTop + 0.004, scale(lit(0.8), 1.1));
  fillBox(canvas, 0, bankTop, 1, bankTop + 0.012, scale(steel, 0.45));
  fillRod(canvas, 0, bankTop, 1, bankTop, 0.01, scale(steel, 1.3));
  if (plan.without.has("furniture")) return;
  // A rail on the flat.
  const [from, to] = lampSide > 0 ? [0.62, 0.98] : [0.02, 0.38];
  const rail = litRail(lit);
  fillRod(canvas, from, 0.8, to, 0.8, 0.018, rail);
  fillRod(canvas, from, 0.796, to, 0.796, 0.005, scale(rail, 2.6));
  for (const x of [from + 0.05, to - 0.05])
    fillBox(canvas, x - 0.006 / aspect, 0.8, x + 0.006 / aspect, 0.97, scale(rail, 0.8));
}

const litRail = (lit: LitConcrete): LinearRgb => multiply(fromHex("#7d3a2c"), lit(0.7));

/** In profile: a curve from the flat up to a platform with a rail. @param side −1: it stands at the left */
function paintPipe(input: BackdropInput, side: number, lit: LitConcrete): void {
  const { canvas, noise, aspect, plan, random } = input;
  const { width, height, planes } = canvas;
  const wide = pipeWide / Math.max(1, 0.75 * aspect);
  const deck = 0.3;
  for (let column = 0; column < width; column++) {
    const away = side < 0 ? (column + 0.5) / width : 1 - (column + 0.5) / width;
    const along = away / wide;
    if (along > 1) continue;
    const t = Math.max(0, (along - deck) / (1 - deck));
    const profile = (x: number) => 1 - Math.sqrt(Math.max(0, 1 - (1 - x) ** 2));
    const top = pipeTop + (0.99 - pipeTop) * (1 - profile(t));
    // Its farther edge is narrower, and a little higher in the picture.
    const far = Math.max(0, (along + 0.1 - deck) / (1 - deck));
    const farTop = pipeTop - 0.035 + (0.95 - pipeTop) * (1 - profile(Math.min(1, far)));
    for (let row = Math.floor(Math.min(top, farTop) * height); row < height; row++) {
      const y = (row + 0.5) / height;
      if (row < 0) continue;
      const isRidden = y < top;
      const stain = noise.fractal(away * 8 * aspect + 4, y * 8, 4, 0.01) - 0.5;
      const color = lit(isRidden ? 0.85 - 0.2 * t : side * input.lampSide < 0 ? 0.16 : 0.34);
      const at = row * width + column;
      for (let c = 0; c < 3; c++) planes[c]![at] = color[c]! * (1 + 0.24 * stain);
    }
  }
  const xAt = (along: number) => (side < 0 ? along * wide : 1 - along * wide);
  const steel = mix(lit(0.9), [0.6, 0.6, 0.6], 0.3);
  fillDisc(canvas, xAt(deck), pipeTop + 0.004, 0.016, steel, 1);
  if (!plan.without.has("furniture")) {
    const rail = litRail(lit);
    for (const along of [0.02, 0.14, 0.26])
      fillRod(canvas, xAt(along), pipeTop, xAt(along), pipeTop - 0.15, 0.012, rail);
    for (const up of [0.15, 0.08]) fillRod(canvas, xAt(-0.1), pipeTop - up, xAt(0.26), pipeTop - up, 0.012, rail);
  }
  // Paint that was sprayed on its side.
  for (let i = 0; i < 5; i++) {
    const color = multiply(fromHex(random.pick(["#c0603c", "#3f7f8a", "#d9a23c", "#7a4f8f", "#e6e0d4"])), lit(0.3));
    const x = xAt(random.between(0.06, 0.5));
    const y = random.between(0.66, 0.9);
    fillRod(
      canvas,
      x,
      y,
      x + random.between(-0.06, 0.06),
      y + random.between(-0.07, 0.05),
      random.between(0.018, 0.034),
      color,
    );
  }
}

function paintMasts({ canvas, aspect }: BackdropInput): void {
  for (const x of [0.3, 0.78]) {
    fillBox(canvas, x - 0.006 / aspect, 0.12, x + 0.006 / aspect, bankTop, [0.03, 0.03, 0.032]);
    fillDisc(canvas, x, 0.12, 0.026, [2.6, 2.4, 2], 1, true);
    addGlow(canvas, x, 0.12, 0.12, [0.3, 0.27, 0.22]);
  }
}
