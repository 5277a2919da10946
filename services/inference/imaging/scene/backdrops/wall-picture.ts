/** A framed picture on a room's wall: a mount, and broad shapes in the room's own colors. */

import { fillBox, fillCushion, shadeAround } from "../canvas/canvas.ts";
import { fromHex, mix, multiply, saturate } from "../canvas/color.ts";
import type { BackdropInput } from "./painter.ts";
import { keyAndAmbient } from "./walls.ts";

/** @param half half of its width, a share of the canvas's height, as `top` and `foot` are */
export function paintPicture(input: BackdropInput, x: number, half: number, top: number, foot: number): void {
  const { canvas, plan, random, aspect } = input;
  const light = keyAndAmbient(input, 0.55);
  const edge = 0.014;
  const left = x - half / aspect;
  const right = x + half / aspect;
  const hex = random.pick(["#3b2d20", "#1f1d1b", "#a9825b", "#e9e4da"]);
  shadeAround(canvas, [left, top + edge, right, foot + edge], 0.05, 0.4);
  fillBox(canvas, left, top, right, foot, multiply(fromHex(hex), light));
  fillBox(
    canvas,
    left + edge / aspect,
    top + edge,
    right - edge / aspect,
    foot - edge,
    multiply([0.8, 0.78, 0.73], light),
  );
  const mount = 0.18 * half + edge;
  const paper = multiply(mix(saturate(plan.backdropColor, 1.4), [0.7, 0.62, 0.5], 0.5), light);
  fillBox(canvas, left + mount / aspect, top + mount, right - mount / aspect, foot - mount, paper);
  const tall = foot - top - 2 * mount;
  const dark = multiply(mix(plan.accent, fromHex("#4d5a52"), 0.5), light);
  const warm = multiply(mix(plan.accent, fromHex("#b9694a"), 0.5), light);
  const aside = random.pick([-1, 1]) * 0.22 * half;
  fillCushion(canvas, x + aside / aspect, top + mount + 0.34 * tall, 0.3 * half, 0.3 * half, warm, 2, 0.1);
  fillCushion(canvas, x - (0.7 * aside) / aspect, foot - mount - 0.2 * tall, 0.5 * half, 0.2 * tall, dark, 3, 0.1);
}
