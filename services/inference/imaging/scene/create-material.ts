import { type LinearRgb, luminance, mix, saturate, scale } from "./color.ts";
import type { SurfaceKind } from "./lexicon.ts";
import type { Material, MaterialFactory, MaterialInput } from "./material.ts";
import { concrete, fabric, metal, plain, silk, stone, terrazzo, tile } from "./materials-indoor.ts";
import { asphalt, grass, pebble, sand, snow, soil, water } from "./materials-outdoor.ts";
import { smoothstep } from "./noise.ts";

const factories: Readonly<Record<SurfaceKind, MaterialFactory>> = {
  wood,
  marble,
  concrete,
  stone,
  sand,
  grass,
  fabric,
  tile,
  metal,
  water,
  snow,
  plain,
  gloss: (input) => plain(input, 0.55),
  pebble,
  soil,
  asphalt,
  terrazzo,
  silk,
};

/** The last material of each kind: the engine drops the machine code of closures with the last of them. */
const kept = new Map<SurfaceKind, Material>();

export function createMaterial(kind: SurfaceKind, input: MaterialInput): Material {
  const material = factories[kind](input);
  kept.set(kind, material);
  return material;
}

/** Share of its surroundings that each surface reflects at a grazing view, 0–1. */
export const reflectance: Readonly<Record<SurfaceKind, number>> = {
  wood: 0.1,
  marble: 0.2,
  concrete: 0.03,
  stone: 0.06,
  sand: 0,
  grass: 0,
  fabric: 0,
  tile: 0.2,
  metal: 0.26,
  water: 0.3,
  snow: 0,
  plain: 0.05,
  gloss: 0.38,
  pebble: 0,
  soil: 0,
  asphalt: 0.06,
  terrazzo: 0.16,
  silk: 0,
};

/** A polished slab with clouds, and two systems of veins that run across it: broad ones that fade out and return, and fine ones. */
function marble({ color, noise, random, veins }: MaterialInput): Material {
  const isDark = luminance(color) < 0.2;
  const vein = veins ?? (isDark ? mix(color, [0.75, 0.7, 0.62], 0.5) : mix(scale(color, 0.42), [0.3, 0.31, 0.34], 0.4));
  const cloud = isDark ? scale(color, 1.7) : scale(color, 0.8);
  const angle = random.between(0.3, 1.1) * (random.chance(0.5) ? 1 : -1);
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const gold = veins === undefined && random.chance(0.3) ? 0.5 : 0;
  /** How far a point is from the nearest line of those that are one unit apart. */
  const fromLine = (t: number) => Math.abs(t - Math.round(t));
  return (u, v, footprint, out) => {
    const x = (u * cos - v * sin) * 0.75 + 31;
    const y = (u * sin + v * cos) * 0.75 + 17;
    const bend = noise.fractal(x * 0.7, y * 0.7, 6, footprint * 0.7) - 0.5;
    const other = noise.fractal(x * 1.1 + 57, y * 1.1 + 23, 5, footprint) - 0.5;
    const strength = smoothstep(0.3, 0.64, noise.at(x * 1.1 + 9, y * 1.1 + 90));
    const blur = footprint * 0.8;
    const broad = fromLine(x * 1.05 + bend * 1.6);
    const fine = fromLine(y * 1.3 - x * 0.5 + other * 1.5 + bend * 0.6 + 0.3);
    const width = 0.005 + 0.022 * strength * noise.at(x * 4 + 3, y * 4);
    const main = (1 - smoothstep(width * 0.3, width + blur, broad)) * (0.2 + 0.8 * strength);
    const thin =
      (1 - smoothstep(0, 0.006 + blur, fine)) * 0.4 * smoothstep(0.45, 0.75, noise.at(x * 1.6 + 50, y * 1.6));
    const halo = (1 - smoothstep(0, 0.16, broad)) * 0.34 * strength;
    const haze = smoothstep(0.4, 0.72, noise.fractal(x * 0.7 + bend, y * 0.7 + 40, 3, footprint)) * 0.55;
    const veined = Math.min(1, main * 0.85 + thin);
    const hazed = Math.min(1, haze * 0.6 + halo);
    const tint = 1 + gold * main * 0.25;
    out[0] = (color[0] + (cloud[0] - color[0]) * hazed) * (1 - veined) + vein[0] * veined * tint;
    out[1] = (color[1] + (cloud[1] - color[1]) * hazed) * (1 - veined) + vein[1] * veined;
    out[2] = (color[2] + (cloud[2] - color[2]) * hazed) * (1 - veined) + (vein[2] * veined) / (tint * tint);
    out[3] = 0.5;
  };
}

/** Boards side by side, each with its own growth rings, pores along the grain and a dark joint. */
function wood({ color, noise, random, liesAcross = false }: MaterialInput): Material {
  const alongU = random.chance(0.3) || liesAcross;
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
