import type { Random } from "@packshot/domain/random.ts";
import type { Gobo } from "./lighting.ts";
import type { Noise } from "./noise.ts";
import { smoothstep } from "./noise.ts";

/** The key light's share that reaches a point of the ground (u, v as for materials) or of the wall (x, y, 0–1). */
export interface GoboLight {
  readonly ground: (u: number, v: number) => number;
  readonly wall: (x: number, y: number) => number;
}

export function createGobo(kind: Gobo, noise: Noise, random: Random, lampSide: number): GoboLight {
  if (kind === "window") return windowGobo(random, lampSide);
  if (kind === "leaves") return leavesGobo(noise, random);
  if (kind === "spot") {
    return {
      ground: (u, v) => 0.06 + 1.05 * Math.exp(-(u * u * 0.42 + v * v * 0.5)),
      wall: (x, y) => 0.14 + 1.5 * Math.exp(-((x - 0.5 + 0.12 * lampSide) ** 2) * 6 - (y - 0.7) ** 2 * 3),
    };
  }
  return {
    ground: (u, v) => 0.84 + 0.22 * Math.exp(-(u * u + v * v) * 0.5) + 0.05 * Math.max(-2, Math.min(2, u * lampSide)),
    wall: () => 1,
  };
}

/** Window panes between bars, slanted by the light; edges blur with the distance from the window. */
function windowGobo(random: Random, lampSide: number): GoboLight {
  const slant = -lampSide * random.between(0.45, 0.8);
  const paneWide = random.between(0.62, 0.8);
  const paneDeep = random.between(0.55, 0.75);
  const shiftU = random.between(-0.25, 0.25);
  const shiftV = random.between(-0.1, 0.25);
  const panes = (a: number, b: number, soft: number): number => {
    // Two panes across, three along; a bar between each.
    const across = Math.abs(a) - paneWide * 0.54;
    const inAcross = 1 - smoothstep(paneWide * 0.5 - soft, paneWide * 0.5 + soft, Math.abs(across));
    const along = Math.min(Math.abs(b), Math.abs(Math.abs(b) - paneDeep * 1.1));
    const inAlong = 1 - smoothstep(paneDeep * 0.5 - soft, paneDeep * 0.5 + soft, along);
    return inAcross * inAlong;
  };
  return {
    ground: (u, v) => 0.36 + 0.74 * panes(u + slant * v + shiftU, v + shiftV, 0.055 + 0.02 * Math.abs(v)),
    wall: (x, y) => 0.5 + 0.6 * panes((x - 0.5 + shiftU * 0.5) * 2.4 + (y - 0.5) * slant * 1.6, (y - 0.5) * 2.6, 0.16),
  };
}

/** Sunlight through leaves: overlapping round spots. */
function leavesGobo(noise: Noise, random: Random): GoboLight {
  const offset = random.between(0, 90);
  const spots = (u: number, v: number, soft: number) => {
    const coarse = noise.fractal(u * 1.3 + offset, v * 1.3, 2, 0);
    const fine = noise.fractal(u * 4.2, v * 4.2 + offset, 2, 0.05);
    return smoothstep(0.5 - soft, 0.5 + soft, 0.6 * coarse + 0.4 * fine);
  };
  return { ground: (u, v) => 0.2 + 0.95 * spots(u, v, 0.1), wall: (x, y) => 0.45 + 0.6 * spots(x * 3, y * 3, 0.2) };
}
