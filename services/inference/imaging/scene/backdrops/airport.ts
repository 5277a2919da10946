/** The hall of an airport, out of focus: a wall of glass between mullions, the apron with an aircraft outside, rows of seats. */

import { addGlow, blurCanvas, fillBox, fillCushion, fillRod, lensBlur } from "../canvas/canvas.ts";
import { fromHex, type LinearRgb, mix, scale } from "../canvas/color.ts";
import { isLampLit } from "../plan/lighting.ts";
import { litColor } from "./furniture.ts";
import type { BackdropInput } from "./painter.ts";

/** Where the apron meets the sky, and where the hall's floor begins. */
const apron = 0.68;
const floor = 0.9;

export function paintAirport(input: BackdropInput): void {
  const { canvas, plan, aspect, lampSide } = input;
  const isEvening = isLampLit(plan.lightKind);
  const low: LinearRgb = isEvening ? fromHex("#59628c") : mix(plan.lighting.horizon, [1, 1, 1], 0.35);
  const high: LinearRgb = isEvening ? fromHex("#1b2546") : mix(plan.lighting.zenith, [0.8, 0.9, 1], 0.3);
  const bright = isEvening ? 0.7 : 1.3;
  for (let i = 0; i < 24; i++)
    fillBox(canvas, 0, (i * apron) / 24, 1, ((i + 1) * apron) / 24 + 0.01, scale(mix(high, low, i / 24), bright));
  fillBox(canvas, 0, apron, 1, floor, scale(fromHex("#a9adb0"), isEvening ? 0.3 : 1.05));
  fillBox(canvas, 0, apron - 0.03, 1, apron, scale(fromHex("#8a968c"), isEvening ? 0.25 : 0.9));
  const side = lampSide > 0 ? -1 : 1;
  paintAircraft(input, 0.5 + side * 0.31, side, isEvening);
  const steel = litColor(input, "#3d434a", 0.5);
  const panes = Math.max(3, Math.round(3.4 * aspect));
  for (let i = 0; i <= panes; i++) {
    const x = i / panes;
    fillBox(canvas, x - 0.011 / aspect, 0, x + 0.011 / aspect, floor, steel);
  }
  for (const y of [0.05, 0.4]) fillBox(canvas, 0, y, 1, y + 0.012, steel);
  fillBox(canvas, 0, 0, 1, 0.05, litColor(input, "#cfd2d4", 0.55));
  fillBox(canvas, 0, floor, 1, 1, litColor(input, "#b9bcbe", 0.7));
  if (!plan.without.has("seats")) for (const x of [0.2, 0.8]) paintSeats(input, x);
  if (!isEvening) addGlow(canvas, 0.5 + 0.3 * lampSide, 0.3, 0.4, scale(plan.lighting.key, 0.1));
  lensBlur(canvas, 0.011);
  blurCanvas(canvas, 0.004);
}

/** Seen from its side, its fin toward the image's edge: a long body, a wing with its engine, wheels. */
function paintAircraft({ canvas, aspect, plan }: BackdropInput, x: number, side: number, isEvening: boolean): void {
  const power = isEvening ? 0.45 : 1.15;
  const white = scale(fromHex("#eef0f2"), power);
  const shade = scale(fromHex("#aab2ba"), power);
  const paint = scale(mix(plan.accent, fromHex("#2f5c94"), 0.7), power);
  const half = 0.3;
  const at = (share: number) => x - (side * share * half) / aspect;
  const box = (from: number, top: number, to: number, foot: number, color: LinearRgb, opacity = 1) =>
    fillBox(canvas, Math.min(at(from), at(to)), top, Math.max(at(from), at(to)), foot, color, opacity);
  fillCushion(canvas, x, 0.6, half, 0.042, white, 3.2, 0.35);
  for (let step = 0; step < 12; step++) {
    const share = step / 12;
    box(-0.98 + 0.1 * share, 0.58 - 0.19 * (1 - share), -0.8 + 0.13 * share, 0.6 - 0.17 * (1 - share), paint);
  }
  box(-0.7, 0.588, 0.72, 0.596, scale(fromHex("#51606e"), power), 0.8);
  fillRod(canvas, at(0.12), 0.625, at(-0.34), 0.665, 0.02, shade);
  fillCushion(canvas, at(-0.06), 0.668, 0.07, 0.03, paint, 3, 0.2);
  for (const share of [-0.1, 0.62]) box(share - 0.015, 0.65, share + 0.015, 0.71, scale(fromHex("#33373b"), power));
}

/** Four seats on a beam. */
function paintSeats(input: BackdropInput, x: number): void {
  const { canvas, aspect } = input;
  const leather = litColor(input, "#2f3944", 0.6);
  const wide = 0.13 / aspect;
  for (let seat = 0; seat < 4; seat++) {
    const left = x + (seat - 2) * wide;
    fillBox(canvas, left + 0.01 / aspect, 0.76, left + wide - 0.01 / aspect, 0.9, leather);
    fillBox(canvas, left + 0.005 / aspect, 0.895, left + wide - 0.005 / aspect, 0.935, scale(leather, 1.5));
  }
  fillBox(canvas, x - 2 * wide, 0.935, x + 2 * wide, 0.947, litColor(input, "#8d9297", 0.6));
  for (const way of [-1.4, 1.4])
    fillBox(
      canvas,
      x + way * wide - 0.006 / aspect,
      0.94,
      x + way * wide + 0.006 / aspect,
      1,
      litColor(input, "#8d9297", 0.5),
    );
}
