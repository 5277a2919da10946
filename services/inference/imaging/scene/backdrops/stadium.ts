/** A stadium out of focus: tiers full of people, a roof, masts with floodlights, boards along the field. */

import { addGlow, blurCanvas, fillBox, fillDisc, lensBlur } from "../canvas/canvas.ts";
import { fromHex, type LinearRgb, multiply, scale } from "../canvas/color.ts";
import { isLampLit } from "../plan/lighting.ts";
import type { BackdropInput } from "./painter.ts";
import { paintSkyGradient } from "./sky.ts";

const clothes = ["#b9b4ad", "#7a4540", "#45556a", "#c4beb2", "#42454a", "#9a8060", "#cbc8c1", "#63676c"] as const;
/** Faces and hair. */
const heads = ["#c99a7c", "#2b221c", "#8a5a3c", "#dcb598", "#3a2a20", "#5a3a28"] as const;
const boards = ["#2f5f9c", "#e8e4dc", "#a8322c", "#e0b040"] as const;
const roof = 0.24;
const stand = 0.3;
const fence = 0.84;
const field = 0.92;

export function paintStadium(input: BackdropInput): void {
  paintSkyGradient(input, 1);
  const { canvas, plan, random, aspect } = input;
  const { key, ambient } = plan.lighting;
  const isLit = isLampLit(plan.lightKind);
  const light: LinearRgb = isLit
    ? [0.75, 0.77, 0.8]
    : [ambient[0] + 0.5 * key[0], ambient[1] + 0.5 * key[1], ambient[2] + 0.5 * key[2]];
  fillBox(canvas, 0, stand, 1, field, scale(multiply(fromHex("#6f7378"), light), 0.5));
  const rows = 26;
  for (let row = 0; row < rows; row++) {
    const y = stand + ((fence - stand) * (row + 0.5)) / rows;
    if (row % 9 === 8 || plan.without.has("people")) continue;
    for (let x = random.between(0, 0.02); x < 1; x += random.between(0.018, 0.034) / aspect) {
      const tone = (0.4 + 0.45 * (row / rows)) * random.between(0.7, 1.1);
      fillDisc(canvas, x, y, 0.0115, scale(multiply(fromHex(random.pick(clothes)), light), tone), 0.9);
      fillDisc(canvas, x, y - 0.014, 0.0062, scale(multiply(fromHex(random.pick(heads)), light), tone), 0.9);
    }
  }
  fillBox(canvas, 0, roof, 1, stand, scale(multiply(fromHex("#d5d8da"), light), 0.8));
  for (let x = 0.06; x < 1; x += 0.22 / aspect)
    fillBox(canvas, x, roof, x + 0.012 / aspect, fence, scale(multiply(fromHex("#b9bdc0"), light), 0.6));
  for (let x = random.between(-0.1, 0); x < 1; x += 0.3 / aspect)
    fillBox(canvas, x, fence, x + 0.29 / aspect, field, scale(multiply(fromHex(random.pick(boards)), light), 0.8));
  fillBox(canvas, 0, field, 1, 1, scale(multiply(plan.surfaceColor, light), 0.8));
  if (!plan.without.has("lights")) {
    for (const x of [0.12, 0.88]) {
      fillBox(canvas, x - 0.008 / aspect, 0.1, x + 0.008 / aspect, roof, scale(light, 0.25));
      for (let lamp = 0; lamp < 8; lamp++) {
        const at = x + ((lamp % 4) - 1.5) * (0.028 / aspect);
        fillDisc(canvas, at, 0.06 + 0.03 * Math.floor(lamp / 4), 0.014, [2.6, 2.6, 2.5], 0.9, true);
      }
      addGlow(canvas, x, 0.08, isLit ? 0.14 : 0.05, scale([0.3, 0.31, 0.32], isLit ? 1 : 0.5));
    }
  }
  lensBlur(canvas, 0.011);
  blurCanvas(canvas, 0.004);
}
