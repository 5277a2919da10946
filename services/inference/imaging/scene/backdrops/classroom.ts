/** A classroom out of focus: a blackboard on the wall, rows of desks with chairs before it. */

import { defocus, fillBox, fillPanel, fillRod, shadeAround } from "../canvas/canvas.ts";
import { scale } from "../canvas/color.ts";
import { isLampLit } from "../plan/lighting.ts";
import { litColor } from "./furniture.ts";
import { paintWindow } from "./indoors.ts";
import type { BackdropInput } from "./painter.ts";
import { paintWall } from "./walls.ts";

/** Rows of desks from the farthest: where their boards are, how large they are, and how far apart. */
const rows = [
  { y: 0.6, size: 0.5, step: 0.36 },
  { y: 0.76, size: 0.8, step: 0.56 },
] as const;

export function paintClassroom(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, aspect, lampSide } = input;
  if (!plan.without.has("windows")) paintWindow(input, isLampLit(plan.lightKind));
  if (!plan.without.has("blackboards") && !plan.without.has("drawing:blackboard")) paintBoard(input);
  fillBox(canvas, 0, 0.88, 1, 1, litColor(input, "#8d7a63", 0.4));
  fillBox(canvas, 0, 0.865, 1, 0.88, litColor(input, "#d8cfc0", 0.5));
  if (!plan.without.has("furniture") && !plan.without.has("drawing:school-desk")) {
    for (const [i, { y, size, step }] of rows.entries()) {
      for (let x = 0.5 - (2 * step + (i % 2) * 0.4 * step) / aspect; x < 1.2; x += step / aspect)
        paintDeskAndChair(input, x, y, size, lampSide);
    }
  }
  defocus(canvas, 0.0125, 0.004);
}

/** Green slate in a frame of wood, with lines of chalk and a ledge. */
function paintBoard(input: BackdropInput): void {
  const { canvas, random, aspect, lampSide } = input;
  const side = lampSide > 0 ? 1 : -1;
  const middle = 0.5 - side * 0.14;
  const half = 0.46 / aspect;
  const left = middle - half;
  const right = middle + half;
  shadeAround(canvas, [left, 0.1, right, 0.48], 0.05, 0.35);
  fillBox(canvas, left - 0.018 / aspect, 0.082, right + 0.018 / aspect, 0.498, litColor(input, "#9a7148", 0.6));
  fillPanel(canvas, [left, 0.1, right, 0.48], litColor(input, "#2f4a3e", 0.55), 0.7 * lampSide);
  const chalk = litColor(input, "#e9ece6", 0.6);
  for (let line = 0; line < 5; line++) {
    const y = 0.15 + 0.06 * line;
    const from = left + (0.06 + 0.04 * (line % 2)) / aspect;
    fillBox(canvas, from, y, from + random.between(0.2, 0.36) / aspect, y + 0.011, chalk, 0.5);
  }
  // Two strokes of a drawing.
  const stroke = (from: number, to: number) =>
    fillRod(canvas, middle + from / aspect, 0.34, middle + to / aspect, 0.2, 0.01, scale(chalk, 0.6));
  stroke(0.18, 0.36);
  stroke(0.36, 0.3);
  fillBox(canvas, left, 0.498, right, 0.516, litColor(input, "#b48a5c", 0.7));
}

function paintDeskAndChair(input: BackdropInput, x: number, y: number, size: number, lampSide: number): void {
  const { canvas, aspect } = input;
  const half = (0.3 * size) / aspect;
  const steel = litColor(input, "#5d6266", 0.5);
  const wood = litColor(input, "#c79a63", 0.62);
  for (const way of [-0.9, 0.9]) fillRod(canvas, x + way * half, y, x + way * half, 1, 0.022 * size, steel);
  fillBox(canvas, x - half, y, x + half, y + 0.03 * size, wood);
  fillBox(canvas, x - half, y, x + half, y + 0.012 * size, scale(wood, 1.35));
  fillBox(canvas, x - 0.9 * half, y + 0.03 * size, x + 0.9 * half, y + 0.12 * size, scale(wood, 0.4));
  // The chair stands on the viewer's side, its back above the board.
  const chair = x + (0.02 * size * lampSide) / aspect;
  const back = litColor(input, "#b3733f", 0.6);
  for (const way of [-0.13, 0.13])
    fillRod(
      canvas,
      chair + (way * size) / aspect,
      y - 0.06 * size,
      chair + (way * size) / aspect,
      1,
      0.02 * size,
      steel,
    );
  fillPanel(
    canvas,
    [chair - (0.16 * size) / aspect, y - 0.1 * size, chair + (0.16 * size) / aspect, y + 0.06 * size],
    back,
    lampSide,
  );
}
