/** A stream out of focus: it comes from woods or mountains, winds toward the viewer and runs between stones below the product's bank. */

import { blurCanvas, fillCushion, lensBlur } from "../canvas/canvas.ts";
import { fromHex, type LinearRgb, mix, multiply, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { BackdropInput } from "./painter.ts";
import { paintMountains, valleyMin } from "./peaks.ts";
import { paintFoliage, paintSnowfield } from "./plants.ts";
import { keyAndAmbient } from "./walls.ts";

/** Where the water is seen first, in woods; among mountains it comes out of their valley. */
const springY = 0.62;
/** Nearer to the middle of the stream than this share of half its width, no bank is seen through the water. */
const openWater = 0.79;

interface Course {
  /** The middle of the water and half its width, as shares of the canvas's width, at a row. */
  readonly at: (y: number) => { readonly middle: number; readonly half: number; readonly near: number };
  readonly top: number;
}

function courseOf({ plan, lampSide, productHalf, aspect, noise, horizonY }: BackdropInput): Course {
  const side = lampSide > 0 ? -1 : 1;
  const top = plan.backdrop === "mountains" ? Math.max(valleyMin, horizonY) + 0.04 : springY;
  const far = 0.5 + side * Math.min(0.36, productHalf + 0.14);
  const at = (y: number) => {
    const near = Math.min(1, Math.max(0, (y - top) / (1 - top)));
    // It winds: straight, its banks would be the flanks of a heap.
    const winding = 0.17 * Math.sin(2.1 * Math.PI * near ** 0.8) * (1 - near) ** 0.7;
    const bend = 0.3 * near * (1 - near) * (noise.at(near * 2.6 + 5, 31) - 0.5) - winding;
    const middle = far + (0.5 - far) * near ** 1.7 + side * bend;
    return { middle, half: (0.05 + 0.6 * near ** 2) / Math.min(1.6, aspect), near };
  };
  return { at, top };
}

export function paintStream(input: BackdropInput): void {
  if (input.plan.backdrop === "mountains") paintMountains(input);
  else if (input.plan.isSnowy) paintSnowfield(input);
  else paintFoliage(input);
  const course = courseOf(input);
  paintBanks(input, course);
  paintWater(input, course);
  lensBlur(input.canvas, 0.007);
  blurCanvas(input.canvas, 0.003);
}

const snow: LinearRgb = [0.86, 0.89, 0.94];

/** Grass and moss fall to the water at both sides, or snow lies there. */
function paintBanks(input: BackdropInput, { at, top }: Course): void {
  const { canvas, plan, noise, aspect, lampSide } = input;
  const { width, height, planes } = canvas;
  const light = keyAndAmbient(input, 0.5);
  const green = plan.backdrop === "mountains" ? fromHex("#77804a") : mix(fromHex("#5d6a38"), plan.backdropColor, 0.5);
  const grass = multiply(plan.isSnowy ? snow : green, light);
  // Snow is bright and has no tufts.
  const [facingMean, rough] = plan.isSnowy ? [1.2, 0.35] : [0.72, 1];
  const earth = multiply(fromHex("#3f352a"), light);
  for (let row = Math.floor(top * height); row < height; row++) {
    const y = (row + 0.5) / height;
    const { middle, half, near } = at(y);
    const covers = smoothstep(0, 0.32, near);
    for (let column = 0; column < width; column++) {
      const x = (column + 0.5) / width;
      if (Math.abs(x - middle) < openWater * half) continue;
      const beside = (Math.abs(x - middle) - half) / (0.03 + 0.16 * near);
      const tuft = noise.fractal(x * aspect * 11, (y * 18) / (0.4 + near), 3, 0.02) - 0.5;
      const patch = noise.fractal(x * aspect * 2.4 + 7, (y * 9) / (0.3 + near), 3, 0.02) - 0.5;
      const wet = 1 - smoothstep(0.02, 0.5, beside + 0.4 * tuft);
      const facing = facingMean + rough * (1.1 * tuft + 0.9 * patch) + 0.12 * Math.sign(x - middle) * -lampSide;
      const index = row * width + column;
      for (let c = 0; c < 3; c++) {
        const bank = grass[c]! * Math.max(0.25, facing) * (1 - wet) + earth[c]! * wet;
        planes[c]![index]! += (bank - planes[c]![index]!) * covers;
      }
    }
  }
}

/** It mirrors the sky in streaks, runs white over stones, and shows its bed at the edges. */
function paintWater(input: BackdropInput, { at, top }: Course): void {
  const { canvas, plan, noise, aspect } = input;
  const { width, height, planes } = canvas;
  const { horizon, zenith } = plan.lighting;
  const light = keyAndAmbient(input, 0.6);
  const sky = scale(mix(horizon, zenith, 0.35), 0.8);
  const bed = multiply(plan.isSnowy ? fromHex("#47525a") : mix(fromHex("#4f5b45"), plan.backdropColor, 0.2), light);
  const foam = multiply([0.92, 0.96, 0.98], light);
  for (let row = Math.floor(top * height); row < height; row++) {
    const y = (row + 0.5) / height;
    const { middle, half, near } = at(y);
    for (let column = 0; column < width; column++) {
      const x = (column + 0.5) / width;
      const across = (x - middle) / half;
      const edge = 1 - smoothstep(0.86, 1.02, Math.abs(across) + 0.12 * (noise.at(x * 24, y * 40) - 0.5));
      if (edge <= 0) continue;
      const run = near ** 0.55 * 26;
      const ripple = noise.fractal((x - middle) * aspect * (5 / (0.25 + near)), run, 3, 0.02);
      const mirrors = smoothstep(0.3, 0.68, ripple) * (0.55 + 0.35 * (1 - near));
      const crest = smoothstep(0.4, 0.62, ripple);
      const rapid = crest === 0 ? 0 : noise.fractal(across * 1.6 + 20, run * 0.55 + 3, 3, 0.02);
      const white = 0.85 * smoothstep(0.57, 0.7, rapid) * crest;
      const index = row * width + column;
      for (let c = 0; c < 3; c++) {
        const clear = bed[c]! * (0.75 + 0.5 * ripple);
        const body = clear + (sky[c]! - clear) * mirrors;
        const water = body + (foam[c]! - body) * white;
        planes[c]![index]! += (water - planes[c]![index]!) * edge;
      }
    }
  }
  layStones(input, at, top);
}

const stones = ["#7d7a73", "#6a6660", "#94908a", "#57534d"] as const;
const mossy = "#66753a";

/** Boulders along both banks and some in the water, the farthest first. */
function layStones(input: BackdropInput, at: Course["at"], top: number): void {
  const { canvas, plan, random, lampSide, aspect } = input;
  const light = keyAndAmbient(input, 0.65);
  const nears = Array.from({ length: 46 }, () => random.next()).toSorted((a, b) => a - b);
  for (const depth of nears) {
    const y = top + (1 - top) * (0.06 + 0.98 * depth);
    const { middle, half, near } = at(y);
    const isInWater = random.chance(0.25);
    const side = random.chance(0.5) ? 1 : -1;
    const x = middle + (isInWater ? random.between(-0.8, 0.8) * half : side * half * random.between(0.94, 1.18));
    const reach = (0.008 + 0.062 * near) * random.between(0.55, 1.25);
    const body: LinearRgb = multiply(fromHex(random.pick(stones)), light);
    const dry = random.chance(0.45) ? mix(body, multiply(fromHex(mossy), light), 0.7) : scale(body, 1.5);
    const crown: LinearRgb = plan.isSnowy && !isInWater ? multiply(snow, light) : dry;
    const lift = (0.22 * reach * lampSide) / aspect;
    fillCushion(canvas, x, y + 0.12 * reach, reach, 0.62 * reach, scale(body, 0.35), 2.6, 0.3);
    fillCushion(canvas, x, y - 0.12 * reach, 0.96 * reach, 0.6 * reach, body, 2.6, 0.25);
    fillCushion(canvas, x + lift, y - 0.28 * reach, 0.7 * reach, 0.4 * reach, crown, 2.2, 0.5);
  }
}
