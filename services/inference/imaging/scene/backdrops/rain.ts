/** A window close behind the product in the rain: lights of the evening out of focus beyond it, beads of water and their runs on it. */

import { blurCanvas, fillBox, fillDisc, lensBlur } from "../canvas/canvas.ts";
import { fromHex, type LinearRgb, mix, scale } from "../canvas/color.ts";
import { isLampLit } from "../plan/lighting.ts";
import { settings } from "../words/lexicon.ts";
import { litColor } from "./furniture.ts";
import type { BackdropInput } from "./painter.ts";
import { paintView } from "./views.ts";

const lamps = ["#ffb45e", "#ffd49a", "#ff8f5a", "#f6c9c0", "#9fc6e8"] as const;

/** Seen by day where a theme says nothing of what is outside. */
const garden = settings.get("garden")!;

export function paintRainyWindow(input: BackdropInput): void {
  const { canvas, plan, random, aspect, noise } = input;
  const isEvening = isLampLit(plan.lightKind) || plan.lightKind === "sunset";
  const high: LinearRgb = isEvening ? fromHex("#26344f") : fromHex("#aebbc4");
  const low: LinearRgb = isEvening ? fromHex("#4a4a5a") : fromHex("#8d9a92");
  const bands = 30;
  for (let i = 0; i < bands; i++)
    fillBox(canvas, 0, i / bands, 1, (i + 1) / bands + 0.01, scale(mix(high, low, i / bands), isEvening ? 0.8 : 1));
  if (!isEvening) {
    const view = plan.view ?? garden;
    paintView({ ...input, plan: { ...plan, view } }, { left: 0, right: 1, top: 0.05, foot: 0.95 });
    // Rain takes the light and the color of what is far.
    for (let i = 0; i < bands; i++) fillBox(canvas, 0, i / bands, 1, (i + 1) / bands, mix(high, low, i / bands), 0.52);
  }
  for (let i = 0; i < (isEvening ? 26 : 0) * aspect; i++) {
    const y = 0.3 + 0.65 * random.next();
    const light = scale(fromHex(random.pick(lamps)), 0.75);
    fillDisc(canvas, random.next(), y, random.between(0.03, 0.085), light, 0.5, true);
  }
  lensBlur(canvas, 0.02);
  const behind = canvas.planes.map((plane) => plane.slice());
  const beads = Math.round(230 * aspect);
  for (let i = 0; i < beads; i++) {
    const isRun = i % 8 === 0;
    const x = random.next();
    const y = random.next();
    const radius = isRun ? random.between(0.008, 0.013) : 0.003 + 0.013 * random.next() ** 3;
    // A bead shows the lights above it upside down.
    const column = Math.min(canvas.width - 1, Math.floor(x * canvas.width));
    const row = Math.floor(Math.max(0, 0.9 - y * 0.5) * (canvas.height - 1));
    const seen = behind.map((plane) => plane[row * canvas.width + column]!) as [number, number, number];
    if (isRun) {
      const from = Math.max(0, y - random.between(0.15, 0.5));
      for (let step = from; step < y; step += 0.006) {
        const grown = 0.35 + (0.45 * (step - from)) / (y - from);
        fillDisc(canvas, x + 0.006 * (noise.at(step * 9, x * 40) - 0.5), step, radius * grown, scale(seen, 1.1), 0.22);
      }
    }
    // Dark above and bright below, as a lens shows the sky: white dots would be snow.
    fillDisc(canvas, x, y, radius, scale(seen, 0.5), 0.55);
    fillDisc(canvas, x, y + radius * 0.3, radius * 0.72, scale(seen, 1.3), 0.75);
    if (radius > 0.008)
      fillDisc(canvas, x - (radius * 0.3) / aspect, y - radius * 0.35, radius * 0.22, [1, 1, 1], 0.35);
  }
  const frame = litColor(input, "#e5ddd0", 0.55);
  for (const x of [0.5 - 0.5 / aspect, 0.5 + 0.5 / aspect, 0.5])
    fillBox(canvas, x - 0.016 / aspect, 0, x + 0.016 / aspect, 1, scale(frame, isEvening ? 0.35 : 0.9));
  fillBox(canvas, 0, 0.3, 1, 0.32, scale(frame, isEvening ? 0.32 : 0.85));
  fillBox(canvas, 0, 0.94, 1, 1, scale(frame, isEvening ? 0.5 : 1));
  blurCanvas(canvas, 0.003);
}
