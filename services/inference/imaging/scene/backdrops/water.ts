/** The sea behind dunes, a lake below woods, a pool, and the sea from below. */

import { addGlow, blurCanvas, fillDisc, lensBlur, shadePixels } from "../canvas/canvas.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { fromHex, luminance, mix, multiply, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { fillStrokes, type Leaf } from "../canvas/strokes.ts";
import type { BackdropInput } from "./painter.ts";
import { paintMountains } from "./peaks.ts";
import { paintFoliage } from "./plants.ts";
import { paintSea } from "./sky.ts";
import { keyAndAmbient } from "./walls.ts";

/** Dunes with grass rise at both sides, and between them lies the sea. */
export function paintCoastDunes(input: BackdropInput): void {
  paintSea(input);
  const { canvas, plan, noise, horizonY, lampSide } = input;
  const lit = keyAndAmbient(input, 0.7);
  const sand = multiply(fromHex("#d8c090"), lit);
  const room = 1 - horizonY;
  const crestAt = (x: number, near: number) => {
    const side = Math.abs(x - 0.5 - 0.06 * lampSide) * 2;
    const rise = smoothstep(0.18 + 0.2 * near, 1.05, side);
    return 1 - room * (0.12 + (0.98 - 0.3 * near) * rise) - 0.05 * (noise.fractal(x * 3 + 30 * near, 9, 2, 0.01) - 0.5);
  };
  for (const near of [0, 1]) {
    for (let column = 0; column < canvas.width; column++) {
      const x = (column + 0.5) / canvas.width;
      const crest = crestAt(x, near);
      const slope = (crestAt(x + 0.02, near) - crest) * lampSide;
      for (let row = Math.max(0, Math.floor(crest * canvas.height)); row < canvas.height; row++) {
        const below = row / canvas.height - crest;
        const shade =
          (0.86 + 0.14 * near + 3 * slope) * (1 - 0.25 * Math.min(1, below * 4)) +
          0.1 * (noise.fractal(x * 18, row / 9, 2, 0.02) - 0.5);
        for (let c = 0; c < 3; c++) canvas.planes[c]![row * canvas.width + column] = sand[c]! * Math.max(0.3, shade);
      }
    }
    if (!plan.without.has("plants"))
      fillStrokes(
        canvas,
        duneGrass(input, (x) => crestAt(x, near), lit),
      );
  }
  lensBlur(canvas, 0.009);
  blurCanvas(canvas, 0.003);
}

/** Tufts along a crest, leaning with the wind. */
function duneGrass({ random, aspect }: BackdropInput, crestAt: (x: number) => number, lit: LinearRgb): Leaf[] {
  const tufts = Math.round(26 * aspect);
  return Array.from({ length: tufts }).flatMap(() => {
    const x = random.next();
    if (Math.abs(x - 0.5) < 0.14) return [];
    const foot = crestAt(x) + random.between(0.005, 0.14);
    return Array.from({ length: 11 }, (): Leaf => {
      const color = multiply(
        fromHex(random.pick(["#a3a562", "#7f8a4a", "#c2b878"])),
        scale(lit, random.between(0.6, 1)),
      );
      const angle = Math.PI / 2 + random.between(-0.75, 0.45);
      return {
        kind: "leaf",
        x: x + random.between(-0.012, 0.012),
        y: foot,
        angle,
        long: random.between(0.07, 0.15),
        wide: 0.006,
        color,
      };
    });
  });
}

/** Woods on the far shore, and their dark image in the water. */
export function paintLake(input: BackdropInput): void {
  paintSea(input);
  const { canvas, plan, noise, horizonY } = input;
  const { key, ambient, horizon } = plan.lighting;
  const light = Math.min(1, 0.7 * luminance(key) + luminance(ambient));
  const seed = 13;
  for (const [far, tall, tint] of [
    [0.62, 0.2, "#6d8272"],
    [0.25, 0.1, "#40583f"],
  ] as const) {
    const trees = scale(mix(fromHex(tint), horizon, far), light);
    for (let column = 0; column < canvas.width; column++) {
      const x = ((column + 0.5) / canvas.width) * input.aspect;
      const hill = tall * (0.35 + noise.fractal(x * 1.3 + seed * far, 2, 2, 0.01));
      const crowns = 0.03 * (1 - far) * noise.fractal(x * 26, 5, 2, 0.01);
      const top = horizonY - (hill + crowns) * (0.4 + 0.6 * horizonY);
      for (let row = Math.max(0, Math.floor(top * canvas.height)); row < canvas.height; row++) {
        const y = (row + 0.5) / canvas.height;
        const mirrored = y > horizonY;
        // Ripples break the image the more the nearer it is.
        const share = mirrored ? 0.6 * (1 - smoothstep(0, 0.9 * (horizonY - top) + 0.01, y - horizonY)) : 1;
        if (share <= 0) break;
        const rough = 0.8 + 0.4 * noise.fractal(x * 20 + seed, y * (mirrored ? 90 : 26), 3, 0.02);
        const at = row * canvas.width + column;
        for (let c = 0; c < 3; c++) {
          const plane = canvas.planes[c]!;
          plane[at]! += (trees[c]! * rough * (mirrored ? 0.8 : 1) - plane[at]!) * share;
        }
      }
    }
  }
  blurCanvas(canvas, 0.007);
}

/** Where the water of a mountain lake begins, at the least, as a share of the canvas's height. */
const farShoreMin = 0.7;

/** Summits above calm water that mirrors them. */
export function paintMountainLake(input: BackdropInput): void {
  paintMountains(input);
  const { canvas, plan, noise, aspect } = input;
  const shore = Math.floor(Math.max(farShoreMin, input.horizonY + 0.02) * canvas.height);
  const image = canvas.planes.map((plane) => plane.slice());
  const water = scale(plan.backdropColor, luminance(plan.lighting.ambient) + 0.5 * luminance(plan.lighting.key));
  for (let row = shore; row < canvas.height; row++) {
    const depth = (row - shore) / canvas.height;
    for (let column = 0; column < canvas.width; column++) {
      const x = ((column + 0.5) / canvas.width) * aspect;
      // Ripples are longer and break the image more the nearer they are.
      const ripple = noise.fractal(x * 3, (depth + 0.02) ** 0.6 * 90, 3, 0.02) - 0.5;
      const seen = 1.9 * (row - shore) * (1 + 0.5 * ripple) + depth * 60 * ripple;
      const from = Math.min(shore - 1, Math.max(0, Math.round(shore - 1 - seen))) * canvas.width + column;
      const clear = 0.82 - 0.9 * depth;
      for (let c = 0; c < 3; c++) {
        const shade = water[c]! * (0.75 + 0.7 * ripple);
        canvas.planes[c]![row * canvas.width + column] = shade + (0.9 * image[c]![from]! - shade) * clear;
      }
    }
  }
  blurCanvas(canvas, 0.005);
}

const corals = ["#e58a7c", "#d98fb4", "#e7b46a", "#9d86c8", "#c9606a"] as const;

/** Light that falls through waves, and a reef at both sides. */
export function paintUnderwater(input: BackdropInput): void {
  const { canvas, plan, noise, random, aspect, lampSide } = input;
  const light = Math.min(1, 0.6 * luminance(plan.lighting.key) + 0.6 * luminance(plan.lighting.ambient));
  const deep = mix(plan.backdropColor, fromHex("#0b3f5c"), 0.6);
  const high = mix(plan.backdropColor, fromHex("#9fe6e6"), 0.7);
  shadePixels(canvas, (x, y, out) => {
    const down = smoothstep(-0.1, 0.95, y);
    // Shafts fan out from the sun above the image.
    const turn = Math.atan2(y + 0.45, (x - 0.5 - 0.2 * lampSide) * aspect);
    const shaft = smoothstep(0.52, 0.8, noise.fractal(turn * 9, 3, 2, 0.01)) * (1 - down) ** 0.8;
    for (let c = 0; c < 3; c++) out[c] = light * (high[c]! * (1 - down) + deep[c]! * down + shaft * 0.5 * high[c]!);
  });
  addGlow(canvas, 0.5 + 0.2 * lampSide, -0.05, 0.5, scale(high, 0.5 * light));
  if (!plan.without.has("plants")) {
    for (const near of [0, 0.5, 1]) {
      fillStrokes(canvas, reef(input, near, deep, light));
      blurCanvas(canvas, 0.006);
    }
  }
  for (let i = 0; i < 34; i++) {
    const x = 0.5 + random.between(-0.48, 0.48);
    fillDisc(canvas, x, random.next(), random.between(0.004, 0.016), scale(high, 0.35 * light), 1, true, 0.5);
  }
  lensBlur(canvas, 0.011);
  blurCanvas(canvas, 0.004);
}

/** Fans and fingers of coral, bluer the further away. */
function reef({ random, aspect }: BackdropInput, near: number, deep: LinearRgb, light: number): Leaf[] {
  const fans = Math.round((7 - 2 * near) * aspect);
  return Array.from({ length: fans }).flatMap((_, i) => {
    const side = i % 2 === 0 ? -1 : 1;
    const x = 0.5 + side * random.between(0.14 + 0.16 * near, 0.54);
    const tall = (0.16 + 0.2 * near) * (0.5 + 1.1 * Math.abs(x - 0.5)) * random.between(0.9, 1.5);
    const own = mix(deep, fromHex(random.pick(corals)), 0.3 + 0.5 * near);
    return Array.from({ length: 15 }, (__, finger): Leaf => {
      const angle = Math.PI / 2 + (finger / 14 - 0.5) * 2 + random.between(-0.1, 0.1);
      const color = scale(own, light * random.between(0.55, 1.1));
      return { kind: "leaf", x, y: 1.02, angle, long: tall * random.between(0.75, 1.1), wide: tall * 0.09, color };
    });
  });
}

/** A pool between its light rims, its water rippled by the sun, before a garden. */
export function paintPool(input: BackdropInput): void {
  paintFoliage(input);
  const { canvas, noise, aspect } = input;
  const lit = keyAndAmbient(input, 0.75);
  const rim = multiply(fromHex("#e9e4d8"), lit);
  const water = multiply(fromHex("#3fb8c8"), lit);
  const deep = multiply(fromHex("#1f8aa6"), lit);
  const top = 0.5;
  const foot = 0.93;
  for (let row = Math.floor((top - 0.05) * canvas.height); row < canvas.height; row++) {
    const y = (row + 0.5) / canvas.height;
    const near = Math.max(0, (y - top) / (foot - top));
    for (let column = 0; column < canvas.width; column++) {
      const x = ((column + 0.5) / canvas.width - 0.5) * aspect;
      const isWater = y > top && y < foot;
      const u = (x * 5) / (0.3 + near);
      const v = 2.4 / (0.2 + near);
      // Where waves gather the sun's light, bright lines meet on the floor of the pool.
      const net = Math.abs(noise.fractal(u + 40, v * 3, 3, 0.02) - 0.5);
      const bright = (1 - smoothstep(0, 0.06, net)) * 0.5;
      const share = smoothstep(0, 1, near);
      const at = row * canvas.width + column;
      for (let c = 0; c < 3; c++) {
        const body = deep[c]! + (water[c]! - deep[c]!) * share;
        canvas.planes[c]![at] = isWater ? body + (rim[c]! - body) * bright : rim[c]! * (y < top ? 1 : 0.9);
      }
    }
  }
  blurCanvas(canvas, 0.008);
}
