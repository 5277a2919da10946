/** Metals and minerals that are known by their relief or their bands: leaves of gold, hammered sheets, agate and malachite. */

import { type LinearRgb, luminance, mix, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { Material, MaterialInput } from "./material.ts";

/** Side of a leaf of beaten gold, in sizes of the product. */
const leafWide = 0.36;

/** Thin leaves that were laid edge over edge: wrinkled, torn here and there, so that the ground shows through. */
export function leaf({ color, noise, towardLamp }: MaterialInput): Material {
  const [lx, ly] = towardLamp;
  const below: LinearRgb = mix(scale(color, 0.22), [0.16, 0.05, 0.03], 0.5);
  const bright = mix(color, [1, 0.92, 0.7], 0.45);
  const ridge = (t: number) => 1 - Math.abs(2 * t - 1);
  const height = (u: number, v: number, footprint: number) => {
    const bend = noise.fractal(u * 3 + 9, v * 3, 2, footprint * 3) - 0.5;
    const broad = ridge(noise.at(u * 5 + 2 * bend + 30, v * 6 - 1.6 * bend));
    return 0.5 * broad ** 2 + 0.5 * noise.fractal(u * 13 + bend, v * 13 + 40, 4, footprint * 13);
  };
  return (u, v, footprint, out) => {
    const shift = 0.07 * (noise.at(v * 2.3, u * 2.1) - 0.5);
    const x = (u + shift) / leafWide;
    const y = (v - shift) / leafWide;
    const column = Math.floor(x);
    const row = Math.floor(y);
    const edge = Math.min(x - column, column + 1 - x, y - row, row + 1 - y) * leafWide;
    const ragged = edge + 0.02 * (noise.fractal(u * 22, v * 22, 3, footprint * 22) - 0.5);
    const lap = 1 - smoothstep(0.002, 0.008 + footprint, Math.abs(ragged));
    const tone = 0.86 + 0.28 * noise.cell(column * 7 + 3, row * 5 + 11);
    const detail = Math.max(0.25, 1 - footprint * 14);
    const slope = height(u, v, footprint) - height(u + lx * 0.014, v + ly * 0.014, footprint);
    const lit = 1 + detail * Math.max(-0.6, Math.min(1, 3.4 * slope));
    const torn = smoothstep(0.72, 0.76, noise.fractal(u * 4.5 + 70, v * 4.5 + 20, 5, footprint * 4.5));
    const gleam = detail * smoothstep(0.12, 0.4, slope);
    for (let c = 0; c < 3; c++) {
      const own = (color[c]! * tone * lit * (1 - gleam) + bright[c]! * gleam) * (1 - 0.35 * lap);
      out[c] = own + (below[c]! - own) * 0.8 * torn;
    }
    out[3] = 0.16 * (1 - torn);
  };
}

/** A sheet beaten with a round hammer: dimples beside each other. */
export function hammered({ color, noise, towardLamp }: MaterialInput): Material {
  const [lx, ly] = towardLamp;
  const perSize = 9;
  const bright = mix(color, [1, 0.96, 0.88], 0.6);
  return (u, v, footprint, out) => {
    const x = u * perSize + 200;
    const y = v * perSize + 200;
    const cellX = Math.floor(x);
    const cellY = Math.floor(y);
    let nearest = 9;
    let second = 9;
    let dx = 0;
    let dy = 0;
    for (let j = -1; j <= 1; j++) {
      for (let i = -1; i <= 1; i++) {
        const ox = cellX + i;
        const oy = cellY + j;
        const px = x - ox - 0.15 - 0.7 * noise.cell(ox, oy);
        const py = y - oy - 0.15 - 0.7 * noise.cell(ox + 101, oy + 57);
        const away = Math.hypot(px, py);
        if (away < nearest) {
          second = nearest;
          nearest = away;
          dx = px;
          dy = py;
        } else if (away < second) second = away;
      }
    }
    const detail = Math.max(0.15, 1 - footprint * perSize * 0.7);
    // The side of a dimple that faces the lamp is the far one.
    const inside = smoothstep(0, 0.2, second - nearest);
    const facing = -(dx * lx + dy * ly) * inside;
    const shade = 0.95 + detail * (0.6 * facing + 0.1 * (1 - inside));
    const gleam = detail * smoothstep(0.2, 0.6, facing) * 0.55;
    for (let c = 0; c < 3; c++) out[c] = color[c]! * Math.max(0.2, shade) * (1 - gleam) + bright[c]! * gleam;
    out[3] = 0.34;
  };
}

/** A polished slice of a stone that grew in bands around its kernels. */
export function banded({ color, noise, random }: MaterialInput): Material {
  const isPale = luminance(color) > 0.25;
  const deep = isPale ? scale(color, 0.42) : scale(color, 0.3);
  const pale = isPale ? mix(color, [0.86, 0.84, 0.8], 0.75) : mix(scale(color, 2.6), [0.6, 0.62, 0.55], 0.2);
  const shift = random.between(0, 30);
  const perSize = 0.85;
  return (u, v, footprint, out) => {
    const x = u * perSize + shift;
    const y = v * perSize + 200;
    const cellX = Math.floor(x);
    const cellY = Math.floor(y);
    let away = 9;
    for (let j = -1; j <= 1; j++) {
      for (let i = -1; i <= 1; i++) {
        const ox = cellX + i;
        const oy = cellY + j;
        const px = x - ox - 0.1 - 0.8 * noise.cell(ox, oy);
        const py = y - oy - 0.1 - 0.8 * noise.cell(ox + 101, oy + 57);
        away = Math.min(away, Math.hypot(px, py * (0.8 + 0.4 * noise.cell(ox + 9, oy))));
      }
    }
    const bend = noise.fractal(u * 1.6 + 7, v * 1.6 + 3, 4, footprint * 1.6) - 0.5;
    const at = away * 13 + 3 * bend;
    const band = Math.floor(at);
    const tone = (index: number) => noise.cell(index * 5 + 3, 7) ** 1.2;
    const soft = Math.min(0.5, 0.16 + footprint * perSize * 13);
    const step = smoothstep(1 - soft, 1, at - band);
    const share = tone(band) + (tone(band + 1) - tone(band)) * step;
    const fine = 0.16 * Math.sin(at * 21) * Math.max(0, 1 - footprint * 90) * (0.4 + tone(band + 40));
    const value = Math.min(1, Math.max(0, share + fine));
    for (let c = 0; c < 3; c++) {
      const low = deep[c]! + (color[c]! - deep[c]!) * Math.min(1, value * 2);
      out[c] = low + (pale[c]! - low) * Math.max(0, value * 2 - 1);
    }
    out[3] = 0.5;
  };
}
