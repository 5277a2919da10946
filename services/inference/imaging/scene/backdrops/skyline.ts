import { addGlow, blurCanvas, fillBox, fillDisc, lensBlur } from "../canvas/canvas.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { fromHsl, luminance, mix, saturate, scale } from "../canvas/color.ts";
import { isLampLit } from "../plan/lighting.ts";
import type { BackdropInput } from "./painter.ts";
import { paintSkyGradient } from "./sky.ts";
import { paintBokeh } from "./walls.ts";

/** Towers of a city in layers of haze; at night their windows are lit, and lamps of the streets stand out of focus before them. */
export function paintSkyline(input: BackdropInput): void {
  const { canvas, plan } = input;
  paintSkyGradient(input, 0.95);
  const dark = isLampLit(plan.lightKind);
  const hasLights = dark && !plan.without.has("lights");
  const lamps = lampColors(input);
  if (hasLights) paintCityGlow(input);
  for (let layer = 0; layer < 3; layer++) paintTowers(input, layer / 2, lamps);
  // The lens makes a round of each lit window.
  if (dark) lensBlur(canvas, 0.0125);
  blurCanvas(canvas, dark ? 0.002 : 0.01);
  if (hasLights) paintNightLights(input, lamps);
  else paintBokeh(input, 5);
}

/** The haze over a lit city, warm at its streets. */
function paintCityGlow({ canvas, plan }: BackdropInput): void {
  const glow: LinearRgb = plan.lightKind === "neon" ? [0.2, 0.05, 0.24] : [0.2, 0.12, 0.09];
  for (let row = 0; row < canvas.height; row++) {
    const share = ((row + 0.5) / canvas.height) ** 2.4;
    for (let column = 0; column < canvas.width; column++) {
      for (let c = 0; c < 3; c++) canvas.planes[c]![row * canvas.width + column]! += glow[c]! * share;
    }
  }
}

/** Width of the narrowest tower, as a share of the canvas's height. */
const towerMin = 0.1;

function paintTowers(input: BackdropInput, near: number, lamps: readonly [LinearRgb, ...LinearRgb[]]): void {
  const { canvas, plan, random, aspect } = input;
  const dark = isLampLit(plan.lightKind);
  const light = Math.min(1, luminance(plan.lighting.key) + luminance(plan.lighting.ambient));
  const shade = scale(plan.backdropColor, dark ? 0.1 : 0.55);
  const color = mix(plan.lighting.horizon, shade, dark ? 0.5 + 0.45 * near : 0.35 + 0.5 * near);
  for (let x = -0.04; x < 1.02; ) {
    const wide = (random.between(towerMin, 0.24) * (0.75 + 0.45 * near)) / aspect;
    const tall = random.chance(0.24) ? random.between(0.62, 0.82) : random.between(0.22, 0.56);
    const top = 0.96 - tall * (1 - 0.34 * near);
    const body = scale(color, (0.3 + 0.7 * light) * random.between(0.75, 1.15));
    paintTower(input, { x, wide, top, near }, body, lamps);
    x += wide * random.between(0.85, 1.35);
  }
  if (!dark) fillBox(canvas, 0, 0.97, 1, 1, scale(color, 0.4 + 0.5 * light));
}

interface Tower {
  readonly x: number;
  readonly wide: number;
  readonly top: number;
  readonly near: number;
}

/** A shaft with a lit face and a shaded one, narrower floors on top, and a mast. */
function paintTower(
  input: BackdropInput,
  tower: Tower,
  body: LinearRgb,
  lamps: readonly [LinearRgb, ...LinearRgb[]],
): void {
  const { canvas, random, lampSide, aspect, plan } = input;
  const { x, wide, top } = tower;
  const setbacks = random.integer(0, 2);
  const middle = x + wide * random.between(0.36, 0.64);
  for (let step = 1; step <= setbacks; step++) {
    const half = wide * (0.36 - 0.12 * (step - 1));
    fillBox(canvas, middle - half, top - 0.036 * step, middle + half, top - 0.036 * (step - 1) + 0.004, body);
  }
  const roof = top - 0.036 * setbacks;
  if (random.chance(0.4))
    fillBox(canvas, middle - 0.004 / aspect, roof - random.between(0.05, 0.12), middle + 0.004 / aspect, roof, body);
  fillBox(canvas, x, top, x + wide, 1, body);
  fillBox(canvas, x, top, x + wide * 0.3, 1, scale(body, lampSide < 0 ? 1.25 : 0.8), 0.6);
  if (isLampLit(plan.lightKind) && plan.without.has("lights")) return;
  paintWindows(input, tower, lamps);
}

/** Windows in rows; at night whole floors are dark and others lit in one color. */
function paintWindows(
  { canvas, random, plan, aspect }: BackdropInput,
  tower: Tower,
  lamps: readonly [LinearRgb, ...LinearRgb[]],
): void {
  const { x, wide, top, near } = tower;
  const dark = isLampLit(plan.lightKind);
  const cell = (0.016 + 0.009 * near) / aspect;
  const floor = 0.02 + 0.011 * near;
  const columns = Math.max(2, Math.floor((wide * 0.86) / cell));
  const left = x + (wide - columns * cell) / 2;
  const own = lamps[random.integer(0, Math.min(2, lamps.length - 1))]!;
  for (let y = top + floor * 0.6; y < 0.97; y += floor) {
    const lit = dark ? (random.chance(0.3) ? 0.04 : random.between(0.12, 0.36)) : 0.5;
    for (let column = 0; column < columns; column++) {
      if (!random.chance(lit)) continue;
      const lamp = random.chance(0.12) ? random.pick(lamps) : own;
      const color: LinearRgb = dark
        ? scale(lamp, (0.7 + 3.6 * random.next() ** 2.5) * (0.45 + 0.65 * near))
        : [0.3, 0.34, 0.38];
      const from = left + column * cell;
      fillBox(canvas, from + cell * 0.2, y, from + cell * 0.82, y + floor * 0.55, color, dark ? 1 : 0.4);
    }
  }
}

function lampColors({ plan }: BackdropInput): readonly [LinearRgb, ...LinearRgb[]] {
  if (plan.lightKind !== "neon")
    return [
      [1, 0.62, 0.25],
      [1, 0.75, 0.42],
      [1, 0.88, 0.7],
      [0.55, 0.7, 1],
      [1, 0.28, 0.16],
    ];
  if (plan.neon !== null) {
    const [away, near] = plan.neon;
    return [scale(away, 0.6), scale(near, 0.6), mix(scale(away, 0.6), [1, 1, 1], 0.35)];
  }
  return [
    fromHsl(312, 1, 0.56),
    fromHsl(188, 1, 0.5),
    fromHsl(268, 1, 0.6),
    fromHsl(338, 1, 0.55),
    saturate(plan.accent, 1.8),
  ];
}

function paintNightLights(input: BackdropInput, lamps: readonly [LinearRgb, ...LinearRgb[]]): void {
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
  // Signs and lamps that stand nearer than the towers, over the whole height of the town.
  for (let i = 0; i < 34; i++) {
    const y = 1 - 0.78 * random.next() ** 1.25;
    const color = scale(lamps[random.integer(0, lamps.length - 1)]!, 0.1 + 0.45 * random.next() ** 2);
    fillDisc(canvas, random.next(), y, random.between(0.016, 0.034), color, 1, true, 0.12);
  }
  // Lamps of streets and cars, at the foot of the towers.
  for (let i = 0; i < 46; i++) {
    const y = 1 - random.next() ** 1.8 * (neon ? 0.6 : 0.22);
    const color = scale(lamps[random.integer(0, lamps.length - 1)]!, random.between(0.2, 0.75));
    fillDisc(canvas, random.next(), y, random.between(0.014, 0.04), color, 1, true, 0.16);
  }
}
