/** A bathroom out of focus: tiles, a round mirror above a basin's shelf, a towel on a rail. */

import { blurCanvas, fillBox, fillDisc, fillPanel, fillRod, lensBlur, shadeAround } from "../canvas/canvas.ts";
import { mix, multiply, scale } from "../canvas/color.ts";
import { isLampLit } from "../plan/lighting.ts";
import { litColor } from "./furniture.ts";
import { paintPlant } from "./house-plants.ts";
import { paintTiledWall } from "./indoors.ts";
import type { BackdropInput } from "./painter.ts";
import { paintView } from "./views.ts";
import { keyAndAmbient } from "./walls.ts";

/** A round mirror above a shelf with bottles, a towel on a rail, and a plant, before tiles. */
export function paintBathroom(input: BackdropInput): void {
  paintTiledWall(input);
  const { canvas, plan, lampSide, aspect } = input;
  const side = lampSide > 0 ? 1 : -1;
  const brass = litColor(input, "#b8925a", 0.6);
  const mirror = 0.5 + side * 0.24;
  if (plan.view !== null && !plan.without.has("windows")) paintOutlook(input, mirror);
  else if (!plan.without.has("mirrors")) paintMirror(input, mirror, 0.3, 0.285);
  if (!plan.without.has("furniture")) {
    const wood = litColor(input, "#b08d63", 0.6);
    shadeAround(canvas, [mirror - 0.42 / aspect, 0.74, mirror + 0.42 / aspect, 0.78], 0.08);
    fillBox(canvas, mirror - 0.42 / aspect, 0.74, mirror + 0.42 / aspect, 0.775, wood);
    fillBox(canvas, mirror - 0.42 / aspect, 0.775, mirror + 0.42 / aspect, 0.79, scale(wood, 0.5));
    if (!plan.without.has("bottles")) {
      for (const [across, tall, hex] of [
        [-0.3, 0.15, "#f2efe9"],
        [-0.19, 0.2, "#8f6a45"],
        [-0.09, 0.11, "#dfe4dd"],
      ] as const) {
        const x = mirror + across / aspect;
        const bottle = [x - 0.04 / aspect, 0.74 - tall, x + 0.04 / aspect, 0.74] as const;
        shadeAround(canvas, bottle, 0.035, 0.3);
        fillPanel(canvas, bottle, litColor(input, hex, 0.7), 1.6 * lampSide);
        fillBox(
          canvas,
          x - 0.014 / aspect,
          0.71 - tall,
          x + 0.014 / aspect,
          0.74 - tall,
          litColor(input, "#3c3a37", 0.5),
        );
      }
    }
    paintPlant(input, mirror + 0.24 / aspect, 0.66, 0.16);
  }
  if (!plan.without.has("towels")) {
    const rail = 0.5 - side * 0.27;
    shadeAround(canvas, [rail - 0.18 / aspect, 0.4, rail + 0.19 / aspect, 0.88], 0.07);
    fillRod(canvas, rail - 0.26 / aspect, 0.4, rail + 0.26 / aspect, 0.4, 0.016, brass);
    const cloth = litColor(input, "#f1ede5", 0.85);
    for (let fold = 0; fold < 8; fold++) {
      const from = rail + (fold * 0.045 - 0.18) / aspect;
      fillBox(canvas, from, 0.39, from + 0.047 / aspect, 0.88, scale(cloth, 0.9 + 0.1 * Math.sin(fold * 2.1)));
    }
    fillBox(canvas, rail - 0.18 / aspect, 0.8, rail + 0.18 / aspect, 0.82, scale(cloth, 0.8));
  }
  lensBlur(canvas, 0.013);
  blurCanvas(canvas, 0.004);
}

/** A wide window in the mirror's place. */
function paintOutlook(input: BackdropInput, x: number): void {
  const { canvas, aspect } = input;
  const left = x - 0.4 / aspect;
  const right = x + 0.4 / aspect;
  const top = 0.04;
  const foot = 0.66;
  const edge = 0.026;
  const frame = litColor(input, "#f1efe9", 0.8);
  shadeAround(canvas, [left - edge / aspect, top - edge, right + edge / aspect, foot + edge], 0.08, 0.3);
  fillBox(canvas, left - edge / aspect, top - edge, right + edge / aspect, foot + edge, frame);
  paintView(input, { left, right, top, foot });
  fillBox(canvas, x - (0.4 * edge) / aspect, top, x + (0.4 * edge) / aspect, foot, frame);
}

/** It shows the wall across the room, the window in it and the ceiling. */
function paintMirror(input: BackdropInput, x: number, y: number, radius: number): void {
  const { canvas, plan, aspect, lampSide } = input;
  const rim = 0.015;
  const isEvening = isLampLit(plan.lightKind);
  const room = mix(litColor(input, "#cfd3cf", 0.5), multiply(plan.backdropColor, keyAndAmbient(input, 0.4)), 0.5);
  const day = isEvening ? litColor(input, "#f7dcae", 0.8) : mix(plan.lighting.horizon, [1.3, 1.3, 1.3], 0.6);
  const pane = { left: x - (0.13 * lampSide + 0.07) / aspect, right: x - (0.13 * lampSide - 0.07) / aspect };
  const hasWindow = !plan.without.has("windows");
  shadeAround(
    canvas,
    [x - (0.75 * radius) / aspect, y - 0.7 * radius, x + (0.75 * radius) / aspect, y + 0.85 * radius],
    0.13,
  );
  fillDisc(canvas, x, y, radius, litColor(input, "#b8925a", 0.6), 1, false, 0.03);
  const rows = 72;
  const inner = radius - rim;
  for (let row = 0; row < rows; row++) {
    const share = (2 * (row + 0.5)) / rows - 1;
    const half = (inner * Math.sqrt(1 - share * share)) / aspect;
    const top = y + inner * (share - 1 / rows);
    const foot = y + inner * (share + 1 / rows);
    const tone = share < -0.62 ? 1.25 : 1.02 - 0.2 * share;
    fillBox(canvas, x - half, top, x + half, foot, scale(room, tone));
    const left = Math.max(pane.left, x - half);
    const right = Math.min(pane.right, x + half);
    if (hasWindow && Math.abs(share + 0.1) < 0.42 && left < right) fillBox(canvas, left, top, right, foot, day);
  }
}
