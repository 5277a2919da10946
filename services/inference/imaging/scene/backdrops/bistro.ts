/** A café in a street of an old town, seen from one of its tables: its windows below an awning, chairs of rattan and round tables along them. */

import { addGlow, defocus, fillCushion, fillDisc, fillQuad, fillRod, shadePixelsIn } from "../canvas/canvas.ts";
import { fromHex, type LinearRgb, mix, multiply, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { isLampLit } from "../plan/lighting.ts";
import type { BackdropInput } from "./painter.ts";
import { paintSharpTown } from "./town.ts";

/** Lengths are heights of the eye above the street. How far the café's front is from the middle of the street. */
const frontAside = 1.9;
const frontEnd = 6.4;
const shopTall = 3;
/** The awning's outer edge. */
const awningAside = 0.95;
const awningLow = 1.95;
const valance = 0.22;
const stripe = 0.36;

const awnings = [
  ["#8f2a2c", "#e9e0cf"],
  ["#2f5240", "#e9e0cf"],
  ["#243f63", "#e9e0cf"],
] as const;
const fronts = ["#22382c", "#4a1d1f", "#1f2c3d"] as const;

interface Front {
  readonly input: BackdropInput;
  /** −1: it is at the left. */
  readonly side: number;
  readonly middle: number;
  readonly light: LinearRgb;
  readonly isEvening: boolean;
}

export function paintBistro(input: BackdropInput): void {
  paintSharpTown(input);
  const { canvas, plan, random, lampSide } = input;
  const { key, ambient } = plan.lighting;
  // The lamp shines on the houses across.
  const side = lampSide > 0 ? -1 : 1;
  const front: Front = {
    input,
    side,
    middle: 0.5 - 0.1 * lampSide,
    light: [ambient[0] + 0.6 * key[0], ambient[1] + 0.6 * key[1], ambient[2] + 0.6 * key[2]],
    isEvening: (isLampLit(plan.lightKind) || plan.lightKind === "sunset") && !plan.without.has("lights"),
  };
  const at = random.integer(0, awnings.length - 1);
  paintHouse(front, fromHex(fronts[at]!));
  if (!plan.without.has("drawing:awning")) paintAwning(front, awnings[at]!);
  const has = (kind: "seats" | "tables", ...names: readonly string[]) =>
    !plan.without.has(kind) && names.every((name) => !plan.without.has(`drawing:${name}`));
  const parts = { hasChairs: has("seats", "chair", "wicker-chair"), hasTable: has("tables", "bistro-table") };
  if (!plan.without.has("furniture")) for (const depth of [5, 3.9, 3]) paintSet(front, depth, parts);
  defocus(canvas, 0.0105, 0.004);
}

function placeOf(
  { input, side, middle }: Front,
  aside: number,
  high: number,
  depth: number,
): readonly [number, number] {
  return [middle + (side * aside) / depth / input.aspect, input.horizonY + (1 - high) / depth];
}

const lamplight: LinearRgb = [1.15, 0.76, 0.38];

/** Panes between painted wood, stone with tall windows above them. */
function paintHouse({ input, side, middle, light, isEvening }: Front, wood: LinearRgb): void {
  const { canvas, aspect, horizonY, noise, plan } = input;
  const stone = mix(fromHex("#d3c8b4"), plan.backdropColor, 0.3);
  const inside = isEvening ? lamplight : scale(light, 0.1);
  const edge = frontAside / frontEnd / aspect;
  const [from, to] = side < 0 ? [0, middle - edge] : [middle + edge, 1];
  shadePixelsIn(canvas, [from, to], (x, y, out) => {
    const depth = frontAside / Math.max(0.05, Math.abs(x - middle) * aspect);
    const high = 1 - (y - horizonY) * depth;
    if (high < 0) return false;
    if (high > shopTall) {
      const across = Math.abs(((depth / 1.7) % 1) - 0.5);
      const up = (high - shopTall) % 2.3;
      const isGlass = across < 0.17 && up > 0.35 && up < 1.9;
      const isLedge = up < 0.12;
      const own = noise.cell(Math.floor(depth / 1.7) + 3, Math.floor((high - shopTall) / 2.3) + 5);
      const isLit = isEvening && own > 0.5;
      for (let c = 0; c < 3; c++) {
        const glass = isLit ? lamplight[c]! * 0.8 : 0.05 + 0.22 * light[c]! * own;
        out[c] = isGlass
          ? glass
          : stone[c]! * light[c]! * (isLedge ? 1.1 : across < 0.21 && up > 0.3 && up < 2 ? 0.98 : 0.82);
      }
      return true;
    }
    const pane = Math.abs(((depth / 0.95) % 1) - 0.5);
    const isGlass = pane < 0.4 && high > 0.62 && high < 2.35;
    const isBar = Math.abs(high - 1.85) < 0.025 || Math.abs(pane - 0.2) < 0.012;
    const goods = noise.at(depth * 3.1, high * 2.6);
    const shown = (0.45 + 0.9 * smoothstep(0.3, 0.75, goods)) * (0.75 + 0.25 * high);
    for (let c = 0; c < 3; c++) {
      const panel = wood[c]! * light[c]! * (pane > 0.44 ? 0.75 : 1.1);
      out[c] = isGlass && !isBar ? inside[c]! * shown + 0.05 * light[c]! : panel;
    }
    return true;
  });
}

/** Cloth in stripes that falls from the wall to a valance. */
function paintAwning(front: Front, [own, pale]: readonly [string, string]): void {
  const { input, light, isEvening } = front;
  const cloth = [own, pale].map((hex) => multiply(fromHex(hex), light));
  const quad = (a: Corner, b: Corner, near: number, far: number, color: LinearRgb) =>
    fillQuad(
      input.canvas,
      [placeOf(front, ...a, near), placeOf(front, ...a, far), placeOf(front, ...b, far), placeOf(front, ...b, near)],
      color,
    );
  const stripes = Math.ceil((frontEnd - 1.1) / stripe);
  for (let i = stripes - 1; i >= 0; i--) {
    const near = 1.1 + i * stripe;
    const far = near + stripe;
    const color = cloth[i % 2]!;
    quad([frontAside, shopTall], [awningAside, awningLow], near, far, scale(color, 1.05));
    quad([awningAside, awningLow], [awningAside, awningLow - valance], near, far, scale(color, 0.72));
  }
  if (!isEvening) return;
  for (const depth of [2.4, 3.6, 5]) {
    const [x, y] = placeOf(front, 1.3, 1.75, depth);
    fillDisc(input.canvas, x, y, 0.055 / depth, [2.2, 1.5, 0.75], 1, true);
    addGlow(input.canvas, x, y, 0.5 / depth, [0.3, 0.19, 0.08]);
  }
}

type Corner = readonly [aside: number, high: number];

interface Parts {
  readonly hasChairs: boolean;
  readonly hasTable: boolean;
}

/** How far a table is from the middle of the street. */
const tableAside = 1.15;

/** A round table of marble on an iron foot, and a chair at each side of it. */
function paintSet(front: Front, depth: number, { hasChairs, hasTable }: Parts): void {
  if (hasChairs) paintChair(front, tableAside + 0.62, depth);
  if (hasTable) paintTable(front, depth);
  if (hasChairs) paintChair(front, tableAside - 0.62, depth);
}

const lit = (light: LinearRgb, hex: string, share = 1) => scale(multiply(fromHex(hex), light), share);

function paintChair(front: Front, aside: number, depth: number): void {
  const { canvas, aspect } = front.input;
  const { light } = front;
  const size = 1 / depth;
  const [x, floor] = placeOf(front, aside, 0, depth - 0.1);
  const seat = floor - 0.46 * size;
  const back = floor - 0.96 * size;
  for (const leg of [-0.2, 0.2])
    fillRod(
      canvas,
      x + (leg * size) / aspect,
      seat,
      x + (1.15 * leg * size) / aspect,
      floor,
      0.035 * size,
      lit(light, "#8a5d36", 0.7),
    );
  fillCushion(
    canvas,
    x,
    (back + seat) / 2,
    0.24 * size,
    (seat - back) / 2 + 0.02 * size,
    lit(light, "#9a6a3c"),
    3.4,
    0.25,
  );
  fillCushion(
    canvas,
    x,
    (back + seat) / 2 + 0.01 * size,
    0.19 * size,
    (seat - back) / 2 - 0.04 * size,
    lit(light, "#d3b27c"),
    3.4,
    0.25,
  );
  fillCushion(canvas, x, seat + 0.02 * size, 0.26 * size, 0.05 * size, lit(light, "#c39a62", 1.05), 3, 0.3);
}

function paintTable(front: Front, depth: number): void {
  const { input, light } = front;
  const { canvas, aspect, lampSide } = input;
  const size = 1 / depth;
  const [x, floor] = placeOf(front, tableAside, 0, depth);
  const top = floor - 0.74 * size;
  fillRod(canvas, x, top, x, floor, 0.05 * size, lit(light, "#22221f"));
  fillCushion(canvas, x, floor, 0.22 * size, 0.05 * size, lit(light, "#22221f"), 2);
  fillCushion(canvas, x, top + 0.02 * size, 0.36 * size, 0.075 * size, lit(light, "#8a857c", 0.8), 2, 0.2);
  fillCushion(
    canvas,
    x + (0.01 * lampSide * size) / aspect,
    top,
    0.36 * size,
    0.07 * size,
    lit(light, "#e6e1d6", 1.05),
    2,
    0.15,
  );
}
