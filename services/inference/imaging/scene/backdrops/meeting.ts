/** A meeting room out of focus: windows along one wall, a blank screen, and a long table with chairs at its far side. */

import { defocus, fillBox, fillCushion, fillPanel, fillRod, shadeAround } from "../canvas/canvas.ts";
import { scale } from "../canvas/color.ts";
import { isLampLit } from "../plan/lighting.ts";
import { litColor, paintPendants } from "./furniture.ts";
import { paintPottedPlant } from "./house-plants.ts";
import { paintWindow } from "./indoors.ts";
import type { BackdropInput } from "./painter.ts";
import { paintWall } from "./walls.ts";

const tableY = 0.86;

export function paintMeetingRoom(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, aspect, lampSide } = input;
  const side = lampSide > 0 ? 1 : -1;
  if (!plan.without.has("windows")) paintWindow(input, isLampLit(plan.lightKind));
  if (!plan.without.has("screens")) {
    const x = 0.5 - side * 0.2;
    const half = 0.34 / aspect;
    shadeAround(canvas, [x - half, 0.16, x + half, 0.52], 0.05, 0.35);
    fillBox(canvas, x - half, 0.16, x + half, 0.52, litColor(input, "#1d2023", 0.5));
    fillPanel(
      canvas,
      [x - 0.97 * half, 0.172, x + 0.97 * half, 0.508],
      litColor(input, "#4d565e", 0.45),
      0.9 * lampSide,
    );
  }
  paintPottedPlant(input, 0.5 - side * 0.46, 0.97, 0.4);
  paintPendants(input, [0.3, 0.66], 0.04, "#2b2c2e");
  if (!plan.without.has("furniture")) paintTableWithChairs(input);
  defocus(canvas, 0.0125, 0.004);
}

/** Backs of chairs show above the board, which reaches from one side of the picture to the other. */
function paintTableWithChairs(input: BackdropInput): void {
  const { canvas, plan, aspect, lampSide } = input;
  const step = 0.34 / aspect;
  if (!plan.without.has("seats")) {
    const cloth = litColor(input, "#45505c", 0.6);
    for (let x = 0.5 - 3.5 * step; x < 1 + step; x += step) {
      fillRod(canvas, x, 0.7, x, tableY + 0.1, 0.03, litColor(input, "#9a9da0", 0.5));
      fillCushion(canvas, x, 0.68, 0.115, 0.13, scale(cloth, 0.6), 5, 0.3);
      fillCushion(canvas, x + (0.006 * lampSide) / aspect, 0.685, 0.1, 0.115, cloth, 5, 0.3);
    }
  }
  if (plan.without.has("tables")) return;
  const wood = litColor(input, "#8a6242", 0.62);
  fillBox(canvas, 0, tableY + 0.03, 1, 1, scale(wood, 0.25));
  fillBox(canvas, 0, tableY, 1, tableY + 0.045, scale(wood, 0.8));
  fillBox(canvas, 0, tableY, 1, tableY + 0.022, scale(wood, 1.4));
}
