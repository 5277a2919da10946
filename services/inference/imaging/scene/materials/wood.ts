/** Wood: boards side by side, and boards in a herringbone. */

import { type LinearRgb, luminance, mix, saturate, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { Material, MaterialInput } from "./material.ts";

/** A point of a board, and two numbers, 0–1, in which boards differ. Lengths as of a material. */
interface BoardPoint {
  along: number;
  across: number;
  own: number;
  other: number;
  footprint: number;
  /** From the nearest joint. */
  edge: number;
}

/** The look of a board: growth rings, pores along the grain, and the dark joint at its edge. */
function createBoard({ color, noise, random }: MaterialInput): (point: BoardPoint, out: Float32Array) => void {
  const light = mix(saturate(color, 0.9), [1, 0.93, 0.82], 0.12);
  const dark: LinearRgb = scale(saturate(color, 1.12), 0.52);
  const ringCount = random.between(5, 8);
  const contrast = luminance(color) < 0.08 ? 0.75 : 1;
  return ({ along, across: y, own, other, footprint, edge }, out) => {
    const x = along * 0.55 + own * 90;
    // Growth rings: the distance from a pith beside the board, distorted by low-frequency noise.
    const bend = noise.fractal(x * 1.1, y * 4 + own * 50, 3, footprint) - 0.5;
    const ring = (y * (1.2 + other) + bend * 0.34 + other * 3) * ringCount;
    const phase = ring - Math.floor(ring);
    const ringEdge = smoothstep(0, 0.75, phase) * (1 - smoothstep(0.86, 1, phase));
    const ringDetail = Math.max(0, 1 - footprint * ringCount * 3);
    const pores = noise.fractal(x * 7, y * 150 + own * 20, 3, footprint * 90);
    const fiber = noise.fractal(x * 3, y * 48 + other * 70, 3, footprint * 30);
    const cloud = noise.fractal(x * 0.8 + 7, y * 2.4, 2, footprint);
    const poreDark = smoothstep(0.62, 0.8, pores) * 0.3;
    let share =
      0.16 +
      contrast * (0.34 * (ringEdge - 0.35) * ringDetail + 0.55 * (fiber - 0.5) + 0.4 * (cloud - 0.5)) +
      (own - 0.5) * 0.3 +
      poreDark;
    share = Math.min(1, Math.max(0, share));
    const width = Math.max(0.007, footprint * 1.2);
    const shade = (0.9 + 0.2 * other) * (1 - 0.72 * (1 - smoothstep(width * 0.35, width, edge)));
    out[0] = (light[0] + (dark[0] - light[0]) * share) * shade;
    out[1] = (light[1] + (dark[1] - light[1]) * share) * shade;
    out[2] = (light[2] + (dark[2] - light[2]) * share) * shade;
    out[3] = 0.16 + 0.1 * (fiber - 0.5);
  };
}

const emptyPoint = (): BoardPoint => ({ along: 0, across: 0, own: 0, other: 0, footprint: 0, edge: 0 });

export function wood(input: MaterialInput): Material {
  const { noise, random, liesAcross = false } = input;
  const alongU = random.chance(0.3) || liesAcross;
  const board = random.between(0.42, 0.62);
  const paint = createBoard(input);
  const point = emptyPoint();
  return (u, v, footprint, out) => {
    const across = (alongU ? v : u) / board + 40;
    const index = Math.floor(across);
    const inBoard = across - index;
    point.along = alongU ? u : v;
    point.across = inBoard * board;
    point.own = noise.cell(index * 7 + 3, 11);
    point.other = noise.cell(index * 13 + 5, 29);
    point.footprint = footprint;
    point.edge = Math.min(inBoard, 1 - inBoard) * board;
    paint(point, out);
  };
}

/** How many times as long as wide a board of a herringbone is, and how wide. */
const oblong = 5;
const boardWide = 0.17;

/** Short boards that meet at right angles, in a zigzag toward the viewer. */
export function herringbone(input: MaterialInput): Material {
  const { noise } = input;
  const paint = createBoard(input);
  const point = emptyPoint();
  return (u, v, footprint, out) => {
    const x = (u + v) / Math.SQRT2 / boardWide + 400;
    const y = (v - u) / Math.SQRT2 / boardWide + 400;
    const column = Math.floor(x);
    const row = Math.floor(y);
    const phase = (((column - row) % (2 * oblong)) + 2 * oblong) % (2 * oblong);
    const isLevel = phase < oblong;
    const steps = isLevel ? phase : 2 * oblong - 1 - phase;
    const along = steps + (isLevel ? x - column : y - row);
    const across = isLevel ? y - row : x - column;
    const first = isLevel ? column - steps : column;
    const second = isLevel ? row : row - steps;
    point.along = along * boardWide;
    point.across = across * boardWide;
    point.own = noise.cell(first * 7 + 3, second * 11 + 5);
    point.other = noise.cell(first * 13 + 5, second * 17 + 29);
    point.footprint = footprint;
    point.edge = Math.min(across, 1 - across, along, oblong - along) * boardWide;
    paint(point, out);
  };
}
