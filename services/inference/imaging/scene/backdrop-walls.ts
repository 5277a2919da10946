/** Walls of a material that is known by its texture: cast concrete, boards, natural stones, slabs of marble, folds of cloth. */

import { keyAndAmbient, paintBricks } from "./backdrop-indoors.ts";
import type { BackdropInput } from "./backdrop-painter.ts";
import { blurCanvas, shadePixels } from "./canvas.ts";
import { luminance, mix, scale } from "./color.ts";
import { sheen } from "./materials-bright.ts";
import { smoothstep } from "./noise.ts";

/** The lamp's share at a point of the wall, weaker away from it. */
function arrivingAt({ lampSide, gobo }: BackdropInput, x: number, y: number): number {
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
