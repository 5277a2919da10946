/** Furniture and lamps as silhouettes in the room's light, for rooms far out of focus. Lengths are shares of the canvas's height. */

import { addGlow, fillBox, fillCushion, fillDisc, fillRod, shadeAround } from "../canvas/canvas.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { fromHex, multiply, scale } from "../canvas/color.ts";
import type { BackdropInput } from "./painter.ts";
import { keyAndAmbient } from "./walls.ts";

/** A color as the room's light shows it. */
export function litColor(input: BackdropInput, hex: string, share = 0.6): LinearRgb {
  return multiply(fromHex(hex), keyAndAmbient(input, share));
}

const lampGlow: LinearRgb = [3.4, 2.3, 1.15];

/** Lamps that hang from the ceiling, their light on the wall. */
export function paintPendants(input: BackdropInput, places: readonly number[], drop: number, shade: string): void {
  const { canvas, plan, aspect } = input;
  if (plan.without.has("lamps")) return;
  for (const [i, x] of places.entries()) {
    const y = drop + 0.05 * ((i * 2) % 3);
    fillRod(canvas, x, 0, x, y, 0.005, litColor(input, "#17140f"));
    for (let step = 0; step < 8; step++) {
      const half = (0.018 + 0.085 * (step / 7) ** 0.6) / aspect;
      fillBox(canvas, x - half, y + step * 0.012, x + half, y + (step + 1) * 0.012, litColor(input, shade));
    }
    fillDisc(canvas, x, y + 0.105, 0.045, lampGlow, 1);
    addGlow(canvas, x, y + 0.16, 0.24, [0.34, 0.2, 0.08]);
    addGlow(canvas, x, y + 0.12, 0.09, [0.8, 0.5, 0.22]);
  }
}

/** A lamp on a table: a foot, and a shade of cloth that its bulb shines through. */
export function paintTableLamp(input: BackdropInput, x: number, foot: number, tall: number): void {
  const { canvas, plan, aspect } = input;
  if (plan.without.has("lamps")) return;
  const top = foot - tall;
  const shadeFoot = top + 0.46 * tall;
  fillRod(canvas, x, shadeFoot, x, foot, 0.035 * tall, litColor(input, "#6b5236"));
  fillCushion(canvas, x, foot - 0.22 * tall, 0.13 * tall, 0.2 * tall, litColor(input, "#b98f62", 0.75), 2.4);
  fillBox(
    canvas,
    x - (0.14 * tall) / aspect,
    foot - 0.03 * tall,
    x + (0.14 * tall) / aspect,
    foot,
    litColor(input, "#4a3826"),
  );
  const rows = 16;
  for (let row = 0; row < rows; row++) {
    const share = (row + 0.5) / rows;
    const half = (tall * (0.2 + 0.13 * share)) / aspect;
    const y = top + (shadeFoot - top) * (row / rows);
    // The cloth is brightest where the bulb is, and darker toward its sides.
    const bulb = 0.62 + 0.6 * Math.sin(Math.PI * Math.min(1, share * 1.05)) ** 1.2;
    const cloth = scale([1.75, 1.24, 0.66], bulb);
    const next = y + (shadeFoot - top) / rows + 0.003;
    fillBox(canvas, x - half, y, x + half, next, scale(cloth, 0.72));
    fillBox(canvas, x - half * 0.72, y, x + half * 0.72, next, cloth);
  }
  addGlow(canvas, x, (top + shadeFoot) / 2, 0.62 * tall, [0.5, 0.31, 0.13]);
  addGlow(canvas, x, foot, 0.4 * tall, [0.3, 0.18, 0.07]);
}

/** A sofa or an armchair from its front: back, seat cushions and arms. */
export function paintSofa(
  input: BackdropInput,
  x: number,
  foot: number,
  wide: number,
  tall: number,
  hex: string,
  seats: number,
): void {
  const { canvas, aspect } = input;
  const cloth = litColor(input, hex, 0.65);
  const half = wide / 2;
  const arm = 0.16 * tall + 0.03;
  shadeAround(canvas, [x - half / aspect, foot - 0.9 * tall, x + half / aspect, foot], 0.16 * tall + 0.04, 0.45);
  fillBox(
    canvas,
    x - (half * 0.9) / aspect,
    foot - 0.1 * tall,
    x + (half * 0.9) / aspect,
    foot + 0.02,
    scale(cloth, 0.2),
  );
  fillCushion(canvas, x, foot - 0.62 * tall, half * 0.94, 0.38 * tall, scale(cloth, 0.82), 5);
  for (let seat = 0; seat < seats; seat++) {
    const middle = x + ((seat + 0.5) / seats - 0.5) * ((wide - 2 * arm) / aspect);
    const own = (wide / 2 - arm) / seats;
    fillCushion(canvas, middle, foot - 0.66 * tall, own * 0.94, 0.26 * tall, cloth, 4, 0.28);
    fillCushion(canvas, middle, foot - 0.34 * tall, own * 0.99, 0.13 * tall, scale(cloth, 1.18), 5);
  }
  fillBox(canvas, x - half / aspect, foot - 0.24 * tall, x + half / aspect, foot - 0.05 * tall, scale(cloth, 0.72));
  for (const side of [-1, 1]) {
    fillCushion(canvas, x + (side * (half - arm / 2)) / aspect, foot - 0.3 * tall, arm / 2, 0.28 * tall, cloth, 5, 0.3);
  }
}

/** Cushions that lean against a sofa's back: two at the end that the product leaves free, and one at the other. */
export function paintSofaCushions(input: BackdropInput, x: number, foot: number, wide: number, tall: number): void {
  const { canvas, aspect, plan, lampSide } = input;
  const cloth = multiply(plan.cushionColor, keyAndAmbient(input, 0.65));
  const side = lampSide > 0 ? 1 : -1;
  for (const [at, size, shade] of [
    [0.22, 0.9, 0.9],
    [-0.18, 1, 0.86],
    [-0.31, 0.86, 1.06],
  ] as const) {
    const middle = x + (side * at * wide) / aspect;
    fillCushion(
      canvas,
      middle,
      foot - 0.5 * tall,
      0.19 * tall * size,
      0.17 * tall * size,
      scale(cloth, shade),
      2.6,
      0.3,
    );
  }
}

/** A bed from its side: a headboard against the wall, pillows, and a blanket that falls toward the viewer. */
export function paintBed(input: BackdropInput, x: number, wide: number, headboard: string): void {
  const { canvas, random, aspect, plan } = input;
  const half = wide / 2;
  const board = litColor(input, headboard, 0.6);
  shadeAround(canvas, [x - half / aspect, 0.3, x + half / aspect, 1], 0.11, 0.45);
  fillCushion(canvas, x, 0.62, half, 0.34, board, 7, 0.25);
  const panels = 4;
  for (let i = 1; i < panels; i++) {
    const at = x + ((i / panels - 0.5) * wide) / aspect;
    fillBox(canvas, at - 0.004 / aspect, 0.31, at + 0.004 / aspect, 0.8, scale(board, 0.6), 0.7);
  }
  const linen = litColor(input, "#f1ece4", 0.82);
  const places = [-0.3, 0.3].map((share) => x + (share * wide) / aspect);
  for (const at of places) fillCushion(canvas, at, 0.63, 0.23 * wide, 0.12, scale(linen, 0.9), 3.4, 0.3);
  for (const at of places) fillCushion(canvas, at, 0.7, 0.21 * wide, 0.1, linen, 3, 0.34);
  const accent = multiply(plan.cushionColor, keyAndAmbient(input, 0.65));
  fillCushion(canvas, x + (random.between(-0.08, 0.08) * wide) / aspect, 0.72, 0.15 * wide, 0.09, accent, 3, 0.3);
  fillCushion(canvas, x, 0.93, half * 1.04, 0.15, scale(linen, 0.94), 5, 0.3);
  for (let i = 0; i < 9; i++) {
    const from = x + (random.between(-0.48, 0.48) * wide) / aspect;
    const lean = random.between(-0.05, 0.05);
    fillRod(canvas, from, 0.82, from + lean, 1, random.between(0.01, 0.03), scale(linen, random.between(0.72, 0.98)));
  }
}
