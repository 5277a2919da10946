/** Shops out of focus, each told by how its goods stand: packages on shelves, ice cream behind glass, flowers in buckets. */

import {
  addGlow,
  defocus,
  fillBox,
  fillCushion,
  fillDisc,
  fillPanel,
  fillQuad,
  fillRod,
  shadeAround,
} from "../canvas/canvas.ts";
import { fromHex, mix, multiply, scale } from "../canvas/color.ts";
import { litColor, paintPendants } from "./furniture.ts";
import { paintPlant } from "./house-plants.ts";
import type { BackdropInput } from "./painter.ts";
import { keyAndAmbient, paintWall } from "./walls.ts";

const packages = [
  "#c8402f",
  "#e3b23c",
  "#3b7a57",
  "#2f6f9f",
  "#efe9dd",
  "#d9772b",
  "#7b4a8f",
  "#a9c46c",
  "#e9c9b0",
] as const;

/** Feet of the shelves; the lowest ends behind the table. */
const shelfFeet = [0.2, 0.45, 0.7, 0.96] as const;

/** Shelves across the picture, full of packages, each kind several times, and a strip of prices below them. */
export function paintSupermarket(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, random, aspect, lampSide } = input;
  const back = multiply(mix(plan.backdropColor, [0.5, 0.5, 0.5], 0.4), keyAndAmbient(input, 0.5));
  fillBox(canvas, 0, 0, 1, 1, scale(back, 0.55));
  const board = litColor(input, "#e4e6e7", 0.6);
  let above = -0.05;
  for (const foot of shelfFeet) {
    fillBox(canvas, 0, above, 1, above + 0.06, [0.02, 0.02, 0.02], 0.35);
    for (let x = random.between(-0.08, 0); x < 1 && !plan.without.has("objects"); ) {
      const color = litColor(input, random.pick(packages), 0.62);
      const wide = random.between(0.045, 0.085) / aspect;
      const tall = (foot - above) * random.between(0.5, 0.76);
      const isRound = random.chance(0.4) && !plan.without.has("bottles");
      for (let left = random.integer(2, 4); left > 0; left--) {
        fillPanel(canvas, [x, foot - tall, x + 0.92 * wide, foot], color, (isRound ? 1.6 : 0.6) * lampSide);
        fillBox(
          canvas,
          x + 0.08 * wide,
          foot - 0.62 * tall,
          x + 0.84 * wide,
          foot - 0.3 * tall,
          litColor(input, "#f2efe8"),
          0.6,
        );
        if (isRound)
          fillBox(canvas, x + 0.3 * wide, foot - 1.12 * tall, x + 0.62 * wide, foot - tall, scale(color, 0.7));
        x += wide;
      }
      x += 0.006;
    }
    fillBox(canvas, 0, foot, 1, foot + 0.022, scale(board, 1.1));
    fillBox(canvas, 0, foot + 0.006, 1, foot + 0.018, litColor(input, "#d9b53f", 0.6), 0.55);
    above = foot + 0.022;
  }
  for (let x = random.between(0.1, 0.25); x < 1; x += 0.7 / aspect)
    fillBox(canvas, x - 0.008 / aspect, 0, x + 0.008 / aspect, 1, scale(board, 0.75));
  if (!plan.without.has("lights")) addGlow(canvas, 0.5, 0, 0.3, [0.16, 0.165, 0.17]);
  defocus(canvas, 0.013, 0.004);
}

const scoops = ["#f3d9c8", "#e79aa6", "#7a4a34", "#b9d79a", "#f2e3a8", "#a8445a", "#e8cfae", "#9fc3d6"] as const;

/** The counter's glass, from its top to where the wood below it begins, and the awning on the wall. */
const glassTop = 0.5;
const glassFoot = 0.76;
const awningFoot = 0.2;

/** Tubs of ice cream behind the glass of a counter, a striped awning above it, cones and a slate on the wall. */
export function paintIceCreamParlor(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, aspect, lampSide } = input;
  const side = lampSide > 0 ? 1 : -1;
  if (!plan.without.has("blackboards")) {
    const x = 0.5 - side * 0.3;
    shadeAround(canvas, [x - 0.13 / aspect, 0.27, x + 0.13 / aspect, 0.46], 0.04);
    fillBox(canvas, x - 0.13 / aspect, 0.27, x + 0.13 / aspect, 0.46, litColor(input, "#2a2d30", 0.5));
    for (let line = 0; line < 4; line++)
      fillBox(
        canvas,
        x - 0.1 / aspect,
        0.3 + 0.04 * line,
        x + (0.03 + 0.02 * (line % 3)) / aspect,
        0.312 + 0.04 * line,
        litColor(input, "#d8dad6"),
        0.7,
      );
  }
  paintPendants(input, [0.5 + side * 0.32], 0.2, "#e9e2d6");
  paintStripes(input);
  if (!plan.without.has("furniture")) paintCounter(input);
  defocus(canvas, 0.013, 0.004);
}

function paintStripes(input: BackdropInput): void {
  const { canvas, plan, aspect } = input;
  if (plan.without.has("drawing:awning")) return;
  const wide = 0.13 / aspect;
  const own = multiply(mix(fromHex("#d9788a"), plan.accent, 0.15), keyAndAmbient(input, 0.65));
  const pale = litColor(input, "#f4efe6", 0.7);
  fillBox(canvas, 0, awningFoot, 1, awningFoot + 0.09, [0.05, 0.04, 0.04], 0.3);
  for (let i = 0, x = -wide; x < 1; i++, x += wide) {
    const color = i % 2 === 0 ? own : pale;
    const lean = (at: number) => 0.5 + (at - 0.5) * 0.86;
    fillQuad(
      canvas,
      [
        [lean(x), 0],
        [lean(x + wide), 0],
        [x + wide, awningFoot - 0.04],
        [x, awningFoot - 0.04],
      ],
      color,
    );
    fillBox(canvas, x, awningFoot - 0.04, x + wide, awningFoot, scale(color, 0.78));
    fillDisc(canvas, x + wide / 2, awningFoot, 0.06, scale(color, 0.78), 1, false, 0.05);
  }
}

function paintCounter(input: BackdropInput): void {
  const { canvas, plan, random, aspect, lampSide } = input;
  const steel = litColor(input, "#c9ccce", 0.6);
  fillBox(canvas, 0, glassTop, 1, glassFoot, litColor(input, "#dfe6e8", 0.42));
  if (!plan.without.has("objects")) {
    const wide = 0.21 / aspect;
    for (let x = -random.next() * wide; x < 1; x += wide) {
      const color = litColor(input, random.pick(scoops), 0.72);
      const middle = x + wide / 2;
      // Heaped above the rim, with the furrows of the scoop.
      fillCushion(canvas, middle, glassFoot - 0.065, 0.096, 0.085, color, 2.6, 0.25);
      for (const away of [-0.045, 0, 0.045])
        fillCushion(canvas, middle + away / aspect, glassFoot - 0.115, 0.036, 0.034, scale(color, 1.06), 2, 0.3);
      fillPanel(canvas, [x + 0.03 * wide, glassFoot - 0.06, x + 0.97 * wide, glassFoot], steel, 0.6 * lampSide);
    }
  }
  fillBox(canvas, 0, glassTop - 0.02, 1, glassTop, scale(steel, 1.35));
  fillBox(canvas, 0, glassFoot, 1, glassFoot + 0.026, steel);
  const front = multiply(mix(fromHex("#e9c3c6"), plan.backdropColor, 0.3), keyAndAmbient(input, 0.5));
  fillPanel(canvas, [0, glassFoot + 0.026, 1, 1], front, 0.6 * lampSide);
  for (let x = random.between(0, 0.1); x < 1; x += 0.075 / aspect)
    fillBox(canvas, x, glassFoot + 0.03, x + 0.008 / aspect, 1, scale(front, 0.7));
}

const blossoms = ["#e28aa0", "#f2e6d8", "#d7443e", "#f0b64a", "#8f6fb0", "#f3cdd2", "#e0703f", "#b3c7e6"] as const;

/** Buckets full of flowers on three steps before the wall, and plants above them. */
export function paintFlowerShop(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, random, aspect, lampSide } = input;
  for (let x = random.between(0.02, 0.1); x < 1; x += random.between(0.2, 0.3) / aspect)
    paintPlant(input, x, 0.2, random.between(0.16, 0.24));
  const wood = litColor(input, "#8a6a48", 0.5);
  fillBox(canvas, 0, 0.2, 1, 0.22, wood);
  for (const foot of [0.52, 0.76, 1]) {
    if (!plan.without.has("furniture")) {
      fillBox(canvas, 0, foot, 1, foot + 0.03, scale(wood, 1.25));
      fillBox(canvas, 0, foot + 0.03, 1, 1, scale(wood, 0.45));
    }
    if (plan.without.has("objects")) continue;
    const step = 0.21 / aspect;
    for (let x = -random.next() * step; x < 1 + step; x += step) paintBucket(input, x, foot, lampSide);
  }
  defocus(canvas, 0.011, 0.004);
}

function paintBucket(input: BackdropInput, x: number, foot: number, lampSide: number): void {
  const { canvas, plan, random, aspect } = input;
  const rim = foot - 0.11;
  if (!plan.without.has("plants")) {
    const leaf = litColor(input, "#4f7a45", 0.6);
    for (let i = 0; i < 9; i++) {
      const lean = random.between(-0.1, 0.1);
      const top = rim - random.between(0.07, 0.14);
      fillRod(canvas, x, rim + 0.02, x + lean / aspect, top, 0.012, scale(leaf, random.between(0.6, 1.2)));
    }
    const own = random.pick(blossoms);
    for (let i = 0; i < 16; i++) {
      const color = scale(litColor(input, own, 0.68), random.between(0.75, 1.15));
      const away = random.between(-1, 1);
      const up = random.between(0.03, 0.15) - 0.05 * away * away;
      fillDisc(canvas, x + (0.1 * away) / aspect, rim - up, random.between(0.018, 0.03), color, 1);
    }
  }
  const zinc = litColor(input, random.pick(["#a9adad", "#8e9494", "#c4c2b8", "#5c6a63"]), 0.55);
  fillPanel(canvas, [x - 0.062 / aspect, rim, x + 0.062 / aspect, foot], zinc, 1.5 * lampSide);
  fillBox(canvas, x - 0.07 / aspect, rim - 0.006, x + 0.07 / aspect, rim + 0.01, scale(zinc, 1.3));
}
