/** A wood in mist: row behind row of trunks, the farther the paler, below crowns that the mist takes. */

import { addGlow, type Canvas, defocus, fillDisc, shadeSmoothly } from "../canvas/canvas.ts";
import { type LinearRgb, luminance, mix, scale } from "../canvas/color.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import type { BackdropInput } from "./painter.ts";

const rows = 4;

/** What mist leaves of a wood are its trunks. */
export function isMistyWood({ backdrop, props, decor, isJungle, without, surface, isPicnic }: ScenePlan): boolean {
  const isWood = backdrop === "foliage" && decor === null && !isJungle && !isPicnic && surface !== "fabric";
  return isWood && props.includes("fog") && !without.has("plants");
}

export function paintMistyWood(input: BackdropInput): void {
  const { canvas, plan, lampSide, noise, aspect } = input;
  const { key, ambient, horizon, zenith } = plan.lighting;
  const light = Math.min(1, luminance(ambient) + 0.55 * luminance(key));
  const haze = mix(scale(horizon, 0.9 * light), scale(plan.backdropColor, light), 0.1);
  const high = mix(haze, scale(zenith, 0.8 * light), 0.35);
  shadeSmoothly(canvas, (x, y, out) => {
    const drift = 0.9 + 0.2 * noise.fractal(x * aspect * 1.4, y * 2.6, 3, 0.02);
    for (let c = 0; c < 3; c++) out[c] = (high[c]! + (haze[c]! - high[c]!) * Math.min(1, 1.5 * y)) * drift;
  });
  const bark = mix([0.035, 0.03, 0.026], scale(plan.backdropColor, 0.2), 0.4);
  const leaf = scale(plan.backdropColor, 0.3 * light);
  for (let row = 0; row < rows; row++) {
    const near = (row + 0.4) / rows;
    const clear = 0.14 + 0.86 * near ** 1.2;
    paintCrowns(input, mix(haze, leaf, 0.85 * clear), near);
    paintTrunks(input, mix(haze, scale(bark, light), clear), near);
    paintBrush(input, mix(haze, leaf, clear), near);
  }
  addGlow(canvas, 0.5 + 0.34 * lampSide, 0.1, 0.5, scale(mix(horizon, key, 0.4), 0.3 * light));
  defocus(canvas, 0.009, 0.004);
}

function paintTrunks(input: BackdropInput, color: LinearRgb, near: number): void {
  const { canvas, random, aspect, lampSide } = input;
  const wide = (0.014 + 0.075 * near ** 1.6) / aspect;
  const apart = (0.08 + 0.26 * near) / aspect;
  for (let x = random.between(-apart, 0); x < 1; x += apart * random.between(0.4, 1.7)) {
    const trunk: Trunk = {
      x,
      lean: random.between(-0.03, 0.03) / aspect,
      wide: wide * random.between(0.6, 1.25),
      foot: 0.8 + 0.2 * near,
    };
    fillTrunk(canvas, trunk, scale(color, random.between(0.85, 1.15)), lampSide);
  }
}

interface Trunk {
  readonly x: number;
  /** How far its top is aside of its foot. */
  readonly lean: number;
  readonly wide: number;
  readonly foot: number;
}

/** Round, a little wider at its foot, with light along the lamp's side. */
function fillTrunk({ width, height, planes }: Canvas, trunk: Trunk, color: LinearRgb, lampSide: number): void {
  const end = Math.min(height, trunk.foot * height);
  for (let row = 0; row < end; row++) {
    const up = 1 - row / end;
    const middle = (trunk.x + trunk.lean * up) * width;
    const half = Math.max(0.5, trunk.wide * width * (0.34 + 0.16 * (1 - up) + 0.3 * (1 - up) ** 12));
    const from = Math.max(0, Math.round(middle - half));
    const to = Math.min(width, Math.round(middle + half));
    for (let column = from; column < to; column++) {
      const across = (column + 0.5 - middle) / half;
      const shade = 1 + 0.34 * across * lampSide - 0.2 * across * across;
      for (let c = 0; c < 3; c++) planes[c]![row * width + column] = color[c]! * shade;
    }
  }
}

/** Leaves high up, in clusters. */
function paintCrowns({ canvas, random, noise, aspect }: BackdropInput, color: LinearRgb, near: number): void {
  const offset = random.between(0, 90);
  const count = Math.round(70 + 60 * near);
  for (let i = 0; i < count; i++) {
    const x = random.between(-0.02, 1.02);
    const y = random.next() ** 1.7 * 0.55;
    if (noise.fractal(x * aspect * 3 + offset, y * 3, 3, 0.01) < 0.4 + 0.5 * y) continue;
    fillDisc(canvas, x, y, random.between(0.014, 0.05) * (0.6 + near), scale(color, random.between(0.85, 1.25)), 0.5);
  }
}

/** Ferns and young trees at their feet. */
function paintBrush({ canvas, random }: BackdropInput, color: LinearRgb, near: number): void {
  const foot = 0.82 + 0.2 * near;
  const count = 46;
  for (let i = 0; i < count; i++) {
    const x = random.between(-0.02, 1.02);
    const radius = random.between(0.016, 0.045) * (0.5 + near);
    const y = foot - random.between(0, 0.06) * (0.5 + near);
    fillDisc(canvas, x, y, radius, scale(color, random.between(0.8, 1.3)), 0.75);
  }
}
