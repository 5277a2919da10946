/** Places of reading and of work, far out of focus: a library, a bakery, a desk. */

import { blurCanvas, fillBox, fillCushion, fillDisc, lensBlur } from "../canvas/canvas.ts";
import { mix, multiply, scale } from "../canvas/color.ts";
import { litColor, paintPendants, paintTableLamp } from "./furniture.ts";
import { paintInterior } from "./indoors.ts";
import type { BackdropInput } from "./painter.ts";
import { keyAndAmbient, paintWall } from "./walls.ts";

const bindings = ["#7a2e22", "#4a3524", "#2f4a3a", "#8a6a3c", "#31405c", "#a58a5f", "#5e2430", "#c2ad84"] as const;

/** Shelves full of books up to the ceiling, uprights between them, and a lamp. */
export function paintLibrary(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, random, aspect, lampSide } = input;
  const wood = multiply(mix(plan.backdropColor, [0.1, 0.05, 0.025], 0.5), keyAndAmbient(input, 0.6));
  fillBox(canvas, 0, 0, 1, 1, scale(wood, 0.45));
  const rows = 4;
  for (let row = 0; row < rows; row++) {
    const foot = (row + 0.94) / rows;
    for (let x = random.between(-0.02, 0); x < 1 && !plan.without.has("books"); ) {
      const wide = random.between(0.016, 0.034) / aspect;
      const tall = (0.8 / rows) * random.between(0.74, 1);
      const color = litColor(input, random.pick(bindings), random.between(0.45, 0.75));
      fillBox(canvas, x, foot - tall, x + wide, foot, color);
      fillBox(canvas, x + wide * 0.12, foot - tall * 0.97, x + wide * 0.36, foot, scale(color, 1.5), 0.5);
      if (random.chance(0.5))
        fillBox(canvas, x, foot - tall * 0.8, x + wide, foot - tall * 0.74, litColor(input, "#d0ac5c"), 0.8);
      x += wide + (random.chance(0.06) ? random.between(0.02, 0.05) / aspect : 0.001);
    }
    fillBox(canvas, 0, foot, 1, foot + 0.06 / rows + 0.012, wood);
    fillBox(canvas, 0, foot, 1, foot + 0.007, scale(wood, 1.5));
  }
  for (let x = random.between(0.1, 0.2); x < 1; x += 0.62 / aspect)
    fillBox(canvas, x - 0.012 / aspect, 0, x + 0.012 / aspect, 1, wood);
  paintTableLamp(input, lampSide > 0 ? 0.14 : 0.86, 1, 0.52);
  lensBlur(canvas, 0.015);
  blurCanvas(canvas, 0.004);
}

const crusts = ["#c98a45", "#b87434", "#d8a25c", "#a8642c"] as const;

/** Loaves and baguettes on boards, a slate with prices, lamps. */
export function paintBakery(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, random, aspect, lampSide } = input;
  const board = multiply(mix(plan.backdropColor, [0.34, 0.2, 0.1], 0.6), keyAndAmbient(input, 0.6));
  const boards = [0.36, 0.66, 0.95];
  const slateX = lampSide > 0 ? 0.04 : 0.72;
  if (!plan.without.has("blackboards")) {
    fillBox(canvas, slateX, 0.04, slateX + 0.22, 0.24, litColor(input, "#23262a"));
    for (let line = 0; line < 4; line++) {
      const y = 0.075 + 0.04 * line;
      fillBox(canvas, slateX + 0.02, y, slateX + random.between(0.1, 0.19), y + 0.012, litColor(input, "#cfd2cf"), 0.7);
    }
  }
  for (const [row, y] of boards.entries()) {
    fillBox(canvas, 0, y, 1, y + 0.035, board);
    fillBox(canvas, 0, y + 0.035, 1, y + 0.075, scale(board, 0.4), 0.4);
    if (plan.without.has("bread")) continue;
    for (let x = random.between(0, 0.05); x < 1; ) {
      const color = litColor(input, random.pick(crusts), 0.72);
      if (row === 1 && random.chance(0.5)) {
        const long = random.between(0.16, 0.2);
        for (let i = 0; i < 4; i++)
          fillCushion(
            canvas,
            x + (0.03 + 0.045 * i) / aspect,
            y - long,
            0.024,
            long,
            scale(color, 0.88 + 0.06 * i),
            2.4,
          );
        fillBox(canvas, x, y - 0.13, x + 0.22 / aspect, y, litColor(input, "#8f6a3f"));
        x += 0.26 / aspect;
        continue;
      }
      const half = random.between(0.06, 0.095);
      fillCushion(canvas, x + half / aspect, y - half * 0.62, half, half * 0.66, color, 2.3, 0.35);
      for (const way of [-0.4, 0, 0.4])
        fillCushion(
          canvas,
          x + (half + way * half) / aspect,
          y - half * 0.9,
          0.008,
          half * 0.2,
          litColor(input, "#ecd0a0", 0.8),
        );
      x += (2.15 * half) / aspect + random.between(0, 0.03);
    }
  }
  paintPendants(input, [0.5 - lampSide * 0.2], 0.06, "#2a2623");
  lensBlur(canvas, 0.013);
  blurCanvas(canvas, 0.004);
}

/** A room in which a screen, a lamp, books and pencils stand at the end of the table. */
export function paintDesk(input: BackdropInput): void {
  paintInterior(input);
  const { canvas, plan, random, aspect, lampSide } = input;
  const side = lampSide > 0 ? 1 : -1;
  if (!plan.without.has("screens")) {
    const x = 0.5 - side * 0.3;
    fillBox(canvas, x - 0.035 / aspect, 0.84, x + 0.035 / aspect, 0.97, litColor(input, "#8d9095"));
    fillBox(canvas, x - 0.12 / aspect, 0.955, x + 0.12 / aspect, 0.985, litColor(input, "#a5a8ac"));
    fillBox(canvas, x - 0.36 / aspect, 0.38, x + 0.36 / aspect, 0.86, litColor(input, "#202226"));
    paintScreen(input, x);
  }
  if (!plan.without.has("books")) {
    for (const [layer, color] of ["#b56a4a", "#e4ddd0", "#43586b"].entries()) {
      const left = 0.5 + side * 0.2 - 0.12 / aspect + 0.01 * layer;
      fillBox(
        canvas,
        left,
        0.95 - 0.042 * (layer + 1),
        left + random.between(0.2, 0.25) / aspect,
        0.95 - 0.042 * layer,
        litColor(input, color),
      );
    }
  }
  if (!plan.without.has("objects") && !plan.without.has("cups")) {
    const cup = 0.5 + side * 0.44;
    for (const way of [-0.02, 0, 0.018])
      fillBox(
        canvas,
        cup + way - 0.004,
        0.7,
        cup + way + 0.004,
        0.86,
        litColor(input, random.pick(["#d9a441", "#3c6a8a", "#b5483a"])),
      );
    fillBox(canvas, cup - 0.055 / aspect, 0.84, cup + 0.055 / aspect, 0.985, litColor(input, "#d9d3c8"));
    fillDisc(canvas, cup, 0.985, 0.05, litColor(input, "#b9b3a8"), 0.3);
  }
  paintTableLamp(input, 0.5 + side * 0.31, 0.985, 0.5);
  lensBlur(canvas, 0.01);
  blurCanvas(canvas, 0.003);
}

/** A picture of hills in the haze, and what it mirrors of a window. */
function paintScreen(input: BackdropInput, x: number): void {
  const { canvas, aspect, lampSide } = input;
  const half = 0.34 / aspect;
  const rows = 22;
  const sky = litColor(input, "#c3d3e2", 0.9);
  const end = litColor(input, "#f0d9c4", 0.95);
  const tall = 0.44 / rows;
  for (let row = 0; row < rows; row++) {
    const top = 0.4 + tall * row;
    fillBox(canvas, x - half, top, x + half, top + 1.2 * tall, mix(sky, end, Math.min(1, (1.7 * row) / rows)));
  }
  const steps = 40;
  for (const [layer, hex] of ["#9db2c6", "#6f8cab", "#3f5f80", "#27425f"].entries()) {
    for (let step = 0; step < steps; step++) {
      const along = step / steps;
      const ridge = Math.sin(along * 5 + 2.3 * layer) + 0.5 * Math.sin(along * 11 + 5 * layer);
      const top = 0.58 + 0.065 * layer - 0.028 * ridge;
      const left = x - half + 2 * half * along;
      fillBox(canvas, left, top, left + (2.1 * half) / steps, 0.84, litColor(input, hex, 0.85));
    }
  }
  const shine = x + 0.4 * half * lampSide;
  fillBox(canvas, shine - 0.4 * half, 0.4, shine + 0.4 * half, 0.84, litColor(input, "#ffffff", 1), 0.1);
}
