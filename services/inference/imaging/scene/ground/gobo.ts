import type { Random } from "@packshot/domain/random.ts";
import { blurPlane } from "../../pixels/blur.ts";
import type { Camera } from "../canvas/camera.ts";
import { createCanvas } from "../canvas/canvas.ts";
import type { Noise } from "../canvas/noise.ts";
import { smoothstep } from "../canvas/noise.ts";
import { fillStrokes, type Leaf } from "../canvas/strokes.ts";
import type { Gobo } from "../plan/lighting.ts";

/** The key light's share that reaches a point of the ground (u, v as for materials) or of the wall (x, y, 0–1). */
export interface GoboLight {
  readonly ground: (u: number, v: number) => number;
  readonly wall: (x: number, y: number) => number;
}

/** The last light of each kind: the engine drops the machine code of closures with the last of them. */
const kept = new Map<Gobo, GoboLight>();

export function createGobo(
  kind: Gobo,
  noise: Noise,
  random: Random,
  { lampSide, view }: { readonly lampSide: number; readonly view: Camera["view"] },
): GoboLight {
  const light = goboOf(kind, noise, random, lampSide, view);
  kept.set(kind, light);
  return light;
}

function goboOf(kind: Gobo, noise: Noise, random: Random, lampSide: number, view: Camera["view"]): GoboLight {
  if (kind === "window") return windowGobo(random, lampSide);
  if (kind === "blinds") return blindsGobo(random, lampSide);
  if (kind === "leaves") return leavesGobo(noise, random);
  if (kind === "fronds") return frondsGobo(random, lampSide, view);
  if (kind === "caustics") return causticsGobo(noise, random);
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

/** Stripes of light between slats, slanted by the light, and the two cords that hold them. */
function blindsGobo(random: Random, lampSide: number): GoboLight {
  const slant = -Math.sign(lampSide || 1) * random.between(0.28, 0.45);
  const apart = random.between(0.2, 0.25);
  const shift = random.next();
  const cords = random.between(-0.9, -0.5);
  const stripes = (a: number, b: number, soft: number): number => {
    const along = b / apart + shift;
    const slat = Math.abs(along - Math.floor(along) - 0.5);
    const lit = 1 - smoothstep(0.27 - soft, 0.27 + soft, slat);
    const cord = Math.min(Math.abs(a - cords), Math.abs(a - cords - 1.5));
    const frame = 1 - smoothstep(1.75, 1.85, Math.abs(a));
    return lit * frame * (0.45 + 0.55 * smoothstep(0.015, 0.05, cord));
  };
  return {
    ground: (u, v) => 0.3 + 0.82 * stripes(u, v - slant * u, 0.09 + 0.03 * Math.abs(v)),
    wall: (x, y) => 0.4 + 0.75 * stripes((x - 0.5) * 3, (y - 0.5) * 2 - slant * (x - 0.5) * 2, 0.12),
  };
}

/** Pixels of the stencil of leaves, and what it covers in sizes of the product. */
const stencil = { width: 240, height: 240, left: -3, right: 3, near: -2, far: 4 } as const;

/** A picture from above shows a third of the ground that one at eye level does: there the fronds are smaller, so that some lie on it. */
const closerFromAbove = 1.9;

/** Shadows of fronds that reach in from the lamp's side: leaflets on both sides of bending ribs. */
function frondsGobo(random: Random, lampSide: number, view: Camera["view"]): GoboLight {
  const canvas = createCanvas(stencil.width, stencil.height);
  const side = lampSide > 0 ? 1 : -1;
  for (let i = 0; i < 7; i++) {
    let x = 0.5 + side * random.between(0.3, 0.62);
    let y = random.between(-0.02, 1.02);
    let turn = (side > 0 ? Math.PI : 0) + random.between(-0.5, 0.5);
    const bend = random.between(-0.05, 0.05);
    const long = random.between(0.36, 0.62);
    const leaflets: Leaf[] = [];
    for (let step = 0; step < 12; step++) {
      x += (Math.cos(turn) * long) / 12;
      y -= (Math.sin(turn) * long) / 12;
      turn += bend;
      for (const way of [-1, 1]) {
        const angle = turn + way * (0.95 - 0.03 * step);
        const reach = long * (0.38 - 0.022 * step);
        leaflets.push({ kind: "leaf", x, y, angle, long: reach, wide: 0.014, color: [1, 1, 1] });
      }
    }
    fillStrokes(canvas, leaflets, () => [1, 1, 1]);
  }
  const [shade] = canvas.planes;
  blurPlane(shade, canvas.width, canvas.height, 1.3);
  const at = (x: number, y: number): number => {
    const px = Math.min(stencil.width - 1.001, Math.max(0, x * stencil.width - 0.5));
    const py = Math.min(stencil.height - 1.001, Math.max(0, y * stencil.height - 0.5));
    const i = Math.floor(py) * stencil.width + Math.floor(px);
    const fx = px - Math.floor(px);
    const upper = shade[i]! + (shade[i + 1]! - shade[i]!) * fx;
    const lower = shade[i + stencil.width]! + (shade[i + stencil.width + 1]! - shade[i + stencil.width]!) * fx;
    // Nothing is cut off at the stencil's rim.
    const rim = smoothstep(0, 0.06, Math.min(x, 1 - x, y, 1 - y));
    return rim * Math.min(1, upper + (lower - upper) * (py - Math.floor(py)));
  };
  const { left, right, near, far } = stencil;
  const closer = view === "above" ? closerFromAbove : 1;
  const onGround = (u: number, v: number) => at((u - left) / (right - left), 1 - (v - near) / (far - near));
  return {
    ground: (u, v) => 1.08 - 0.78 * onGround(closer * u, closer * v),
    wall: (x, y) => 1.06 - 0.72 * at(0.2 + 0.6 * x, 0.06 + 0.55 * y),
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

/** Sunlight that moving water gathers into a net of bright lines. */
function causticsGobo(noise: Noise, random: Random): GoboLight {
  const offset = random.between(0, 90);
  const net = (u: number, v: number) => {
    const bendU = noise.fractal(u * 1.6 + offset, v * 1.6, 2, 0) - 0.5;
    const bendV = noise.fractal(u * 1.6, v * 1.6 + offset, 2, 0) - 0.5;
    let light = 0;
    // Lines of two waves, where each is neither high nor low.
    for (const [turn, size] of [
      [0, 2.1],
      [17, 3.4],
    ] as const) {
      const wave = noise.at((u + 0.55 * bendU) * size + turn + offset, (v + 0.55 * bendV) * size + turn) - 0.5;
      light += (1 - smoothstep(0, 0.11, Math.abs(wave))) ** 1.6;
    }
    return Math.min(1.6, light);
  };
  return { ground: (u, v) => 0.5 + 0.72 * net(u, v), wall: (x, y) => 0.55 + 0.55 * net(x * 2.2, y * 2.2) };
}
