/** The lobby of a hotel, out of focus, on a floor that mirrors it: rows of columns, warm lamps, sofas, and a lit desk at the end. */

import {
  addGlow,
  blurCanvas,
  fillBox,
  fillCushion,
  fillDisc,
  fillRod,
  lensBlur,
  shadePixels,
} from "../canvas/canvas.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { fromHex, mix, multiply, scale } from "../canvas/color.ts";
import { litColor, paintSofa, paintTableLamp } from "./furniture.ts";
import { paintPlant } from "./house-plants.ts";
import type { BackdropInput } from "./painter.ts";
import { keyAndAmbient } from "./walls.ts";

/** Height of a place in the hall, 0 at the viewer … 1 at its end: everything shrinks toward the vanishing point. */
interface Hall {
  readonly vanishingY: number;
  readonly endX: (side: number, depth: number) => number;
  readonly ceilingY: (depth: number) => number;
  readonly floorY: (depth: number) => number;
}

export function paintLobby(input: BackdropInput): void {
  const { canvas, plan, aspect, horizonY } = input;
  const vanishingY = Math.min(0.94, horizonY);
  const near = (depth: number) => 1 / (1 + 2.6 * depth);
  const hall: Hall = {
    vanishingY,
    endX: (side, depth) => 0.5 + side * Math.min(0.5, 1.02 / aspect) * near(depth),
    ceilingY: (depth) => vanishingY - (vanishingY + 0.06) * near(depth),
    floorY: (depth) => vanishingY + (1.0 - vanishingY) * near(depth),
  };
  paintHall(input, hall);
  paintReception(input, hall);
  for (const depth of [0.62, 0.3, 0]) {
    for (const side of [-1, 1]) paintColumn(input, hall, side, depth);
    if (depth > 0.5) paintChandelier(input, hall, 0.5, 0.5);
  }
  const foot = hall.floorY(0.16);
  const wide = Math.min(0.62, 0.3 * aspect);
  if (!plan.without.has("seats")) {
    paintSofa(input, hall.endX(-1, 0.22), foot, wide, 0.55 * wide, "#7a4a35", 2);
    paintSofa(input, hall.endX(1, 0.22), foot, wide, 0.55 * wide, "#6d5a48", 2);
  }
  if (!plan.without.has("tables")) {
    for (const side of [-1, 1]) paintSideTable(input, hall.endX(side, 0.22) - (side * 0.61 * wide) / aspect, foot);
  }
  for (const side of [-1, 1]) paintPottedPalm(input, hall.endX(side, 0.2) + (side * 0.4) / aspect, hall.floorY(0.2));
  paintChandelier(input, hall, 0.5, 0.08);
  lensBlur(canvas, 0.015);
  blurCanvas(canvas, 0.004);
}

/** Ceiling with coves of light, walls of panels, and the floor's end. */
function paintHall(input: BackdropInput, { vanishingY, ceilingY }: Hall): void {
  const { canvas, plan, aspect } = input;
  const light = keyAndAmbient(input, 0.55);
  const isLit = plan.without.has("lights") ? 0 : 1;
  const panel = multiply(mix(plan.backdropColor, fromHex("#6f4a2c"), 0.7), light);
  const ceiling = scale(multiply(mix(plan.backdropColor, [0.8, 0.7, 0.56], 0.55), light), 0.72);
  const floor = multiply(mix(plan.surfaceColor, [0.5, 0.42, 0.33], 0.35), light);
  const cove: LinearRgb = [1.5, 1.02, 0.56];
  shadePixels(canvas, (x, y, out) => {
    const across = Math.abs(x - 0.5) * aspect;
    const up = vanishingY - y;
    // Distance along the hall, as the walls and the ceiling show it.
    const onWall = across / (1.12 * Math.max(0.28, 1));
    const onCeiling = up / (vanishingY + 0.06);
    const isCeiling = onCeiling > onWall;
    const near = Math.max(0.28, Math.min(1, Math.max(onWall, onCeiling)));
    const depth = (1 / near - 1) / 2.6;
    if (y > vanishingY && up < 0) {
      for (let c = 0; c < 3; c++) out[c] = floor[c]! * (0.9 - 0.3 * across);
      return;
    }
    if (isCeiling) {
      const beam = (depth * 9) % 1 < 0.16 ? 0.72 : 1;
      const strip = Math.abs(onWall / Math.max(0.001, onCeiling) - 0.66) < 0.06 ? isLit : 0;
      for (let c = 0; c < 3; c++)
        out[c] = ceiling[c]! * beam * (0.55 + 0.5 * isLit * (1 - near * 0.4)) + cove[c]! * strip;
      return;
    }
    const joint = (depth * 11) % 1 < 0.1 ? 0.6 : 1;
    const height = up / Math.max(0.05, vanishingY * near);
    const washed = isLit * 0.6 * Math.exp(-((height - 0.95) ** 2) * 7);
    for (let c = 0; c < 3; c++) out[c] = panel[c]! * joint * (0.75 + 0.3 * near) + cove[c]! * washed * 0.55;
  });
  if (isLit) addGlow(canvas, 0.5, ceilingY(0.8), 0.5, [0.28, 0.18, 0.08]);
}

/** A desk before a wall that is lit from behind, where the hall ends. */
function paintReception(input: BackdropInput, { endX, ceilingY, floorY }: Hall): void {
  const { canvas, plan } = input;
  const isLit = !plan.without.has("lights");
  const left = endX(-0.86, 1);
  const right = endX(0.86, 1);
  const top = ceilingY(1);
  const foot = floorY(1);
  fillBox(canvas, left, top, right, foot, isLit ? [1.15, 0.76, 0.4] : litColor(input, "#a37b50", 0.6));
  for (let i = 0; i < 7; i++) {
    const x = left + ((right - left) * (i + 0.5)) / 7;
    fillBox(canvas, x - 0.004, top, x + 0.004, foot, litColor(input, "#6b4a2d", 0.5), 0.7);
  }
  if (plan.without.has("furniture")) return;
  const high = (foot - top) * 0.32;
  fillBox(canvas, left + 0.01, foot - high, right - 0.01, foot, litColor(input, "#3f2b1d", 0.6));
  fillBox(canvas, left, foot - high - 0.014, right, foot - high, litColor(input, "#f1e8da", 1));
}

/** A column of stone with a foot and a capital, lit from its lamp side. */
function paintColumn(input: BackdropInput, { endX, ceilingY, floorY }: Hall, side: number, depth: number): void {
  const { canvas, plan, aspect, lampSide } = input;
  const near = 1 / (1 + 2.6 * depth);
  const x = endX(side, depth) - (side * 0.1 * near) / aspect;
  const half = (0.1 * near) / aspect;
  const top = ceilingY(depth);
  const foot = floorY(depth);
  const stone = litColor(input, "#e9dcc7", 0.66);
  const steps = 14;
  for (let i = 0; i < steps; i++) {
    const share = (i + 0.5) / steps;
    const round = Math.sin(Math.PI * (lampSide > 0 ? share : 1 - share) ** 0.7);
    const from = x - half + (2 * half * i) / steps;
    fillBox(canvas, from, top, from + (2 * half) / steps + 0.002, foot, scale(stone, 0.4 + 0.72 * round));
  }
  const tall = foot - top;
  fillBox(canvas, x - half * 1.4, foot - 0.06 * tall, x + half * 1.4, foot, scale(stone, 0.72));
  fillBox(canvas, x - half * 1.2, foot - 0.085 * tall, x + half * 1.2, foot - 0.06 * tall, scale(stone, 0.95));
  fillBox(canvas, x - half * 1.4, top, x + half * 1.4, top + 0.05 * tall, scale(stone, 0.9));
  if (plan.without.has("lamps")) return;
  // A lamp on the column's shaft.
  const y = top + 0.42 * tall;
  fillBox(canvas, x - half * 0.3, y - 0.07 * near, x + half * 0.3, y + 0.05 * near, [3.2, 2.2, 1.15]);
  addGlow(canvas, x, y, 0.17 * near, [0.5, 0.31, 0.13]);
}

/** A round table with a lamp on it. */
function paintSideTable(input: BackdropInput, x: number, foot: number): void {
  const { canvas } = input;
  const wood = litColor(input, "#3a281b", 0.6);
  const top = foot - 0.13;
  fillRod(canvas, x, top, x, foot, 0.02, wood);
  fillCushion(canvas, x, foot, 0.06, 0.012, wood);
  fillCushion(canvas, x, top, 0.1, 0.018, scale(wood, 1.7));
  paintTableLamp(input, x, top, 0.28);
}

function paintPottedPalm(input: BackdropInput, x: number, foot: number): void {
  const { canvas, plan, aspect } = input;
  if (plan.without.has("plants")) return;
  const pot = litColor(input, "#3b332c", 0.6);
  fillBox(canvas, x - 0.06 / aspect, foot - 0.16, x + 0.06 / aspect, foot, pot);
  fillBox(canvas, x - 0.07 / aspect, foot - 0.17, x + 0.07 / aspect, foot - 0.14, scale(pot, 1.6));
  paintPlant(input, x, foot - 0.17, 0.3);
}

/** Rings of candles of glass below the ceiling. */
function paintChandelier(input: BackdropInput, { ceilingY, vanishingY }: Hall, x: number, depth: number): void {
  const { canvas, plan, random, aspect } = input;
  if (plan.without.has("lamps")) return;
  const near = 1 / (1 + 2.6 * depth);
  const y = ceilingY(depth) + 0.34 * near * vanishingY;
  fillRod(canvas, x, ceilingY(depth), x, y, 0.008 * near, litColor(input, "#4a3520"));
  for (const [ring, reach, drop] of [
    [26, 0.2, 0],
    [18, 0.13, 0.07],
    [9, 0.06, 0.12],
  ] as const) {
    fillCushion(canvas, x, y + drop * near, reach * near, 0.022 * near, [0.5, 0.34, 0.16], 2, 0);
    for (let i = 0; i < ring; i++) {
      const turn = ((i + random.next() * 0.4) * Math.PI * 2) / ring;
      const at = x + (Math.cos(turn) * reach * near) / aspect;
      fillDisc(canvas, at, y + (drop + Math.sin(turn) * 0.03) * near, 0.013 * near, [5, 3.5, 1.9], 1);
    }
  }
  addGlow(canvas, x, y, 0.34 * near, [0.5, 0.33, 0.15]);
}
