/** A tennis court out of focus: the net across the picture, the far half with its lines, the windscreen of its fence, trees behind it. */

import { addGlow, defocus, fillBox, fillDisc, fillQuad } from "../canvas/canvas.ts";
import { fromHex, type LinearRgb, mix, multiply, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { isLampLit } from "../plan/lighting.ts";
import type { BackdropInput } from "./painter.ts";
import { arriving } from "./props.ts";
import { paintSkyGradient } from "./sky.ts";

/** From above, as shares of the canvas's height: fence, windscreen, the far end of the court, the net's tape and its foot. */
const fenceTop = 0.3;
const screenTop = 0.47;
const courtEnd = 0.68;
const tape = 0.73;
const foot = 0.985;

const white: LinearRgb = [0.82, 0.82, 0.8];

export function paintTennisCourt(input: BackdropInput): void {
  paintSkyGradient(input, courtEnd);
  const { canvas, plan } = input;
  if (!plan.without.has("plants")) paintTrees(input);
  paintFence(input);
  paintCourt(input);
  defocus(canvas, 0.011, 0.004);
  paintNet(input);
}

/** Crowns above the fence, paler where the sun is. */
function paintTrees(input: BackdropInput): void {
  const { canvas, random, lampSide, noise, plan } = input;
  const leaf = multiply(plan.backdropColor, arriving(input, 0.6));
  const crownAt = (x: number) => 0.2 + 0.28 * noise.fractal(x * 3.1 + 12, 5, 4, 0.01);
  for (let i = 0; i < 380; i++) {
    const x = random.between(-0.02, 1.02);
    const up = random.next() ** 0.8;
    const sunny = 0.42 + 0.3 * lampSide * (2 * x - 1) + 0.5 * up;
    const tone = scale(leaf, (0.24 + 0.7 * sunny) * random.between(0.7, 1.15));
    fillDisc(canvas, x, screenTop + 0.1 - 0.98 * crownAt(x) * up, random.between(0.018, 0.042), tone, 0.85);
  }
}

/** Posts, the wire between them as a veil, and cloth against the wind. */
function paintFence(input: BackdropInput): void {
  const { canvas, aspect, plan, noise } = input;
  const cloth = multiply(fromHex("#24483a"), arriving(input, 0.55));
  const post = multiply(fromHex("#2c3331"), arriving(input, 0.5));
  fillBox(canvas, 0, fenceTop, 1, screenTop, scale(post, 1.1), 0.22);
  const { width, height, planes } = canvas;
  for (let row = Math.round(screenTop * height); row < Math.min(height, courtEnd * height); row++) {
    const down = (row / height - screenTop) / (courtEnd - screenTop);
    for (let column = 0; column < width; column++) {
      const x = (column + 0.5) / width;
      const sag = noise.fractal(x * aspect * 3, down * 1.6, 3, 0.01) - 0.5;
      const shade = 1.12 - 0.3 * down + 0.34 * sag;
      for (let c = 0; c < 3; c++) planes[c]![row * width + column] = cloth[c]! * shade;
    }
  }
  for (let x = 0.07; x < 1; x += 0.3 / aspect)
    fillBox(canvas, x, fenceTop, x + 0.014 / aspect, courtEnd, scale(post, 0.7));
  fillBox(canvas, 0, fenceTop, 1, fenceTop + 0.012, scale(post, 0.8));
  if (!isLampLit(plan.lightKind) || plan.without.has("lights")) return;
  for (const x of [0.2, 0.82]) {
    fillBox(canvas, x - 0.007 / aspect, 0.1, x + 0.007 / aspect, fenceTop, scale(post, 0.6));
    fillDisc(canvas, x, 0.1, 0.026, [2.6, 2.5, 2.3], 1, true);
    addGlow(canvas, x, 0.1, 0.12, [0.3, 0.29, 0.26]);
  }
}

/** The far half: a darker run behind the base line, and the lines that meet far away. */
function paintCourt(input: BackdropInput): void {
  const { canvas, plan, aspect } = input;
  const light = arriving(input, 0.85);
  const court = multiply(plan.surfaceColor, light);
  const run = mix(scale(court, 0.72), multiply(fromHex("#3f6b50"), light), 0.35);
  const paint = multiply(white, arriving(input, 0.7));
  const line = courtEnd + 0.055;
  fillBox(canvas, 0, courtEnd, 1, 1, run);
  // Both side lines run to one point above the middle of the base line.
  const half = (y: number) => ((0.62 + 2.1 * (y - line)) * 0.62) / aspect;
  const side = (way: number, y: number, aside: number) => 0.5 + way * (half(y) + aside * (0.4 + 2 * (y - line)));
  fillQuad(
    canvas,
    [
      [side(-1, line, 0), line],
      [side(1, line, 0), line],
      [side(1, 1.02, 0), 1.02],
      [side(-1, 1.02, 0), 1.02],
    ],
    court,
  );
  for (const way of [-1, 1]) {
    fillQuad(
      canvas,
      [
        [side(way, line, -0.012), line],
        [side(way, line, 0.012), line],
        [side(way, 1.02, 0.012), 1.02],
        [side(way, 1.02, -0.012), 1.02],
      ],
      paint,
    );
  }
  fillBox(canvas, side(-1, line, 0.012), line - 0.004, side(1, line, 0.012), line + 0.008, paint);
}

/** Black cords with a white tape along the top, which sags to the strap in the middle. */
function paintNet(input: BackdropInput): void {
  const { canvas, plan, aspect, random } = input;
  if (plan.without.has("drawing:tennis")) return;
  const { width, height, planes } = canvas;
  const cord = scale(arriving(input, 0.3), 0.035);
  const cloth = multiply(white, arriving(input, 0.75));
  const middle = 0.5 + random.between(-0.2, 0.2);
  const strap = 0.016 / aspect;
  const last = Math.min(height, Math.round(foot * height));
  for (let column = 0; column < width; column++) {
    const x = (column + 0.5) / width;
    const top = tape + 0.03 * (1 - smoothstep(0, 0.8, Math.abs(x - middle)));
    const upright = cordAt((x * aspect) / strands);
    const isStrap = 1 - smoothstep(0.7, 1.3, Math.abs(x - middle) / strap);
    for (let row = Math.floor((top - 0.02) * height); row < last; row++) {
      const below = (row + 0.5) / height - top;
      const inNet = smoothstep(-soft, soft, below);
      const isTape = smoothstep(-soft, soft, below + 0.008) * smoothstep(-soft, soft, 0.036 - below);
      const knots = inNet * (1 - (1 - upright) * (1 - cordAt(below / strands)));
      const white = Math.max(isTape, inNet * isStrap);
      const shade = 1 - 0.4 * isTape * smoothstep(0.024, 0.034, below);
      for (let c = 0; c < 3; c++) {
        const plane = planes[c]!;
        const at = row * width + column;
        plane[at]! += (cord[c]! - plane[at]!) * knots;
        plane[at]! += (cloth[c]! * shade - plane[at]!) * white;
      }
    }
  }
}

/** From one cord to the next, and how soft its edges are; shares of the canvas's height. */
const strands = 0.024;
const soft = 0.005;

/** How much of what is behind it a cord hides, out of focus; they are one apart. */
function cordAt(along: number): number {
  const away = along - Math.round(along);
  return 0.42 * Math.exp(-0.5 * (away / 0.19) ** 2);
}
