/** A stairwell: a flight of concrete that rises beside the product, its rail, and a landing before a bare wall. */

import { blurCanvas, fillBox, fillRod, lensBlur, shadeAround } from "../canvas/canvas.ts";
import { mix, multiply, scale } from "../canvas/color.ts";
import { litColor } from "./furniture.ts";
import type { BackdropInput } from "./painter.ts";
import { keyAndAmbient, paintConcreteWall } from "./walls.ts";

/** Heights of the flight's foot and head, and of its rail above the steps. */
const footY = 0.98;
const headY = 0.3;
const railHigh = 0.3;
const steps = 8;

export function paintStairwell(input: BackdropInput): void {
  paintConcreteWall(input);
  const { canvas, plan, aspect, lampSide } = input;
  const side = lampSide > 0 ? -1 : 1;
  const run = Math.min(0.62, 0.95 / aspect);
  const end = side > 0 ? 1.02 : -0.02;
  const start = end - side * run;
  const concrete = mix(plan.backdropColor, plan.surfaceColor, 0.5);
  const tread = multiply(scale(concrete, 1.15), keyAndAmbient(input, 0.85));
  const riser = multiply(scale(concrete, 0.62), keyAndAmbient(input, 0.5));
  const high = (footY - headY) / steps;
  for (let step = 0; step < steps; step++) {
    const from = start + (end - start) * (step / steps);
    const to = start + (end - start) * ((step + 1) / steps);
    const top = footY - high * (step + 1);
    const left = Math.min(from, to);
    const right = Math.max(from, to);
    fillBox(canvas, left, top, right, 1, scale(riser, 1 - 0.035 * step));
    fillBox(canvas, left, top, right, top + 0.02, tread);
    shadeAround(canvas, [left, top + 0.02, right, top + 0.034], 0.01, 0.25);
  }
  const steel = litColor(input, "#2b2d30", 0.6);
  for (let post = 0; post <= 2 * steps; post++) {
    const share = post / (2 * steps);
    const x = start + (end - start) * share;
    const y = footY - (footY - headY) * share;
    fillRod(canvas, x, y - railHigh, x, y, post % 4 === 0 ? 0.012 : 0.006, steel);
  }
  fillRod(canvas, start, footY - railHigh, end, headY - railHigh, 0.022, scale(steel, 1.6));
  lensBlur(canvas, 0.009);
  blurCanvas(canvas, 0.003);
}
