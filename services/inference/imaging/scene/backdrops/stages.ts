/** Places where things are shown: a runway, a gallery, a terrace above the sea, a porch, a rooftop. */

import { addGlow, blurCanvas, fillBox, fillDisc, fillRod, lensBlur } from "../canvas/canvas.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { fromHex, fromHsl, luminance, mix, multiply, scale } from "../canvas/color.ts";
import { fillStrokes } from "../canvas/strokes.ts";
import { isLampLit } from "../plan/lighting.ts";
import { lemonCrown } from "./fruit.ts";
import type { BackdropInput } from "./painter.ts";
import { paintFoliage, paintSnowfield } from "./plants.ts";
import { paintSea } from "./sky.ts";
import { paintSkyline } from "./skyline.ts";
import { keyAndAmbient, paintWall } from "./walls.ts";

/** Light tubes that recede to a bright screen, spotlights from above, and the heads of an audience. */
export function paintRunway(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, random, aspect } = input;
  const dim = plan.without.has("lights") ? 0.12 : 1;
  const screen = mix([1.05, 1.0, 1.02], plan.accent, 0.25);
  const tube = mix([2.6, 2.5, 2.6], scale(plan.accent, 3), 0.2);
  for (const planeOfColor of canvas.planes) for (let i = 0; i < planeOfColor.length; i++) planeOfColor[i]! *= 0.35;
  for (const [reach, power] of [
    [0.5, 0.16],
    [0.24, 0.3],
  ] as const) {
    addGlow(canvas, 0.5, 0.6, reach, scale(screen, power * dim));
  }
  const half = 0.34 / aspect;
  fillBox(canvas, 0.5 - half, 0.16, 0.5 + half, 0.96, scale(screen, 0.55 * dim));
  fillBox(canvas, 0.5 - half * 0.86, 0.2, 0.5 + half * 0.86, 0.96, scale(screen, 0.95 * dim));
  for (let i = 0; i < 5; i++) {
    const depth = i / 4;
    const away = (0.44 + 0.62 * depth ** 1.5 * aspect * 0.55) / aspect;
    const tall = 0.4 + 0.42 * depth;
    const wide = (0.008 + 0.012 * depth) / aspect;
    for (const side of [-1, 1]) {
      const x = 0.5 + side * away;
      fillBox(canvas, x - wide, 0.96 - tall, x + wide, 0.96, scale(tube, dim));
      addGlow(canvas, x, 0.96 - tall / 2, 0.14, scale(tube, 0.05 * dim));
    }
  }
  paintSpots(input, dim);
  for (let i = 0; i < 26 && !plan.without.has("people"); i++) {
    const side = i % 2 === 0 ? -1 : 1;
    const x = 0.5 + side * (0.24 + 0.3 * random.next());
    const y = random.between(0.84, 0.93);
    fillDisc(canvas, x, y, 0.036, [0.012, 0.011, 0.013], 1);
    fillBox(canvas, x - 0.05 / aspect, y + 0.03, x + 0.05 / aspect, 1, [0.01, 0.009, 0.011]);
    fillDisc(canvas, x - (side * 0.012) / aspect, y - 0.01, 0.026, scale(screen, 0.05), 0.5, true);
  }
  lensBlur(canvas, 0.016);
  blurCanvas(canvas, 0.006);
}

/** Beams of light in the haze of the hall. */
function paintSpots({ canvas, plan }: BackdropInput, dim: number): void {
  const beam = mix([1, 1, 1], plan.lighting.key, 0.3);
  for (const [x, lean] of [
    [0.16, 0.24],
    [0.34, 0.1],
    [0.66, -0.1],
    [0.84, -0.24],
  ] as const) {
    for (let row = 0; row < canvas.height; row++) {
      const y = (row + 0.5) / canvas.height;
      const center = (x + lean * y) * canvas.width;
      const half = (0.006 + 0.07 * y) * canvas.height;
      const strength = 0.16 * dim * (1 - y) ** 1.4;
      for (
        let column = Math.max(0, Math.floor(center - half));
        column < Math.min(canvas.width, center + half);
        column++
      ) {
        const across = (column + 0.5 - center) / half;
        const share = strength * Math.max(0, 1 - across * across);
        const at = row * canvas.width + column;
        for (let c = 0; c < 3; c++) canvas.planes[c]![at]! += beam[c]! * share;
      }
    }
    fillDisc(canvas, x, 0.02, 0.018, scale(beam, 4 * dim), 1);
  }
}

const artColors = ["#c8553d", "#e3b23c", "#2f5d7c", "#dcd3c2", "#3a4a3f", "#e7a48f", "#8f9bb3", "#22262b"] as const;

/** Large pictures on a wall, each in a pool of light, and a bench in front. */
export function paintGallery(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, lampSide, aspect } = input;
  const shown = keyAndAmbient(input, 0.72);
  if (!plan.without.has("lights")) {
    for (const x of [0.17, 0.5, 0.83]) addGlow(canvas, x, 0.34, 0.34, scale(plan.backdropColor, 0.2));
  }
  if (!plan.without.has("pictures")) {
    const places = lampSide > 0 ? [0.05, 0.34, 0.7] : [0.04, 0.42, 0.72];
    for (const [i, left] of places.entries()) {
      const wide = [0.24, 0.2, 0.25][i]!;
      const top = 0.12 + 0.04 * (i % 2);
      paintPicture(input, left, top, wide, 0.56 - 0.06 * (i % 2), shown);
    }
  }
  // Skirting and the shade above it.
  fillBox(canvas, 0, 0.925, 1, 0.945, multiply(scale(plan.backdropColor, 1.05), shown));
  fillBox(canvas, 0, 0.945, 1, 1, multiply(scale(plan.backdropColor, 0.55), shown));
  if (!plan.without.has("seats")) {
    const left = lampSide > 0 ? 0.66 : 0.1;
    const bench = multiply(fromHex("#3a3129"), shown);
    fillBox(canvas, left, 0.84, left + 0.24, 0.875, scale(bench, 1.5));
    for (const x of [0.02, 0.2]) fillBox(canvas, left + x, 0.875, left + x + 0.012, 0.97, bench);
  }
  if (!plan.without.has("lights")) {
    fillRod(canvas, 0, 0.025, 1, 0.025, 0.006, [0.05, 0.05, 0.05]);
    for (const x of [0.17, 0.5, 0.83]) {
      fillBox(canvas, x - 0.02 / aspect, 0.03, x + 0.02 / aspect, 0.075, [0.06, 0.06, 0.06]);
      fillDisc(canvas, x, 0.078, 0.016, [3.2, 3, 2.6], 1);
    }
  }
  lensBlur(canvas, 0.011);
  blurCanvas(canvas, 0.004);
}

/** Fields of color in a thin dark frame. */
function paintPicture(
  { canvas, random }: BackdropInput,
  x: number,
  y: number,
  wide: number,
  tall: number,
  light: LinearRgb,
) {
  const frame = multiply([0.03, 0.026, 0.022], light);
  fillBox(canvas, x + 0.008, y + 0.02, x + wide + 0.012, y + tall + 0.03, [0, 0, 0], 0.16);
  fillBox(canvas, x, y, x + wide, y + tall, frame);
  const ground = multiply(fromHex(random.pick(["#efe8db", "#e6dccb", "#dfe3e4"])), light);
  fillBox(canvas, x + 0.006, y + 0.012, x + wide - 0.006, y + tall - 0.012, ground);
  const parts = random.integer(3, 5);
  for (let i = 0; i < parts; i++) {
    const color = multiply(fromHex(random.pick(artColors)), light);
    const left = x + wide * random.between(0.08, 0.5);
    const top = y + tall * random.between(0.1, 0.55);
    if (random.chance(0.4)) {
      fillDisc(canvas, left + wide * 0.18, top + tall * 0.15, tall * random.between(0.1, 0.17), color, 0.95);
      continue;
    }
    const right = Math.min(x + wide * 0.92, left + wide * random.between(0.2, 0.5));
    fillBox(canvas, left, top, right, Math.min(y + tall * 0.9, top + tall * random.between(0.12, 0.4)), color, 0.95);
  }
}

/** A whitewashed parapet with blossoms or a lemon tree, before a garden, or before the sea and a village on its headland. */
export function paintTerrace(input: BackdropInput): void {
  const { canvas, plan, random, lampSide, aspect, horizonY } = input;
  const { key, ambient } = plan.lighting;
  const atSea = plan.backdrop === "sea";
  if (atSea) paintSea(input);
  else paintFoliage(input);
  const light = Math.min(1.05, luminance(key) + luminance(ambient));
  const white: LinearRgb = scale([0.9, 0.89, 0.87], light);
  if (atSea) paintVillage(input, horizonY, white);
  const top = 0.8;
  fillBox(canvas, 0, top, 1, 1, scale(white, 0.74));
  fillBox(canvas, 0, top, 1, top + 0.045, scale(white, 1.02));
  fillBox(canvas, 0, top + 0.045, 1, top + 0.07, scale(white, 0.5), 0.6);
  for (let i = 0; i < 24; i++) {
    const x = random.next();
    fillBox(canvas, x, top + 0.07, x + random.between(0.02, 0.1), 1, scale(white, random.between(0.68, 0.82)), 0.35);
  }
  const pot = lampSide > 0 ? 0.12 : 0.88;
  const clay = scale(fromHex("#b9633f"), light);
  for (let step = 0; step < 10; step++) {
    const half = (0.062 + 0.03 * (1 - step / 10)) / aspect;
    fillBox(canvas, pot - half, top - 0.14 + step * 0.014, pot + half, top - 0.126 + step * 0.014, scale(clay, 0.95));
    fillBox(
      canvas,
      pot - half,
      top - 0.14 + step * 0.014,
      pot - half * 0.2,
      top - 0.126 + step * 0.014,
      scale(clay, lampSide < 0 ? 1.25 : 0.6),
      0.7,
    );
  }
  if (!plan.without.has("plants")) paintTerracePlants(input, pot, top, light);
  lensBlur(canvas, 0.011);
  blurCanvas(canvas, 0.004);
}

/** A lemon tree in the pot, whose boughs are painted with the theme's things; else blossoms in it and over the parapet. */
function paintTerracePlants(input: BackdropInput, pot: number, top: number, light: number): void {
  const { canvas, plan, lampSide } = input;
  if (plan.props.includes("lemons")) {
    fillStrokes(canvas, lemonCrown(input, pot, top - 0.3, 0.21));
    return;
  }
  paintBlossoms(input, pot, top - 0.24, 0.2, 150, light);
  paintBlossoms(input, lampSide > 0 ? 0.95 : 0.05, 0.04, 0.34, 330, light);
  paintBlossoms(input, lampSide > 0 ? 0.99 : 0.01, 0.42, 0.22, 140, light);
}

/** A porch of wood before a garden, or before firs in snow: a post, a rail on balusters, and a string of lamps. */
export function paintPorch(input: BackdropInput): void {
  const { canvas, plan, lampSide, aspect } = input;
  const { key, ambient } = plan.lighting;
  if (plan.isSnowy) paintSnowfield(input);
  else paintFoliage(input);
  const light = Math.min(1, 0.9 * luminance(key) + luminance(ambient));
  const wood = scale(mix([0.82, 0.8, 0.76], ambient, 0.15), light);
  const rail = 0.56;
  for (let i = 0; i <= 15; i++) {
    const x = (i + 0.3) / 15;
    fillBox(canvas, x - 0.012 / aspect, rail, x + 0.012 / aspect, 0.96, scale(wood, 0.9));
  }
  for (const [from, to] of [
    [rail - 0.035, rail + 0.02],
    [0.93, 0.97],
  ] as const) {
    fillBox(canvas, 0, from, 1, to, wood);
    fillBox(canvas, 0, to - 0.012, 1, to, scale(wood, 0.6));
    if (plan.isSnowy) fillBox(canvas, 0, from - 0.028, 1, from, scale([0.93, 0.95, 0.98], light));
  }
  const post = lampSide > 0 ? 0.14 : 0.86;
  fillBox(canvas, post - 0.05 / aspect, 0, post + 0.05 / aspect, 1, scale(wood, 0.97));
  fillBox(canvas, post - 0.05 / aspect, 0, post - 0.02 / aspect, 1, scale(wood, lampSide < 0 ? 1.15 : 0.62));
  paintLampString(input, 0.06, 0.1);
  lensBlur(canvas, 0.011);
  blurCanvas(canvas, 0.003);
}

/** A parapet of glass before the skyline, planters, and a string of lamps. */
export function paintRooftop(input: BackdropInput): void {
  paintSkyline(input);
  const { canvas, plan, random, aspect } = input;
  const { key, ambient } = plan.lighting;
  const light = Math.min(1, 0.7 * luminance(key) + luminance(ambient) + 0.12);
  const metal = scale([0.16, 0.16, 0.17], light);
  const top = 0.66;
  fillBox(canvas, 0, top, 1, 1, scale(mix(plan.lighting.horizon, [0.6, 0.66, 0.7], 0.5), light), 0.16);
  fillBox(canvas, 0, top - 0.022, 1, top, metal);
  const panes = Math.max(3, Math.round(2.6 * aspect));
  for (let i = 0; i <= panes; i++) {
    const x = (i + 0.4) / panes;
    fillBox(canvas, x - 0.01 / aspect, top, x + 0.01 / aspect, 1, metal);
  }
  if (!plan.without.has("plants")) {
    for (const [from, to] of [
      [-0.02, 0.26],
      [0.78, 1.02],
    ] as const) {
      for (let i = 0; i < 90; i++) {
        const x = random.between(from, to);
        const green = scale(fromHsl(random.between(86, 128), 0.3, random.between(0.2, 0.42)), light);
        fillDisc(canvas, x, 0.87 - 0.13 * random.next() ** 2, random.between(0.014, 0.03), green, 0.9);
      }
      fillBox(canvas, from, 0.87, to, 1, scale([0.24, 0.2, 0.17], light));
    }
  }
  paintLampString(input, 0.08, 0.14);
  lensBlur(canvas, 0.009);
  blurCanvas(canvas, 0.003);
}

/** Bulbs on a wire that hangs from side to side, `sag` lower in the middle. */
function paintLampString({ canvas, plan, aspect }: BackdropInput, top: number, sag: number): void {
  if (plan.without.has("lamps")) return;
  const bulbs = Math.max(6, Math.round(6.5 * aspect));
  const yAt = (x: number) => top + sag * (1 - (2 * x - 1) ** 2);
  const power = isLampLit(plan.lightKind) ? 1 : 0.5;
  for (let i = 0; i < bulbs; i++) {
    const x = (i + 0.5) / bulbs;
    const next = (i + 1.5) / bulbs;
    fillRod(canvas, x, yAt(x), next, yAt(next), 0.006, [0.06, 0.055, 0.05]);
    addGlow(canvas, x, yAt(x) + 0.02, 0.05, scale([0.5, 0.3, 0.1], power));
    fillDisc(canvas, x, yAt(x) + 0.02, 0.02, scale([1.7, 1.2, 0.6], power), 1, true, 0.6);
  }
}

/** White cubes and a blue dome on a hill. */
function paintVillage(
  { canvas, plan, random, lampSide, aspect }: BackdropInput,
  horizonY: number,
  white: LinearRgb,
): void {
  const rock = mix(scale(fromHex("#8a7358"), luminance(white)), plan.lighting.horizon, 0.3);
  const side = (x: number) => (lampSide > 0 ? 1 - x : x);
  const hill = (x: number) => 0.15 * Math.max(0, 1 - x / 0.42) ** 0.7;
  for (let x = 0; x < 0.42; x += 0.004) {
    const at = side(x);
    fillBox(
      canvas,
      at - 0.004,
      horizonY - hill(x),
      at + 0.004,
      horizonY + 0.012,
      scale(rock, 0.85 + 0.3 * random.next()),
    );
  }
  for (let i = 0; i < 34; i++) {
    const x = 0.36 * random.next();
    const wide = random.between(0.024, 0.05) / aspect;
    const y = horizonY - hill(x) * random.between(0.35, 1.08);
    const tall = random.between(0.03, 0.05);
    const at = side(x);
    fillBox(canvas, at - wide, y - tall, at + wide, y + 0.01, scale(white, random.between(0.86, 1)));
    fillBox(canvas, at, y - tall, at + wide, y + 0.01, scale(white, 0.66), lampSide > 0 ? 0 : 0.8);
    fillBox(canvas, at - wide * 0.3, y - tall * 0.6, at + wide * 0.1, y, [0.05, 0.16, 0.42], 0.8);
    if (i % 9 === 0) fillDisc(canvas, at, y - tall, wide * aspect * 0.8, [0.03, 0.13, 0.46], 1);
  }
}

function paintBlossoms(
  { canvas, random, aspect }: BackdropInput,
  x: number,
  y: number,
  reach: number,
  count: number,
  light: number,
) {
  for (let i = 0; i < count; i++) {
    const turn = random.next() * Math.PI * 2;
    const away = reach * Math.sqrt(random.next()) * (0.7 + 0.3 * Math.sin(turn * 3));
    const isLeaf = random.chance(0.42);
    const color = isLeaf
      ? fromHsl(random.between(88, 125), random.between(0.28, 0.42), random.between(0.2, 0.36))
      : fromHsl(random.between(316, 334), random.between(0.6, 0.8), random.between(0.42, 0.62));
    const at = x + (Math.cos(turn) * away) / aspect;
    fillDisc(canvas, at, y + Math.sin(turn) * away * 0.8, random.between(0.012, 0.026), scale(color, light), 0.92);
  }
}
