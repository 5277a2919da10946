/** Patterns that are printed on a surface, woven into it or painted on it: checks, stripes, dots, lines; and slabs of it. */

import type { LinearRgb } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { MaterialFactory } from "./material.ts";

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

const prints: Readonly<Record<"checks" | "stripes" | "dots", Print>> = {
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
export function printed(factory: MaterialFactory): Readonly<Record<keyof typeof prints, MaterialFactory>> {
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

const lineColor: LinearRgb = [0.8, 0.8, 0.78];
/** In sizes of the product: width of a painted line, distance of two lanes, and the circle of a court. */
const lineWide = 0.07;
const laneWide = 1.32;
const circle = { u: -0.55, v: 0.95, radius: 1.5 } as const;

/** How far a point is from the nearest line, in sizes of the product. */
const lines: Readonly<Record<"court" | "lanes" | "tennis", (u: number, v: number) => number>> = {
  court: (u, v) =>
    Math.min(
      Math.abs(v - circle.v),
      Math.abs(Math.hypot(u - circle.u, v - circle.v) - circle.radius),
      Math.abs(u - 1.6),
    ),
  tennis: (u, v) => Math.min(Math.abs(v - circle.v), v < circle.v ? Math.abs(u + 1.1) : Infinity),
  lanes: (u) => Math.abs(u / laneWide - Math.floor(u / laneWide) - 0.5) * laneWide,
};

/** A sports floor is seen from farther away than a table: its boards are so many times narrower. */
const finer = 2.8;

/** What makes a surface with lines of a little worn paint. */
export function lined(
  factory: MaterialFactory,
  court: "court" | "tennis",
): Readonly<Record<"court" | "lanes", MaterialFactory>> {
  const withLines =
    (away: (u: number, v: number) => number): MaterialFactory =>
    (input) => {
      const bare = factory(input);
      return (u, v, footprint, out) => {
        bare(u * finer, v * finer, footprint * finer, out);
        const soft = 0.004 + 0.7 * footprint;
        const worn = 0.78 + 0.2 * smoothstep(0.3, 0.55, input.noise.fractal(u * 14, v * 14, 3, footprint * 14));
        const share = worn * (1 - smoothstep(lineWide / 2 - soft, lineWide / 2 + soft, away(u, v)));
        for (let c = 0; c < 3; c++) out[c]! += (lineColor[c]! - out[c]!) * share;
      };
    };
  return { court: withLines(lines[court]), lanes: withLines(lines.lanes) };
}

/** What makes cloth or paper in folds: creases that meet at angles, flat between them. */
export function folded(factory: MaterialFactory): MaterialFactory {
  return (input) => {
    const flat = factory(input);
    const { noise, towardLamp } = input;
    const [lx, ly] = towardLamp;
    const ridge = (t: number) => 1 - Math.abs(2 * t - 1);
    const height = (u: number, v: number) => {
      const bend = noise.fractal(u * 0.9 + 5, v * 0.9 + 2, 2, 0) - 0.5;
      const broad = ridge(noise.at(u * 1.5 + 2.6 * bend + 30, v * 1.9 - 1.8 * bend));
      const narrow = ridge(noise.at(u * 3.6 - 2 * bend + 11, v * 3.1 + 2.4 * bend + 70));
      return 0.62 * broad ** 1.5 + 0.24 * narrow ** 2;
    };
    return (u, v, footprint, out) => {
      flat(u, v, footprint, out);
      const slope = height(u, v) - height(u + lx * 0.05, v + ly * 0.05);
      const shade = Math.min(1.22, Math.max(0.5, 1 + 2.3 * slope));
      for (let c = 0; c < 3; c++) out[c]! *= shade;
    };
  };
}

/** Side of a slab, in sizes of the product. */
const slabWide = 0.62;

/** What makes a floor of square slabs: each is cut from another part of the surface, between narrow joints. */
export function inSlabs(factory: MaterialFactory): MaterialFactory {
  return (input) => {
    const bare = factory(input);
    return (u, v, footprint, out) => {
      const column = Math.floor(u / slabWide);
      const row = Math.floor(v / slabWide);
      const shift = 9 * input.noise.cell(column * 7 + 3, row * 5 + 1);
      bare(u + shift, v - shift, footprint, out);
      const inU = u / slabWide - column;
      const inV = v / slabWide - row;
      const edge = Math.min(inU, 1 - inU, inV, 1 - inV) * slabWide;
      const soft = 0.004 + 0.7 * footprint;
      const tone = 1 + 0.14 * (input.noise.cell(column * 3 + 11, row * 13) - 0.5);
      const joint = 0.55 * (1 - smoothstep(0.006, 0.006 + soft, edge)) * Math.min(1, 0.02 / soft);
      for (let c = 0; c < 3; c++) out[c]! *= tone * (1 - joint);
    };
  };
}
