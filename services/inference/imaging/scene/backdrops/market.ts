/** A Christmas market at dusk, far out of focus: stalls with warm light, snow on their roofs, a fir, and strings of lamps. */

import { addGlow, blurCanvas, fillBox, fillDisc, lensBlur } from "../canvas/canvas.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { fromHex, mix, scale } from "../canvas/color.ts";
import type { BackdropInput } from "./painter.ts";
import { paintSkyGradient } from "./sky.ts";

const goods = ["#b3231f", "#d9a63f", "#e6dccb", "#7a4a26", "#2f5d33"] as const;
const lamp: LinearRgb = [6.5, 4.1, 1.7];
const duskSnow = fromHex("#93a6c8");

export function paintMarket(input: BackdropInput): void {
  const { canvas, plan, random, aspect, lampSide } = input;
  paintSkyGradient(input, 1.1);
  // Dusk is lighter than the night of the sky's gradient.
  for (const [c, plane] of canvas.planes.entries()) {
    for (let i = 0; i < plane.length; i++) plane[i] = plane[i]! * 0.9 + [0.03, 0.045, 0.1][c]!;
  }
  const count = Math.max(2, Math.round(2.4 * aspect));
  for (let i = 0; i < count; i++) {
    const left = (i + random.between(0.02, 0.14)) / count;
    paintStall(input, left, left + random.between(0.72, 0.84) / count, random.between(0.42, 0.5));
  }
  if (!plan.without.has("plants")) paintFir(input, lampSide > 0 ? 0.14 : 0.86);
  fillBox(canvas, 0, 0.95, 1, 1, scale(duskSnow, 0.5));
  if (!plan.without.has("lights")) {
    for (const [top, sag] of [
      [0.06, 0.13],
      [0.16, 0.1],
    ] as const) {
      for (let i = 0; i < 24; i++) {
        const x = (i + 0.5) / 24;
        fillDisc(canvas, x, top + sag * Math.abs(Math.sin(x * Math.PI * 2)), 0.009, lamp, 1);
      }
    }
  }
  lensBlur(canvas, 0.024);
  blurCanvas(canvas, 0.005);
}

/** A hut: a snowy roof, a lit opening with goods on its counter, boards below. */
function paintStall({ canvas, plan, random, aspect }: BackdropInput, left: number, right: number, top: number): void {
  const boards = fromHex("#4a2f1c");
  const width = right - left;
  for (let step = 0; step < 12; step++) {
    const half = (width * (0.34 + 0.24 * (step / 11))) as number;
    const y = top - 0.16 + 0.014 * step;
    const middle = (left + right) / 2;
    fillBox(canvas, middle - half, y, middle + half, y + 0.016, scale(duskSnow, 0.75 - 0.02 * step));
  }
  fillBox(canvas, left, top, right, 0.97, scale(boards, 0.55));
  const isLit = !plan.without.has("lights");
  const inside: LinearRgb = isLit ? [1.35, 0.72, 0.26] : scale(boards, 0.9);
  fillBox(canvas, left + 0.08 * width, top + 0.04, right - 0.08 * width, 0.76, inside);
  fillBox(canvas, left + 0.08 * width, top + 0.2, right - 0.08 * width, 0.76, scale(inside, 0.6), 0.6);
  for (
    let x = left + 0.1 * width;
    x < right - 0.14 * width && !plan.without.has("objects");
    x += random.between(0.03, 0.06) / aspect
  ) {
    const tall = random.between(0.03, 0.1);
    const ware = scale(mix(fromHex(random.pick(goods)), [0.9, 0.5, 0.2], 0.25), 0.75);
    fillBox(canvas, x, 0.76 - tall, x + 0.032 / aspect, 0.76, ware);
  }
  fillBox(canvas, left - 0.01, 0.76, right + 0.01, 0.8, scale(boards, 1.3));
  if (!isLit) return;
  for (let i = 0; i < 9; i++) fillDisc(canvas, left + (width * (i + 0.5)) / 9, top + 0.02, 0.008, lamp, 1);
  addGlow(canvas, (left + right) / 2, 0.6, 0.22, [0.2, 0.11, 0.04]);
}

function paintFir({ canvas, plan, random, aspect }: BackdropInput, x: number): void {
  for (let i = 0; i < 700; i++) {
    const down = random.next() ** 0.62;
    const half = 0.03 + 0.24 * down * (0.74 + 0.26 * Math.abs(Math.sin(down * 15)));
    const color = random.chance(0.16)
      ? scale(duskSnow, 0.55)
      : scale(fromHex(random.pick(["#23492c", "#1c3b26", "#2f5a35"])), 0.35 + 0.4 * random.next());
    const px = x + (random.between(-1, 1) * half) / aspect;
    fillDisc(canvas, px, 0.06 + 0.88 * down, random.between(0.013, 0.027), color, 0.9);
  }
  if (plan.without.has("lights")) return;
  for (let i = 0; i < 60; i++) {
    const down = random.between(0.02, 1) ** 0.7;
    fillDisc(canvas, x + (random.between(-1, 1) * (0.02 + 0.24 * down)) / aspect, 0.07 + 0.86 * down, 0.007, lamp, 1);
  }
}
