/** The looks of stands that are things: sawn wood with rings, bark, boards, staves, pages of books, and the form of a rock. */

import type { Random } from "@packshot/domain/random.ts";
import { fromHex, type LinearRgb, mix, scale } from "../canvas/color.ts";
import { type Noise, smoothstep } from "../canvas/noise.ts";
import type { Material } from "../materials/material.ts";
import type { Plane } from "./set-pieces.ts";

/** The material, so many times as bright. */
export function toned(material: Material, tone: number): Material {
  return (u, v, footprint, out) => {
    material(u, v, footprint, out);
    for (let c = 0; c < 3; c++) out[c]! *= tone;
  };
}

interface PlankPlace {
  /** The edge of the board that is nearest to the viewer, or its lower one. */
  readonly from: number;
  readonly tone: number;
  /** How far along the material its piece is cut. */
  readonly shift: number;
  /** It runs from below to above. */
  readonly isUpright?: boolean;
}

/** Within one board of the material there are no joints this far from its edge. */
const withinBoard = 0.06;

/** One board of a wooden material, cut from another place of it. */
export function planksOf(material: Material, { from, tone, shift, isUpright = false }: PlankPlace): Material {
  const board = toned(material, tone);
  return (u, v, footprint, out) => {
    const along = isUpright ? v : u;
    const across = (isUpright ? u : v) - from;
    board(along + shift, withinBoard + (across - Math.floor(across / 0.3) * 0.3), footprint, out);
  };
}

interface Rings {
  readonly color: LinearRgb;
  readonly noise: Noise;
  readonly radius: number;
  /** The pith. */
  readonly u: number;
  readonly v: number;
  /** 0–1; how the log is turned. */
  readonly phase: number;
}

/** A sawn log's end: growth rings around the pith, cracks, and bark at its edge. */
export function ringsOf({ color, noise, radius, u: pithU, v: pithV, phase }: Rings): Material {
  const light = mix(color, [0.86, 0.68, 0.44], 0.45);
  const dark = scale(color, 0.62);
  const bark = mix(scale(color, 0.2), [0.06, 0.045, 0.035], 0.5);
  return (u, v, footprint, out) => {
    const du = (u - pithU) / radius - 0.06;
    const dv = (v - pithV) / radius + 0.04;
    const far = Math.hypot(du, dv);
    const turn = Math.atan2(dv, du);
    const bend = noise.fractal(du * 2.3 + 31, dv * 2.3 + 7, 3, footprint) - 0.5;
    const ring = (far + 0.1 * bend) * 15;
    const inRing = ring - Math.floor(ring);
    const clear = Math.max(0, 1 - footprint * 40);
    const late = smoothstep(0.35, 0.95, inRing) * (1 - smoothstep(0.95, 1, inRing)) * clear;
    const grain = noise.fractal(du * 34 + 3, dv * 34 + 9, 2, footprint * 34) - 0.5;
    const spoke = Math.abs(Math.sin((turn + phase * 6 + 0.35 * bend) * 1.5));
    const crack = (1 - smoothstep(0.01, 0.035, spoke)) * smoothstep(0.12, 0.3, far) * (1 - smoothstep(0.5, 0.92, far));
    const share = Math.min(1, Math.max(0, 0.12 + 0.5 * late + 0.5 * grain + 0.25 * smoothstep(0.45, 0.1, far)));
    const rim = smoothstep(0.9 + 0.05 * bend, 0.94 + 0.05 * bend, Math.hypot(u - pithU, v - pithV) / radius);
    for (let c = 0; c < 3; c++) {
      const wood = (light[c]! + (dark[c]! - light[c]!) * share) * (1 - 0.6 * crack);
      out[c] = wood + (bark[c]! - wood) * rim;
    }
    out[3] = 0.05;
  };
}

/** Bark: long plates with dark furrows between them. Along a side, `v` goes up. */
export function barkOf(color: LinearRgb, noise: Noise): Material {
  const plate = mix(scale(color, 0.36), [0.17, 0.13, 0.1], 0.5);
  const furrow = scale(plate, 0.28);
  const lichen: LinearRgb = [0.2, 0.21, 0.14];
  return (u, v, footprint, out) => {
    const bend = noise.fractal(u * 3 + 11, v * 2 + 5, 2, footprint * 3) - 0.5;
    const ridge = noise.fractal(u * 17 + 4 * bend, v * 3.2 + 19, 4, footprint * 15);
    const deep = smoothstep(0.56, 0.36, ridge);
    const patch = smoothstep(0.62, 0.78, noise.fractal(u * 4 + 71, v * 4 + 33, 3, footprint * 4)) * 0.6;
    const tone = 0.75 + 0.6 * noise.fractal(u * 40, v * 20 + 3, 2, footprint * 40);
    for (let c = 0; c < 3; c++) {
      const top = (plate[c]! + (lichen[c]! - plate[c]!) * patch) * tone;
      out[c] = top + (furrow[c]! - top) * deep;
    }
    out[3] = 0;
  };
}

/** Upright staves around a barrel. Along its side, `u` goes around and `v` goes up. */
export function stavesOf(material: Material, color: LinearRgb): Material {
  const wide = 0.1;
  const joint = scale(color, 0.18);
  return (u, v, footprint, out) => {
    const at = Math.floor(u / wide);
    const across = u - at * wide;
    material(v + 5 * at, withinBoard + across, footprint, out);
    const edge = Math.min(across, wide - across);
    const line = 1 - smoothstep(0.002, 0.007 + footprint, edge);
    const tone = 0.72 + 0.2 * (Math.sin(at * 12.9898) * 0.5 + 0.5);
    for (let c = 0; c < 3; c++) out[c] = out[c]! * tone + (joint[c]! - out[c]! * tone) * line;
  };
}

export const paper = fromHex("#e9e0cc");

/** Edges of pages, one upon the other. */
export const bookPages: Material = (_u, v, footprint, out) => {
  const line = Math.sin(v * 900) * Math.max(0, 1 - footprint * 300);
  for (let c = 0; c < 3; c++) out[c] = paper[c]! * (0.9 + 0.07 * line);
  out[3] = 0;
};

/** A flat top, sides that lean inward, and edges broken between them; the middle of the top is at the product's foot. */
export function rockPlanes(radius: number, high: number, random: Random): readonly Plane[] {
  const planes: Plane[] = [{ normal: [0, 0, 1], far: 0 }];
  const sides = 13;
  for (let at = 0; at < sides; at++) {
    const turn = ((at + random.between(-0.3, 0.3)) / sides) * 2 * Math.PI;
    const away = radius * random.between(0.94, 1.1);
    for (const [rise, out] of [
      [random.between(0.05, 0.22), 1.1],
      [random.between(0.55, 0.9), 0.99],
      [random.between(1.6, 2.6), 0.9],
    ] as const) {
      const length = Math.hypot(1, rise);
      const normal = [Math.cos(turn) / length, Math.sin(turn) / length, rise / length] as const;
      // The plane goes through a point of the edge, a little below the top.
      const depth = -high * 0.06;
      const far = normal[0] * Math.cos(turn) * away * out + normal[1] * Math.sin(turn) * away * out + normal[2] * depth;
      planes.push({ normal, far });
    }
  }
  return planes;
}
