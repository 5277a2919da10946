/** Rooms along whose wall one kind of metal furniture stands, as tall as a person or as a table: lockers, washing machines. */

import { addGlow, defocus, fillBox, fillCushion, fillDisc, fillPanel, shadeAround } from "../canvas/canvas.ts";
import { fromHex, type LinearRgb, luminance, mix, multiply, saturate, scale } from "../canvas/color.ts";
import { litColor } from "./furniture.ts";
import { paintPlant } from "./house-plants.ts";
import type { BackdropInput } from "./painter.ts";
import { keyAndAmbient, paintWall } from "./walls.ts";

/** Where the upper row of lockers ends, and the row itself, as shares of the canvas's height. */
const lockerTop = 0.05;
const lockerSeam = 0.5;
const lockerWide = 0.27;

/** Two rows of lockers that reach above a person's head, and a bench before them. */
export function paintLockers(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, random, aspect, lampSide } = input;
  if (!plan.without.has("lights")) addGlow(canvas, 0.5, 0, 0.3, [0.1, 0.105, 0.11]);
  if (!plan.without.has("furniture")) {
    const metal = multiply(lockerColor(plan.backdropColor), keyAndAmbient(input, 0.5));
    fillBox(canvas, 0, lockerTop, 1, 1, scale(metal, 0.3));
    fillBox(canvas, 0, lockerTop - 0.02, 1, lockerTop, scale(metal, 1.5));
    const wide = lockerWide / aspect;
    for (let x = -random.next() * wide; x < 1; x += wide) {
      // The lamp is at one side: doors farther from it are darker.
      const near = 1 + 0.22 * lampSide * (2 * (x + wide / 2) - 1);
      const tone = near * random.between(0.93, 1.05);
      for (const [top, bottom] of [
        [lockerTop, lockerSeam],
        [lockerSeam, 0.97],
      ] as const)
        paintDoor(input, [x + 0.006 / aspect, top + 0.006, x + wide, bottom], scale(metal, tone));
    }
    fillBox(canvas, 0, 0.955, 1, 1, litColor(input, "#3a3c40", 0.4));
  }
  if (!plan.without.has("seats") && !plan.without.has("drawing:bench")) paintBench(input);
  defocus(canvas, 0.013, 0.004);
}

/** The place's own gray is painted over in blue: bare sheet steel would be a server room's. */
function lockerColor(wall: LinearRgb): LinearRgb {
  const isGray = Math.max(...wall) < 1.25 * Math.min(...wall) + 0.02;
  return isGray && luminance(wall) > 0.2 ? fromHex("#5f86a8") : saturate(wall, 1.1);
}

/** A door with vents at its top, a number plate and a handle; its edge to the lamp shines. */
function paintDoor(
  { canvas, aspect, lampSide }: BackdropInput,
  [left, top, right, bottom]: readonly [number, number, number, number],
  color: LinearRgb,
): void {
  fillPanel(canvas, [left, top, right, bottom], color, 0.8 * lampSide);
  const wide = right - left;
  for (let i = 0; i < 4; i++) {
    const y = top + 0.045 + 0.024 * i;
    fillBox(canvas, left + 0.28 * wide, y, right - 0.28 * wide, y + 0.01, scale(color, 0.35));
    fillBox(canvas, left + 0.28 * wide, y + 0.01, right - 0.28 * wide, y + 0.014, scale(color, 1.3));
  }
  const edge = lampSide > 0 ? right - 0.008 / aspect : left;
  fillBox(canvas, edge, top, edge + 0.008 / aspect, bottom, scale(color, 1.7), 0.7);
  fillBox(canvas, left, top, right, top + 0.007, scale(color, 1.45), 0.7);
  const plate: LinearRgb = [0.55, 0.55, 0.53];
  const middle = left + wide / 2;
  fillBox(canvas, middle - 0.11 * wide, top + 0.165, middle + 0.11 * wide, top + 0.19, plate, 0.85);
  const handle = right - 0.17 * wide;
  fillBox(canvas, handle, top + 0.19, handle + 0.07 * wide, top + 0.275, scale(color, 0.3));
  fillBox(canvas, handle + 0.015 * wide, top + 0.2, handle + 0.05 * wide, top + 0.26, [0.62, 0.63, 0.64]);
}

/** Slats of wood on legs of steel, and a towel that was left on them. */
function paintBench(input: BackdropInput): void {
  const { canvas, plan, aspect, lampSide } = input;
  const seat = 0.83;
  const wood = litColor(input, "#b98a5a", 0.65);
  shadeAround(canvas, [0, seat, 1, 1], 0.05, 0.35);
  for (const x of [0.16, 0.84]) {
    fillBox(canvas, x - 0.014 / aspect, seat, x + 0.014 / aspect, 1, litColor(input, "#6a6d70", 0.5));
  }
  for (let slat = 0; slat < 2; slat++) {
    const y = seat + 0.034 * slat;
    fillBox(canvas, 0, y, 1, y + 0.03, scale(wood, slat === 0 ? 1.12 : 0.72));
    fillBox(canvas, 0, y, 1, y + 0.006, scale(wood, slat === 0 ? 1.5 : 0.9));
    fillBox(canvas, 0, y + 0.03, 1, y + 0.034, scale(wood, 0.2));
  }
  if (plan.without.has("towels")) return;
  const x = 0.5 - 0.33 * (lampSide > 0 ? 1 : -1);
  const cloth = litColor(input, "#e9e6df", 0.75);
  for (let fold = 0; fold < 3; fold++)
    fillCushion(
      canvas,
      x,
      seat - 0.022 - 0.038 * fold,
      0.125 - 0.004 * fold,
      0.021,
      scale(cloth, 1 - 0.05 * fold),
      5,
      0.3,
    );
}

/** Where the board above the machines is, and the shelf on the wall. */
const boardY = 0.42;
const shelfY = 0.17;

/** Washing machines below a board with folded linen, tiles and a shelf with baskets above it. */
export function paintLaundry(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, random, aspect, lampSide } = input;
  paintSmallTiles(input);
  const side = lampSide > 0 ? 1 : -1;
  if (!plan.without.has("furniture")) {
    const front = litColor(input, "#cfcabf", 0.42);
    fillBox(canvas, 0, boardY, 1, 1, scale(front, 0.28));
    const wide = 0.5 / aspect;
    const first = 0.5 - side * 0.29 - wide / 2;
    for (let i = -2; i <= 2; i++) {
      const box = [first + i * wide * 1.02, boardY + 0.045, first + (i * 1.02 + 1) * wide, 0.985] as const;
      if (i % 2 === 0 && !plan.without.has("drawing:washing-machine")) paintMachine(input, box);
      else paintCupboard(input, box, front);
    }
    const board = litColor(input, "#a97c4e", 0.7);
    fillBox(canvas, 0, boardY, 1, boardY + 0.042, scale(board, 0.8));
    fillBox(canvas, 0, boardY, 1, boardY + 0.014, scale(board, 1.35));
    fillBox(canvas, 0, boardY + 0.042, 1, boardY + 0.07, [0.02, 0.02, 0.02], 0.5);
  }
  if (!plan.without.has("objects")) {
    paintLinen(input, 0.5 - side * 0.38, boardY);
    const shelf = litColor(input, "#a97c4e", 0.6);
    shadeAround(canvas, [0, shelfY, 1, shelfY + 0.02], 0.07, 0.4);
    for (let x = 0.05; x < 0.95; x += random.between(0.2, 0.3) / aspect) paintBasket(input, x);
    fillBox(canvas, 0, shelfY, 1, shelfY + 0.024, shelf);
    fillBox(canvas, 0, shelfY, 1, shelfY + 0.008, scale(shelf, 1.4));
    paintBottles(input, 0.5 + side * 0.34);
  }
  paintPlant(input, 0.5 + side * 0.46, boardY, 0.22);
  defocus(canvas, 0.013, 0.004);
}

function paintSmallTiles(input: BackdropInput): void {
  const { canvas, plan, random, aspect } = input;
  if (plan.roomWall !== null) return;
  const glaze = multiply(mix(plan.backdropColor, [0.78, 0.78, 0.76], 0.4), keyAndAmbient(input, 0.5));
  const wide = 0.1 / aspect;
  const tall = 0.05;
  fillBox(canvas, 0, 0, 1, boardY, scale(glaze, 0.72));
  for (let row = 0, y = 0; y < boardY; row++, y += tall) {
    for (let x = (row % 2) * -0.5 * wide; x < 1; x += wide) {
      const tone = random.between(0.93, 1.05);
      fillBox(canvas, x + 0.004 / aspect, y + 0.004, x + wide, Math.min(boardY, y + tall), scale(glaze, tone));
    }
  }
}

/** A drum behind a round door of glass, a drawer and a knob above it. */
function paintMachine(
  input: BackdropInput,
  [left, top, right, bottom]: readonly [number, number, number, number],
): void {
  const { canvas, aspect, lampSide } = input;
  const white = litColor(input, "#e9eaeb", 0.55);
  fillPanel(canvas, [left, top, right, bottom], white, 0.8 * lampSide);
  const wide = right - left;
  const panel = top + 0.085;
  fillBox(canvas, left, panel, right, panel + 0.006, scale(white, 0.55));
  fillBox(canvas, left + 0.06 * wide, top + 0.02, left + 0.32 * wide, top + 0.07, scale(white, 0.82));
  fillBox(canvas, right - 0.34 * wide, top + 0.025, right - 0.08 * wide, top + 0.065, litColor(input, "#2b3036", 0.6));
  const x = left + wide / 2;
  const y = (panel + bottom) / 2;
  fillDisc(canvas, left + wide / 2, top + 0.045, 0.026, litColor(input, "#b9bcc0", 0.7), 1);
  const radius = Math.min(0.36 * wide * aspect, 0.38 * (bottom - panel));
  fillDisc(canvas, x, y, radius, litColor(input, "#a9adb2", 0.6), 1, false, 0.06);
  fillDisc(canvas, x, y, radius * 0.86, scale(white, 0.95), 1, false, 0.08);
  fillDisc(canvas, x, y, radius * 0.72, litColor(input, "#23282d", 0.5), 1, false, 0.1);
  // The glass mirrors the window.
  fillDisc(
    canvas,
    x + (0.28 * radius * lampSide) / aspect,
    y - 0.28 * radius,
    radius * 0.24,
    scale(white, 0.8),
    0.5,
    false,
    0.7,
  );
  fillDisc(
    canvas,
    x - (0.1 * radius) / aspect,
    y + 0.34 * radius,
    radius * 0.34,
    litColor(input, "#8fa4b8", 0.5),
    0.5,
    false,
    0.6,
  );
}

function paintCupboard(
  { canvas, lampSide, aspect }: BackdropInput,
  [left, top, right, bottom]: readonly [number, number, number, number],
  front: LinearRgb,
): void {
  const middle = (left + right) / 2;
  for (const [from, to] of [
    [left + 0.004 / aspect, middle - 0.002 / aspect],
    [middle + 0.002 / aspect, right - 0.004 / aspect],
  ] as const)
    fillPanel(canvas, [from, top, to, bottom], front, 0.5 * lampSide);
  for (const way of [-1, 1]) {
    const x = middle + (way * 0.022) / aspect;
    fillBox(canvas, x - 0.005 / aspect, top + 0.08, x + 0.005 / aspect, top + 0.2, scale(front, 0.4));
  }
}

function paintLinen(input: BackdropInput, x: number, foot: number): void {
  const { canvas, plan } = input;
  if (plan.without.has("towels")) return;
  const colors = ["#e8e3d8", "#c9d3d6", "#e0d2c0", "#f0ede6"] as const;
  for (const [i, hex] of colors.entries())
    fillCushion(canvas, x, foot - 0.024 - 0.043 * i, 0.115 - 0.003 * i, 0.023, litColor(input, hex, 0.7), 5, 0.32);
}

function paintBasket(input: BackdropInput, x: number): void {
  const { canvas, lampSide, aspect, random } = input;
  const tall = random.between(0.1, 0.13);
  const half = random.between(0.07, 0.09) / aspect;
  const wicker = litColor(input, random.pick(["#b08a5c", "#c2a274", "#8f6d48"]), 0.62);
  fillPanel(canvas, [x - half, shelfY - tall, x + half, shelfY], wicker, 1.4 * lampSide);
  for (let y = shelfY - tall + 0.014; y < shelfY; y += 0.018)
    fillBox(canvas, x - half, y, x + half, y + 0.005, scale(wicker, 0.6), 0.7);
  fillBox(canvas, x - half * 1.04, shelfY - tall - 0.012, x + half * 1.04, shelfY - tall + 0.004, scale(wicker, 1.25));
}

function paintBottles(input: BackdropInput, x: number): void {
  const { canvas, plan, lampSide, aspect } = input;
  if (plan.without.has("bottles")) return;
  for (const [away, half, tall, hex] of [
    [-0.09, 0.034, 0.16, "#e6e2d8"],
    [0, 0.03, 0.2, "#7fa0b0"],
    [0.08, 0.036, 0.13, "#b7c4a6"],
  ] as const) {
    const at = x + away / aspect;
    const color = litColor(input, hex, 0.65);
    fillPanel(canvas, [at - half / aspect, boardY - tall, at + half / aspect, boardY], color, 1.5 * lampSide);
    fillBox(
      canvas,
      at - (0.4 * half) / aspect,
      boardY - tall - 0.035,
      at + (0.4 * half) / aspect,
      boardY - tall,
      scale(color, 0.6),
    );
  }
}
