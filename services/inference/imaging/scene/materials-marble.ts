import { luminance, mix, scale } from "./color.ts";
import type { Material, MaterialInput } from "./material.ts";
import { smoothstep } from "./noise.ts";

/** A polished slab with clouds and two systems of veins. */
export function marble({ color, noise, random }: MaterialInput): Material {
  const isDark = luminance(color) < 0.2;
  const vein = isDark ? mix(color, [0.75, 0.7, 0.62], 0.55) : mix(scale(color, 0.42), [0.3, 0.31, 0.34], 0.4);
  const cloud = isDark ? scale(color, 1.9) : scale(color, 0.8);
  const angle = random.between(0.3, 1.1) * (random.chance(0.5) ? 1 : -1);
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const gold = random.chance(0.3) ? 0.5 : 0;
  return (u, v, footprint, out) => {
    const x = (u * cos - v * sin) * 0.62 + 31;
    const y = (u * sin + v * cos) * 1.15 + 17;
    const warpX = noise.fractal(x * 1.3, y * 1.3, 4, footprint) - 0.5;
    const warpY = noise.fractal(x * 1.3 + 57, y * 1.3 + 23, 4, footprint) - 0.5;
    const broad = noise.fractal(x * 0.9 + warpX * 1.5, y * 0.9 + warpY * 1.5, 3, footprint);
    const fine = noise.fractal(x * 2.3 + warpY * 1.7 + 80, y * 2.3 + warpX * 1.7, 3, footprint * 2);
    const mask = smoothstep(0.42, 0.62, noise.at(x * 0.8 + 9, y * 0.8 + 90));
    const blur = footprint * 1.4;
    const main = (1 - smoothstep(0, 0.016 + blur + 0.03 * mask, Math.abs(broad - 0.5))) * (0.35 + 0.65 * mask);
    const thin = (1 - smoothstep(0, 0.009 + blur, Math.abs(fine - 0.52))) * 0.42 * mask;
    const halo = (1 - smoothstep(0, 0.13, Math.abs(broad - 0.5))) * 0.3;
    const haze = smoothstep(0.4, 0.72, noise.fractal(x * 0.7 + warpX, y * 0.7 + 40, 3, footprint)) * 0.55;
    const veined = Math.min(1, main * 0.78 + thin);
    const hazed = Math.min(1, haze * 0.6 + halo);
    const tint = 1 + gold * main * 0.25;
    out[0] = (color[0] + (cloud[0] - color[0]) * hazed) * (1 - veined) + vein[0] * veined * tint;
    out[1] = (color[1] + (cloud[1] - color[1]) * hazed) * (1 - veined) + vein[1] * veined;
    out[2] = (color[2] + (cloud[2] - color[2]) * hazed) * (1 - veined) + (vein[2] * veined) / (tint * tint);
    out[3] = 0.5;
  };
}
