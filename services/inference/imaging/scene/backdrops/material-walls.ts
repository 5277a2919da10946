/** Walls of what grounds are made of, too: leaves of gold, banded stone, hammered metal, boards in a herringbone, foil, painted tiles. */

import { blurCanvas, shadePixels } from "../canvas/canvas.ts";
import { luminance, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { sheen } from "../materials/bright.ts";
import type { MaterialFactory } from "../materials/material.ts";
import { banded, hammered, leaf } from "../materials/metal-leaf.ts";
import { paintMotif } from "../materials/painted-tiles.ts";
import { herringbone } from "../materials/wood.ts";
import type { BackdropInput } from "./painter.ts";
import { arrivingAt, awayFromProduct, keyAndAmbient, wallIrradiance } from "./walls.ts";

/** Reflectance below which gold would be olive: a dark scene's light is dark by itself. */
const leastGold = 0.3;

const wallOf =
  (create: MaterialFactory, leastLuminance = 0) =>
  (input: BackdropInput): void => {
    const { canvas, plan, noise, random, aspect, unit, gobo, lampSide } = input;
    const color = scale(plan.backdropColor, Math.max(1, leastLuminance / luminance(plan.backdropColor)));
    const material = create({ color, noise, random, towardLamp: [lampSide, 0.6] });
    const perWidth = awayFromProduct / unit;
    const footprint = perWidth / canvas.width;
    const own = new Float32Array(4);
    shadePixels(canvas, (x, y, out) => {
      material((x - 0.5) * perWidth, ((1 - y) / aspect) * perWidth, footprint, own);
      const light = keyAndAmbient(input, 0.8 * wallIrradiance(input, x, y) * gobo.wall(x, y));
      for (let c = 0; c < 3; c++) out[c] = own[c]! * light[c]!;
    });
    blurCanvas(canvas, 0.002);
  };

export const paintLeafWall = wallOf(leaf, leastGold);
export const paintBandedWall = wallOf(banded);
export const paintHammeredWall = wallOf(hammered);
export const paintHerringboneWall = wallOf(herringbone);

/** Foil that hangs in soft bends, each in another color of the rainbow. */
export function paintFoilWall(input: BackdropInput): void {
  const { canvas, plan, noise, aspect } = input;
  shadePixels(canvas, (x, y, out) => {
    const u = x * aspect;
    const bend = noise.fractal(u * 1.2 + 7, y * 1.5, 3, 0.01);
    const fold = noise.fractal(u * 3 + 40, y * 1.3 + 5, 3, 0.01) - 0.5;
    const color = sheen(bend);
    const light = keyAndAmbient(input, arrivingAt(input, x, y));
    for (let c = 0; c < 3; c++) out[c] = plan.backdropColor[c]! * color[c]! * (1 + 0.6 * fold) * light[c]!;
  });
  blurCanvas(canvas, 0.01);
}

/** Tiles painted in blue on white, in six rows. */
export function paintPaintedTiles(input: BackdropInput): void {
  const { canvas, plan, noise, aspect } = input;
  const rows = 6;
  shadePixels(canvas, (x, y, out) => {
    const u = x * aspect * rows;
    const v = y * rows;
    const column = Math.floor(u);
    const row = Math.floor(v);
    const tone = 1 + 0.1 * (noise.cell(column * 3, row * 5) - 0.5);
    for (let c = 0; c < 3; c++) out[c] = plan.backdropColor[c]! * tone;
    paintMotif(u - column - 0.5, v - row - 0.5, 0.02, out);
    const edge = Math.min(u - column, 1 - u + column, v - row, 1 - v + row);
    const joint = 1 - 0.35 * (1 - smoothstep(0.008, 0.03, edge));
    const shine = 0.06 * smoothstep(0.45, 0.8, noise.at(u * 0.9, v * 0.7));
    const light = keyAndAmbient(input, 0.72 * (0.75 + 0.2 * (x - 0.5) * input.lampSide) * input.gobo.wall(x, y));
    for (let c = 0; c < 3; c++) out[c] = (out[c]! * joint + shine) * light[c]!;
  });
  blurCanvas(canvas, 0.006);
}
