import type { LinearRgb } from "./color.ts";
import { luminance, mix, saturate, scale } from "./color.ts";
import type { Material, MaterialInput } from "./material.ts";
import { smoothstep } from "./noise.ts";

/** Boards side by side, each with its own growth rings, pores along the grain and a dark joint. */
export function wood({ color, noise, random }: MaterialInput): Material {
  const alongU = random.chance(0.3);
  const board = random.between(0.42, 0.62);
  const light = mix(saturate(color, 0.9), [1, 0.93, 0.82], 0.12);
  const dark: LinearRgb = scale(saturate(color, 1.12), 0.52);
  const ringCount = random.between(5, 8);
  const contrast = luminance(color) < 0.08 ? 0.75 : 1;
  return (u, v, footprint, out) => {
    const along = alongU ? u : v;
    const across = (alongU ? v : u) / board + 40;
    const index = Math.floor(across);
    const inBoard = across - index;
    const own = noise.cell(index * 7 + 3, 11);
    const other = noise.cell(index * 13 + 5, 29);
    const x = along * 0.55 + own * 90;
    const y = inBoard * board;
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
    const jointWidth = Math.max(0.007, footprint * 1.2) / board;
    const joint = Math.min(inBoard, 1 - inBoard);
    const shade = (0.9 + 0.2 * other) * (1 - 0.72 * (1 - smoothstep(jointWidth * 0.35, jointWidth, joint)));
    out[0] = (light[0] + (dark[0] - light[0]) * share) * shade;
    out[1] = (light[1] + (dark[1] - light[1]) * share) * shade;
    out[2] = (light[2] + (dark[2] - light[2]) * share) * shade;
    out[3] = 0.16 + 0.1 * (fiber - 0.5);
  };
}
