/** Paper that was crumpled and smoothed again: flat facets at many angles, with sharp creases between them. */

import type { MaterialFactory } from "./material.ts";
import { type Noise, smoothstep } from "./noise.ts";

/** Facets of each size: how many go on the product's length, and how steep they are. */
const sizes = [
  { perLength: 1.9, steep: 0.36 },
  { perLength: 5.3, steep: 0.22 },
] as const;

/** Facets are told apart by so many points to a side; beyond them they are the same again. */
const cells = 32;

/** What makes paper crumpled. @param factory its color and grain */
export function crumpled(factory: MaterialFactory): MaterialFactory {
  return (input) => {
    const flat = factory(input);
    const { noise, towardLamp } = input;
    const facetAt = facetsOf(noise, towardLamp);
    return (u, v, footprint, out) => {
      flat(u, v, footprint, out);
      // Creases of paper are not quite straight.
      const bend = 0.22 * noise.at(u * 2.3 + 5, v * 2.3 + 2);
      let shade = 0.96;
      for (let i = 0; i < sizes.length; i++) {
        const { perLength, steep } = sizes[i]!;
        shade += steep * facetAt((u + bend) * perLength + 11 * i, (v - bend) * perLength + 7 * i);
      }
      const kept = Math.min(1.12, shade);
      for (let c = 0; c < 3; c++) out[c]! *= kept;
    };
  };
}

/** @returns −1 … 1: how far the facet at a point is turned to the lamp; facets are what is nearest to one point each */
function facetsOf(noise: Noise, [lx, ly]: readonly [number, number]): (x: number, y: number) => number {
  const middleX = new Float32Array(cells * cells);
  const middleY = new Float32Array(cells * cells);
  const toLamp = new Float32Array(cells * cells);
  for (let at = 0; at < cells * cells; at++) {
    const i = at % cells;
    const j = Math.floor(at / cells);
    middleX[at] = noise.cell(i * 3 + 1, j * 5);
    middleY[at] = noise.cell(i * 7, j * 3 + 2);
    toLamp[at] = 2 * ((noise.cell(i * 11 + 4, j) - 0.5) * lx + (noise.cell(i, j * 13 + 6) - 0.5) * ly);
  }
  return (x, y) => {
    const column = Math.floor(x);
    const row = Math.floor(y);
    let nearest = 9;
    let second = 9;
    let own = 0;
    let beside = 0;
    for (let j = row - 1; j <= row + 1; j++) {
      const line = (j & (cells - 1)) * cells;
      for (let i = column - 1; i <= column + 1; i++) {
        const at = line + (i & (cells - 1));
        const dx = i + middleX[at]! - x;
        const dy = j + middleY[at]! - y;
        const away = dx * dx + dy * dy;
        if (away >= second) continue;
        if (away < nearest) {
          second = nearest;
          beside = own;
          nearest = away;
          own = at;
        } else {
          second = away;
          beside = at;
        }
      }
    }
    // A crease is a little round, and its facets bend toward it.
    const inside = Math.sqrt(nearest);
    const inner = smoothstep(0, 0.09, Math.sqrt(second) - inside);
    return (toLamp[own]! + (toLamp[beside]! - toLamp[own]!) * 0.5 * (1 - inner)) * (0.75 + 0.5 * inside);
  };
}
