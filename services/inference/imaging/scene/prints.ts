/** Patterns that are printed on a surface or woven into it: checks, stripes, dots. */

import type { LinearRgb } from "./color.ts";
import type { Pattern } from "./lexicon.ts";
import type { MaterialFactory } from "./material.ts";
import { smoothstep } from "./noise.ts";

/** Colors of prints whose theme names none. */
export const printColors: Readonly<Partial<Record<Pattern, string>>> = {
  checks: "#b8322c",
  stripes: "#4f6f94",
  dots: "#b8322c",
};

/** The ground of a print. */
const paper: LinearRgb = [0.82, 0.8, 0.77];
/** Width of a stripe, and the distance of dots, in sizes of the product. */
const stripe = 0.13;
const dotsApart = 0.2;

/** The color's share at a point; `soft` is half a pixel. */
type Print = (u: number, v: number, soft: number) => number;

/** 0–1: whether a point is on one of the stripes along an axis. */
function onStripe(t: number, soft: number): number {
  const place = Math.abs(((((t / stripe) % 2) + 2) % 2) - 1);
  return smoothstep(0.5 - soft / stripe, 0.5 + soft / stripe, place);
}

const prints: Readonly<Record<Exclude<Pattern, "herringbone">, Print>> = {
  checks: (u, v, soft) => 0.5 * (onStripe(u, soft) + onStripe(v, soft)),
  stripes: (u, _v, soft) => onStripe(u, soft),
  dots: (u, v, soft) => {
    const row = Math.floor(v / dotsApart);
    const x = u / dotsApart + (row % 2 === 0 ? 0 : 0.5);
    const away = Math.hypot(x - Math.floor(x) - 0.5, v / dotsApart - row - 0.5) * dotsApart;
    return 1 - smoothstep(0.055 - soft, 0.055 + soft, away);
  },
};

/** What makes a surface with each print: the surface in white, under the color. */
export function printed(factory: MaterialFactory): Readonly<Record<Exclude<Pattern, "herringbone">, MaterialFactory>> {
  const withPrint =
    (print: Print): MaterialFactory =>
    (input) => {
      const white = factory({ ...input, color: paper });
      const ink = input.color.map((value, c) => value / paper[c]!);
      return (u, v, footprint, out) => {
        white(u, v, footprint, out);
        // Far away the print is finer than a pixel.
        const share = print(u, v, Math.min(stripe / 2, 0.004 + 0.7 * footprint));
        for (let c = 0; c < 3; c++) out[c]! *= 1 + (ink[c]! - 1) * share;
      };
    };
  return { checks: withPrint(prints.checks), stripes: withPrint(prints.stripes), dots: withPrint(prints.dots) };
}
