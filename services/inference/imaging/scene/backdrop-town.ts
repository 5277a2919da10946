/** Houses of an old town side by side, out of focus: plaster in warm colors, roofs, rows of windows, shops below. */

import type { BackdropInput } from "./backdrop-painter.ts";
import { paintSkyGradient } from "./backdrop-sky.ts";
import { addGlow, blurCanvas, fillBox, fillDisc, lensBlur } from "./canvas.ts";
import { fromHex, type LinearRgb, luminance, mix, multiply, scale } from "./color.ts";
import { isLampLit } from "./lighting.ts";

/** Pale stone below roofs of zinc, where the place's own color is gray: Paris. */
const stones = ["#d8cfbd", "#cfc6b4", "#ded6c6", "#c9c0ae"] as const;
const plasters = ["#d8b98c", "#cfa07c", "#e2d3b8", "#c98f6c", "#d9c3a4", "#b9a58e", "#c7b7a5", "#dba98c"] as const;
const roofs = ["#9a5a40", "#7d4a38", "#86695a"] as const;
const shutters = ["#4f6654", "#5f5a50", "#6d7f86", "#7a4436"] as const;
const awnings = ["#a63a32", "#39604a", "#c9a24f", "#3f5f80"] as const;
const floors = 4;
const foot = 0.97;

const isPale = ({ plan: { backdropColor } }: BackdropInput) =>
  Math.max(...backdropColor) < 1.5 * Math.min(...backdropColor);

interface House {
  readonly left: number;
  readonly wide: number;
  readonly eaves: number;
  readonly plaster: LinearRgb;
}

export function paintTown(input: BackdropInput): void {
  paintSkyGradient(input, 0.95);
  const { canvas, plan, random, aspect } = input;
  const { key, ambient } = plan.lighting;
  const light: LinearRgb = [ambient[0] + 0.6 * key[0], ambient[1] + 0.6 * key[1], ambient[2] + 0.6 * key[2]];
  const isEvening = isLampLit(plan.lightKind);
  for (let x = random.between(-0.12, -0.02); x < 1; ) {
    const wide = random.between(0.24, 0.38) / aspect;
    const own = mix(fromHex(random.pick(isPale(input) ? stones : plasters)), plan.backdropColor, 0.25);
    const house = {
      left: x,
      wide,
      eaves: random.between(0.05, 0.24),
      plaster: scale(multiply(own, light), random.between(0.72, 0.95)),
    };
    paintHouse(input, house, light, isEvening);
    x += wide;
  }
  fillBox(canvas, 0, foot, 1, 1, scale(multiply(fromHex("#8f857a"), light), 0.55));
  lensBlur(canvas, 0.011);
  blurCanvas(canvas, 0.004);
}

function paintHouse(input: BackdropInput, house: House, light: LinearRgb, isEvening: boolean): void {
  const { canvas, random, lampSide, aspect } = input;
  const { left, wide, eaves, plaster } = house;
  paintRoof(input, house, multiply(fromHex(isPale(input) ? "#7d858c" : random.pick(roofs)), light));
  fillBox(canvas, left, eaves, left + wide, foot, plaster);
  // A drainpipe and the neighbor's shadow part it from the next.
  const shade = lampSide > 0 ? left : left + wide - 0.02 / aspect;
  fillBox(canvas, shade, eaves, shade + 0.02 / aspect, foot, scale(plaster, 0.6), 0.7);
  fillBox(canvas, left, eaves, left + wide, eaves + 0.018, scale(plaster, 1.25), 0.8);
  const tall = (0.72 - eaves) / floors;
  const columns = random.integer(2, 4);
  const shutter = isPale(input) ? plaster : multiply(fromHex(random.pick(shutters)), light);
  const pane = isEvening ? scale([1.3, 0.86, 0.42], 0.8) : scale(multiply(fromHex("#4a5560"), light), 0.7);
  for (let floor = 0; floor < floors; floor++) {
    for (let column = 0; column < columns; column++) {
      const middle = left + (wide * (column + 0.5)) / columns;
      const half = Math.min(0.021, (0.17 * wide * aspect) / columns) / aspect;
      const top = eaves + 0.035 + tall * floor;
      const low = top + tall * 0.62;
      const isLit = !isEvening || random.chance(0.55);
      fillBox(canvas, middle - half * 2.1, top, middle + half * 2.1, low, shutter, 0.85);
      fillBox(canvas, middle - half, top, middle + half, low, isLit ? pane : scale(plaster, 0.2));
      fillBox(canvas, middle - half * 2.3, low, middle + half * 2.3, low + 0.012, scale(plaster, 1.3), 0.8);
    }
  }
  paintShop(input, house, light, isEvening);
}

/** A low gable, or the slope of a roof along the street. */
function paintRoof({ canvas, random }: BackdropInput, { left, wide, eaves }: House, color: LinearRgb): void {
  const isGable = random.chance(0.4);
  const tall = isGable ? 0.13 : 0.05;
  const { width, height, planes } = canvas;
  for (let column = Math.max(0, Math.floor(left * width)); column < Math.min(width, (left + wide) * width); column++) {
    const along = Math.abs(((column + 0.5) / width - left) / wide - 0.5) * 2;
    const top = eaves - tall * (isGable ? 1 - along : 1);
    for (let row = Math.max(0, Math.floor(top * height)); row < eaves * height; row++)
      for (let c = 0; c < 3; c++) planes[c]![row * width + column] = color[c]!;
  }
}

/** Windows of a shop or a café below an awning, lit in the evening. */
function paintShop(input: BackdropInput, { left, wide, plaster }: House, light: LinearRgb, isEvening: boolean): void {
  const { canvas, plan, random, aspect } = input;
  const edge = 0.025 / aspect;
  const glass = isEvening ? fromHex("#f2b866") : scale(multiply(fromHex("#57514a"), light), 0.8);
  fillBox(canvas, left + edge, 0.8, left + wide - edge, foot, scale(plaster, 0.5));
  fillBox(canvas, left + 2 * edge, 0.815, left + wide - 2 * edge, foot - 0.02, glass);
  if (random.chance(0.65)) {
    const cloth = multiply(fromHex(random.pick(awnings)), light);
    for (let stripe = 0; stripe < 8; stripe++) {
      const from = left + edge + ((wide - 2 * edge) * stripe) / 8;
      const color = stripe % 2 === 0 || isPale(input) ? cloth : scale(light, 0.72);
      fillBox(canvas, from, 0.755, from + (wide - 2 * edge) / 8, 0.82, color);
    }
  }
  if (isEvening && !plan.without.has("lights")) {
    const x = left + wide / 2;
    fillDisc(canvas, x, 0.73, 0.02, [2.4, 1.6, 0.8], 0.9, true);
    addGlow(canvas, x, 0.76, 0.16, scale([0.3, 0.18, 0.07], Math.min(1, 0.4 + luminance(light))));
  }
}
