import { paintBokeh } from "./backdrop-indoors.ts";
import type { BackdropInput } from "./backdrop-painter.ts";
import { paintSkyGradient } from "./backdrop-sky.ts";
import { addGlow, blurCanvas, fillBox, fillDisc } from "./canvas.ts";
import type { LinearRgb } from "./color.ts";
import { fromHsl, luminance, mix, saturate, scale } from "./color.ts";
import { isLampLit } from "./lighting.ts";

/** Buildings of a city in layers of haze; at night their windows and lamps, far out of focus. */
export function paintSkyline(input: BackdropInput): void {
  const { canvas, plan, random } = input;
  paintSkyGradient(input, 0.95);
  const dark = isLampLit(plan.lightKind);
  const light = Math.min(1, luminance(plan.lighting.key) + luminance(plan.lighting.ambient));
  const lamps = lampColors(input);
  for (let layer = 0; layer < 3; layer++) {
    const near = layer / 2;
    const color = mix(plan.lighting.horizon, scale(plan.backdropColor, dark ? 0.12 : 0.55), 0.35 + 0.5 * near);
    let x = -0.03;
    while (x < 1.02) {
      const wide = random.between(0.05, 0.13) * (0.6 + 0.7 * near);
      const top = 0.95 - random.between(0.22, 0.85) * (1 - 0.25 * near);
      const body = scale(color, (0.3 + 0.7 * light) * random.between(0.75, 1.15));
      fillBox(canvas, x, top, x + wide, 1, body);
      fillBox(canvas, x, top, x + wide * 0.3, 1, scale(body, input.lampSide < 0 ? 1.25 : 0.8), 0.6);
      paintWindows(input, x, wide, top, dark, near, lamps);
      x += wide * random.between(0.8, 1.25);
    }
  }
  blurCanvas(canvas, 0.016);
  if (dark && !plan.without.has("lights")) paintNightLights(input, lamps);
  else paintBokeh(input, 5);
}

function paintWindows(
  { canvas, random }: BackdropInput,
  x: number,
  wide: number,
  top: number,
  dark: boolean,
  near: number,
  lamps: readonly LinearRgb[],
) {
  const columns = Math.max(2, Math.round(wide * 60));
  const rows = Math.round((1 - top) * 26);
  for (let row = 1; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!random.chance(dark ? 0.3 : 0.5)) continue;
      const left = x + ((column + 0.25) / columns) * wide;
      const y = top + (row / rows) * (1 - top);
      const color: LinearRgb = dark
        ? scale(lamps[random.integer(0, lamps.length - 1)]!, random.between(0.2, 0.9) * (0.4 + 0.6 * near))
        : [0.3, 0.34, 0.38];
      fillBox(canvas, left, y, left + (wide / columns) * 0.5, y + 0.016, color, dark ? 0.9 : 0.25);
    }
  }
}

function lampColors({ plan }: BackdropInput): readonly LinearRgb[] {
  if (plan.lightKind !== "neon")
    return [
      [1, 0.62, 0.25],
      [1, 0.75, 0.42],
      [1, 0.88, 0.7],
      [0.55, 0.7, 1],
      [1, 0.28, 0.16],
    ];
  return [
    fromHsl(312, 1, 0.56),
    fromHsl(188, 1, 0.5),
    fromHsl(268, 1, 0.6),
    fromHsl(338, 1, 0.55),
    saturate(plan.accent, 1.8),
  ];
}

function paintNightLights(input: BackdropInput, lamps: readonly LinearRgb[]): void {
  const { canvas, random, plan } = input;
  const neon = plan.lightKind === "neon";
  if (neon) {
    for (let i = 0; i < 7; i++) {
      const color = scale(lamps[random.integer(0, lamps.length - 1)]!, random.between(0.5, 1.1));
      const x = random.next();
      const y = random.between(0.1, 0.7);
      const upright = random.chance(0.5);
      fillBox(
        canvas,
        x,
        y,
        x + (upright ? 0.015 : random.between(0.08, 0.2)),
        y + (upright ? random.between(0.15, 0.4) : 0.025),
        color,
        0.85,
      );
      addGlow(canvas, x, y, 0.28, scale(color, 0.25));
    }
    blurCanvas(canvas, 0.012);
  }
  for (let i = 0; i < 110; i++) {
    const y = 1 - random.next() ** 1.5 * 0.75;
    const color = scale(lamps[random.integer(0, lamps.length - 1)]!, random.between(0.12, 0.6));
    fillDisc(canvas, random.next(), y, random.between(0.014, 0.05), color, 1, true, 0.16);
  }
}
