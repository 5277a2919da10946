/** A kitchen out of focus: cupboards below a worktop, tiles behind it, a shelf or a hood, and what one cooks with. */

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
import { fromHex, type LinearRgb, luminance, mix, multiply, scale } from "../canvas/color.ts";
import { isLampLit } from "../plan/lighting.ts";
import { litColor, paintPendants } from "./furniture.ts";
import { paintPlant } from "./house-plants.ts";
import { paintWindow } from "./indoors.ts";
import type { BackdropInput } from "./painter.ts";
import { keyAndAmbient, paintWall } from "./walls.ts";

/** Where the worktop and the row of tiles behind it begin. */
const worktop = 0.76;
const tilesFrom = 0.4;
const shelfY = 0.34;

export function paintKitchen(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, lampSide } = input;
  const isEvening = isLampLit(plan.lightKind);
  const side = lampSide > 0 ? 1 : -1;
  if (plan.roomWall === null) paintTiles(input);
  if (!plan.without.has("windows")) paintWindow(input, isEvening);
  if (!plan.without.has("furniture")) {
    paintCupboards(input);
    paintHood(input, 0.5 - side * 0.06);
  }
  const board = { from: side > 0 ? -0.02 : 0.64, to: side > 0 ? 0.36 : 1.02 };
  if (!plan.without.has("objects")) {
    paintShelf(input, board.from, board.to);
    paintUtensils(input, 0.5 - side * 0.3);
  }
  paintPlant(input, 0.5 - side * 0.45, worktop - 0.02, 0.24);
  if (isEvening) paintPendants(input, [0.5 - side * 0.3, 0.5 + side * 0.12], 0.08, "#2a2623");
  lensBlur(canvas, 0.015);
  blurCanvas(canvas, 0.004);
}

/**
 * Small glazed tiles, some of which shine.
 *
 * @param from the row at which they begin
 */
export function paintTiles(input: BackdropInput, from = tilesFrom): void {
  const { canvas, plan, random, aspect } = input;
  const glaze = mix(plan.backdropColor, [0.78, 0.77, 0.73], 0.55);
  const tall = 0.06;
  const wide = 0.12 / aspect;
  const light = keyAndAmbient(input, 0.55);
  fillBox(canvas, 0, from, 1, worktop, multiply(scale(glaze, 0.62), light));
  for (let row = 0, y = from; y < worktop - 0.01; row++, y += tall) {
    for (let x = (row % 2) * -0.5 * wide; x < 1; x += wide) {
      const tone = random.between(0.88, 1.06) + (random.chance(0.08) ? 0.16 : 0);
      fillBox(canvas, x + 0.006 / aspect, y + 0.006, x + wide, y + tall, multiply(scale(glaze, tone), light));
    }
  }
}

const cupboardColors = ["#a9825b", "#8f9a86", "#5f6b70", "#c9c2b4"] as const;

function paintCupboards(input: BackdropInput): void {
  const { canvas, plan, random, aspect, lampSide } = input;
  const own = fromHex(random.pick(cupboardColors));
  const hue = mix(own, plan.backdropColor, luminance(plan.backdropColor) < 0.2 ? 0.8 : 0.35);
  const front = multiply(hue, keyAndAmbient(input, 0.45));
  const handle = litColor(input, "#c8a970", 0.7);
  const wide = 0.4 / aspect;
  for (let x = -0.35 * wide; x < 1; x += wide) {
    const door = [x + 0.005 / aspect, worktop + 0.05, x + wide - 0.005 / aspect, 1] as const;
    fillBox(canvas, x, worktop, x + wide, 1, scale(front, 0.4));
    fillPanel(canvas, door, front, 0.4 * lampSide);
    fillBox(canvas, x + 0.42 * wide, worktop + 0.075, x + 0.58 * wide, worktop + 0.088, handle);
  }
  const slab = plan.surface === "wood" ? fromHex("#b48a5c") : mix(plan.surfaceColor, [0.7, 0.68, 0.64], 0.5);
  const top = multiply(slab, keyAndAmbient(input, 0.8));
  fillBox(canvas, 0, worktop, 1, worktop + 0.034, top);
  fillBox(canvas, 0, worktop, 1, worktop + 0.01, scale(top, 1.25));
  fillBox(canvas, 0, worktop + 0.034, 1, worktop + 0.06, scale(front, 0.45), 0.7);
  fillBox(canvas, 0, worktop - 0.05, 1, worktop, [0.02, 0.02, 0.02], 0.1);
}

/** A hood above the stove, and a pot with its lid. */
function paintHood(input: BackdropInput, x: number): void {
  const { canvas, aspect, lampSide, plan } = input;
  const steel = litColor(input, "#b4b6b6", 0.6);
  shadeAround(canvas, [x - 0.2 / aspect, 0.24, x + 0.2 / aspect, 0.34], 0.08);
  fillPanel(canvas, [x - 0.1 / aspect, 0, x + 0.1 / aspect, 0.24], scale(steel, 0.9), lampSide);
  const steps = 12;
  for (let step = 0; step < steps; step++) {
    const half = (0.1 + 0.14 * (step / steps)) / aspect;
    const y = 0.22 + 0.008 * step;
    fillPanel(canvas, [x - half, y, x + half, y + 0.012], steel, lampSide);
  }
  fillBox(canvas, x - 0.24 / aspect, 0.316, x + 0.24 / aspect, 0.34, scale(steel, 0.75));
  if (!plan.without.has("lights")) addGlow(canvas, x, 0.42, 0.1, [0.22, 0.18, 0.12]);
  if (plan.without.has("objects")) return;
  const pot = litColor(input, "#a5493a", 0.6);
  fillPanel(canvas, [x - 0.13 / aspect, worktop - 0.15, x + 0.13 / aspect, worktop], pot, 1.8 * lampSide);
  fillCushion(canvas, x, worktop - 0.15, 0.135, 0.03, scale(pot, 1.15), 2.4, 0.3);
  fillDisc(canvas, x, worktop - 0.187, 0.016, litColor(input, "#c8a970", 0.7), 1);
}

const crockery = ["#efe9df", "#d9c7ad", "#9bb0a5", "#c77f5f", "#e7d9c2", "#7d8f96"] as const;
const preserves = ["#8a5a32", "#c9a874", "#8f9a5a", "#b5562f", "#d8c9a4"] as const;

/** A board with bowls, jars, stacks of plates and a plant. */
function paintShelf(input: BackdropInput, from: number, to: number): void {
  const { canvas, plan, random, aspect, lampSide } = input;
  const wood = litColor(input, "#9a6f45", 0.6);
  shadeAround(canvas, [from, shelfY, to, shelfY + 0.03], 0.09, 0.5);
  for (let x = from + 0.03; x < to - 0.03; ) {
    const drawn = random.integer(plan.without.has("bottles") ? 1 : 0, 3);
    const kind = drawn === 1 && plan.without.has("cups") ? 2 : drawn;
    const color = litColor(input, random.pick(kind === 0 ? preserves : crockery), 0.62);
    const half = (kind === 0 ? 0.042 : random.between(0.05, 0.075)) / aspect;
    const middle = x + half;
    if (kind === 0) paintJar(input, middle, half, color);
    else if (kind === 1) fillCushion(canvas, middle, shelfY - 0.05, half * aspect, 0.055, color, 2.6, 0.35);
    else if (kind === 2)
      for (let plate = 0; plate < 5; plate++)
        fillPanel(
          canvas,
          [middle - half, shelfY - 0.016 * (plate + 1), middle + half, shelfY - 0.016 * plate - 0.004],
          color,
          lampSide,
        );
    else {
      fillPanel(canvas, [middle - 0.6 * half, shelfY - 0.07, middle + 0.6 * half, shelfY], color, 1.6 * lampSide);
      paintPlant(input, middle, shelfY - 0.06, 0.13);
    }
    x += 2 * half + random.between(0.012, 0.03);
  }
  fillBox(canvas, from, shelfY, to, shelfY + 0.024, wood);
  fillBox(canvas, from, shelfY, to, shelfY + 0.007, scale(wood, 1.4));
}

/** Glass with what it keeps, below a pale lid. */
function paintJar(input: BackdropInput, x: number, half: number, color: LinearRgb): void {
  const { canvas, lampSide } = input;
  fillPanel(canvas, [x - half, shelfY - 0.15, x + half, shelfY], scale(litColor(input, "#e9efec", 0.6), 0.9), lampSide);
  fillPanel(canvas, [x - 0.88 * half, shelfY - 0.11, x + 0.88 * half, shelfY - 0.005], color, 1.6 * lampSide);
  fillBox(canvas, x - half, shelfY - 0.172, x + half, shelfY - 0.145, litColor(input, "#b48a5c", 0.6));
}

/** Boards that lean on the tiles, and spoons in a crock. */
function paintUtensils(input: BackdropInput, x: number): void {
  const { canvas, aspect, lampSide } = input;
  for (const [away, half, tall, hex] of [
    [-0.12, 0.1, 0.27, "#b98d5e"],
    [-0.02, 0.08, 0.2, "#8a5f3a"],
  ] as const) {
    const at = x + away / aspect;
    const board = [at - half / aspect, worktop - tall, at + half / aspect, worktop] as const;
    shadeAround(canvas, board, 0.04, 0.35);
    fillPanel(canvas, board, litColor(input, hex, 0.6), lampSide);
  }
  const crock = x + 0.16 / aspect;
  for (const lean of [-0.06, -0.02, 0.03, 0.07]) {
    const tip = worktop - 0.26 + 1.2 * Math.abs(lean - 0.02);
    fillRod(canvas, crock, worktop - 0.1, crock + lean / aspect, tip, 0.012, litColor(input, "#a77a4c", 0.6));
    fillDisc(canvas, crock + lean / aspect, tip, 0.02, litColor(input, "#b98d5e", 0.6), 1);
  }
  fillPanel(
    canvas,
    [crock - 0.06 / aspect, worktop - 0.13, crock + 0.06 / aspect, worktop],
    litColor(input, "#dcd5c8", 0.65),
    1.6 * lampSide,
  );
}
