import { type LinearRgb, luminance, mix, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { Material, MaterialInput } from "./material.ts";
import { paintMotif } from "./painted-tiles.ts";

export function plain({ color, noise }: MaterialInput, gloss = 0.12): Material {
  return (u, v, footprint, out) => {
    const shade = 1 + 0.02 * (noise.fractal(u * 1.5, v * 1.5, 2, footprint) - 0.5);
    out[0] = color[0] * shade;
    out[1] = color[1] * shade;
    out[2] = color[2] * shade;
    out[3] = gloss;
  };
}

export function concrete({ color, noise }: MaterialInput): Material {
  return (u, v, footprint, out) => {
    const stain = noise.fractal(u * 0.9 + 5, v * 0.9, 4, footprint) - 0.5;
    const trowel = noise.fractal(u * 1.6 + stain * 2, v * 6, 3, footprint * 4) - 0.5;
    const grain = noise.fractal(u * 38, v * 38, 3, footprint * 38) - 0.5;
    const pore = noise.at(u * 61 + 3, v * 61 + 8);
    const pores = smoothstep(0.9, 0.97, pore) * Math.max(0, 1 - footprint * 60) * 0.2;
    const shade = (1 + 0.55 * stain + 0.22 * trowel + 0.28 * grain) * (1 - pores);
    out[0] = color[0] * shade * (1 + stain * 0.05);
    out[1] = color[1] * shade;
    out[2] = color[2] * shade * (1 - stain * 0.06);
    out[3] = 0.12 + 0.1 * stain;
  };
}

/** Cleft stone: tonal patches, flakes lit from the lamp's side, specks. */
export function stone({ color, noise, towardLamp }: MaterialInput): Material {
  const [lx, ly] = towardLamp;
  return (u, v, footprint, out) => {
    const height = noise.fractal(u * 3.2, v * 3.2, 5, footprint * 3.2);
    const lit = noise.fractal((u + lx * 0.03) * 3.2, (v + ly * 0.03) * 3.2, 5, footprint * 3.2);
    const patch = noise.fractal(u * 0.8 + 20, v * 0.8 + 9, 3, footprint) - 0.5;
    const speck = noise.fractal(u * 60, v * 60, 2, footprint * 60) - 0.5;
    const shade = Math.max(0.35, 1 + 1.3 * (height - lit) + 0.3 * patch + 0.28 * speck + 0.14 * (height - 0.5));
    out[0] = color[0] * shade * (1 + patch * 0.12);
    out[1] = color[1] * shade;
    out[2] = color[2] * shade * (1 - patch * 0.1);
    out[3] = 0.16;
  };
}

/** A plain weave with uneven threads and soft folds. */
export function fabric({ color, noise, random, towardLamp }: MaterialInput): Material {
  const threads = random.between(60, 80) * Math.PI * 2;
  const [lx, ly] = towardLamp;
  const foldAngle = random.between(-0.7, 0.7);
  const cos = Math.cos(foldAngle);
  const sin = Math.sin(foldAngle);
  const fold = (u: number, v: number) => {
    const x = (u * cos - v * sin) * 0.8;
    const y = (u * sin + v * cos) * 1.9;
    const bend = noise.at(x * 0.9 + 4, y * 0.5 + 8) * 1.6;
    return Math.sin((y + bend) * 2.4) * 0.5 + noise.fractal(x + 3, y * 1.2 + bend, 2, 0) * 0.8;
  };
  return (u, v, footprint, out) => {
    const detail = Math.max(0, 1 - footprint * threads * 0.4);
    const uneven =
      noise.fractal(u * 9, v * 70, 2, footprint * 60) + noise.fractal(u * 70, v * 9 + 30, 2, footprint * 60) - 1;
    const weave = detail === 0 ? 0 : Math.sin(u * threads) * Math.sin(v * threads) * detail;
    const slope = fold(u, v) - fold(u + lx * 0.06, v + ly * 0.06);
    const shade = Math.max(0.3, 1 + 0.95 * slope + 0.1 * weave + 0.3 * uneven);
    out[0] = color[0] * shade;
    out[1] = color[1] * shade;
    out[2] = color[2] * shade;
    out[3] = 0.02;
  };
}

/** Glazed tiles with grout between them, each with a slightly different tone; in checks every second one is white, or black. Painted ones have a motif. */
export function tile({ color, noise, random, pattern }: MaterialInput): Material {
  const second: LinearRgb = luminance(color) > 0.5 ? [0.03, 0.03, 0.032] : [0.8, 0.79, 0.77];
  const other = pattern === "checks" ? second : color;
  const size = random.between(0.42, 0.6);
  const grout = luminance(color) > 0.3 ? scale(color, 0.55) : mix(scale(color, 1.3), [0.3, 0.29, 0.28], 0.6);
  return (u, v, footprint, out) => {
    const row = Math.floor(v / size + 60);
    const x = u / size + 60.5;
    const column = Math.floor(x);
    const edge = Math.min(x - column, 1 - x + column, v / size + 60 - row, 1 - v / size - 60 + row) * size;
    const own = (row + column) % 2 === 0 ? color : other;
    const tone = noise.cell(column * 3 + 1, row * 5 + 2) - 0.5;
    const glaze = noise.fractal(u * 2.4, v * 2.4, 3, footprint * 2.4) - 0.5;
    const width = 0.009 + footprint * 0.7;
    const joint = 1 - smoothstep(width * 0.6, width * 1.2, edge);
    const rim = smoothstep(width, width + 0.02, edge);
    const shade = (1 + 0.16 * tone + 0.12 * glaze) * (0.93 + 0.07 * rim);
    for (let c = 0; c < 3; c++) out[c] = own[c]!;
    if (pattern === "painted") paintMotif(x - column - 0.5, v / size + 60 - row - 0.5, (footprint / size) * 0.7, out);
    for (let c = 0; c < 3; c++) out[c] = out[c]! * shade * (1 - joint) + grout[c]! * joint;
    out[3] = 0.45 * (1 - joint);
  };
}

/** Brushed lines on a unit of the ground. */
const brushedLines = 150;

/** Metal brushed along u: its fine lines stretch what shines on it across them. */
export function metal({ color, noise, towardLamp }: MaterialInput): Material {
  const lampAt = 0.75 * (Math.sign(towardLamp[0]) || 1);
  return (u, v, footprint, out) => {
    const detail = Math.max(0, 1 - footprint * brushedLines * 0.5);
    const line = noise.fractal(u * 1.4, v * brushedLines, 3, footprint * brushedLines) - 0.5;
    const soft = noise.at(u * 1.3 + 3, v * 0.35 + 8) - 0.5;
    const band = Math.exp(-(((u - lampAt) / 0.5) ** 2));
    const brushed = line * (0.3 + 0.7 * detail);
    const shade = 0.62 * (1 + 0.3 * brushed + 0.4 * soft + 0.7 * band);
    out[0] = color[0] * shade;
    out[1] = color[1] * shade;
    out[2] = color[2] * shade;
    out[3] = 0.95 + 0.3 * brushed;
  };
}

/** Sheet metal that rusts: patches of orange and of dark brown, rough all over. */
export function rust({ color, noise }: MaterialInput): Material {
  return (u, v, footprint, out) => {
    const patch = smoothstep(0.38, 0.66, noise.fractal(u * 1.7 + 5, v * 1.7, 5, footprint * 1.7));
    const grain = noise.fractal(u * 34, v * 34, 3, footprint * 34) - 0.5;
    const shade = (0.5 + 0.85 * patch) * (1 + 0.5 * grain);
    out[0] = color[0] * shade * (1 + 0.12 * patch);
    out[1] = color[1] * shade;
    out[2] = color[2] * shade * (1.1 - 0.3 * patch);
    out[3] = 0.06;
  };
}

/** Stone chips of three colors in a pale, polished base. */
export function terrazzo({ color, noise, random }: MaterialInput): Material {
  const chips = [scale(color, 0.35), mix(color, [0.5, 0.22, 0.14], 0.6), mix(color, [0.24, 0.3, 0.28], 0.7)];
  const perSize = random.between(9, 13);
  return (u, v, footprint, out) => {
    const x = u * perSize + 200 + noise.at(u * 18, v * 18) * 0.5;
    const y = v * perSize + 200 + noise.at(u * 18 + 40, v * 18) * 0.5;
    const cellX = Math.floor(x);
    const cellY = Math.floor(y);
    let share = 0;
    let chip = chips[0]!;
    for (let j = -1; j <= 1; j++) {
      for (let i = -1; i <= 1; i++) {
        const ox = cellX + i;
        const oy = cellY + j;
        const dx = Math.abs(ox + noise.cell(ox, oy) - x);
        const dy = Math.abs(oy + noise.cell(ox + 101, oy + 57) - y);
        const radius = 0.06 + 0.42 * noise.cell(ox + 13, oy + 91) ** 2;
        const edge = 0.02 + footprint * perSize * 0.6;
        const inChip = 1 - smoothstep(radius - edge, radius + edge, Math.max(dx + 0.4 * dy, dy + 0.35 * dx));
        if (inChip <= share) continue;
        share = inChip;
        chip = chips[Math.floor(noise.cell(ox + 71, oy + 19) * 3)]!;
      }
    }
    for (let c = 0; c < 3; c++) out[c] = color[c]! * (1 - share) + chip[c]! * share;
    out[3] = 0.35;
  };
}
