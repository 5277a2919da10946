/** Strings of bulbs that sag from side to side above the product, the farther the smaller. */

import { addGlow, fillDisc, fillRod } from "../canvas/canvas.ts";
import { type LinearRgb, scale } from "../canvas/color.ts";
import { isLampLit } from "../plan/lighting.ts";
import { litColor } from "./furniture.ts";
import type { BackdropInput } from "./painter.ts";
import { paintBlurred } from "./props.ts";

const strings = [
  { bulbs: 17, radius: 0.011, from: 0.24, to: 0.3, sag: 0.06 },
  { bulbs: 12, radius: 0.016, from: 0.06, to: 0.17, sag: 0.13 },
  { bulbs: 8, radius: 0.023, from: 0.05, to: -0.04, sag: 0.2 },
] as const;
const bulbLight: LinearRgb = [3.6, 2.35, 1.05];

export function paintStringLights(input: BackdropInput): void {
  const { canvas, plan, aspect, random, lampSide } = input;
  const wire = litColor(input, "#2c2622", 0.5);
  const power = isLampLit(plan.lightKind) ? 1 : 0.75;
  const places = strings.flatMap(({ bulbs, radius, from, to, sag }) => {
    const [left, right] = lampSide > 0 ? [to, from] : [from, to];
    const shift = random.between(-0.4, 0.4);
    return Array.from({ length: bulbs + 2 }, (_, i) => {
      const share = (i - 0.5 + shift) / bulbs;
      return { x: share, y: left + (right - left) * share + sag * 4 * share * (1 - share), radius, isFirst: i === 0 };
    });
  });
  paintBlurred(canvas, 0.004, (to, colorOf) => {
    for (const [i, { x, y, radius, isFirst }] of places.entries()) {
      const before = places[i - 1];
      if (before !== undefined && !isFirst) fillRod(to, before.x, before.y, x, y, 0.3 * radius, colorOf(wire));
      fillRod(to, x, y, x, y + 1.2 * radius, 0.9 * radius, colorOf(wire));
    }
  });
  for (const { x, y, radius } of places) {
    const at = y + 1.9 * radius;
    addGlow(canvas, x, at, 2.2 * radius, scale(bulbLight, 0.13 * power));
    fillDisc(canvas, x, at, 1.25 * radius, scale(bulbLight, power), 0.95, false, 0.45);
  }
  addGlow(canvas, 0.5, 0.2, 0.3 * Math.min(1, aspect), scale(bulbLight, 0.025 * power));
}
