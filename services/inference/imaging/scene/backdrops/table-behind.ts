/** A table at a wall, behind somebody who stands on the floor: small things that a theme names stand on it, and not at the feet. */

import { fillBox } from "../canvas/canvas.ts";
import { scale } from "../canvas/color.ts";
import type { DrawnThing } from "../motifs/draw-thing.ts";
import type { Spot } from "../motifs/stamp.ts";
import { litColor } from "./furniture.ts";
import type { BackdropInput } from "./painter.ts";
import { paintBlurred } from "./props.ts";

/** The upper edge of its top; a kitchen's worktop is there already, but for its front. Shares of the canvas's height. */
const top = 0.66;
const worktop = 0.775;
const thick = 0.036;
/** It reaches so far into the picture from its border, in widths of the canvas. */
const long = 0.4;
/** Places for things on it, from the border inward, and how large they are beside things that stand at the product. */
const places = [0.09, 0.22, 0.33] as const;
const sizeUpon = 0.72;
const perThing = 2;

/** So much of the picture beside the product shows two of a table's places. */
const roomOfTwo = 0.26;

/** No table stands in the water. */
export const hasTable = ({ plan }: BackdropInput) => plan.decor !== "pool";

/** Whether another table has room at the product's other side: no furniture is there, or the worktop goes on. */
export function hasSecondTable(input: BackdropInput): boolean {
  const { plan, productHalf } = input;
  const isFree = plan.decor === null && plan.things.filter(({ place }) => place === "behind").length < 2;
  return (isFree || hasWorktop(input)) && 0.5 - productHalf >= roomOfTwo;
}

const hasWorktop = ({ plan }: BackdropInput) => plan.decor === "kitchen";

/** @param side −1 left, 1 right */
export function paintTableBehind(input: BackdropInput, side: number): void {
  if (hasWorktop(input)) return;
  const wood = litColor(input, "#8a623f", 0.62);
  const [from, to] = side < 0 ? [-0.02, long] : [1 - long, 1.02];
  paintBlurred(input.canvas, 0.011, (canvas, colorOf) => {
    for (const leg of side < 0 ? [0.02, long - 0.04] : [1 - long + 0.02, 0.96])
      fillBox(canvas, leg, top + thick, leg + 0.024, 1, colorOf(scale(wood, 0.6)));
    fillBox(canvas, from + 0.012, top + thick, to - 0.012, top + 2.4 * thick, colorOf(scale(wood, 0.5)));
    fillBox(canvas, from, top, to, top + thick, colorOf(scale(wood, 1.2)));
  });
}

export const isTableFull = (taken: number): boolean => taken >= places.length;

/** @param taken how many places are taken; the things that find none are left out */
export function placesOnTable(input: BackdropInput, thing: DrawnThing, side: number, taken: number): Spot[] {
  const { aspect } = input;
  const foot = hasWorktop(input) ? worktop : top + 0.4 * thick;
  return places.slice(taken, taken + Math.min(perThing, thing.count)).map((at) => {
    const tall = thing.tall * sizeUpon;
    const half = (0.5 * tall * thing.drawing.aspect) / aspect;
    const x = Math.max(at, half);
    return {
      x: side < 0 ? x : 1 - x,
      y: foot - tall / 2,
      reach: (tall / 2) * Math.max(1, thing.drawing.aspect),
      turn: 0,
    };
  });
}
