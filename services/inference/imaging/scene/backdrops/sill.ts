/** A window close behind the product, which stands on its sill: panes between white bars, curtains, and what is outside. */

import { blurCanvas, fillBox, lensBlur } from "../canvas/canvas.ts";
import { mix, scale } from "../canvas/color.ts";
import { isLampLit } from "../plan/lighting.ts";
import { settings } from "../words/lexicon.ts";
import { litColor } from "./furniture.ts";
import type { BackdropInput } from "./painter.ts";
import { paintRainyWindow } from "./rain.ts";
import { paintView } from "./views.ts";

/** Seen where a theme says nothing of what is outside. */
const garden = settings.get("garden")!;

export function paintWindowSill(input: BackdropInput): void {
  const { canvas, plan, aspect } = input;
  if (plan.props.includes("rain")) {
    paintRainyWindow(input);
    return;
  }
  const isEvening = isLampLit(plan.lightKind);
  fillBox(canvas, 0, 0, 1, 1, scale(mix(plan.lighting.zenith, plan.lighting.horizon, 0.5), isEvening ? 0.2 : 1.1));
  paintView({ ...input, plan: { ...plan, view: plan.view ?? garden } }, { left: 0, right: 1, top: 0, foot: 0.95 });
  lensBlur(canvas, 0.022);
  const frame = litColor(input, "#ebe5da", isEvening ? 0.4 : 0.85);
  const pane = 0.62 / aspect;
  for (const x of [0.5 - pane, 0.5, 0.5 + pane]) {
    fillBox(canvas, x - 0.02 / aspect, 0, x + 0.02 / aspect, 1, frame);
    fillBox(canvas, x + 0.008 / aspect, 0, x + 0.02 / aspect, 1, scale(frame, 0.78));
  }
  fillBox(canvas, 0, 0.27, 1, 0.3, frame);
  fillBox(canvas, 0, 0.292, 1, 0.3, scale(frame, 0.75));
  fillBox(canvas, 0, 0.925, 1, 1, frame);
  if (!plan.without.has("curtains")) paintCurtains(input, pane);
  blurCanvas(canvas, 0.009);
}

/** Thin white cloth at both sides, through which the day shines. */
function paintCurtains(input: BackdropInput, pane: number): void {
  const { canvas, aspect, noise } = input;
  const cloth = litColor(input, "#f2ece2", 0.8);
  const wide = Math.max(0.08, 0.5 - pane * 0.92);
  const folds = Math.ceil((wide * aspect) / 0.05);
  for (const side of [-1, 1]) {
    for (let i = 0; i < folds; i++) {
      const from = (i / folds) * wide;
      const to = ((i + 1) / folds) * wide;
      const shade = 0.82 + 0.26 * noise.cell(i * 3 + side, 5) + (i % 2) * 0.12;
      const [left, right] = side < 0 ? [from, to] : [1 - to, 1 - from];
      fillBox(canvas, left, 0, right, 0.95, scale(cloth, shade), i === folds - 1 ? 0.6 : 0.82);
    }
  }
}
