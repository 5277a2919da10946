/** Plants that people keep in rooms, far out of focus: stems with broad leaves, or fronds that bend outward. */

import { fillCushion } from "../canvas/canvas.ts";
import { fromHsl, luminance, multiply, scale } from "../canvas/color.ts";
import { fillStrokes, type Leaf } from "../canvas/strokes.ts";
import type { BackdropInput } from "./painter.ts";
import { keyAndAmbient } from "./walls.ts";

/** A plant in a pot that stands at `foot`. */
export function paintPottedPlant(input: BackdropInput, x: number, foot: number, size: number): void {
  if (input.plan.without.has("plants")) return;
  const clay = multiply([0.42, 0.24, 0.15], keyAndAmbient(input, 0.6));
  paintPlant(input, x, foot - 0.36 * size, size);
  fillCushion(input.canvas, x, foot - 0.2 * size, 0.19 * size, 0.21 * size, clay, 3.4, 0.3);
  fillCushion(input.canvas, x, foot - 0.39 * size, 0.21 * size, 0.035 * size, scale(clay, 1.2), 4, 0.2);
}

/** A plant without its pot; it grows out of (x, y). */
export function paintPlant(input: BackdropInput, x: number, y: number, size: number): void {
  const { canvas, random, plan } = input;
  if (plan.without.has("plants")) return;
  const light = 0.35 + 0.65 * (luminance(plan.lighting.ambient) + 0.5 * luminance(plan.lighting.key));
  const hue = random.between(92, 128);
  const green = () =>
    scale(fromHsl(hue + random.between(-9, 9), random.between(0.2, 0.36), random.between(0.2, 0.4)), light);
  const stems = size < 0.2 ? 4 : 6;
  const isFeathered = random.chance(0.4);
  const leaves: Leaf[] = [];
  for (let i = 0; i < stems; i++) {
    const lean = (i / (stems - 1) - 0.5) * 1.5 + random.between(-0.12, 0.12);
    const from = { x, y, angle: Math.PI / 2 - lean, reach: size * random.between(0.62, 0.98) * Math.cos(0.5 * lean) };
    leaves.push({ kind: "leaf", x, y, angle: from.angle, long: from.reach, wide: 0.014 * size, color: green() });
    leaves.push(...(isFeathered ? leafletsOn(input, from, size, green) : broadLeavesOn(input, from, size, green)));
  }
  fillStrokes(canvas, leaves);
}

interface Shoot {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly reach: number;
}

/** Few large leaves in turns at both sides, the last at the tip. */
function broadLeavesOn(
  { random, aspect }: BackdropInput,
  shoot: Shoot,
  size: number,
  color: () => Leaf["color"],
): Leaf[] {
  return [0.5, 0.68, 0.84, 1].map((share, i): Leaf => {
    const turn = share === 1 ? random.between(-0.3, 0.3) : (i % 2 === 0 ? 1 : -1) * random.between(0.6, 1.1);
    const long = size * random.between(0.3, 0.42);
    return {
      kind: "leaf",
      x: shoot.x + (Math.cos(shoot.angle) * shoot.reach * share) / aspect,
      y: shoot.y - Math.sin(shoot.angle) * shoot.reach * share,
      angle: shoot.angle + turn,
      long,
      wide: long * random.between(0.2, 0.27),
      color: color(),
    };
  });
}

/** Pairs of narrow leaves along a rib that bends down toward its tip. */
function leafletsOn({ aspect }: BackdropInput, shoot: Shoot, size: number, color: () => Leaf["color"]): Leaf[] {
  const steps = 9;
  const bend = Math.cos(shoot.angle) * -0.09;
  const leaves: Leaf[] = [];
  let { x, y, angle } = shoot;
  for (let step = 0; step < steps; step++) {
    x += (Math.cos(angle) * shoot.reach) / steps / aspect;
    y -= (Math.sin(angle) * shoot.reach) / steps;
    angle += bend;
    const long = size * (0.3 - 0.018 * step);
    for (const way of [-1, 1])
      leaves.push({ kind: "leaf", x, y, angle: angle + way * 0.7, long, wide: 0.03 * size, color: color() });
  }
  return leaves;
}
