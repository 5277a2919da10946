/** Walls of printed paper, and of leaves of gold. */

import { blurCanvas, shadePixels } from "../canvas/canvas.ts";
import { luminance, scale } from "../canvas/color.ts";
import { leaf } from "../materials/metal-leaf.ts";
import { createPrint } from "../materials/printed.ts";
import type { BackdropInput } from "./painter.ts";
import { keyAndAmbient, paintTubes, paintWall, wallIrradiance } from "./walls.ts";

/** It is so many times as far away as the product. */
const away = 1.45;

export function paintPrintedWall(input: BackdropInput): void {
  const { canvas, plan, noise, aspect, unit, gobo } = input;
  if (plan.print === null) {
    paintWall(input);
    return;
  }
  const print = createPrint(plan.print, noise);
  const perWidth = away / unit;
  const footprint = (1.6 * perWidth) / canvas.width;
  shadePixels(canvas, (x, y, out) => {
    print((x - 0.5) * perWidth, ((1 - y) / aspect) * perWidth, footprint, out);
    const light = keyAndAmbient(input, 0.8 * wallIrradiance(input, x, y) * gobo.wall(x, y));
    for (let c = 0; c < 3; c++) out[c]! *= light[c]!;
  });
  blurCanvas(canvas, 0.003);
  if (plan.lightKind === "neon") paintTubes(input);
}

/** Reflectance below which gold would be olive: a dark scene's light is dark by itself. */
const leastGold = 0.3;

export function paintLeafWall(input: BackdropInput): void {
  const { canvas, plan, noise, random, aspect, unit, gobo, lampSide } = input;
  const gold = scale(plan.backdropColor, Math.max(1, leastGold / luminance(plan.backdropColor)));
  const material = leaf({ color: gold, noise, random, towardLamp: [lampSide, 0.6] });
  const perWidth = away / unit;
  const footprint = perWidth / canvas.width;
  const own = new Float32Array(4);
  shadePixels(canvas, (x, y, out) => {
    material((x - 0.5) * perWidth, ((1 - y) / aspect) * perWidth, footprint, own);
    const light = keyAndAmbient(input, 0.8 * wallIrradiance(input, x, y) * gobo.wall(x, y));
    for (let c = 0; c < 3; c++) out[c] = own[c]! * light[c]!;
  });
  blurCanvas(canvas, 0.002);
}
