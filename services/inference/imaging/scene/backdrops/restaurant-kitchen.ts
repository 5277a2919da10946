/** A restaurant's kitchen out of focus: steel worktops and shelves before white tiles, a hood from wall to wall, pans on their rail. */

import {
  addGlow,
  blurCanvas,
  fillBox,
  fillCushion,
  fillDisc,
  fillPanel,
  fillRod,
  lensBlur,
  shadeAround,
} from "../canvas/canvas.ts";
import { type LinearRgb, scale } from "../canvas/color.ts";
import { isLampLit } from "../plan/lighting.ts";
import { litColor, paintPendants } from "./furniture.ts";
import { paintTiles } from "./kitchen.ts";
import type { BackdropInput } from "./painter.ts";
import { paintWall } from "./walls.ts";

const worktop = 0.74;
const hoodFoot = 0.2;
const railY = 0.3;
const boardY = 0.56;

export function paintRestaurantKitchen(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, lampSide } = input;
  const side = lampSide > 0 ? 1 : -1;
  if (plan.roomWall === null) paintTiles(input, 0);
  if (!plan.without.has("furniture")) {
    paintHood(input);
    paintWorktop(input);
  }
  if (!plan.without.has("objects")) {
    paintPans(input, 0.5 + side * 0.28);
    paintPots(input, 0.5 - side * 0.3);
  }
  if (isLampLit(plan.lightKind)) paintPendants(input, [0.5 - side * 0.22, 0.5 + side * 0.2], 0.2, "#8f9396");
  lensBlur(canvas, 0.013);
  blurCanvas(canvas, 0.004);
}

const steelOf = (input: BackdropInput, share: number) => litColor(input, "#b9bec2", share);

/** Steel over the whole wall, with the lights that are let into it. */
function paintHood(input: BackdropInput): void {
  const { canvas, aspect, plan } = input;
  const steel = steelOf(input, 0.6);
  shadeAround(canvas, [0, 0, 1, hoodFoot], 0.12, 0.4);
  const plates = Math.max(3, Math.round(aspect / 0.3));
  for (let at = 0; at < plates; at++)
    fillPanel(
      canvas,
      [at / plates + 0.002, 0, (at + 1) / plates - 0.002, hoodFoot - 0.03],
      scale(steel, 0.82),
      input.lampSide,
    );
  fillBox(canvas, 0, hoodFoot - 0.03, 1, hoodFoot, scale(steel, 1.2));
  fillBox(canvas, 0, hoodFoot, 1, hoodFoot + 0.012, scale(steel, 0.3));
  if (plan.without.has("lights")) return;
  for (const x of [0.2, 0.5, 0.8]) {
    fillBox(canvas, x - 0.05, hoodFoot - 0.004, x + 0.05, hoodFoot + 0.01, [1.5, 1.42, 1.25]);
    addGlow(canvas, x, hoodFoot + 0.06, 0.18, [0.22, 0.2, 0.16]);
  }
}

/** Doors of steel below a worktop of steel, and a board above it. */
function paintWorktop(input: BackdropInput): void {
  const { canvas, aspect, lampSide } = input;
  const steel = steelOf(input, 0.55);
  const wide = 0.5 / aspect;
  for (let x = -0.3 * wide; x < 1; x += wide) {
    fillBox(canvas, x, worktop, x + wide, 1, scale(steel, 0.3));
    fillPanel(canvas, [x + 0.006 / aspect, worktop + 0.07, x + wide - 0.006 / aspect, 1], scale(steel, 0.72), lampSide);
    fillBox(canvas, x + 0.1 * wide, worktop + 0.1, x + 0.9 * wide, worktop + 0.116, scale(steel, 1.25));
  }
  fillBox(canvas, 0, worktop, 1, worktop + 0.04, scale(steel, 1.1));
  fillBox(canvas, 0, worktop, 1, worktop + 0.009, scale(steel, 1.5));
  fillBox(canvas, 0, worktop + 0.04, 1, worktop + 0.066, scale(steel, 0.4), 0.8);
  shadeAround(canvas, [0, boardY, 1, boardY + 0.02], 0.07, 0.45);
  fillBox(canvas, 0, boardY, 1, boardY + 0.022, scale(steel, 0.9));
  fillBox(canvas, 0, boardY, 1, boardY + 0.007, scale(steel, 1.45));
}

/** Pans of steel and copper that hang from a rail. */
function paintPans(input: BackdropInput, x: number): void {
  const { canvas, aspect, random } = input;
  fillBox(canvas, x - 0.34 / aspect, railY, x + 0.34 / aspect, railY + 0.01, steelOf(input, 0.7));
  for (const away of [-0.26, -0.09, 0.08, 0.24]) {
    const at = x + away / aspect;
    const reach = random.between(0.05, 0.068);
    const metal: LinearRgb = random.chance(0.3) ? litColor(input, "#b87346", 0.6) : litColor(input, "#4b4e52", 0.6);
    const middle = railY + random.between(0.1, 0.13) + reach;
    fillRod(canvas, at, railY, at, middle - reach, 0.012, scale(metal, 0.8));
    fillDisc(canvas, at, middle, reach, metal, 1);
    fillDisc(canvas, at - 0.006 / aspect, middle - 0.006, 0.78 * reach, scale(metal, 1.5), 1);
  }
}

/** Pots and stacked plates on the board and the worktop. */
function paintPots(input: BackdropInput, x: number): void {
  const { canvas, aspect, lampSide, random } = input;
  const steel = steelOf(input, 0.7);
  for (const [away, half, tall, foot] of [
    [-0.2, 0.11, 0.15, worktop],
    [0.08, 0.09, 0.11, worktop],
    [-0.26, 0.07, 0.1, boardY],
    [-0.08, 0.06, 0.075, boardY],
  ] as const) {
    const at = x + away / aspect;
    fillPanel(canvas, [at - half / aspect, foot - tall, at + half / aspect, foot], steel, 1.8 * lampSide);
    fillCushion(canvas, at, foot - tall, 1.03 * half, 0.014, scale(steel, 1.2), 3, 0.3);
  }
  const china = litColor(input, "#efece6", 0.7);
  for (const away of [0.12, 0.3]) {
    const at = x + away / aspect;
    const plates = random.integer(5, 8);
    for (let plate = 0; plate < plates; plate++) {
      const y = boardY - 0.014 * plate;
      fillBox(canvas, at - 0.08 / aspect, y - 0.009, at + 0.08 / aspect, y, scale(china, 1 - 0.03 * (plate % 2)));
    }
  }
}
