/** Rooms that are known by what stands in them, far out of focus: a gym, a garage, a café, Christmas, a fire. */

import {
  addGlow,
  blurCanvas,
  fillBox,
  fillCushion,
  fillDisc,
  fillPanel,
  fillRod,
  lensBlur,
  shadeAround,
} from "../canvas/canvas.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { mix, multiply, scale } from "../canvas/color.ts";
import { litColor, paintPendants } from "./furniture.ts";
import { paintPlant } from "./house-plants.ts";
import type { BackdropInput } from "./painter.ts";
import { keyAndAmbient, paintBokeh, paintWall } from "./walls.ts";

const plateColors = ["#b3261f", "#1f4f9a", "#c99a1c", "#26262a"] as const;

/** A rack with a barbell, dumbbells in two rows, kettlebells, and light tubes below the ceiling. */
export function paintGym(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan } = input;
  if (!plan.without.has("mirrors")) {
    // Along the wall, in panels.
    const glass = mix(scale(plan.backdropColor, 1.5), [0.5, 0.55, 0.6], 0.35);
    for (let i = 0; i < 5; i++) {
      const left = i * 0.2 + 0.004;
      const color = multiply(glass, keyAndAmbient(input, 0.34 + 0.05 * (i % 2)));
      fillBox(canvas, left, 0.2, left + 0.192, 0.74, color, 0.75);
    }
  }
  if (!plan.without.has("weights")) paintWeights(input);
  if (!plan.without.has("lights")) {
    for (const [y, from, to] of [
      [0.05, 0.08, 0.46],
      [0.05, 0.56, 0.94],
      [0.135, 0.2, 0.47],
      [0.135, 0.54, 0.8],
    ] as const) {
      fillBox(canvas, from, y, to, y + 0.022, [2.6, 2.75, 2.9]);
      addGlow(canvas, (from + to) / 2, y, 0.22, [0.11, 0.12, 0.13]);
    }
  }
  lensBlur(canvas, 0.02);
  blurCanvas(canvas, 0.005);
}

/** A barbell in its rack, dumbbells in two rows, and kettlebells. */
function paintWeights(input: BackdropInput): void {
  const { canvas, random, aspect, lampSide } = input;
  const frame = litColor(input, "#17181b");
  const steel = litColor(input, "#c9ccd2", 0.8);
  const far = lampSide > 0 ? 0.05 : 0.62;
  paintBarbell(input, far, frame, steel);
  const rackLeft = lampSide > 0 ? 0.46 : 0.04;
  for (const [row, y] of [0.6, 0.8].entries()) {
    fillBox(canvas, rackLeft, y + 0.055, rackLeft + 0.5, y + 0.085, frame);
    const radius = row === 0 ? 0.05 : 0.062;
    for (let x = rackLeft + 0.03; x < rackLeft + 0.48; x += (radius * 2.3) / aspect) {
      const color = random.chance(0.2)
        ? litColor(input, plateColors[random.integer(0, 2)]!)
        : litColor(input, "#2a2b30");
      fillDisc(canvas, x, y, radius, color, 1);
      fillDisc(canvas, x, y, radius * 0.55, scale(color, 0.45), 1);
      fillDisc(canvas, x, y, radius * 0.22, steel, 1);
    }
  }
  for (const x of [rackLeft, rackLeft + 0.5]) fillBox(canvas, x - 0.006, 0.52, x + 0.006, 1, frame);
  for (let i = 0; i < 3; i++) {
    const x = far + 0.06 + i * 0.1;
    const size = 0.055 + 0.012 * i;
    fillRod(canvas, x - size / aspect, 0.85, x + size / aspect, 0.85, size * 0.25, frame);
    fillDisc(canvas, x, 0.92, size, litColor(input, plateColors[(i + 1) % 4]!), 1);
  }
}

/** Two uprights, a bar in hooks, and plates at its ends, seen from their edge. */
function paintBarbell(input: BackdropInput, left: number, frame: LinearRgb, steel: LinearRgb): void {
  const { canvas } = input;
  for (const x of [left + 0.07, left + 0.25]) fillBox(canvas, x - 0.009, 0.12, x + 0.009, 1, frame);
  fillBox(canvas, left + 0.06, 0.12, left + 0.26, 0.15, frame);
  fillBox(canvas, left - 0.01, 0.42, left + 0.33, 0.437, steel);
  for (const [i, half] of [0.17, 0.15, 0.1].entries()) {
    const color = litColor(input, plateColors[i]!);
    for (const x of [left + 0.045 - i * 0.02, left + 0.262 + i * 0.02]) {
      fillBox(canvas, x, 0.43 - half, x + 0.016, 0.43 + half, color);
      fillBox(canvas, x, 0.43 - half, x + 0.005, 0.43 + half, scale(color, 1.7), 0.6);
    }
  }
}

const handleColors = ["#c2321f", "#d9a11b", "#1f5aa6", "#1d1d20", "#2f7a3c"] as const;

/** Tools on a board, a chest of drawers, tins on a shelf, and a lamp over the bench. */
export function paintGarage(input: BackdropInput): void {
  paintToolWall(input);
  const { canvas, plan, lampSide } = input;
  if (!plan.without.has("furniture")) paintChest(input, lampSide > 0 ? 0.04 : 0.68);
  for (let i = 0; i < 2 && !plan.without.has("objects"); i++) {
    const x = (lampSide > 0 ? 0.84 : 0.1) + i * 0.07;
    fillDisc(canvas, x, 0.97 - 0.1, 0.12, litColor(input, "#17171a"), 1);
    fillDisc(canvas, x, 0.97 - 0.1, 0.055, litColor(input, "#8d9097"), 1);
  }
  lensBlur(canvas, 0.016);
  blurCanvas(canvas, 0.005);
}

/** Where wood is worked: boards lean at the wall, below the tools. */
export function paintJoinery(input: BackdropInput): void {
  paintToolWall(input);
  const { canvas, plan, random, aspect, lampSide } = input;
  const left = lampSide > 0 ? 0.66 : 0.02;
  for (let i = 0; i < 7 && !plan.without.has("objects"); i++) {
    const x = left + 0.045 * i;
    const lean = random.between(-0.03, 0.03);
    const color = litColor(input, random.pick(["#c99a62", "#b5824c", "#d9b482", "#9c6c3e"]), random.between(0.6, 0.85));
    fillRod(canvas, x, 1.02, x + lean, random.between(0.3, 0.5), 0.05 / aspect, color);
    fillRod(canvas, x - 0.016 / aspect, 1.02, x + lean - 0.016 / aspect, 0.52, 0.008, scale(color, 1.3));
  }
  lensBlur(canvas, 0.016);
  blurCanvas(canvas, 0.005);
}

/** Tools on a board, tins on a shelf below them, and a lamp. */
function paintToolWall(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, random, aspect, lampSide } = input;
  const board = litColor(input, "#b48a5c", 0.55);
  fillBox(canvas, 0.03, 0.1, 0.97, 0.6, board);
  for (let y = 0.14; y < 0.6; y += 0.05) {
    for (let x = 0.05; x < 0.96; x += 0.05 / aspect) fillDisc(canvas, x, y, 0.006, scale(board, 0.4), 0.7);
  }
  if (!plan.without.has("tools")) {
    for (let x = 0.08; x < 0.93; x += random.between(0.045, 0.075)) paintTool(input, x, random.between(0.16, 0.22));
  }
  const shelf = 0.74;
  fillBox(canvas, 0, shelf, 1, shelf + 0.025, litColor(input, "#4a4d52"));
  for (let x = 0.02; x < 0.97 && !plan.without.has("objects"); ) {
    const tall = random.between(0.06, 0.13);
    const wide = (tall * random.between(0.6, 1)) / aspect;
    const color = litColor(input, random.pick(["#8e9299", "#b3261f", "#2c4f7a", "#c9a13b", "#3c3f44", "#d8d4cb"]));
    fillBox(canvas, x, shelf - tall, x + wide, shelf, color);
    fillBox(canvas, x + wide * 0.1, shelf - tall, x + wide * 0.28, shelf, scale(color, 1.6), 0.5);
    fillBox(canvas, x, shelf - tall * 0.6, x + wide, shelf - tall * 0.3, litColor(input, "#e6e1d6"), 0.6);
    x += wide + random.between(0.008, 0.05);
  }
  paintPendants(input, [0.5 + lampSide * 0.22], 0.16, "#2a2c30");
}

/** A wrench, a hammer, a screwdriver or pliers, hung on the board. */
function paintTool(input: BackdropInput, x: number, top: number): void {
  const { canvas, random, aspect } = input;
  const steel = litColor(input, "#d5d8dd", 0.75);
  const handle = litColor(input, random.pick(handleColors));
  const long = random.between(0.2, 0.34);
  const end = top + long;
  switch (random.integer(0, 3)) {
    case 0:
      fillRod(canvas, x, top, x, end, 0.014, steel);
      fillDisc(canvas, x, top, 0.034, steel, 1);
      fillDisc(canvas, x, top - 0.012, 0.016, litColor(input, "#7c5f40"), 1);
      fillDisc(canvas, x, end, 0.026, steel, 1);
      return;
    case 1:
      fillRod(canvas, x, top, x, end, 0.016, litColor(input, "#8a5f36"));
      fillRod(canvas, x - 0.06 / aspect, top, x + 0.05 / aspect, top, 0.028, litColor(input, "#33353a"));
      return;
    case 2:
      fillRod(canvas, x, top, x, top + long * 0.45, 0.024, handle);
      fillRod(canvas, x, top + long * 0.45, x, end, 0.008, steel);
      return;
    default:
      for (const side of [-1, 1]) {
        fillRod(canvas, x, top + long * 0.35, x + (side * 0.035) / aspect, end, 0.015, handle);
        fillRod(canvas, x, top + long * 0.35, x + (side * 0.012) / aspect, top, 0.016, steel);
      }
  }
}

function paintChest(input: BackdropInput, left: number): void {
  const { canvas, lampSide } = input;
  const red = litColor(input, "#b5231c", 0.7);
  shadeAround(canvas, [left, 0.6, left + 0.28, 1], 0.08, 0.5);
  fillBox(canvas, left, 0.6, left + 0.28, 1, scale(red, 0.35));
  fillBox(canvas, left, 0.6, left + 0.28, 0.625, scale(red, 1.5));
  for (let y = 0.63; y < 1; y += 0.085) {
    fillPanel(canvas, [left + 0.006, y, left + 0.274, y + 0.077], red, lampSide);
    fillBox(canvas, left + 0.03, y + 0.028, left + 0.25, y + 0.044, litColor(input, "#d9dbe0", 0.9));
  }
}

/** Tiles behind a bar. */
function paintCafeTiles(input: BackdropInput): void {
  const { canvas, random } = input;
  const tile = litColor(input, "#d9cfbd", 0.5);
  for (let row = 0; row < 9; row++) {
    for (let column = -1; column < 16; column++) {
      const x = (column + (row % 2) * 0.5) / 15;
      const y = 0.04 + row * 0.062;
      const tone = 0.84 + 0.22 * random.next();
      fillBox(canvas, x + 0.003, y + 0.003, x + 1 / 15 - 0.002, y + 0.058, scale(tile, tone), 0.9);
    }
  }
}

/** A counter with a coffee machine, cups and jars on shelves, a blackboard, and lamps over it. */
export function paintCafe(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, random, noise, lampSide } = input;
  if (plan.roomWall === null) paintCafeTiles(input);
  const boardLeft = lampSide > 0 ? 0.04 : 0.7;
  if (!plan.without.has("blackboards")) {
    fillBox(canvas, boardLeft - 0.012, 0.1, boardLeft + 0.272, 0.52, litColor(input, "#7c5330"));
    fillBox(canvas, boardLeft, 0.125, boardLeft + 0.26, 0.495, litColor(input, "#1d2422"));
    for (let row = 0; row < 5; row++) {
      const wide = random.between(0.09, 0.2);
      const y = 0.18 + row * 0.062;
      fillBox(canvas, boardLeft + 0.03, y, boardLeft + 0.03 + wide, y + 0.016, litColor(input, "#e9e4d8"), 0.75);
    }
  }
  const shelfLeft = lampSide > 0 ? 0.4 : 0.02;
  if (!plan.without.has("cups")) for (const y of [0.3, 0.53]) paintCups(input, shelfLeft, shelfLeft + 0.58, y);
  const counter = litColor(input, "#5a3a22", 0.55);
  fillBox(canvas, 0, 0.74, 1, 1, scale(counter, 0.42));
  for (let x = 0; x < 1; x += 0.06) {
    const plank = scale(counter, 0.88 + 0.3 * noise.cell(Math.round(x * 100), 7));
    fillPanel(canvas, [x + 0.004, 0.75, x + 0.06, 0.985], plank, 0.3 * lampSide);
  }
  // The slab hides the lamps' light from the planks below it.
  fillBox(canvas, 0, 0.765, 1, 0.8, [0.02, 0.014, 0.01], 0.5);
  fillBox(canvas, 0, 0.725, 1, 0.765, litColor(input, "#b5a997", 0.62));
  fillBox(canvas, 0, 0.725, 1, 0.737, litColor(input, "#efe6d8", 0.85));
  if (!plan.without.has("cups")) paintCoffeeMachine(input, lampSide > 0 ? 0.12 : 0.66);
  paintPlant(input, lampSide > 0 ? 0.93 : 0.07, 0.72, 0.3);
  paintPendants(input, [0.2, 0.5, 0.8], 0.1, "#1f3a34");
  lensBlur(canvas, 0.02);
  blurCanvas(canvas, 0.006);
  paintBokeh(input, 8);
}

/** With cups on it. */
function paintCoffeeMachine(input: BackdropInput, machine: number): void {
  const { canvas, lampSide } = input;
  shadeAround(canvas, [machine, 0.52, machine + 0.22, 0.73], 0.05, 0.4);
  fillPanel(canvas, [machine, 0.52, machine + 0.22, 0.73], litColor(input, "#b9bcc0", 0.75), 1.8 * lampSide);
  fillBox(canvas, machine, 0.52, machine + 0.22, 0.55, litColor(input, "#eceef0", 1));
  fillBox(canvas, machine + 0.02, 0.6, machine + 0.2, 0.7, litColor(input, "#26272a"));
  for (let i = 0; i < 5; i++) {
    fillBox(
      canvas,
      machine + 0.02 + i * 0.04,
      0.475,
      machine + 0.045 + i * 0.04,
      0.52,
      litColor(input, "#efe9df", 0.8),
    );
  }
}

const cupColors = ["#efe9df", "#d9c7ad", "#9bb0a5", "#c77f5f", "#5f6f78", "#e7d9c2"] as const;

function paintCups(input: BackdropInput, left: number, right: number, y: number): void {
  const { canvas, random, aspect } = input;
  for (let x = left + 0.01; x < right - 0.03; ) {
    const isJar = random.chance(0.35);
    const tall = isJar ? random.between(0.1, 0.15) : random.between(0.05, 0.07);
    const wide = (tall * (isJar ? 0.55 : 1.1)) / aspect;
    const color = litColor(
      input,
      isJar ? random.pick(["#8a5a32", "#5f3d22", "#c9a874", "#6f7f5a"]) : random.pick(cupColors),
      0.65,
    );
    fillBox(canvas, x, y - tall, x + wide, y, color);
    if (isJar) fillBox(canvas, x, y - tall - 0.018, x + wide, y - tall, litColor(input, "#d9d2c5"));
    else fillDisc(canvas, x + wide, y - tall * 0.5, tall * 0.3, color, 1);
    x += wide + random.between(0.012, 0.04);
  }
  fillBox(canvas, left, y, right, y + 0.028, litColor(input, "#8a5f38", 0.7));
  fillBox(canvas, left, y + 0.028, right, y + 0.06, litColor(input, "#2b1c10", 0.3), 0.35);
}

function paintArmchair(input: BackdropInput, x: number, hex: string): void {
  const { canvas, aspect } = input;
  const cloth = litColor(input, hex, 0.65);
  const foot = litColor(input, "#2f2118", 0.5);
  shadeAround(canvas, [x - 0.2 / aspect, 0.56, x + 0.2 / aspect, 0.97], 0.09, 0.5);
  for (const side of [-1, 1])
    fillRod(canvas, x + (side * 0.15) / aspect, 0.94, x + (side * 0.16) / aspect, 1, 0.02, foot);
  fillCushion(canvas, x, 0.72, 0.16, 0.2, scale(cloth, 0.85), 3.2, 0.3);
  fillCushion(canvas, x, 0.87, 0.14, 0.06, scale(cloth, 1.25), 4, 0.25);
  fillCushion(canvas, x, 0.94, 0.15, 0.04, scale(cloth, 0.7), 6, 0.2);
  for (const side of [-1, 1]) fillCushion(canvas, x + (side * 0.165) / aspect, 0.86, 0.04, 0.12, cloth, 3.4, 0.35);
}

/** A fir with lights and baubles, presents below it, and a fire on the other side. */
export function paintChristmas(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, random, aspect, lampSide } = input;
  const x = lampSide > 0 ? 0.17 : 0.83;
  if (!plan.without.has("fireplaces")) paintFireplace(input, lampSide > 0 ? 0.6 : 0.06);
  if (!plan.without.has("plants")) {
    for (let i = 0; i < 900; i++) {
      const down = random.next() ** 0.62;
      const half = 0.04 + 0.27 * down * (0.72 + 0.28 * Math.abs(Math.sin(down * 16)));
      const side = random.between(-1, 1);
      const shade = 0.25 + 0.6 * random.next() * (1 - 0.5 * Math.abs(side));
      const green = scale(litColor(input, random.pick(["#2f5d33", "#274d2f", "#3d6f3a"])), shade);
      fillDisc(canvas, x + (side * half) / aspect, 0.03 + 0.86 * down, random.between(0.014, 0.03), green, 0.9);
    }
    for (let i = 0; i < 34; i++) {
      const down = random.between(0.08, 1) ** 0.7;
      const half = 0.05 + 0.23 * down;
      const color = litColor(input, random.pick(["#c2201f", "#d9a63f", "#c2201f", "#e6dccb"]), 0.9);
      const at = x + (random.between(-1, 1) * half) / aspect;
      fillDisc(canvas, at, 0.05 + 0.82 * down, random.between(0.016, 0.024), color, 1);
    }
  }
  const bows = ["#d9b15c", "#efe6d6", "#b3231f"] as const;
  for (let i = 0; i < 5 && !plan.without.has("gifts"); i++) {
    const wide = random.between(0.12, 0.22) / aspect;
    const left = x + (random.between(-0.36, 0.3) * 1) / aspect - wide / 2;
    const top = 0.97 - random.between(0.09, 0.17);
    const paper = litColor(input, random.pick(["#9c1c1f", "#1f4a35", "#e4d8c2", "#b98a3a"]), 0.7);
    fillPanel(canvas, [left, top, left + wide, 1], paper, 1.2 * lampSide);
    fillBox(canvas, left, top, left + wide, top + 0.018, scale(paper, 1.35));
    fillBox(canvas, left + wide * 0.42, top, left + wide * 0.58, 1, litColor(input, bows[i % 3]!, 0.9));
  }
  if (!plan.without.has("lights")) {
    for (let i = 0; i < 70; i++) {
      const down = random.between(0.02, 1) ** 0.7;
      const at = x + (random.between(-1, 1) * (0.03 + 0.26 * down)) / aspect;
      fillDisc(canvas, at, 0.04 + 0.84 * down, 0.008, [7, 4.3, 1.7], 1);
    }
    for (let i = 0; i < 26; i++) {
      const at = (i + 0.5) / 26;
      fillDisc(canvas, at, 0.05 + 0.1 * Math.abs(Math.sin(at * Math.PI * 3)), 0.009, [6, 3.8, 1.5], 1);
    }
    addGlow(canvas, x, 0.45, 0.4, [0.12, 0.07, 0.025]);
  }
  lensBlur(canvas, 0.024);
  blurCanvas(canvas, 0.005);
}

/** A fire behind a mantel, with candles and a picture above it, and an armchair beside it. */
export function paintHearth(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, random, aspect, lampSide } = input;
  const left = lampSide > 0 ? 0.56 : 0.1;
  const hasFireplace = !plan.without.has("fireplaces");
  if (hasFireplace) paintFireplace(input, left);
  if (!plan.without.has("pictures")) {
    fillBox(canvas, left + 0.09, 0.08, left + 0.25, 0.3, litColor(input, "#3a2a1e"));
    fillBox(canvas, left + 0.1, 0.1, left + 0.24, 0.28, litColor(input, "#a38f76", 0.8));
  }
  if (hasFireplace && !plan.without.has("candles")) {
    for (let i = 0; i < 3; i++) {
      const x = left + random.between(0.0, 0.05) + 0.29 * Math.min(1, i * 0.55);
      const tall = random.between(0.06, 0.11);
      fillBox(canvas, x, 0.38 - tall, x + 0.016 / aspect, 0.38, litColor(input, "#efe4d0", 0.9));
      if (!plan.without.has("lights")) fillDisc(canvas, x + 0.008 / aspect, 0.37 - tall, 0.009, [6, 3.6, 1.3], 1);
    }
  }
  if (!plan.without.has("seats")) paintArmchair(input, lampSide > 0 ? 0.2 : 0.78, "#6d5a48");
  lensBlur(canvas, 0.022);
  blurCanvas(canvas, 0.005);
}

/** A tongue of flame, the taller the nearer to the middle of its fire. */
function paintFlame({ canvas, random, aspect }: BackdropInput, x: number, middle: number): void {
  const tall = random.between(0.1, 0.25) * (1 - 7 * Math.abs(x - middle));
  const steps = 7;
  for (let step = 0; step < steps; step++) {
    const up = step / steps;
    const half = 0.016 * (1 - up) ** 0.8 + 0.003;
    const sway = (0.012 * Math.sin(4 * up + 40 * x)) / aspect;
    const color: LinearRgb = [1.5 - 0.5 * up, 0.85 * (1 - up) ** 1.5 + 0.16, 0.3 * (1 - up) ** 4];
    fillDisc(canvas, x + sway, 0.93 - tall * up, half, scale(color, 0.5), 0.6, true, 0.7);
  }
}

function paintFireplace(input: BackdropInput, left: number): void {
  const { canvas, plan, random, lampSide } = input;
  const stone = litColor(input, "#c9b9a3", 0.55);
  const mantel = litColor(input, "#5a3a22", 0.8);
  shadeAround(canvas, [left - 0.02, 0.38, left + 0.36, 1], 0.08, 0.4);
  fillPanel(canvas, [left, 0.42, left + 0.34, 1], stone, lampSide);
  for (let y = 0.5; y < 1; y += 0.09) fillBox(canvas, left, y, left + 0.34, y + 0.005, scale(stone, 0.55), 0.7);
  fillBox(canvas, left, 0.43, left + 0.34, 0.46, scale(stone, 0.3), 0.55);
  fillBox(canvas, left - 0.02, 0.38, left + 0.36, 0.43, mantel);
  fillBox(canvas, left - 0.02, 0.38, left + 0.36, 0.39, scale(mantel, 1.7));
  fillBox(canvas, left + 0.06, 0.55, left + 0.28, 1, [0.03, 0.018, 0.012]);
  for (const tilt of [-1, 1]) {
    const log = litColor(input, "#4a2f1c", 0.5);
    fillRod(canvas, left + 0.17 - 0.09 * tilt, 0.95, left + 0.17 + 0.08 * tilt, 0.9, 0.05, log);
  }
  if (!plan.without.has("fire")) {
    for (let i = 0; i < 22; i++) paintFlame(input, left + 0.17 + random.between(-0.075, 0.075), left + 0.17);
    addGlow(canvas, left + 0.17, 0.88, 0.3, [0.5, 0.2, 0.05]);
  }
  if (plan.decor !== "christmas" || plan.without.has("plants")) return;
  const greens = ["#2f5d33", "#274d2f"] as const;
  for (let i = 0; i < 60; i++) {
    const x = left - 0.02 + 0.38 * random.next();
    fillDisc(canvas, x, 0.385 + random.between(-0.015, 0.03), 0.022, litColor(input, random.pick(greens), 0.5), 0.9);
  }
}
