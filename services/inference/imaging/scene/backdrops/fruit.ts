/** Boughs of a lemon tree that hang into the image from its upper corners, out of focus. */

import { fromHex, fromHsl, luminance, scale } from "../canvas/color.ts";
import type { Leaf, Stroke } from "../canvas/strokes.ts";
import type { BackdropInput } from "./painter.ts";

const lemon = fromHex("#f2cf2e");

/** Boughs at both upper corners; the lamp's side has more. */
export function lemonBoughs(input: BackdropInput): readonly Stroke[] {
  const side = input.lampSide > 0 ? 1 : -1;
  const bough = (x: number, y: number, way: number, long: number) => lemonBough(input, x, y, way, long);
  return [
    ...bough(0.5 + side * 0.56, 0.02, -side, 0.92),
    ...bough(0.5 + side * 0.54, 0.3, -side, 0.52),
    ...bough(0.5 - side * 0.56, -0.06, side, 0.66),
  ];
}

/** A round crown of leaves with lemons, as of a tree in a pot. */
export function lemonCrown(input: BackdropInput, x: number, y: number, reach: number): readonly Stroke[] {
  const { random, aspect } = input;
  const place = () => {
    const turn = random.next() * Math.PI * 2;
    const away = reach * Math.sqrt(random.next());
    return { x: x + (Math.cos(turn) * away) / aspect, y: y + 0.9 * Math.sin(turn) * away };
  };
  const leaves = Array.from({ length: 72 }, () => leafAt(input, place(), random.between(0, Math.PI * 2), 0.4 * reach));
  const fruit = Array.from({ length: 9 }, () => fruitAt(input, place(), 0.17 * reach));
  return [...leaves, ...fruit];
}

/** @param way 1: it grows to the right, −1: to the left */
function lemonBough(input: BackdropInput, x: number, y: number, way: number, long: number): readonly Stroke[] {
  const { random, aspect } = input;
  const strokes: Stroke[] = [];
  const fruit: Stroke[] = [];
  const steps = 13;
  let fall = random.between(-0.1, 0.12);
  let at = { x, y };
  for (let step = 0; step < steps; step++) {
    const share = step / steps;
    at = { x: at.x + (way * 0.92 * long) / steps / aspect, y: at.y + (fall * long) / steps };
    fall += 0.055;
    for (let i = 0; i < 7; i++) {
      const turn = (way > 0 ? 0 : Math.PI) + random.between(-1.5, 1.5) - way * 0.5 * random.next();
      strokes.push(leafAt(input, at, turn, random.between(0.12, 0.21) * (1.1 - 0.4 * share)));
    }
    if (step % 3 !== 1) continue;
    const hangs = { x: at.x + random.between(-0.02, 0.02), y: at.y + random.between(0.05, 0.1) };
    fruit.push(fruitAt(input, hangs, random.between(0.054, 0.068)));
    // Leaves before a fruit, so that it is of the bough.
    const aside = random.pick([-1, 1]) * random.between(0.8, 1.3);
    fruit.push(leafAt(input, { x: hangs.x, y: hangs.y - 0.075 }, -Math.PI / 2 + aside, 0.13));
  }
  return [...strokes, ...fruit];
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Daylight on leaves, 0–1. */
function daylight({ plan }: BackdropInput): number {
  return 0.28 + 0.62 * Math.min(1.1, luminance(plan.lighting.ambient) + 0.6 * luminance(plan.lighting.key));
}

function leafAt(input: BackdropInput, { x, y }: Place, angle: number, long: number): Leaf {
  const { random } = input;
  const green = fromHsl(random.between(86, 118), random.between(0.3, 0.45), random.between(0.2, 0.42));
  return { kind: "leaf", x, y, angle, long, wide: 0.17 * long, color: scale(green, daylight(input)) };
}

function fruitAt(input: BackdropInput, { x, y }: Place, radius: number): Stroke {
  const color = scale(lemon, daylight(input) * input.random.between(0.92, 1.12));
  return { kind: "fruit", x, y, radius, oblong: 1.22, color, lampSide: input.lampSide > 0 ? 1 : -1 };
}
