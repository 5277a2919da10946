/**
 * A bar, out of focus: bottles before a wall on shelves of glass, and the counter. In the evening the wall is lit, and pendant lamps or
 * tubes of neon shine; by day the light falls in at the lamp's side.
 */

import { addGlow, blurCanvas, fillBox, fillCushion, fillDisc, lensBlur } from "../canvas/canvas.ts";
import { fromHex, type LinearRgb, mix, scale } from "../canvas/color.ts";
import { isLampLit } from "../plan/lighting.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import { litColor, paintPendants } from "./furniture.ts";
import type { BackdropInput } from "./painter.ts";

const glasses = ["#3f5a3a", "#7a4a22", "#b9802f", "#d8cdb6", "#5e2a24", "#2f4a5c", "#c9a45a", "#8a9a8c"] as const;
const shelves = [0.36, 0.6, 0.84] as const;

export function paintBar(input: BackdropInput): void {
  const { canvas, plan, random, aspect, lampSide } = input;
  const hasLights = !plan.without.has("lights");
  const isNeon = plan.lightKind === "neon";
  const isDay = !isLampLit(plan.lightKind);
  const wall = isDay ? litColor(input, "#dccbb0", 0.7) : litColor(input, "#3a2419", 0.5);
  fillBox(canvas, 0, 0, 1, 1, wall);
  const left = 0.5 - 0.62 / aspect;
  const right = 0.5 + 0.62 / aspect;
  const lit: LinearRgb = isDay ? scale(wall, 1.25) : isNeon ? neonWash(plan) : [0.92, 0.6, 0.3];
  for (const y of shelves) {
    if (hasLights)
      for (let step = 0; step < 8; step++)
        fillBox(canvas, left, y - 0.21 + step * 0.026, right, y, scale(lit, 0.1 + 0.055 * step), 0.3);
    for (let x = left + 0.02; x < right - 0.03 && !plan.without.has("bottles"); ) {
      const tall = random.between(0.11, 0.19);
      const half = tall * random.between(0.13, 0.19);
      const color = mix(litColor(input, random.pick(glasses), 0.6), lit, hasLights ? 0.18 : 0);
      const middle = x + half / aspect;
      fillCushion(canvas, middle, y - tall * 0.32, half, tall * 0.34, color, 4, 0.2);
      fillBox(
        canvas,
        middle - (half * 0.34) / aspect,
        y - tall,
        middle + (half * 0.34) / aspect,
        y - tall * 0.6,
        color,
      );
      fillBox(
        canvas,
        middle - (half * 0.6) / aspect,
        y - tall * 0.48,
        middle + (half * 0.5) / aspect,
        y - tall * 0.2,
        litColor(input, "#e6dcc4", 0.5),
        0.7,
      );
      fillBox(
        canvas,
        middle - (half * 0.7) / aspect,
        y - tall * 0.6,
        middle - (half * 0.45) / aspect,
        y,
        scale(lit, 1.1),
        0.35,
      );
      x += (half * 2) / aspect + random.between(0.006, 0.02) / aspect;
    }
    fillBox(canvas, left, y, right, y + 0.014, hasLights ? scale(lit, 0.9) : scale(wall, 2));
  }
  const wood = litColor(input, isDay ? "#94683f" : "#5e3a22", 0.6);
  for (const x of [left, right]) fillBox(canvas, x - 0.03 / aspect, 0.08, x + 0.03 / aspect, 1, wood);
  fillBox(canvas, left - 0.03 / aspect, 0.06, right + 0.03 / aspect, 0.12, wood);
  fillBox(canvas, 0, 0.92, 1, 1, scale(wood, 0.8));
  fillBox(canvas, 0, 0.92, 1, 0.935, scale(wood, 1.9));
  if (isNeon && hasLights) paintTubes(input);
  if (isDay) addGlow(canvas, 0.5 + 0.56 * lampSide, 0.3, 0.7, scale(plan.lighting.horizon, 0.4));
  else paintPendants(input, [0.5 - lampSide * 0.42, 0.5 + lampSide * 0.36], 0.1, "#1d1a18");
  lensBlur(canvas, 0.013);
  blurCanvas(canvas, 0.004);
}

/** What tubes along the shelves throw on the wall. */
function neonWash({ neon }: ScenePlan): LinearRgb {
  return neon === null ? [0.62, 0.2, 0.62] : scale(mix(neon[0], [1, 1, 1], 0.2), 0.4);
}

/** A ring and two bars of glowing gas. */
function paintTubes({ canvas, plan, aspect }: BackdropInput): void {
  const [pink, blue] = plan.neon?.map((tube) => scale(tube, 1.4)) ?? [
    scale(fromHex("#ff5fc8"), 2.2),
    scale(fromHex("#4fa8ff"), 2.2),
  ];
  for (let step = 0; step < 90; step++) {
    const turn = (step / 90) * 2 * Math.PI;
    fillDisc(canvas, 0.16 + (0.11 * Math.cos(turn)) / aspect, 0.27 + 0.11 * Math.sin(turn), 0.011, pink!, 0.9);
  }
  for (const y of [0.2, 0.27]) fillBox(canvas, 0.78, y, 0.93, y + 0.018, blue!);
  addGlow(canvas, 0.16, 0.27, 0.12, plan.neon === null ? [0.4, 0.12, 0.32] : scale(plan.neon[0], 0.25));
  addGlow(canvas, 0.855, 0.24, 0.1, plan.neon === null ? [0.1, 0.22, 0.42] : scale(plan.neon[1], 0.25));
}
