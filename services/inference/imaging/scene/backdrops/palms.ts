/** Palm trees with their trunks, before a bright sky: near ones at the sides, small ones at the water or the hedge. */

import { blurCanvas, fillBox, fillDisc, lensBlur } from "../canvas/canvas.ts";
import { fromHex, fromHsl, type LinearRgb, luminance, mix, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { fillStrokes, type Stroke } from "../canvas/strokes.ts";
import type { BackdropInput } from "./painter.ts";
import { paintSea, paintSkyGradient } from "./sky.ts";

const leafGreen = fromHex("#7d9a5e");

export function paintPalmGrove(input: BackdropInput): void {
  const { canvas, plan, random, aspect } = input;
  const hasPlants = !plan.without.has("plants");
  if (plan.backdrop === "sea") {
    paintSea(input);
    if (hasPlants) paintSpit(input);
  } else {
    paintSkyGradient(input, 1);
    if (hasPlants) paintHedge(input);
  }
  if (hasPlants && plan.backdrop !== "sea") {
    const far = Math.round(3 * aspect);
    for (let i = 0; i < far; i++) {
      const x = (i + random.between(0.1, 0.9)) / far;
      fillStrokes(canvas, palm(input, x, 0.96, random.between(0.3, 0.46), random.between(-0.1, 0.1), 0.32));
    }
    fillStrokes(canvas, palmsAtSides(input));
  }
  if (plan.backdrop !== "sea") lensBlur(canvas, 0.01);
  blurCanvas(canvas, plan.backdrop === "sea" ? 0.006 : 0.004);
}

/** A tongue of sand that reaches into the bay, with bushes and palms on it. */
function paintSpit(input: BackdropInput): void {
  const { canvas, plan, noise, random, aspect, horizonY, lampSide } = input;
  const side = lampSide > 0 ? -1 : 1;
  const light = 0.3 + 0.7 * Math.min(1.1, luminance(plan.lighting.ambient) + 0.6 * luminance(plan.lighting.key));
  const long = 0.42;
  const edge = 0.5 + side * 0.5;
  const water = 1 - horizonY;
  const footAt = (share: number) => horizonY + water * (0.12 + 0.2 * (1 - share) ** 1.5);
  const steps = 90;
  for (let i = 0; i < steps; i++) {
    const share = i / steps;
    const x = edge - side * long * share;
    const from = Math.min(x, x - (side * long) / steps) - 0.002;
    const to = Math.max(x, x - (side * long) / steps) + 0.002;
    const foot = footAt(share);
    const high = (0.05 + 0.09 * noise.fractal(x * 7 * aspect, 3, 3, 0.01)) * (1 - share ** 3);
    fillBox(
      canvas,
      from,
      horizonY - high,
      to,
      foot,
      scale(mix(plan.backdropColor, fromHsl(105, 0.34, 0.24), 0.85), light * 0.7),
    );
    fillBox(canvas, from, horizonY + 0.05 * water * (1 - share), to, foot, scale(plan.floorColor, light * 0.95));
    fillBox(canvas, from, foot, to, foot + 0.022 * water + 0.004, scale([0.9, 0.93, 0.92], light), 0.75);
  }
  for (let i = 0; i < 90; i++) {
    const share = random.next() ** 1.4;
    const green = fromHsl(random.between(85, 118), 0.34, random.between(0.18, 0.36));
    const y = horizonY + random.between(-0.05, 0.05) * (1 - share);
    fillDisc(
      canvas,
      edge - side * long * share,
      y,
      random.between(0.016, 0.034) * (1 - 0.4 * share),
      scale(green, light),
      0.9,
    );
  }
  const palms = 6;
  for (let i = 0; i < palms; i++) {
    const share = 0.84 * ((i + random.between(0.2, 0.8)) / palms);
    const foot = horizonY + 0.5 * (footAt(share) - horizonY);
    const tall = Math.min(horizonY * 1.02, random.between(0.34, 0.52) * (1.1 - 0.35 * share) + 0.08);
    const lean = -side * random.between(0.02, 0.3);
    fillStrokes(canvas, palm(input, edge - side * long * share, foot, tall, lean, 0.1 + 0.1 * share));
  }
}

/** Tall palms at the sides, and a lower one beside the one that is farther from the light. */
export function palmsAtSides(input: BackdropInput): readonly Stroke[] {
  const { random } = input;
  return [-1, 1].flatMap((side) => {
    const crown = 0.5 + side * random.between(0.34, 0.42);
    const tall = random.between(0.86, 0.96);
    const great = palm(input, crown + side * 0.03, 1.05, tall, -side * random.between(0.02, 0.12), 0);
    const isLamp = side * input.lampSide > 0;
    if (isLamp) return great;
    const x = crown - side * random.between(0.1, 0.15);
    return [...palm(input, x, 1.02, random.between(0.58, 0.7), side * 0.05, 0.2), ...great];
  });
}

/**
 * A trunk that leans and bends, with rings, and a crown of fronds that hang down.
 *
 * @param haze how much of the sky's color it takes
 */
function palm(input: BackdropInput, x: number, foot: number, tall: number, lean: number, haze: number): Stroke[] {
  const { plan, random, aspect } = input;
  const lampSide = input.lampSide > 0 ? 1 : -1;
  const light = 0.3 + 0.7 * Math.min(1.1, luminance(plan.lighting.ambient) + 0.6 * luminance(plan.lighting.key));
  const air = mix(scale(plan.lighting.horizon, 0.8), scale(leafGreen, light), 0.4);
  const tint = (color: LinearRgb, power: number) => mix(scale(color, light * power), air, haze);
  const bark = fromHex("#8b7355");
  const steps = tall > 0.55 ? 26 : 14;
  const atShare = (share: number) => ({ x: x + (lean * tall * share ** 1.7) / aspect, y: foot - tall * share });
  const strokes: Stroke[] = [];
  for (let step = 0; step < steps; step++) {
    const to = atShare((step + 1) / steps);
    strokes.push({
      kind: "stem",
      ...atShare(step / steps),
      toX: to.x,
      toY: to.y,
      thick: tall * (0.044 - 0.022 * (step / steps)),
      color: tint(bark, step % 2 === 0 ? 0.95 : 0.72),
      shaded: tint(bark, 0.4),
      lampSide,
    });
  }
  const crown = atShare(1);
  const isTall = tall > 0.55;
  const fronds = isTall ? random.integer(12, 14) : 10;
  for (let i = 0; i < fronds; i++) {
    const angle = (Math.PI * 2 * (i + random.between(0.1, 0.9))) / fronds;
    const power = (Math.sin(angle) < -0.1 ? 0.55 : 0.95) + 0.3 * Math.cos(angle) * lampSide;
    const green = fromHsl(random.between(78, 106), random.between(0.22, 0.38), random.between(0.26, 0.44));
    strokes.push(...frond(input, crown, angle, tall * random.between(0.42, 0.58), tint(green, power)));
  }
  return strokes;
}

/** A shorter frond shows fewer leaflets. */
const fineFrondMin = 0.26;

/** A rib that rises, then falls by its own weight, with leaflets that hang from it. */
function frond(
  { random, aspect }: BackdropInput,
  from: { readonly x: number; readonly y: number },
  angle: number,
  long: number,
  color: LinearRgb,
): Stroke[] {
  const isFine = long >= fineFrondMin;
  const steps = isFine ? 26 : 14;
  const across = Math.cos(angle);
  let rise = 0.95 * Math.sin(angle) + 0.5;
  let { x, y } = from;
  const leaves: Stroke[] = [];
  for (let step = 0; step < steps; step++) {
    const share = step / steps;
    // The rib is as long as it is, however steep.
    const stride = long / steps / Math.max(0.6, Math.hypot(across, rise));
    const nextX = x + (across * stride) / aspect;
    const nextY = y - rise * stride;
    rise -= (1.5 + 0.9 * share) / steps;
    const turn = Math.atan2(y - nextY, (nextX - x) * aspect);
    const size = long * (isFine ? 0.33 : 0.34) * Math.min(1, 0.35 + share * 2.6) * (1 - 0.6 * share);
    for (const way of [-1, 1]) {
      const droop = turn + way * (0.8 - 0.35 * share) + random.between(-0.07, 0.07);
      leaves.push({
        kind: "leaf",
        x,
        y,
        // Leaflets bend toward the ground.
        angle: droop - 0.6 * Math.abs(Math.cos(droop)) * Math.sign(Math.cos(droop)),
        long: size * random.between(0.8, 1.1),
        wide: (isFine ? 0.0075 : 0.0105) * (long / 0.4) ** 0.7,
        color: scale(color, 0.8 + 0.35 * random.next()),
      });
    }
    x = nextX;
    y = nextY;
  }
  return leaves;
}

/** Broad leaves of bushes that rise toward the sides. */
function paintHedge({ canvas, plan, noise, random, aspect }: BackdropInput): void {
  const light = 0.3 + 0.6 * Math.min(1.1, luminance(plan.lighting.ambient) + 0.6 * luminance(plan.lighting.key));
  const air = scale(plan.lighting.horizon, 0.85);
  for (let x = 0; x < 1; x += 0.02) {
    const high = 0.12 + 0.14 * noise.fractal(x * 3 * aspect, 5, 3, 0.01);
    const shade = mix(scale(mix(plan.backdropColor, fromHsl(110, 0.3, 0.2), 0.6), 0.5 * light), air, 0.2);
    fillBox(canvas, x, 1 - high, x + 0.025, 1, shade);
  }
  for (let row = 0; row < 3; row++) {
    for (let i = 0; i < 170; i++) {
      const x = random.next();
      const high = 0.12 + 0.16 * noise.fractal(x * 3 * aspect + row * 30, 5, 3, 0.01) + 0.22 * (2 - row) * 0.3;
      const y = 1.02 - high * random.next() ** 0.6;
      const shade = 0.3 + 0.75 * smoothstep(1, 1 - high, y) * random.next();
      const green = fromHsl(random.between(85, 125), random.between(0.28, 0.42), random.between(0.22, 0.36));
      const color = mix(scale(mix(green, plan.backdropColor, 0.4), light * shade), air, 0.28 - 0.13 * row);
      fillDisc(canvas, x, y, random.between(0.016, 0.04), color, 0.92);
    }
  }
}
