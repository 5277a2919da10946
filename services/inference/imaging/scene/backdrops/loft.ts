/** A loft or a workshop in an old factory, out of focus: bricks, a window of steel and glass, pipes, a beam, lamps of enamel. */

import { addGlow, blurCanvas, fillBox, fillDisc, fillRod, lensBlur } from "../canvas/canvas.ts";
import { fromHex, fromHsl, type LinearRgb, mix, scale } from "../canvas/color.ts";
import { isLampLit } from "../plan/lighting.ts";
import { litColor, paintPendants, paintSofa } from "./furniture.ts";
import type { BackdropInput } from "./painter.ts";
import { paintView } from "./views.ts";
import { paintBricks, paintWall } from "./walls.ts";

export function paintLoft(input: BackdropInput): void {
  const { canvas, plan, lampSide, aspect } = input;
  const side = lampSide > 0 ? 1 : -1;
  if (plan.roomWall === null) paintBricks(input, mix(plan.backdropColor, fromHex("#96553f"), 0.55));
  else paintWall(input);
  if (!plan.without.has("windows")) paintSteelWindow(input, 0.5 + side * 0.34, Math.min(0.4, 0.72 / aspect));
  paintColumn(input, 0.5 - side * 0.04);
  paintPipes(input);
  const isHome = plan.decor === "loft";
  if (!plan.without.has(isHome ? "seats" : "furniture")) {
    if (isHome) paintSofa(input, 0.5 - side * 0.3, 0.99, 0.78, 0.4, "#8a5a38", 2);
    else paintRack(input, side > 0 ? 0.02 : 0.98 - 0.66 / aspect);
  }
  paintPendants(input, [0.5 - side * 0.36, 0.5 - side * 0.18], 0.17, "#23272a");
  lensBlur(canvas, 0.011);
  blurCanvas(canvas, 0.004);
}

/** Panes of bright sky between bars of steel, and what stands outside. */
function paintSteelWindow(input: BackdropInput, x: number, wide: number): void {
  const { canvas, plan, random, aspect } = input;
  const isEvening = isLampLit(plan.lightKind);
  const left = x - wide / 2;
  const top = 0.05;
  const foot = 0.8;
  const sky: LinearRgb = isEvening ? [0.06, 0.09, 0.18] : mix(plan.lighting.horizon, [1.6, 1.66, 1.72], 0.65);
  fillBox(
    canvas,
    left - 0.03 / aspect,
    top - 0.03,
    left + wide + 0.03 / aspect,
    foot + 0.045,
    litColor(input, "#a89c8f", 0.5),
  );
  fillBox(canvas, left, top, left + wide, foot, sky);
  paintView(input, { left, right: left + wide, top, foot });
  for (let i = 0; i < 5 && plan.view === null; i++) {
    const from = left + random.next() * wide * 0.8;
    const tall = random.between(0.12, 0.34);
    const wall = isEvening ? scale(fromHex("#2a3350"), 0.4) : mix(sky, fromHsl(18, 0.2, 0.5), 0.45);
    fillBox(canvas, from, foot - tall, Math.min(left + wide, from + wide * random.between(0.14, 0.3)), foot, wall, 0.8);
  }
  const steel: LinearRgb = litColor(input, "#1d1f22", 0.4);
  const columns = Math.max(3, Math.round((wide * aspect) / 0.17));
  const rows = 5;
  for (let i = 0; i <= columns; i++) {
    const at = left + (wide * i) / columns;
    const half = (i % columns === 0 ? 0.011 : 0.006) / aspect;
    fillBox(canvas, at - half, top, at + half, foot, steel);
  }
  for (let i = 0; i <= rows; i++) {
    const at = top + ((foot - top) * i) / rows;
    const half = i % rows === 0 || i === 2 ? 0.011 : 0.006;
    fillBox(canvas, left, at - half, left + wide, at + half, steel);
  }
  fillBox(
    canvas,
    left - 0.04 / aspect,
    foot + 0.02,
    left + wide + 0.04 / aspect,
    foot + 0.05,
    litColor(input, "#cfc6bb", 0.8),
  );
  if (!isEvening) addGlow(canvas, x, 0.4, 0.5, scale(plan.lighting.key, 0.12));
}

/** A girder on rivets, from floor to ceiling. */
function paintColumn(input: BackdropInput, x: number): void {
  const { canvas, aspect, lampSide } = input;
  const steel = litColor(input, "#4a4f52", 0.6);
  const half = 0.05 / aspect;
  fillBox(canvas, x - half, 0, x + half, 1, scale(steel, 0.7));
  fillBox(canvas, x - half, 0, x - half * 0.62, 1, scale(steel, lampSide > 0 ? 0.8 : 1.7));
  fillBox(canvas, x + half * 0.62, 0, x + half, 1, scale(steel, lampSide > 0 ? 1.7 : 0.8));
  fillBox(canvas, 0, 0.0, 1, 0.035, scale(steel, 0.55));
}

/** A duct and two pipes along the ceiling. */
function paintPipes(input: BackdropInput): void {
  const { canvas } = input;
  const zinc = litColor(input, "#b3b7ba", 0.7);
  for (const [y, half, color] of [
    [0.095, 0.045, zinc],
    [0.165, 0.012, litColor(input, "#8a3b2a", 0.65)],
    [0.195, 0.009, litColor(input, "#5c6165", 0.65)],
  ] as const) {
    const steps = 8;
    for (let i = 0; i < steps; i++) {
      const share = (i + 0.5) / steps;
      const top = y - half + (2 * half * i) / steps;
      fillBox(canvas, 0, top, 1, top + (2 * half) / steps + 0.002, scale(color, 1.3 - 1.05 * share));
    }
    for (let x = 0.08; x < 1; x += 0.22)
      fillBox(canvas, x, y - half * 1.1, x + 0.012, y + half * 1.1, scale(color, 0.62));
  }
}

/** A rack of steel with crates, a barrel before it. */
function paintRack(input: BackdropInput, left: number): void {
  const { canvas, random, aspect } = input;
  const right = left + 0.66 / aspect;
  const steel = litColor(input, "#2a2d30", 0.5);
  for (const y of [0.5, 0.72, 0.94]) {
    for (let x = left + 0.03 / aspect; x < right - 0.12 / aspect; ) {
      const wide = random.between(0.1, 0.17) / aspect;
      const tall = random.between(0.08, 0.16);
      const crate = litColor(input, random.pick(["#a8743f", "#8d6a45", "#5f6b70", "#7d3b2a"]), 0.6);
      fillBox(canvas, x, y - tall, x + wide, y, crate);
      fillBox(canvas, x, y - tall * 0.62, x + wide, y - tall * 0.54, scale(crate, 0.5));
      x += wide + random.between(0.015, 0.06) / aspect;
    }
    fillBox(canvas, left, y, right, y + 0.022, steel);
  }
  for (const x of [left, right]) fillBox(canvas, x - 0.012 / aspect, 0.32, x + 0.012 / aspect, 1, steel);
  fillRod(canvas, left, 0.52, right, 0.72, 0.008, scale(steel, 1.3));
  fillDisc(canvas, right - 0.12 / aspect, 0.46, 0.05, litColor(input, "#b8862f", 0.65), 1);
  fillBox(canvas, left, 0.34, right, 0.36, steel);
}
