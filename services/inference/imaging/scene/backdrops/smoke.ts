/** Smoke and steam behind the product: sheets that curl upward, densest at both its sides. */

import { blurCanvas } from "../canvas/canvas.ts";
import { fromHex, type LinearRgb, luminance, mix, multiply } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { BackdropInput } from "./painter.ts";
import { arriving } from "./props.ts";

/** Before a pale wall smoke is seen by its shade. */
const shade = fromHex("#8b8e93");
const paleWall = 0.66;
const densest = 0.9;
/** Noise is looked up along tilted axes: along its own, large soft forms would have straight edges. */
const tilt = [Math.cos(0.62), Math.sin(0.62)] as const;

/** @param color `#rrggbb`: that of the theme, or of smoke */
export function paintSmoke(input: BackdropInput, color: string): void {
  const { canvas, plan, noise, random, aspect, productHalf } = input;
  const offset = random.between(0, 90);
  const sway = random.between(0.9, 1.5) * (random.chance(0.5) ? 1 : -1);
  const own = fromHex(color);
  const isPale = luminance(plan.backdropColor) > paleWall && Math.min(...own) > 0.5;
  const light = arriving(input, 0.75);
  const smoke: LinearRgb = multiply(isPale ? mix(own, shade, 0.75) : own, mix(light, [1, 1, 1], 0.3));
  const { width, height, planes } = canvas;
  for (let row = 0, at = 0; row < height; row++) {
    const y = (row + 0.5) / height;
    for (let column = 0; column < width; column++, at++) {
      const x = (column + 0.5) / width - 0.5;
      const across = x * aspect + sway * 0.12 * (1 - y);
      // It is drawn out upward.
      const u = across * tilt[0] - 0.7 * y * tilt[1] + offset;
      const v = across * tilt[1] + 0.7 * y * tilt[0];
      const bendU = noise.fractal(u * 2.1, v * 2.1, 4, 0.01) - 0.5;
      const bendV = noise.fractal(u * 2.1 + 40, v * 2.1 + 9, 4, 0.01) - 0.5;
      const curled = noise.fractal(u * 2.7 + 2.6 * bendU, v * 2.7 + 2.6 * bendV, 4, 0.01) - 0.5;
      const sheet = noise.fractal(u * 2.2 + 1.3 * bendU + 17, v * 2.2 + 1.3 * bendV + 5, 3, 0.01);
      // A sheet that is seen along its face is brighter.
      const thread = (1 - Math.min(1, Math.abs(curled) * 4.5)) ** 2;
      const body = smoothstep(0.26, 0.84, sheet + 0.3 * curled);
      // It begins above the ground, at each place in another height.
      const low = y + 1.3 * (noise.fractal(u * 1.5 + 70, v * 1.1, 2, 0.01) - 0.5);
      const rise = smoothstep(-0.1, 0.45, y) * (1 - smoothstep(0.4, 0.95, low)) * (1 - smoothstep(0.78, 1, y));
      const aside = Math.exp(-(((Math.abs(x) - productHalf - 0.06) / 0.22) ** 2));
      const share = Math.min(1, densest * rise * (0.35 + 0.65 * aside) * body * (0.86 + 0.4 * thread));
      for (let c = 0; c < 3; c++) planes[c]![at]! += (smoke[c]! - planes[c]![at]!) * share;
    }
  }
  blurCanvas(canvas, 0.006);
}
