import { fromHsl, luminance } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { Material, MaterialInput } from "./material.ts";
import { createLumps, noLump } from "./outdoor.ts";

/** Broken ice, or coarse salt: clear lumps with frosted edges that lie over each other and glint toward the lamp. */
export function ice(input: MaterialInput): Material {
  const { color, noise, random } = input;
  const perSize = random.between(7, 9);
  const lump = noLump();
  const lumpAt = createLumps(5, input);
  return (u, v, footprint, out) => {
    const bend = 0.5 * (noise.fractal(u * 9, v * 9, 2, footprint * 9) - 0.5);
    lumpAt(u * perSize + 300 + bend, v * perSize + 300 - bend, lump);
    const { top, rim, tone, hue, side } = lump;
    const detail = Math.max(0.2, 1 - footprint * perSize * 0.6);
    const inner = noise.fractal(u * 14 + 40 * tone, v * 14, 4, footprint * 14) - 0.5;
    const clear = top < 0 ? 1 : smoothstep(0.05, 0.8, rim) * (0.35 + 0.5 * tone);
    const lit = top < 0 ? 0 : 0.5 * side + 0.5 * inner + 0.5 * hue;
    const glint = top < 0 ? 0 : smoothstep(0.28, 0.5, lit + 0.3 * (1 - rim)) * detail;
    // The middle of a lump is clear and shows the depth below it.
    const depth = 1.5 * clear * detail;
    const shade = Math.max(0.25, 1.06 + detail * (0.8 * lit - 0.4 * clear));
    for (let c = 0; c < 3; c++) out[c] = color[c]! ** (1 + depth) * shade + 0.3 * glint;
    out[3] = 0.16 + 0.5 * glint;
  };
}

/** Foil whose color changes with the way it bends: a rainbow over pale metal. */
export function foil({ color, noise, random }: MaterialInput): Material {
  const shift = random.between(0, 40);
  // Mother of pearl has but a breath of it.
  const colorful = luminance(color) > nacreMin ? 0.3 : 1;
  return (u, v, footprint, out) => {
    const [r, g, b] = paled(colorful, ...sheen(noise.fractal(u * 0.8 + shift, v * 0.8, 3, footprint)));
    const fold = noise.fractal(u * 2.4, v * 2.4 + shift, 3, footprint * 2.4) - 0.5;
    const shade = 1 + 0.5 * fold;
    out[0] = color[0] * r * shade;
    out[1] = color[1] * g * shade;
    out[2] = color[2] * b * shade;
    out[3] = 0.6;
  };
}

const nacreMin = 0.75;

const paled = (share: number, ...color: readonly [number, number, number]) =>
  color.map((value) => 1 + (value - 1) * share) as [number, number, number];

/** What a foil reflects of each color, around 1. @param bend 0–1 */
export function sheen(bend: number): readonly [number, number, number] {
  const hue = (190 + 640 * bend) % 360;
  const [r, g, b] = fromHsl(hue, 0.62, 0.72);
  const mean = (r + g + b) / 3;
  return [0.35 + (0.65 * r) / mean, 0.35 + (0.65 * g) / mean, 0.35 + (0.65 * b) / mean];
}
