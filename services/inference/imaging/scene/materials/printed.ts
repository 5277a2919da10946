/** A print in its colors, as walls and grounds have it. */

import type { LinearRgb } from "../canvas/color.ts";
import type { Noise } from "../canvas/noise.ts";
import type { Print } from "../words/lexicon-patterns.ts";
import type { MaterialFactory, PrintColors } from "./material.ts";
import { type Inks, motifs } from "./motifs-of-prints.ts";

/** Width of a repeat in sizes of the product. */
const repeats: Readonly<Partial<Record<Print, number>>> = {
  "art-deco": 0.4,
  tartan: 0.42,
  houndstooth: 0.16,
  argyle: 0.26,
  damask: 0.46,
  floral: 0.34,
  toile: 0.4,
  clovers: 0.26,
  stars: 0.26,
  hearts: 0.24,
  leopard: 0.3,
  zebra: 0.75,
  cow: 0.42,
  camouflage: 0.34,
  "tie-dye": 0.6,
  geometric: 0.32,
  leaves: 0.5,
  zigzag: 0.24,
  waves: 0.5,
  zellige: 0.34,
};
const repeatOf = (print: Print) => repeats[print] ?? 0.4;

/** Where a pixel is wider than this share of a repeat, nothing of the motif is left but its mean. */
const lostFrom = 0.3;

/** @returns a function that writes the print's color at a point of the material's plane; `footprint` is a pixel there */
export function createPrint({ print, ground, inks }: PrintColors, noise: Noise) {
  const motif = motifs[print];
  const repeat = repeatOf(print);
  const shares: Inks = [0, 0, 0];
  const mean = meanOf(print, noise);
  return (u: number, v: number, footprint: number, out: Float32Array): void => {
    const soft = 0.006 + (0.6 * footprint) / repeat;
    shares[0] = 0;
    shares[1] = 0;
    shares[2] = 0;
    const lost = Math.min(1, Math.max(0, (soft - lostFrom) / lostFrom));
    if (lost < 1) motif(u / repeat + 40.3, v / repeat + 40.1, Math.min(soft, 2 * lostFrom), noise, shares);
    for (let c = 0; c < 3; c++) out[c] = ground[c]!;
    for (const [at, ink] of inks.entries()) {
      const own = Math.min(1, Math.max(0, shares[at]!));
      const share = own + (mean[at]! - own) * lost;
      for (let c = 0; c < 3; c++) out[c]! += (ink[c]! - out[c]!) * share;
    }
  };
}

/** Points of a side of the square over which a print's mean is taken, and its side in repeats. */
const samples = 14;
const sampled = 2;

function meanOf(print: Print, noise: Noise): Inks {
  const sum: Inks = [0, 0, 0];
  for (let i = 0; i < samples; i++) {
    for (let j = 0; j < samples; j++) {
      const own: Inks = [0, 0, 0];
      motifs[print](40 + (sampled * (i + 0.4)) / samples, 40 + (sampled * (j + 0.6)) / samples, 0.05, noise, own);
      for (let c = 0; c < 3; c++) sum[c]! += Math.min(1, Math.max(0, own[c]!)) / samples ** 2;
    }
  }
  return sum;
}

const paper: LinearRgb = [0.82, 0.8, 0.77];

/** What makes a surface with the print of its input: the surface in white, under the print's colors. */
export function withPrint(factory: MaterialFactory): MaterialFactory {
  return (input) => {
    if (input.print === undefined) return factory(input);
    const white = factory({ ...input, color: paper });
    const print = createPrint(input.print, input.noise);
    const own = new Float32Array(3);
    return (u, v, footprint, out) => {
      white(u, v, footprint, out);
      print(u, v, footprint, own);
      for (let c = 0; c < 3; c++) out[c]! *= own[c]! / paper[c]!;
    };
  };
}
