/** Walls: plaster, bricks, and materials that are known by their texture: cast concrete, boards, natural stones, marble, folds of cloth. */

import { addGlow, blurCanvas, fillDisc, fillRod, shadePixels, shadeSmoothly } from "../canvas/canvas.ts";
import { fromHex, type LinearRgb, luminance, mix, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { createPrint } from "../materials/printed.ts";
import { isLampLit } from "../plan/lighting.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import type { RoomWall } from "../words/lexicon.ts";
import type { BackdropInput } from "./painter.ts";

/** Light on a vertical wall: strongest on the lamp's side, a little weaker toward the ceiling. */
export function wallIrradiance(input: BackdropInput, x: number, y: number): number {
  const side = (x - 0.5) * 2 * input.lampSide;
  return 0.78 + 0.2 * side + 0.16 * Math.exp(-((x - 0.5) ** 2) * 6 - (y - 0.62) ** 2 * 5) - 0.12 * (1 - y);
}

/** The room's light, of which the lamp reaches a share. */
export function keyAndAmbient({ plan }: BackdropInput, gobo: number): LinearRgb {
  const { key, ambient } = plan.lighting;
  return [ambient[0] + key[0] * gobo, ambient[1] + key[1] * gobo, ambient[2] + key[2] * gobo];
}

export function paintWall(input: BackdropInput): void {
  const { canvas, plan, noise } = input;
  if (plan.roomWall !== null) {
    const { decor, color } = plan.roomWall;
    if (decor === "bricks") paintBricks(input, color);
    else wallPainters[decor]({ ...input, plan: { ...plan, backdropColor: color } });
    if (plan.lightKind === "neon") paintTubes(input);
    return;
  }
  const evenness = plan.backdrop === "sweep" ? 0.02 : 0.14;
  const { key, ambient } = plan.lighting;
  shadeSmoothly(canvas, (x, y, out) => {
    const plaster = 1 + evenness * (noise.fractal(x * 3 * input.aspect, y * 3, 4, 0.01) - 0.5);
    const lit = 0.8 * wallIrradiance(input, x, y) * input.gobo.wall(x, y);
    const color = wallColor(plan, x, y);
    for (let c = 0; c < 3; c++) out[c] = color[c]! * (ambient[c]! + key[c]! * lit) * plaster;
  });
  paintWallLights(input);
}

/** It may change toward its top. */
function wallColor({ backdropColor, gradientColor }: ScenePlan, x: number, y: number): LinearRgb {
  if (gradientColor === null) return backdropColor;
  return mix(backdropColor, gradientColor, 1 - smoothstep(0.04, 0.86, y + 0.1 * (x - 0.5)));
}

function paintWallLights(input: BackdropInput): void {
  const { plan } = input;
  if (plan.lightKind === "neon") paintTubes(input);
  if (plan.backdrop === "wall" && plan.hasAccentLights)
    paintBokeh(input, 34, [plan.accent, mix(plan.accent, [1, 0.9, 0.7], 0.5)]);
}

const neonPink: LinearRgb = [1.5, 0.12, 0.75];
const neonBlue: LinearRgb = [0.12, 0.55, 1.6];

/** Two tubes of light at each side of the product, and their glow on the wall. */
export function paintTubes({ canvas, plan, aspect, lampSide }: BackdropInput): void {
  // A sign shines by itself.
  if (plan.without.has("lights") || plan.things.some(({ name }) => name === "neon")) return;
  const [away, near] = plan.neon ?? [neonBlue, neonPink];
  for (const [side, color] of [
    [-lampSide, away],
    [lampSide, near],
  ] as const) {
    const way = side < 0 ? -1 : 1;
    for (const y of [0.2, 0.4, 0.6, 0.8]) addGlow(canvas, 0.5 + way * 0.34, y, 0.34, scale(color, 0.16));
    for (const [aside, lean] of [
      [0.3, 0.05],
      [0.37, 0.05],
    ] as const) {
      const [top, foot] = [0.5 + way * (aside + lean), 0.5 + way * aside] as const;
      fillRod(canvas, top, 0.06, foot, 0.9, 0.016 / Math.max(1, aspect), scale(color, 1.1));
      fillRod(canvas, top, 0.06, foot, 0.9, 0.006, [1.5, 1.4, 1.5]);
    }
  }
  blurCanvas(canvas, 0.005);
}

/** A wall is so many times as far away as the product. */
export const awayFromProduct = 1.45;

/** Printed paper. */
export function paintPrintedWall(input: BackdropInput): void {
  const { canvas, plan, noise, aspect, unit, gobo } = input;
  if (plan.print === null) {
    paintWall({ ...input, plan: { ...plan, roomWall: null } });
    return;
  }
  const print = createPrint(plan.print, noise);
  const perWidth = awayFromProduct / unit;
  const footprint = (1.6 * perWidth) / canvas.width;
  shadePixels(canvas, (x, y, out) => {
    print((x - 0.5) * perWidth, ((1 - y) / aspect) * perWidth, footprint, out);
    const light = keyAndAmbient(input, 0.8 * wallIrradiance(input, x, y) * gobo.wall(x, y));
    for (let c = 0; c < 3; c++) out[c]! *= light[c]!;
  });
  blurCanvas(canvas, 0.003);
  if (plan.lightKind === "neon") paintTubes(input);
}

const wallPainters: Readonly<Record<Exclude<RoomWall, "bricks">, (input: BackdropInput) => void>> = {
  "concrete-wall": paintConcreteWall,
  "board-wall": paintBoardWall,
  "stone-wall": paintStoneWall,
  "marble-wall": paintMarbleWall,
  "printed-wall": paintPrintedWall,
};

/** Lights of lamps and candles that stand in groups, enlarged by the defocused lens. */
export function paintBokeh(
  { canvas, plan, random }: BackdropInput,
  count: number,
  colors?: readonly LinearRgb[],
): void {
  if (plan.without.has("lights")) return;
  const power = isLampLit(plan.lightKind) ? 0.5 : 0.1;
  const groups = Array.from({ length: Math.ceil(count / 7) }, () => ({
    x: random.next(),
    y: random.between(0.1, 0.55),
    radius: random.between(0.02, 0.036),
  }));
  for (let i = 0; i < count; i++) {
    const { x, y, radius } = groups[i % groups.length]!;
    const color =
      colors === undefined
        ? mix([1, 0.58, 0.24], [1, 0.82, 0.55], random.next())
        : colors[random.integer(0, colors.length - 1)]!;
    fillDisc(
      canvas,
      x + 0.17 * (random.next() + random.next() - 1),
      y + 0.14 * (random.next() + random.next() - 1),
      radius * random.between(0.85, 1.15),
      scale(color, power * random.between(0.25, 1.2)),
      1,
      true,
      0.4,
    );
  }
}

/** Bricks between pale joints, some darker than others, with a wash of old paint. */
export function paintBricks(input: BackdropInput, brick: LinearRgb, rows = 17): void {
  const { canvas, plan, noise, aspect, lampSide, gobo } = input;
  const joint = mix(plan.backdropColor, fromHex("#b9aea2"), 0.7);
  // Pale bricks are painted, and nearly of one tone.
  const contrast = 0.75 - 0.55 * Math.min(1, luminance(brick) * 2);
  shadePixels(canvas, (x, y, out) => {
    const row = Math.floor(y * rows);
    const along = (x * aspect * rows) / 2.5 + (row % 2) * 0.5;
    const column = Math.floor(along);
    const across = Math.min((along - column) * 2.5, (1 - along + column) * 2.5, y * rows - row, 1 - y * rows + row);
    const isBrick = smoothstep(0.03, 0.13, across);
    const own = noise.cell(column * 3 + 7, row * 5 + 1);
    const tone = 1 - contrast * (0.6 - own) + 0.3 * (noise.fractal(x * 9 * aspect, y * 9, 3, 0.02) - 0.5);
    const fade = 0.62 + 0.42 * (0.5 + (x - 0.5) * Math.sign(lampSide || 1)) + 0.1 * y;
    const light = keyAndAmbient(input, 0.62 * fade * gobo.wall(x, y));
    for (let c = 0; c < 3; c++) out[c] = (joint[c]! * (1 - isBrick) + brick[c]! * tone * isBrick) * light[c]!;
  });
}

/** The lamp's share at a point of the wall, weaker away from it. */
export function arrivingAt({ lampSide, gobo }: BackdropInput, x: number, y: number): number {
  return (0.58 + 0.26 * (0.5 + (x - 0.5) * lampSide) + 0.08 * y) * gobo.wall(x, y);
}

/** Panels with joints and the holes of their ties, clouds of gray, and a few pores. */
export function paintConcreteWall(input: BackdropInput): void {
  const { canvas, plan, noise, aspect } = input;
  const panel = { wide: 0.92, tall: 0.58 };
  shadePixels(canvas, (x, y, out) => {
    const u = (x * aspect + 0.31) / panel.wide;
    const v = (y + 0.12) / panel.tall;
    const inU = u - Math.floor(u);
    const inV = v - Math.floor(v);
    const edge = Math.min(inU * panel.wide, (1 - inU) * panel.wide, inV * panel.tall, (1 - inV) * panel.tall);
    const joint = 1 - smoothstep(0.004, 0.012, edge);
    const tieU = Math.abs(Math.abs(inU - 0.5) - 0.27) * panel.wide;
    const tieV = Math.abs(Math.abs(inV - 0.5) - 0.27) * panel.tall;
    const tie = 1 - smoothstep(0.009, 0.016, Math.hypot(tieU, tieV));
    const own = 1 + 0.1 * (noise.cell(Math.floor(u) * 3 + 5, Math.floor(v) * 7) - 0.5);
    const cloud = 1 + 0.5 * (noise.fractal(x * aspect * 3, y * 3.4, 5, 0.01) - 0.5);
    const pore = smoothstep(0.74, 0.8, noise.at(x * aspect * 60, y * 60)) * 0.16;
    const light = keyAndAmbient(input, arrivingAt(input, x, y));
    const shade = own * cloud * (1 - 0.5 * joint) * (1 - 0.6 * tie) * (1 - pore);
    for (let c = 0; c < 3; c++) out[c] = plan.backdropColor[c]! * shade * light[c]!;
  });
  blurCanvas(canvas, 0.005);
}

/** Plaster that a trowel spread by hand: low swells and short strokes across each other, lit from the lamp's side. */
export function paintPlasterWall(input: BackdropInput): void {
  const { canvas, plan, noise, aspect, lampSide } = input;
  const { key, ambient } = plan.lighting;
  const way = Math.sign(lampSide || 1);
  const heightAt = (u: number, v: number) => {
    const turn = 0.7 * (noise.at(u * 1.3 + 8, v * 1.3) - 0.5);
    const swell = noise.fractal(u * 2.2 + 4, v * 2.2, 3, 0.01);
    const stroke = noise.fractal((u + turn * v) * 5 + 30, (v - turn * u) * 13 + 9, 4, 0.01);
    return 0.6 * swell + 0.45 * stroke;
  };
  shadePixels(canvas, (x, y, out) => {
    const u = x * aspect;
    const slope = heightAt(u, y) - heightAt(u + 0.02 * way, y - 0.014);
    const stain = 1 + 0.12 * (noise.fractal(u * 1.1 + 60, y * 1.1, 3, 0.01) - 0.5);
    const relief = Math.min(1.35, Math.max(0.55, 1 + 2.5 * slope));
    const lit = 0.8 * wallIrradiance(input, x, y) * input.gobo.wall(x, y) * relief;
    const shaded = 0.5 + 0.5 * relief;
    const color = wallColor(plan, x, y);
    for (let c = 0; c < 3; c++) out[c] = color[c]! * stain * (ambient[c]! * shaded + key[c]! * lit);
  });
  blurCanvas(canvas, 0.003);
  paintWallLights(input);
}

/** Upright boards of uneven width and tone, with their grain. */
export function paintBoardWall(input: BackdropInput): void {
  const { canvas, plan, noise, aspect } = input;
  const boards = 8;
  shadePixels(canvas, (x, y, out) => {
    const u = x * aspect * boards + 0.6 * noise.at(Math.floor(x * aspect * boards) * 0.7, 3);
    const board = Math.floor(u);
    const edge = Math.min(u - board, board + 1 - u);
    const gap = 1 - smoothstep(0.015, 0.06, edge);
    const tone = 0.74 + 0.5 * noise.cell(board * 5 + 1, 9);
    const bend = noise.fractal(u * 0.8 + board * 7, y * 1.4, 3, 0.01);
    const grain = noise.fractal(u * 5 + bend * 6, y * 1.3 + board * 3, 4, 0.01) - 0.5;
    const light = keyAndAmbient(input, arrivingAt(input, x, y));
    const shade = tone * (1 + 0.55 * grain) * (1 - 0.72 * gap);
    for (let c = 0; c < 3; c++) out[c] = plan.backdropColor[c]! * shade * light[c]!;
  });
  blurCanvas(canvas, 0.005);
}

/** Large stones in courses. */
export function paintStoneWall(input: BackdropInput): void {
  paintBricks(input, input.plan.backdropColor, 7);
  blurCanvas(input.canvas, 0.007);
}

/** A polished slab with veins that run across it. */
export function paintMarbleWall(input: BackdropInput): void {
  const { canvas, plan, noise, aspect } = input;
  const stone = plan.backdropColor;
  const isDark = luminance(stone) < 0.25;
  const vein = isDark ? mix(stone, [0.72, 0.68, 0.6], 0.55) : scale(stone, 0.52);
  shadePixels(canvas, (x, y, out) => {
    const u = x * aspect;
    const bend = noise.fractal(u * 1.1 + 3, y * 1.1, 5, 0.01) - 0.5;
    const across = u * 1.3 - y * 1.9 + bend * 2.6;
    const away = Math.abs(across - Math.round(across));
    const strength = smoothstep(0.34, 0.66, noise.at(u * 1.4 + 20, y * 1.4 + 7));
    const line = (1 - smoothstep(0.008, 0.05, away)) * (0.15 + 0.75 * strength);
    const haze = 0.22 * (1 - smoothstep(0, 0.3, away)) * strength;
    const light = keyAndAmbient(input, arrivingAt(input, x, y));
    const share = Math.min(1, line + haze);
    for (let c = 0; c < 3; c++) out[c] = (stone[c]! + (vein[c]! - stone[c]!) * share) * light[c]!;
  });
  blurCanvas(canvas, 0.005);
}

/** Cloth that hangs in folds; velvet and silk shine where a fold turns to the lamp. */
export function paintClothWall(input: BackdropInput): void {
  const { canvas, plan, noise, aspect, lampSide } = input;
  const isGlossy = plan.surface === "velvet" || plan.surface === "silk";
  const foldAt = (u: number, y: number) => {
    const sway = 0.25 * (noise.fractal(u * 1.3, y * 0.8, 2, 0.01) - 0.5);
    return Math.sin((u + sway) * 17 + 3 * noise.at(u * 2.1, 1)) * (0.6 + 0.4 * noise.at(u * 3 + 9, 4));
  };
  shadePixels(canvas, (x, y, out) => {
    const u = x * aspect;
    const fold = foldAt(u, y);
    const slope = (foldAt(u + 0.012 * lampSide, y) - fold) * 2.2;
    const sheen = isGlossy ? 0.5 * Math.max(0, slope) ** 2 : 0;
    const shade = Math.max(0.22, 0.72 + 0.26 * fold + 0.42 * slope);
    const light = keyAndAmbient(input, arrivingAt(input, x, y));
    for (let c = 0; c < 3; c++)
      out[c] = (plan.backdropColor[c]! * shade + (0.06 + plan.backdropColor[c]!) * sheen) * light[c]!;
  });
  blurCanvas(canvas, 0.007);
}
