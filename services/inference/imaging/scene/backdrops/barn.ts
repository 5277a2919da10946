/** The door of a barn, out of focus: weathered boards between beams that cross, hung from a rail of iron. */

import { blurCanvas, fillBox, fillDisc, fillRod, lensBlur } from "../canvas/canvas.ts";
import { type LinearRgb, multiply, scale } from "../canvas/color.ts";
import type { BackdropInput } from "./painter.ts";
import { keyAndAmbient, paintBoardWall } from "./walls.ts";

/** Lengths are shares of the canvas's height. */
const beam = 0.075;
const leafWide = 0.72;
const beamRows = [0.14, 0.56, 0.96] as const;
const iron: LinearRgb = [0.022, 0.021, 0.02];

export function paintBarnDoor(input: BackdropInput): void {
  paintBoardWall(input);
  const { canvas, plan, aspect, lampSide } = input;
  const lit = keyAndAmbient(input, 0.62);
  const wood = multiply(scale(plan.backdropColor, 1.06), lit);
  // Two leaves meet beside the product.
  const seam = 0.5 - 0.16 * lampSide;
  for (const [from, to] of [
    [seam - leafWide / aspect, seam],
    [seam, seam + leafWide / aspect],
  ] as const) {
    const left = from + (0.5 * beam) / aspect;
    const right = to - (0.5 * beam) / aspect;
    const [top, middle, foot] = beamRows;
    for (const [y0, y1, isRising] of [
      [top, middle, true],
      [top, middle, false],
      [middle, foot, true],
      [middle, foot, false],
    ] as const)
      lay(input, left, isRising ? y1 : y0, right, isRising ? y0 : y1, wood);
    for (const y of beamRows) lay(input, left, y, right, y, scale(wood, 1.08));
    for (const x of [left, right]) lay(input, x, top, x, 1.05, scale(wood, 1.04));
  }
  fillBox(canvas, seam - 0.006 / aspect, 0.06, seam + 0.006 / aspect, 1, iron, 0.9);
  fillBox(canvas, 0, 0.05, 1, 0.072, iron);
  for (const away of [-0.58, -0.14, 0.14, 0.58]) {
    const x = seam + away / aspect;
    fillRod(canvas, x, 0.05, x, 0.2, 0.02, iron);
    fillDisc(canvas, x, 0.05, 0.026, iron, 1);
  }
  for (const side of [-1, 1])
    fillRod(canvas, seam + (side * 0.1) / aspect, 0.6, seam + (side * 0.1) / aspect, 0.74, 0.014, iron);
  lensBlur(canvas, 0.009);
  blurCanvas(canvas, 0.003);
}

/** A beam upon the boards, its shade below it and light along its upper edge. */
function lay({ canvas }: BackdropInput, x0: number, y0: number, x1: number, y1: number, wood: LinearRgb): void {
  fillRod(canvas, x0, y0 + 0.014, x1, y1 + 0.014, beam * 1.1, scale(wood, 0.3));
  fillRod(canvas, x0, y0, x1, y1, beam, wood);
  fillRod(canvas, x0, y0 - 0.34 * beam, x1, y1 - 0.34 * beam, 0.1 * beam, scale(wood, 1.4));
}
