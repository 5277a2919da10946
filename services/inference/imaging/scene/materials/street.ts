/** What old streets and squares are paved with. */

import { type LinearRgb, mix, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { Material, MaterialInput } from "./material.ts";

/** A row of setts, in sizes of the product, and how much wider than that a stone is, at least and at most. */
const rowTall = 0.3;
const stoneWide = [1.05, 1.45] as const;
/** How far rows bend, as the street settles. */
const rowBend = 0.09;
/** Half a stone without its joint, where its side is one. */
const stoneHalf = 0.455;

/** Setts of worn stone in rows: each is domed, of a tone of its own, and shines a little on its crown; sand lies in the joints. */
export function setts({ color, noise, towardLamp }: MaterialInput): Material {
  const [lx, ly] = towardLamp;
  const sand = mix(scale(color, 0.34), [0.09, 0.08, 0.065], 0.5);
  const cool: LinearRgb = mix(color, [0.2, 0.21, 0.23], 0.6);
  return (u, v, footprint, out) => {
    const bent = (v + rowBend * (noise.fractal(u * 0.7 + 20, v * 0.5 + 4, 2, footprint) - 0.5)) / rowTall + 90;
    const row = Math.floor(bent);
    const wide = stoneWide[0] + (stoneWide[1] - stoneWide[0]) * noise.cell(row * 7 + 1, 3);
    const along = u / (rowTall * wide) + 90 + 0.5 * (row % 2) + 0.3 * noise.cell(row, 11);
    const column = Math.floor(along);
    const own = noise.cell(column * 3 + 5, row * 5 + 2);
    const x = along - column - 0.5 + 0.05 * (noise.cell(column, row + 40) - 0.5);
    const y = bent - row - 0.5 + 0.05 * (noise.cell(column + 40, row) - 0.5);
    const rough = noise.fractal(u * 22, v * 22, 3, footprint * 22) - 0.5;
    const outline = (Math.abs(x) ** 5 + Math.abs(y) ** 5) ** 0.2 + 0.05 * rough;
    const soft = 0.035 + footprint / rowTall;
    const stone = 1 - smoothstep(stoneHalf - soft, stoneHalf + 0.4 * soft, outline);
    const slope = 7 * (x * Math.abs(x) * lx + y * Math.abs(y) * ly) * Math.max(0, 1 - footprint * 3);
    const shade = Math.min(1.5, Math.max(0.4, 0.86 + 0.36 * own + 0.5 * slope + 0.42 * rough));
    for (let c = 0; c < 3; c++) {
      const worn = (color[c]! + (cool[c]! - color[c]!) * noise.cell(column + 7, row * 3)) * shade;
      out[c] = sand[c]! * (1 + rough) + (worn - sand[c]! * (1 + rough)) * stone;
    }
    out[3] = 0.16 * stone;
  };
}
