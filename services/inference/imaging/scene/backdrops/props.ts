/** Things of a theme far out of focus behind the product: curtains, plants, candles. */

import { blurPlane } from "../../pixels/blur.ts";
import { addGlow, blurCanvas, type Canvas, createCanvas, fillBox, fillDisc } from "../canvas/canvas.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { fromHex, fromHsl, luminance, mix, multiply, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { fillStrokes, type Leaf, type Stroke } from "../canvas/strokes.ts";
import { outdoorBackdrops } from "../words/lexicon.ts";
import { paintBokehLights } from "./bokeh.ts";
import { lemonBoughs } from "./fruit.ts";
import type { BackdropInput } from "./painter.ts";
import { palmsAtSides } from "./palms.ts";

export function paintBackdropProps(input: BackdropInput): void {
  const { props, decor, without } = input.plan;
  const hasPlants = !without.has("plants");
  if (props.includes("bokeh")) paintBokehLights(input);
  if (props.includes("curtain")) paintCurtain(input);
  if (props.includes("palms") && hasPlants && decor !== "palms") paintAhead(input, palmsAtSides(input));
  if (props.includes("plants") && hasPlants && decor !== "autumn") paintPlants(input);
  if (props.includes("lemons") && hasPlants && outdoorBackdrops.has(input.plan.backdrop))
    paintAhead(input, lemonBoughs(input));
  if (props.includes("candles")) paintCandles(input);
  if (props.includes("toys") && decor !== "playroom") paintToys(input);
}

export function arriving({ plan }: BackdropInput, share: number): LinearRgb {
  const { key, ambient } = plan.lighting;
  return [ambient[0] + key[0] * share, ambient[1] + key[1] * share, ambient[2] + key[2] * share];
}

/** Folds from edge to edge before a wall; before a room or a view only at the sides. */
function paintCurtain(input: BackdropInput): void {
  const { canvas, plan, noise, aspect, lampSide, random } = input;
  const isWall = plan.backdrop === "wall" || plan.backdrop === "tiled-wall" || plan.backdrop === "sweep";
  const cloth = plan.propColor ?? mix(plan.backdropColor, [0.86, 0.84, 0.8], 0.55);
  const folds = random.between(5, 7);
  const offset = random.between(0, 50);
  for (let row = 0, at = 0; row < canvas.height; row++) {
    const y = (row + 0.5) / canvas.height;
    for (let column = 0; column < canvas.width; column++, at++) {
      const x = (column + 0.5) / canvas.width;
      const sway = noise.at(x * aspect * 3 + offset, y * 0.7) * 1.1 + 0.06 * y * Math.sin(x * 9 + offset);
      const phase = (x * aspect * folds + sway) * Math.PI * 2;
      const fold = 0.5 + 0.5 * Math.sin(phase);
      const slope = Math.cos(phase) * -lampSide;
      const fine = noise.fractal(x * aspect * 18 + offset, y * 1.6, 2, 0.05) - 0.5;
      const shade = 0.66 + 0.3 * fold ** 1.4 + 0.14 * slope + 0.1 * fine;
      const side = 1 + 0.14 * (x - 0.5) * 2 * lampSide;
      const share = isWall ? 1 : 0.94 * smoothstep(0.2, 0.24, Math.abs(x - 0.5) + 0.02 * fold);
      const light = arriving(input, 0.62 * side);
      for (let c = 0; c < 3; c++) {
        const plane = canvas.planes[c]!;
        plane[at]! += (cloth[c]! * shade * light[c]! - plane[at]!) * share;
      }
    }
  }
}

type Draw = (canvas: Canvas, colorOf: (color: LinearRgb) => LinearRgb) => void;

/** Draws shapes that blur without what is behind them. `draw` is called twice and must draw the same. */
export function paintBlurred(canvas: Canvas, sigma: number, draw: Draw): void {
  const { width, height } = canvas;
  const copy: Canvas = {
    width,
    height,
    planes: [canvas.planes[0].slice(), canvas.planes[1].slice(), canvas.planes[2].slice()],
  };
  const mask = createCanvas(width, height);
  draw(copy, (color) => color);
  draw(mask, () => [1, 1, 1]);
  blurCanvas(copy, sigma);
  blurPlane(mask.planes[0], width, height, sigma * height);
  for (let c = 0; c < 3; c++) {
    const plane = canvas.planes[c]!;
    for (let i = 0; i < plane.length; i++) plane[i]! += (copy.planes[c]![i]! - plane[i]!) * mask.planes[0][i]!;
  }
}

/** Plants before the backdrop, less out of focus than what is behind them. */
function paintAhead({ canvas }: BackdropInput, strokes: readonly Stroke[]): void {
  paintBlurred(canvas, 0.008, (to, colorOf) => fillStrokes(to, strokes, colorOf));
}

/** Fronds of palms, or broad leaves, that reach into the image from its sides. */
function paintPlants(input: BackdropInput): void {
  const { canvas, plan, random, aspect } = input;
  const light = 0.35 + 0.65 * (luminance(plan.lighting.ambient) + 0.5 * luminance(plan.lighting.key));
  const green = () =>
    scale(fromHsl(random.between(82, 112), random.between(0.18, 0.3), random.between(0.27, 0.47)), Math.min(1, light));
  const leaves: Leaf[] = [];
  for (const side of [-1, 1]) {
    const isPalm = random.chance(0.6);
    const stems = isPalm ? random.integer(5, 7) : random.integer(9, 12);
    const x = 0.5 + side * random.between(0.47, 0.55);
    const y = random.between(0.85, 1.1);
    for (let i = 0; i < stems; i++) {
      const angle = Math.PI / 2 + side * random.between(-0.5, 0.75);
      const long = random.between(0.6, 0.95);
      if (isPalm) {
        leaves.push(...frond(x, y, angle, long, side, aspect, green));
        continue;
      }
      const reach = long * random.between(0.25, 0.7);
      const from = { x: x + (Math.cos(angle) * reach) / aspect, y: y - Math.sin(angle) * reach };
      const stem: Leaf = { kind: "leaf", x, y, angle, long: reach * 1.1, wide: 0.005, color: scale(green(), 0.7) };
      leaves.push(stem);
      for (const share of [0.3, 0.55, 0.8, 1]) {
        const at = { x: x + (from.x - x) * share, y: y + (from.y - y) * share };
        const bent =
          angle + (share === 1 ? side * random.between(-0.6, 0.2) : random.pick([-1, 1]) * random.between(0.5, 1.1));
        const wide = random.between(0.04, 0.066) * (0.7 + 0.3 * share);
        leaves.push({ kind: "leaf", ...at, angle: bent, long: long * random.between(0.26, 0.4), wide, color: green() });
      }
    }
  }
  paintBlurred(canvas, 0.014, (to, colorOf) => {
    fillStrokes(to, leaves, colorOf);
  });
}

/** Leaflets on both sides of a bending rib. */
function frond(
  x: number,
  y: number,
  angle: number,
  long: number,
  side: number,
  aspect: number,
  color: () => LinearRgb,
): Leaf[] {
  const steps = 15;
  const leaves: Leaf[] = [];
  let cx = x;
  let cy = y;
  let turn = angle;
  for (let step = 0; step < steps; step++) {
    cx += (Math.cos(turn) * long) / steps / aspect;
    cy -= (Math.sin(turn) * long) / steps;
    turn += side * 0.055;
    const size = long * (0.34 - 0.016 * step) * Math.min(1, 0.4 + step / 5);
    for (const way of [-1, 1]) {
      leaves.push({ kind: "leaf", x: cx, y: cy, angle: turn + way * 0.75, long: size, wide: 0.011, color: color() });
    }
  }
  return leaves;
}

function paintCandles(input: BackdropInput): void {
  const { canvas, plan, random, aspect } = input;
  const wax = multiply(plan.propColor ?? [0.86, 0.8, 0.68], arriving(input, 0.5));
  const candles = Array.from({ length: random.integer(5, 7) }, (_, i) => ({
    x: 0.5 + (i % 2 === 0 ? -1 : 1) * random.between(0.2, 0.46),
    top: random.between(0.52, 0.82),
    wide: random.between(0.05, 0.085) / aspect,
  }));
  paintBlurred(canvas, 0.011, (to, colorOf) => {
    for (const { x, top, wide } of candles) {
      // Wax lets its flame through, the more the nearer.
      for (let step = 0; step < 8; step++) {
        const glow = 0.7 * Math.exp(-step * 0.55) + 0.14;
        const low = step === 7 ? 1 : top + 0.05 * (step + 1);
        fillBox(to, x - wide / 2, top + 0.05 * step, x + wide / 2, low, colorOf(mix(wax, [1, 0.66, 0.34], glow)));
      }
      fillBox(to, x - wide / 2, top + 0.2, x - wide * 0.2, 1, colorOf(scale(wax, 0.75)));
    }
  });
  for (const { x, top } of candles) {
    addGlow(canvas, x, top - 0.05, 0.16, [0.42, 0.22, 0.07]);
    fillDisc(canvas, x, top - 0.045, 0.026, [1.6, 1.05, 0.45], 1, true, 0.7);
    fillDisc(canvas, x, top - 0.065, 0.016, [1.2, 0.8, 0.4], 1, true, 0.8);
  }
}

const toyColors = ["#e8b4a8", "#f0d49a", "#a9c7c0", "#b8bedd", "#d98f7c", "#8fb3cf"] as const;

/** Balls, blocks and rings of a child's room. */
function paintToys(input: BackdropInput): void {
  const { canvas, random, aspect } = input;
  const light = arriving(input, 0.6);
  const toys = Array.from({ length: 11 }, (_, i) => ({
    x: 0.5 + (i % 2 === 0 ? -1 : 1) * random.between(0.1, 0.5),
    size: random.between(0.07, 0.15),
    isBall: random.chance(0.5),
    color: multiply(fromHex(toyColors[i % toyColors.length]!), light),
  }));
  paintBlurred(canvas, 0.012, (to, colorOf) => {
    for (const { x, size, isBall, color } of toys) {
      const shaded = colorOf(scale(color, 0.72));
      if (isBall) {
        fillDisc(to, x, 0.97 - size, size, shaded, 1);
        fillDisc(
          to,
          x - (size * 0.18 * input.lampSide * -1) / aspect,
          0.97 - size * 1.15,
          size * 0.72,
          colorOf(color),
          0.8,
        );
        continue;
      }
      const half = (size * 0.9) / aspect;
      fillBox(to, x - half, 0.97 - size * 1.8, x + half, 0.97, colorOf(color));
      fillBox(
        to,
        x + half * 0.35 * input.lampSide * -1,
        0.97 - size * 1.8,
        x + half * -input.lampSide,
        0.97,
        shaded,
        0.6,
      );
    }
  });
}
