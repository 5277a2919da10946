import { fillBox } from "../canvas/canvas.ts";
import { type LinearRgb, mix, multiply, scale } from "../canvas/color.ts";
import { fillStrokes, type Leaf } from "../canvas/strokes.ts";
import type { BackdropInput } from "./painter.ts";

/** How many of a fir's branches carry snow. */
const snowShare = 0.55;
const tiers = 11;
const snow: LinearRgb = [0.84, 0.88, 0.94];

interface Fir {
  readonly x: number;
  readonly foot: number;
  readonly tall: number;
  readonly color: LinearRgb;
  readonly white: LinearRgb;
}

/**
 * Rows of firs in fog, each nearer than the one before, with snow on their branches and at their feet.
 *
 * @param foot of the nearest row, from above, as a share of the canvas's height
 * @param size relative to a forest at its edge
 * @param riseAt how far above its row's foot a fir stands
 */
export function paintFirs(
  input: BackdropInput,
  rows: number,
  foot: number,
  size: number,
  riseAt: (x: number, row: number) => number = () => 0,
) {
  const { canvas, plan, random, noise } = input;
  const { ambient, key, horizon } = plan.lighting;
  const light = ambient.map((level, c) => level + 0.5 * key[c]!) as unknown as LinearRgb;
  const haze = scale(horizon, 0.9);
  const dimmed = light.map((level) => Math.min(1, level)) as unknown as LinearRgb;
  for (let row = 0; row < rows; row++) {
    const near = (row + 1) / rows;
    const base = foot - 0.09 * size * (rows - 1 - row);
    const fog = 0.75 - 0.5 * near;
    const color = mix(multiply([0.05, 0.09, 0.09], light), haze, fog);
    const white = mix(multiply(snow, dimmed), haze, 0.3 * fog + 0.1);
    for (let x = -0.02; x < 1.02; x += (random.between(0.02, 0.07) / (0.5 + near * 0.6)) * Math.sqrt(size)) {
      const tall = random.between(0.2, 0.42) * (0.5 + 0.6 * near) * size;
      paintFir(input, { x, foot: base - riseAt(x, row), tall, color, white });
    }
    const drift = mix(multiply(snow, dimmed), haze, 0.4);
    for (let i = 0; i < 60; i++) {
      const x = i / 60;
      fillBox(canvas, x, base - riseAt(x, row) - 0.03 * size * noise.at(x * 5 + row * 20, 3), x + 1 / 59, 1, drift);
    }
  }
}

/** Branches hang from the trunk, the longer the lower; snow lies on what is not below others. */
function paintFir({ canvas, random, aspect }: BackdropInput, { x, foot, tall, color, white }: Fir): void {
  const strokes: Leaf[] = [];
  const tip = foot - tall;
  fillBox(canvas, x - (0.008 * tall) / aspect, tip + 0.5 * tall, x + (0.008 * tall) / aspect, foot, scale(color, 0.7));
  for (let tier = tiers - 1; tier >= 0; tier--) {
    const share = (tier + 0.6) / tiers;
    const y = tip + share * tall * 0.9;
    const long = tall * (0.05 + 0.24 * share) * random.between(0.85, 1.15);
    for (const side of [-1, 1]) {
      for (const reach of [1, 0.62]) {
        const droop = random.between(0.3, 0.55) + 0.5 * (1 - reach);
        const branch: Leaf = {
          kind: "leaf",
          x,
          y,
          angle: side < 0 ? Math.PI + droop : -droop,
          long: long * reach,
          wide: tall * 0.036,
          color: scale(color, random.between(0.85, 1.25)),
        };
        strokes.push(branch);
        if (random.chance(snowShare))
          strokes.push({ ...branch, y: y - tall * 0.012, long: branch.long * 0.9, wide: tall * 0.02, color: white });
      }
    }
  }
  fillStrokes(canvas, strokes);
}
