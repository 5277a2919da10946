/** Rooms to sleep, to sit and to play in, out of focus: a bed and a lamp beside it; a sofa below a picture; a shelf with boxes, blocks, a rainbow and a tent. */

import {
  blurCanvas,
  fillBox,
  fillCushion,
  fillDisc,
  fillPanel,
  fillRod,
  lensBlur,
  shadeAround,
} from "../canvas/canvas.ts";
import { fromHex, mix, multiply, scale } from "../canvas/color.ts";
import { isLampLit } from "../plan/lighting.ts";
import { litColor, paintBed, paintSofa, paintSofaCushions, paintTableLamp } from "./furniture.ts";
import { paintPottedPlant } from "./house-plants.ts";
import { paintWindow } from "./indoors.ts";
import type { BackdropInput } from "./painter.ts";
import { paintView } from "./views.ts";
import { paintPicture } from "./wall-picture.ts";
import { keyAndAmbient, paintWall } from "./walls.ts";

export function paintBedroom(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, lampSide, aspect } = input;
  const side = lampSide > 0 ? 1 : -1;
  const isEvening = isLampLit(plan.lightKind);
  if (plan.view !== null && !plan.without.has("windows")) paintWideWindow(input, 0.5 + side * 0.28);
  if (!plan.without.has("curtains")) paintDrape(input, 0.5 + side * 0.5, isEvening);
  const wide = Math.min(1.5, 0.92 * aspect);
  const bed = 0.5 - side * 0.2;
  if (!plan.without.has("beds")) paintBed(input, bed, wide, plan.lightKind === "lamps" ? "#6d5a4c" : "#b7a48f");
  if (!plan.without.has("pictures")) {
    for (const at of plan.view === null ? [-0.2, 0.16] : [-0.2])
      paintPicture(input, bed + (at * wide) / aspect, 0.09, 0.03, 0.24);
  }
  if (!plan.without.has("nightstands")) paintNightstand(input, 0.5 + side * 0.36);
  lensBlur(canvas, 0.017);
  blurCanvas(canvas, 0.005);
}

/** A chest with a drawer, and a lamp on it. */
function paintNightstand(input: BackdropInput, x: number): void {
  const { canvas, aspect, lampSide } = input;
  const wood = litColor(input, "#7a5536", 0.6);
  const chest = [x - 0.17 / aspect, 0.74, x + 0.17 / aspect, 1] as const;
  shadeAround(canvas, chest, 0.09);
  fillPanel(canvas, chest, wood, lampSide);
  fillBox(canvas, x - 0.185 / aspect, 0.725, x + 0.185 / aspect, 0.76, scale(wood, 1.4));
  fillBox(canvas, x - 0.15 / aspect, 0.8, x + 0.15 / aspect, 0.808, scale(wood, 0.4));
  paintTableLamp(input, x, 0.73, 0.5);
}

/** A low wide window above the bed. */
function paintWideWindow(input: BackdropInput, x: number): void {
  const { canvas, aspect } = input;
  const half = Math.min(0.24, 0.42 / aspect);
  const frame = litColor(input, "#efe9df", 0.7);
  const edge = 0.02 / aspect;
  fillBox(canvas, x - half - edge, 0, x + half + edge, 0.63, frame);
  paintView(input, { left: x - half, right: x + half, top: 0.0, foot: 0.6 });
  fillBox(canvas, x - edge / 3, 0, x + edge / 3, 0.6, frame);
}

export function paintLivingRoom(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, lampSide, aspect } = input;
  const side = lampSide > 0 ? 1 : -1;
  if (!plan.without.has("windows")) paintWindow(input, isLampLit(plan.lightKind));
  const sofa = 0.5 - side * 0.26;
  if (!plan.without.has("pictures")) {
    paintPicture(input, sofa, 0.15, 0.05, 0.4);
  }
  paintPottedPlant(input, 0.5 + side * 0.24, 0.98, 0.42);
  // On a table behind the sofa.
  if (isLampLit(plan.lightKind)) paintTableLamp(input, 0.5 - side * 0.42, 0.64, 0.46);
  const named = plan.things.find(({ name }) => name === "sofa");
  const wide = Math.min(1.1, 0.62 * aspect);
  if (!plan.without.has("seats")) {
    paintSofa(input, sofa, 0.98, wide, 0.5, named?.color ?? "#8f9a8c", 2);
    paintSofaCushions(input, sofa, 0.98, wide, 0.5);
  }
  lensBlur(canvas, 0.017);
  blurCanvas(canvas, 0.005);
}

/** A curtain at the image's edge, with daylight behind it. */
function paintDrape(input: BackdropInput, edge: number, isEvening: boolean): void {
  const { canvas, plan, aspect, lampSide } = input;
  const way = lampSide > 0 ? -1 : 1;
  const day = mix(plan.lighting.horizon, [1.5, 1.5, 1.5], 0.5);
  const folds = 9;
  for (let i = 0; i < folds; i++) {
    const from = edge + (way * 0.042 * i) / aspect;
    const to = edge + (way * 0.042 * (i + 1)) / aspect;
    const fold = 0.74 + 0.26 * Math.sin(i * 2.4);
    const cloth = isEvening
      ? litColor(input, "#8d7c6b", 0.5)
      : mix(day, litColor(input, "#efe7da", 0.9), 0.25 + 0.08 * i);
    fillBox(canvas, Math.min(from, to), 0, Math.max(from, to) + 0.002, 1, scale(cloth, fold));
  }
}

const playColors = ["#e2604f", "#f0b93f", "#5fa37f", "#4f8fc0", "#e79a6b", "#8d7fc0", "#eed9b0"] as const;

export function paintPlayroom(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, lampSide, aspect } = input;
  const side = lampSide > 0 ? 1 : -1;
  const floor = 0.86;
  if (!plan.without.has("windows")) paintWindow(input, false);
  fillBox(canvas, 0, floor, 1, 1, litColor(input, "#c99f6d", 0.7));
  fillBox(canvas, 0, floor - 0.03, 1, floor, litColor(input, "#f3ece2", 0.75));
  fillCushion(
    canvas,
    0.5,
    0.97,
    0.78 * Math.min(1, aspect / 2) * aspect,
    0.075,
    litColor(input, "#e9b9a8", 0.75),
    2,
    0,
  );
  fillCushion(canvas, 0.5, 0.975, 0.6 * Math.min(1, aspect / 2) * aspect, 0.05, litColor(input, "#f3ddc8", 0.8), 2, 0);
  if (!plan.without.has("furniture")) paintCubbies(input, side > 0 ? 0.03 : 0.97 - 0.92 / aspect, floor);
  const hasToys = !plan.without.has("toys");
  if (hasToys) paintTent(input, 0.5 + side * 0.33, floor + 0.06);
  if (!plan.without.has("objects")) paintBunting(input);
  if (hasToys) {
    paintRainbow(input, 0.5 - side * 0.13, 0.97, 0.2);
    paintBlocks(input, 0.5 + side * 0.14, 0.98);
    paintBlocks(input, 0.5 - side * 0.44, 1);
  }
  lensBlur(canvas, 0.014);
  blurCanvas(canvas, 0.004);
}

/** A wall of upright slats beside plaster, and a vase with long leaves; towels are painted before it. */
export function paintSpa(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, lampSide, aspect, random } = input;
  const side = lampSide > 0 ? 1 : -1;
  const slats = Math.round(15 * aspect);
  for (let i = 0; i < slats; i++) {
    const x = i / slats;
    if (side > 0 ? x > 0.48 : x < 0.52) continue;
    const wood = litColor(input, random.pick(["#a98258", "#b58e63", "#9d774f"]), 0.55);
    fillBox(canvas, x, 0, x + 0.72 / slats, 1, wood);
    fillBox(canvas, x + 0.72 / slats, 0, x + 1 / slats, 1, scale(wood, 0.35));
  }
  if (!plan.without.has("plants")) {
    const vase = 0.5 + side * 0.36;
    fillCushion(canvas, vase, 0.86, 0.085, 0.13, litColor(input, "#e9e4da", 0.75), 2.6, 0.25);
    for (let i = 0; i < 13; i++) {
      const lean = (i / 12 - 0.5) * 0.5 + random.between(-0.04, 0.04);
      const tip = 0.12 + 0.9 * Math.abs(lean) + random.between(0, 0.12);
      const green = litColor(input, random.pick(["#7d9166", "#8fa27a", "#6a7f55"]), 0.7);
      fillRod(canvas, vase + (lean * 0.12) / aspect, 0.74, vase + lean / aspect, tip, 0.016, green);
      for (const share of [0.45, 0.65, 0.85, 1])
        fillDisc(canvas, vase + (lean * share) / aspect, 0.74 + (tip - 0.74) * share, 0.026, green, 0.85);
    }
  }
  lensBlur(canvas, 0.014);
  blurCanvas(canvas, 0.004);
}

/** A crib with bars below a mobile, and a bear on a low chest. */
export function paintNursery(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, lampSide, aspect } = input;
  const side = lampSide > 0 ? 1 : -1;
  const floor = 0.93;
  if (!plan.without.has("curtains")) paintDrape(input, 0.5 + side * 0.5, false);
  fillBox(canvas, 0, floor, 1, 1, litColor(input, "#d9bd95", 0.7));
  fillBox(canvas, 0, floor - 0.025, 1, floor, litColor(input, "#f6f0e8", 0.75));
  const crib = 0.5 - side * 0.27;
  if (!plan.without.has("beds")) paintCrib(input, crib, floor + 0.02);
  if (!plan.without.has("furniture")) {
    const chest = 0.5 + side * 0.27;
    fillBox(canvas, chest - 0.2 / aspect, 0.66, chest + 0.2 / aspect, floor, litColor(input, "#f3ece2", 0.75));
    fillBox(canvas, chest - 0.215 / aspect, 0.645, chest + 0.215 / aspect, 0.672, litColor(input, "#c79f6d", 0.75));
    for (const y of [0.765, 0.86])
      fillBox(canvas, chest - 0.18 / aspect, y, chest + 0.18 / aspect, y + 0.009, litColor(input, "#c9bba8", 0.6));
    if (!plan.without.has("toys")) paintBear(input, chest - (0.08 * side) / aspect, 0.65);
  }
  if (!plan.without.has("toys")) paintMobile(input, crib);
  lensBlur(canvas, 0.013);
  blurCanvas(canvas, 0.004);
}

function paintCrib(input: BackdropInput, x: number, foot: number): void {
  const { canvas, aspect } = input;
  const half = 0.42 / aspect;
  const top = foot - 0.42;
  const wood = litColor(input, "#e9dccb", 0.78);
  fillCushion(canvas, x, foot - 0.17, 0.38, 0.07, litColor(input, "#f4f1ee", 0.8), 4, 0.12);
  fillCushion(canvas, x, foot - 0.22, 0.3, 0.045, litColor(input, "#e9c7c2", 0.75), 3, 0.12);
  fillBox(canvas, x - half, foot - 0.13, x + half, foot - 0.08, wood);
  fillBox(canvas, x - half, top, x + half, top + 0.04, scale(wood, 1.05));
  for (let bar = 0; bar <= 12; bar++) {
    const at = x - half + (2 * half * bar) / 12;
    const isPost = bar % 12 === 0;
    const thick = (isPost ? 0.022 : 0.01) / aspect;
    fillBox(canvas, at - thick, isPost ? top - 0.05 : top, at + thick, isPost ? foot : foot - 0.08, scale(wood, 0.92));
  }
}

/** Little stars and a moon on threads. */
function paintMobile(input: BackdropInput, x: number): void {
  const { canvas, aspect } = input;
  const thread = litColor(input, "#8d7c6b", 0.6);
  fillRod(canvas, x, 0, x, 0.1, 0.008, thread);
  fillRod(canvas, x - 0.2 / aspect, 0.11, x + 0.2 / aspect, 0.1, 0.012, thread);
  for (const [i, hex] of ["#f0d49a", "#e8b4a8", "#a9c7c0", "#b8bedd", "#f0d49a"].entries()) {
    const at = x + ((i - 2) * 0.1) / aspect;
    const end = 0.2 + 0.05 * (i % 2);
    fillRod(canvas, at, 0.105, at, end, 0.006, thread);
    fillDisc(canvas, at, end, 0.032, litColor(input, hex, 0.78), 1);
  }
}

/** A low shelf of square compartments: boxes of several colors, books, and a bear on top. */
function paintCubbies(input: BackdropInput, left: number, floor: number): void {
  const { canvas, plan, random, aspect } = input;
  const cell = 0.22;
  const columns = 4;
  const top = floor - 2 * cell - 0.03;
  const right = left + (columns * cell + 0.04) / aspect;
  fillBox(canvas, left, top, right, floor, litColor(input, "#f4efe6", 0.78));
  for (let i = 0; i < 2 * columns; i++) {
    const x = left + ((i % columns) * cell + 0.03) / aspect;
    const y = top + 0.025 + Math.floor(i / columns) * cell;
    const end = x + (cell - 0.03) / aspect;
    const foot = y + cell - 0.03;
    fillBox(canvas, x, y, end, foot, litColor(input, "#cdbfae", 0.4));
    if (i % 3 === 2) {
      for (let at = x + 0.004; at < end - 0.02 / aspect; at += 0.034 / aspect) {
        const tall = random.between(0.11, 0.17);
        fillBox(canvas, at, foot - tall, at + 0.026 / aspect, foot, litColor(input, random.pick(playColors), 0.75));
      }
      continue;
    }
    const box = litColor(input, playColors[(i * 3 + 1) % playColors.length]!, 0.75);
    fillBox(canvas, x + 0.008 / aspect, y + 0.045, end - 0.008 / aspect, foot, box);
    fillBox(canvas, x + 0.008 / aspect, y + 0.045, end - 0.008 / aspect, y + 0.062, scale(box, 1.25));
    fillCushion(canvas, (x + end) / 2, y + 0.11, 0.03, 0.012, scale(box, 0.4), 2, 0);
  }
  if (plan.without.has("toys")) return;
  paintBear(input, left + (0.7 * columns * cell) / aspect, top);
  for (let i = 0; i < 3; i++) {
    fillDisc(canvas, left + (0.12 + 0.11 * i) / aspect, top - 0.045, 0.045, litColor(input, playColors[i]!, 0.75), 1);
  }
}

function paintBear(input: BackdropInput, x: number, foot: number): void {
  const { canvas, aspect } = input;
  const fur = litColor(input, "#a9794a", 0.65);
  fillCushion(canvas, x, foot - 0.075, 0.07, 0.08, fur, 2.2);
  for (const side of [-1, 1]) {
    fillDisc(canvas, x + (side * 0.05) / aspect, foot - 0.225, 0.024, scale(fur, 0.85), 1);
    fillCushion(canvas, x + (side * 0.06) / aspect, foot - 0.025, 0.04, 0.028, scale(fur, 0.9));
  }
  fillDisc(canvas, x, foot - 0.18, 0.062, scale(fur, 1.05), 1);
  fillCushion(canvas, x, foot - 0.165, 0.026, 0.02, litColor(input, "#e5cfae", 0.75));
}

/** A tent of cloth on crossed poles, open at its front. */
function paintTent(input: BackdropInput, x: number, foot: number): void {
  const { canvas, aspect } = input;
  const tall = 0.66;
  const half = 0.33;
  const rows = 60;
  for (let row = 0; row < rows; row++) {
    const share = (row + 0.5) / rows;
    const y = foot - tall + tall * share;
    const reach = (half * share) / aspect;
    const cloth = litColor(input, Math.floor(share * 9) % 3 === 1 ? "#8fb3a5" : "#f2e8d8", 0.76);
    const next = y + tall / rows + 0.003;
    fillBox(canvas, x - reach, y, x + reach, next, cloth);
    fillBox(canvas, x, y, x + reach, next, scale(cloth, input.lampSide > 0 ? 1.1 : 0.8));
    // The flaps part toward the floor.
    const open = (share - 0.34) * 0.34;
    if (open > 0) fillBox(canvas, x - open / aspect, y, x + open / aspect, next, litColor(input, "#6f5a48", 0.4));
  }
  const pole = litColor(input, "#b98a5a", 0.7);
  for (const side of [-1, 1]) {
    fillRod(canvas, x + (side * half) / aspect, foot, x - (side * 0.06) / aspect, foot - tall - 0.11, 0.013, pole);
  }
}

/** Little flags on a string below the ceiling. */
function paintBunting(input: BackdropInput): void {
  const { canvas, aspect } = input;
  const flags = Math.max(5, Math.round(7 * aspect));
  const sagAt = (x: number) => 0.05 + 0.09 * (1 - (2 * ((x * 2) % 1) - 1) ** 2);
  for (let i = 0; i < flags; i++) {
    const x = (i + 0.5) / flags;
    const top = sagAt(x);
    const color = litColor(input, playColors[i % playColors.length]!, 0.78);
    for (let step = 0; step < 10; step++) {
      const half = (0.045 * (1 - step / 10)) / aspect;
      fillBox(canvas, x - half, top + step * 0.009, x + half, top + (step + 1) * 0.009 + 0.002, color);
    }
  }
}

/** Nested arches of wood, as a toy. */
function paintRainbow(input: BackdropInput, x: number, foot: number, reach: number): void {
  const { canvas, aspect } = input;
  for (const [i, hex] of ["#d9564a", "#ea9a45", "#f0c64f", "#6aa57c", "#4f8fc0", "#f1e6d6"].entries()) {
    const radius = reach * (1 - i * 0.155);
    const color = litColor(input, hex, 0.76);
    fillDisc(canvas, x, foot - 0.05, radius, color, 1, false, 0.05);
    fillBox(canvas, x - radius / aspect, foot - 0.05, x + radius / aspect, foot, color);
  }
  fillBox(canvas, x - reach / aspect, foot, x + reach / aspect, foot + reach, litColor(input, "#e2ae95", 0.7));
}

/** A tower of cubes, and some beside it. */
function paintBlocks(input: BackdropInput, x: number, foot: number): void {
  const { canvas, random, aspect, lampSide } = input;
  const size = 0.082;
  const places = [
    [-1.05, 0],
    [0, 0],
    [1.1, 0],
    [-0.5, 1],
    [0.55, 1],
    [0.05, 2],
  ] as const;
  for (const [i, [across, up]] of places.entries()) {
    const left = x + ((across - 0.5) * size) / aspect;
    const top = foot - (up + 1) * size;
    const color = multiply(
      fromHex(playColors[(i + random.integer(0, 6)) % playColors.length]!),
      keyAndAmbient(input, 0.75),
    );
    fillBox(canvas, left, top, left + size / aspect, top + size, color);
    fillBox(canvas, left, top, left + size / aspect, top + 0.012, scale(color, 1.3));
    const shaded = lampSide > 0 ? left : left + (0.7 * size) / aspect;
    fillBox(canvas, shaded, top, shaded + (0.3 * size) / aspect, top + size, scale(color, 0.72), 0.8);
  }
}
