/** Fields in rows that run to the horizon, before hills: lavender, vines, olive and fruit trees. */

import { blurCanvas, fillDisc, fillRod, lensBlur } from "../canvas/canvas.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { fromHex, mix, multiply, saturate, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { fillStrokes } from "../canvas/strokes.ts";
import type { BackdropInput } from "./painter.ts";
import { paintFoliage, paintSnowfield } from "./plants.ts";
import { paintHills } from "./sky.ts";
import { keyAndAmbient } from "./walls.ts";

interface Rows {
  /** Light and dark of the plants; `soil` is between two rows. */
  readonly plants: readonly [LinearRgb, LinearRgb];
  readonly soil: LinearRgb;
  /** Rows across the image's height where they are nearest. */
  readonly density: number;
  /** Share of a row that its plants cover, 0–1. */
  readonly cover: number;
}

/** Where the rows meet, and where the field begins: the hills are behind it. */
interface Ground {
  readonly vanishX: number;
  readonly vanishY: number;
  readonly top: number;
}

function groundOf({ horizonY, lampSide }: BackdropInput): Ground {
  const vanishY = Math.min(0.62, horizonY);
  return { vanishX: 0.5 - 0.22 * lampSide, vanishY, top: vanishY + 0.05 };
}

function litBy(input: BackdropInput, color: LinearRgb, share: number): LinearRgb {
  return multiply(color, keyAndAmbient(input, share));
}

/** Paints over what is below the field's far edge. */
function paintRows(input: BackdropInput, ground: Ground, { plants, soil, density, cover }: Rows): void {
  const { canvas, noise, aspect, plan, lampSide } = input;
  const { vanishX, vanishY, top } = ground;
  const haze = scale(plan.lighting.horizon, 0.8);
  const lit = [litBy(input, plants[0], 0.75), litBy(input, plants[1], 0.6)] as const;
  const earth = litBy(input, soil, 0.5);
  for (let row = Math.floor(top * canvas.height); row < canvas.height; row++) {
    const y = (row + 0.5) / canvas.height;
    const near = (y - vanishY) / (1 - vanishY);
    // Far rows are narrower than a pixel: there the field is one color.
    const detail = smoothstep(0.1, 0.4, near);
    const far = (1 - near) ** 2 * 0.55;
    for (let column = 0; column < canvas.width; column++) {
      const x = (column + 0.5) / canvas.width;
      const across = (((x - vanishX) * aspect) / near) * density;
      const ripple = 0.16 * (noise.at(across * 0.7 + 5, 6 / near) - 0.5);
      const phase = across + ripple - Math.floor(across + ripple);
      const away = Math.abs(phase - 0.5) * 2;
      const covered = 1 - smoothstep(cover - 0.22, cover + 0.12, away);
      const share = covered * detail + cover * (1 - detail);
      const clump = noise.fractal(across * 3 + 40, 22 / near, 2, 0.02);
      const side = 1 + 0.3 * (phase - 0.5) * 2 * lampSide * detail;
      const at = row * canvas.width + column;
      for (let c = 0; c < 3; c++) {
        const plant = (lit[0][c]! * clump + lit[1][c]! * (1 - clump)) * side * (0.72 + 0.5 * clump);
        const color = earth[c]! * (1 - share) + plant * share;
        canvas.planes[c]![at] = color * (1 - far) + haze[c]! * far;
      }
    }
  }
}

export function paintLavender(input: BackdropInput): void {
  paintHills(input);
  const plants = [fromHex("#8f74c4"), fromHex("#5d4796")] as const;
  paintRows(input, groundOf(input), { plants, soil: fromHex("#7f8a4e"), density: 2.3, cover: 0.72 });
  lensBlur(input.canvas, 0.008);
  blurCanvas(input.canvas, 0.003);
}

/** Beds of cabbages and lettuce below the trees of a garden, and tomatoes on stakes at both sides; in snow the beds alone, before firs. */
export function paintKitchenGarden(input: BackdropInput): void {
  const { plan } = input;
  if (plan.isSnowy) paintSnowfield(input);
  else paintFoliage(input);
  const ground = groundOf(input);
  const soil = plan.isSnowy ? fromHex("#eef2f7") : fromHex("#5a4330");
  const plants = [fromHex("#7fa34a"), fromHex("#3f6a34")] as const;
  const cover = plan.isSnowy ? 0.3 : 0.62;
  paintRows(input, ground, { plants, soil, density: 1.7, cover: plan.without.has("plants") ? 0 : cover });
  // Tomatoes do not outlive the frost.
  if (!plan.without.has("plants") && !plan.isSnowy)
    for (const near of [0.34, 0.5, 0.72]) for (const side of [-1, 1]) stakeTomatoes(input, ground, near, side);
  lensBlur(input.canvas, 0.009);
  blurCanvas(input.canvas, 0.004);
}

/** One plant, in a row that runs to where the beds meet. @param near 1 where the garden ends */
function stakeTomatoes(input: BackdropInput, { vanishX, vanishY }: Ground, near: number, side: number): void {
  const { canvas, random, aspect, lampSide } = input;
  const x = vanishX + (side * near * random.between(0.75, 0.95)) / aspect;
  const foot = vanishY + near * (1 - vanishY);
  const tall = 0.78 * near;
  const haze = scale(input.plan.lighting.horizon, 0.8);
  const hazy = (color: LinearRgb) => mix(color, haze, 0.35 * (1 - near));
  fillRod(canvas, x, foot, x, foot - 1.1 * tall, 0.022 * near, hazy(litBy(input, fromHex("#8a6a45"), 0.5)));
  for (let i = 0; i < 70; i++) {
    const high = random.next();
    const reach = tall * (0.26 - 0.12 * high);
    const dx = random.between(-1, 1) * reach;
    const facing = 0.4 + 0.3 * high + (0.2 * dx * lampSide) / reach;
    const leaf = fromHex(random.pick(["#4f7a34", "#6a9444", "#3a5f2c"]));
    const y = foot - tall * (0.08 + 0.92 * high);
    fillDisc(
      canvas,
      x + dx / aspect,
      y,
      0.055 * near * random.between(0.7, 1.2),
      hazy(litBy(input, leaf, facing)),
      0.9,
    );
    if (i % 5 === 4)
      fillDisc(canvas, x + dx / aspect, y, 0.03 * near, hazy(litBy(input, fromHex("#cc3a26"), facing + 0.2)), 0.95);
  }
}

/** How far the rows of vines are from the middle of the path, in heights of the canvas, where they are nearest. */
const vineRows = [0.42, 1.3, 2.2, 3.1, 4, 4.9, 5.8] as const;
/** Share of the way from the ground to the horizon at which the vines end. */
const vineTop = 0.92;
/** Share of a vine's height below which its trunks are bare. */
const vineTrunk = 0.3;

/** Hedges of vines that run to the horizon at both sides of a path. */
export function paintVines(input: BackdropInput): void {
  paintHills(input);
  const { canvas, aspect, plan, noise, lampSide } = input;
  const ground = groundOf(input);
  const { vanishX, vanishY, top } = ground;
  const leaf = saturate(mix(plan.backdropColor, fromHex("#6f8f35"), 0.6), 1.1);
  const grass = fromHex("#8d9350");
  paintRows(input, ground, { plants: [grass, scale(grass, 0.8)], soil: fromHex("#b09468"), density: 1.15, cover: 0.5 });
  if (plan.without.has("plants")) return;
  const haze = scale(plan.lighting.horizon, 0.8);
  const parts = {
    leaf: litBy(input, leaf, 0.8),
    deep: litBy(input, scale(leaf, 0.3), 0.5),
    grape: litBy(input, fromHex("#4a3358"), 0.7),
    wood: litBy(input, fromHex("#6b5138"), 0.5),
  };
  const tall = 1 - vanishY;
  for (let row = Math.floor((top - 0.02) * canvas.height); row < canvas.height; row++) {
    const y = (row + 0.5) / canvas.height;
    for (let column = 0; column < canvas.width; column++) {
      const across = ((column + 0.5) / canvas.width - vanishX) * aspect;
      const side = Math.sign(across);
      for (const [k, at] of vineRows.entries()) {
        const far = at / Math.max(1e-4, Math.abs(across));
        if (far < 0.5) continue;
        const foot = vanishY + tall / far;
        const high = (foot - y) / ((tall / far) * vineTop);
        if (high < 0 || high > 1.12) continue;
        const along = far * 7 + 40 * k + (side > 0 ? 500 : 0);
        const clump = noise.fractal(along, high * 3.2 + k, 3, 0.02);
        const ragged = 0.86 + 0.3 * (noise.at(along * 0.9, 3) - 0.5) + 0.24 * (clump - 0.5);
        const isTrunk = high < vineTrunk && Math.abs((along * 0.22) % 1) < 0.13;
        if (high > ragged || (high < vineTrunk + 0.12 * (clump - 0.5) && !isTrunk)) continue;
        const isGrape =
          high < 0.52 && noise.cell(Math.floor(along * 1.6), k) > 0.55 && noise.at(along * 1.6, high * 7) > 0.5;
        // The side that looks to the lamp, and the tops, are lit.
        const lit = Math.min(1, 0.25 + 0.5 * clump + 0.45 * (high - 0.5) - 0.14 * side * lampSide);
        const color = isTrunk ? parts.wood : isGrape ? parts.grape : mix(parts.deep, parts.leaf, Math.max(0, lit));
        const hazy = Math.min(0.6, (1 - 1 / far) ** 2 * 0.55);
        for (let c = 0; c < 3; c++)
          canvas.planes[c]![row * canvas.width + column] = color[c]! * (1 - hazy) + haze[c]! * hazy;
        break;
      }
    }
  }
  lensBlur(canvas, 0.008);
  blurCanvas(canvas, 0.003);
}

export function paintOlives(input: BackdropInput): void {
  paintGrove(input, { crown: ["#8f9a76", "#6d7a58", "#a9b292"], bark: "#6b5d4c", soil: "#b3a273", trunk: 0.2 });
}

export function paintOrchard(input: BackdropInput): void {
  paintGrove(input, {
    crown: ["#6f9440", "#527a30", "#8fae58"],
    bark: "#5d4a38",
    soil: "#8fa356",
    trunk: 0.14,
    fruit: "#c8442f",
  });
}

interface Grove {
  readonly crown: readonly [string, string, string];
  readonly bark: string;
  readonly soil: string;
  /** Height of the trunk below the crown, as a share of the tree's. */
  readonly trunk: number;
  readonly fruit?: string;
}

/** Distances of the trees of a row, 0 at the horizon … 1 at the ground's edge. */
const distances = [0.16, 0.21, 0.28, 0.38, 0.52, 0.74] as const;
/** A tree's height where the ground ends, as a share of the canvas's. */
const treeTall = 0.62;

function paintGrove(input: BackdropInput, grove: Grove): void {
  paintHills(input);
  const { canvas, aspect, random, plan } = input;
  const ground = groundOf(input);
  const soil = fromHex(grove.soil);
  paintRows(input, ground, { plants: [scale(soil, 0.9), scale(soil, 0.7)], soil, density: 1.1, cover: 0.5 });
  if (plan.without.has("plants")) return;
  const haze = scale(plan.lighting.horizon, 0.8);
  for (const near of distances) {
    for (let across = -4; across <= 4; across++) {
      const x = ground.vanishX + ((across + 0.5 + random.between(-0.12, 0.12)) * near * 0.75) / aspect;
      if (x < -0.2 || x > 1.2) continue;
      const foot = ground.vanishY + near * (1 - ground.vanishY);
      const hazy = (color: LinearRgb) => mix(color, haze, 0.4 * (1 - near));
      paintTree(input, { x, foot, tall: treeTall * near * random.between(0.88, 1.12), grove, hazy });
    }
  }
  lensBlur(canvas, 0.01);
  blurCanvas(canvas, 0.004);
}

interface Tree {
  readonly x: number;
  readonly foot: number;
  readonly tall: number;
  readonly grove: Grove;
  readonly hazy: (color: LinearRgb) => LinearRgb;
}

/** Shaded clumps, before which sprigs are lit. */
const shadedClumps = 26;

/** A crown of many sprigs, lit at the lamp's side, on a trunk that leans a little; its shadow is below it. */
function paintTree(input: BackdropInput, { x, foot, tall, grove, hazy }: Tree): void {
  const { canvas, random, aspect, lampSide } = input;
  const reach = 0.46 * tall;
  const middle = foot - tall * (grove.trunk + 0.42);
  fillDisc(
    canvas,
    x - (lampSide * 0.12 * tall) / aspect,
    foot,
    reach * 0.8,
    hazy(litBy(input, fromHex(grove.soil), 0.12)),
    0.35,
  );
  const bark = hazy(litBy(input, fromHex(grove.bark), 0.5));
  fillRod(canvas, x, foot, x + (random.between(-0.1, 0.1) * tall) / aspect, middle, 0.075 * tall, bark);
  const inCrown = () => {
    const turn = random.next() * Math.PI * 2;
    const away = Math.sqrt(random.next()) * reach;
    const dx = Math.cos(turn) * away;
    const dy = Math.sin(turn) * away * 0.72;
    return { at: x + dx / aspect, y: middle + dy, facing: 0.55 + (0.28 * (dx * lampSide - dy)) / reach };
  };
  const colorOf = (color: string, power: number) => hazy(litBy(input, fromHex(color), Math.max(0.1, power)));
  for (let i = 0; i < shadedClumps; i++) {
    const { at, y, facing } = inCrown();
    fillDisc(canvas, at, y, reach * random.between(0.16, 0.3), colorOf(random.pick(grove.crown), 0.55 * facing), 0.85);
  }
  const sprigs = Math.round(120 + 700 * tall);
  for (let i = 0; i < sprigs; i++) {
    const { at, y, facing } = inCrown();
    const color = colorOf(random.pick(grove.crown), facing * random.between(0.75, 1.35));
    const long = tall * random.between(0.07, 0.15);
    fillStrokes(canvas, [
      { kind: "leaf", x: at, y, angle: random.next() * Math.PI * 2, long, wide: 0.24 * long, color },
    ]);
    if (grove.fruit !== undefined && i % 30 === 0)
      fillDisc(canvas, at, y, 0.035 * tall, colorOf(grove.fruit, facing), 0.9);
  }
}
