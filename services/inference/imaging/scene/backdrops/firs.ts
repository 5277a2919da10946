import { fillBox } from "../canvas/canvas.ts";
import { luminance, mix, scale } from "../canvas/color.ts";
import type { BackdropInput } from "./painter.ts";

/** How much of each fir is white. */
const snowShare = 0.4;

/**
 * Rows of firs in fog, each nearer than the one before, with snow on their branches and at their feet.
 *
 * @param foot of the nearest row, from above, as a share of the canvas's height
 * @param size relative to a forest at its edge
 * @param riseAt how far above its row's foot a fir stands
 */
export function paintFirs(
  { canvas, plan, random, noise, aspect }: BackdropInput,
  rows: number,
  foot: number,
  size: number,
  riseAt: (x: number, row: number) => number = () => 0,
) {
  const light = luminance(plan.lighting.ambient) + 0.5 * luminance(plan.lighting.key);
  const haze = scale(plan.lighting.horizon, 0.9);
  for (let row = 0; row < rows; row++) {
    const near = (row + 1) / rows;
    const base = foot - 0.09 * size * (rows - 1 - row);
    const color = scale(mix(haze, [0.05, 0.09, 0.09], 0.25 + 0.5 * near), light);
    const white = scale(mix([0.84, 0.88, 0.94], haze, 0.3), Math.min(1, light));
    for (let x = -0.02; x < 1.02; x += (random.between(0.02, 0.07) / (0.5 + near * 0.6)) * Math.sqrt(size)) {
      const ground = base - riseAt(x, row);
      const tall = random.between(0.2, 0.42) * (0.5 + 0.6 * near) * size;
      for (let step = 0; step < 14; step++) {
        const share = step / 14;
        // Each tier of branches is wider at its tip than the one above.
        const half = tall * 0.22 * (share * 0.72 + 0.28 * ((share * 4) % 1));
        const y = ground - tall + share * tall;
        const tint = mix(color, [0.8, 0.84, 0.9], 0.12 * random.next());
        fillBox(canvas, x - half / aspect, y, x + half / aspect, y + tall / 13, tint);
        if (random.chance(snowShare)) {
          const side = random.between(-0.7, 0.3);
          fillBox(canvas, x + (half * side) / aspect, y, x + (half * (side + 0.7)) / aspect, y + tall / 26, white, 0.8);
        }
      }
    }
    const snow = scale(mix([0.86, 0.9, 0.95], haze, 0.4), light * 0.9);
    for (let i = 0; i < 60; i++) {
      const x = i / 60;
      fillBox(canvas, x, base - riseAt(x, row) - 0.03 * size * noise.at(x * 5 + row * 20, 3), x + 1 / 59, 1, snow);
    }
  }
}
