import { addGlow, blurCanvas, fillBox, fillDisc, shadePixels, shadeSmoothly } from "../canvas/canvas.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { fromHex, luminance, mix, multiply, saturate, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { BackdropInput } from "./painter.ts";

/** Haze before all that is far, the densest near the horizon. */
export function paintFog({ canvas, plan, noise, horizonY, aspect }: BackdropInput): void {
  const { key, ambient, horizon } = plan.lighting;
  const light = Math.min(0.95, 1.35 * (luminance(ambient) + 0.5 * luminance(key)));
  const white = mix(horizon, [light, light, light], 0.7);
  for (let row = 0, at = 0; row < canvas.height; row++) {
    const y = (row + 0.5) / canvas.height;
    const thick = 0.13 + 0.3 * Math.exp(-(((y - Math.max(0.55, horizonY)) / 0.3) ** 2));
    for (let column = 0; column < canvas.width; column++, at++) {
      const x = ((column + 0.5) / canvas.width) * aspect;
      const drift = noise.fractal(x * 1.6, y * 5, 3, 0.02) - 0.5;
      const share = Math.min(0.92, Math.max(0, thick + 0.3 * drift));
      for (let c = 0; c < 3; c++) canvas.planes[c]![at]! += (white[c]! - canvas.planes[c]![at]!) * share;
    }
  }
}

/** Sky from the horizon to the zenith, with clouds and, when the sun is low, its glow. */
export function paintSkyGradient(input: BackdropInput, horizonY = 1): void {
  const { canvas, plan, noise, random, lampSide, aspect } = input;
  const { horizon, zenith, key } = plan.lighting;
  const low = plan.lightKind === "sunset" || plan.lightKind === "golden" || plan.lightKind === "morning";
  const cloudless = plan.without.has("clouds") ? 0 : 1;
  const cloudiness = plan.lightKind === "overcast" ? 0.36 : plan.backdrop === "sky" ? 0.47 : random.between(0.5, 0.6);
  const offset = random.between(0, 100);
  const isNight = plan.lightKind === "night" || plan.lightKind === "neon" || plan.lightKind === "blue-hour";
  const lit = isNight ? mix(horizon, key, 0.08) : mix(scale(key, 0.85), [0.9, 0.9, 0.92], low ? 0.15 : 0.75);
  const shaded = mix(zenith, horizon, 0.45);
  const light = Math.min(1, luminance(key) + luminance(plan.lighting.ambient));
  shadeSmoothly(canvas, (x, y, out) => {
    const up = Math.min(1, Math.max(0, (horizonY - y) / horizonY));
    const fade = up ** 0.7;
    const stretch = 0.35 + up;
    const cx = (x * aspect * 1.6) / stretch + offset;
    const cy = (up * 4.2) / stretch;
    const density = noise.fractal(cx, cy, 5, 0.01);
    const cloud = smoothstep(cloudiness, cloudiness + 0.25, density) * smoothstep(0.02, 0.2, up) * 0.8 * cloudless;
    const body = smoothstep(cloudiness, cloudiness + 0.4, noise.fractal(cx + 0.12 * lampSide, cy - 0.14, 4, 0.01));
    for (let c = 0; c < 3; c++) {
      const sky = horizon[c]! * (1 - fade) + zenith[c]! * fade;
      const white = lit[c]! * (1 - body * 0.7) + shaded[c]! * body * 0.7;
      out[c] = (sky * (1 - cloud) + white * cloud) * (0.35 + 0.65 * light);
    }
  });
  if (low) {
    const sunX = 0.5 + 0.44 * lampSide;
    const sunY = horizonY * (plan.lightKind === "sunset" ? 0.86 : 0.72);
    addGlow(canvas, sunX, sunY, 0.5, scale(key, 0.5));
    addGlow(canvas, sunX, sunY, 0.16, scale(key, 0.9));
    fillDisc(canvas, sunX, sunY, 0.045, scale(mix(key, [1, 0.95, 0.8], 0.5), 1.6), 1, true, 0.6);
  }
}

/** A bank of clouds that grows denser toward the horizon, lit from above at the lamp's side. */
export function paintSky(input: BackdropInput): void {
  const { canvas, plan, noise, aspect, lampSide, random } = input;
  paintSkyGradient(input, input.horizonY);
  const { horizon, zenith, key, ambient } = plan.lighting;
  const light = Math.min(1, luminance(key) + luminance(ambient));
  const white = mix(scale([1, 1, 1], light), scale(horizon, light), 0.25);
  const shade = scale(mix(horizon, zenith, 0.42), 0.86 * light);
  const offset = random.between(0, 90);
  const densityAt = (x: number, y: number) =>
    noise.fractal(x * aspect * 1.9 + offset, y * 3.4 + offset, 6, 0.01) + 0.42 * (y - 0.62);
  const hasClouds = !plan.without.has("clouds");
  for (let row = 0, at = 0; hasClouds && row < canvas.height; row++) {
    const y = (row + 0.5) / canvas.height;
    for (let column = 0; column < canvas.width; column++, at++) {
      const x = (column + 0.5) / canvas.width;
      const density = densityAt(x, y);
      const share = smoothstep(0.46, 0.58, density);
      if (share === 0) continue;
      const facing = density - densityAt(x + 0.035 * lampSide, y - 0.07);
      const lit = Math.min(1, Math.max(0, 0.62 + 3.2 * facing));
      for (let c = 0; c < 3; c++) {
        const plane = canvas.planes[c]!;
        const color = shade[c]! + (white[c]! - shade[c]!) * lit;
        plane[at]! += (color - plane[at]!) * share;
      }
    }
  }
  blurCanvas(canvas, 0.008);
}

export function paintSea(input: BackdropInput): void {
  const { canvas, plan, noise, random, lampSide, horizonY } = input;
  paintSkyGradient(input, horizonY);
  const { horizon, zenith, key, ambient } = plan.lighting;
  const light = Math.min(1, luminance(key) + luminance(ambient));
  const sunX = 0.5 + 0.44 * lampSide;
  const low = plan.lightKind === "sunset" || plan.lightKind === "golden";
  const body = mix(
    multiply(plan.backdropColor, mix(key, [0.8, 0.85, 0.9], 0.6)),
    mix(horizon, zenith, 0.5),
    low ? 0.35 : 0.2,
  );
  const sky = meanSkyColor(input, horizonY);
  for (let row = Math.floor(horizonY * canvas.height); row < canvas.height; row++) {
    const y = (row + 0.5) / canvas.height;
    const near = (y - horizonY) / (1 - horizonY);
    for (let column = 0; column < canvas.width; column++) {
      const x = (column + 0.5) / canvas.width;
      const wave = noise.fractal(((x - 0.5) * 9 * input.aspect) / (0.25 + near) + 60, 3 / (0.06 + near) + 40, 3, 0.02);
      const glint = low
        ? Math.exp(-(((x - sunX) / (0.06 + 0.06 * near)) ** 2)) * smoothstep(0.36, 0.72, wave) * (1.2 - 0.6 * near)
        : smoothstep(0.68, 0.82, wave) * 0.35;
      const foam =
        smoothstep(0.88, 0.97, near + 0.07 * (noise.at(x * 7, 5) - 0.5)) * (1 - smoothstep(0.975, 1, near)) * 0.75;
      const at = row * canvas.width + column;
      for (let c = 0; c < 3; c++) {
        const mirrored = sky[c]!;
        const water = body[c]! * (0.62 + 0.5 * wave) * light + mirrored * 0.22 * (1 - near * 0.7);
        const value = water + glint * key[c]!;
        canvas.planes[c]![at] = value * (1 - foam) + foam * light * (0.75 * horizon[c]! + 0.15);
      }
    }
  }
  if (random.chance(0.5)) paintHeadland(input, horizonY, mix(scale(plan.backdropColor, 0.35), horizon, 0.45), light);
  blurCanvas(canvas, 0.009);
}

/** The mean color just above the horizon, which the sea reflects. */
function meanSkyColor({ canvas }: BackdropInput, horizonY: number): LinearRgb {
  const row = Math.floor(horizonY * canvas.height * 0.8);
  const mean = (plane: Float32Array) => {
    let sum = 0;
    for (let x = 0; x < canvas.width; x++) sum += plane[row * canvas.width + x]!;
    return sum / canvas.width;
  };
  return [mean(canvas.planes[0]), mean(canvas.planes[1]), mean(canvas.planes[2])];
}

function paintHeadland(
  { canvas, noise, lampSide }: BackdropInput,
  horizonY: number,
  color: LinearRgb,
  light: number,
): void {
  const steps = 80;
  for (let i = 0; i < steps; i++) {
    const x = i / steps;
    const side = lampSide > 0 ? 1 - x : x;
    const top = horizonY - Math.max(0, side - 0.5) * 0.16 * (0.6 + noise.at(x * 9, 77));
    if (top < horizonY) fillBox(canvas, x, top, x + 1.2 / steps, horizonY + 0.004, scale(color, light));
  }
}

/** From this share of the relief above a ridge's foot on, mountains are white. */
const snowLine = 0.17;
const snowyLine = 0.02;

const woods = fromHex("#3d5a41");

/** Ridges behind each other; the further away, the more they take the color of the haze (aerial perspective). */
function paintRidges(input: BackdropInput, near: LinearRgb, count: number, sharpness: number, relief: number): void {
  const { canvas, plan, noise, random, lampSide } = input;
  const { horizon, key, ambient } = plan.lighting;
  const isRocky = plan.backdrop !== "dunes";
  const snowFrom = plan.backdrop !== "mountains" ? 9 : plan.isSnowy ? snowyLine : snowLine;
  const light = Math.min(1, 0.7 * luminance(key) + luminance(ambient));
  const isPeaked = plan.backdrop === "mountains";
  const heightAt = (x: number, seed: number, octaves: number) => {
    const even = noise.fractal(x * sharpness * input.aspect * (isPeaked ? 0.45 : 1) + seed, 3, octaves, 0.01);
    return isPeaked ? 0.05 + 0.8 * (1 - Math.abs(2 * even - 1)) ** 1.25 : even;
  };
  for (let layer = 0; layer < count; layer++) {
    const depth = layer / Math.max(1, count - 1);
    const base = input.horizonY - 0.1 + 0.14 * depth;
    const seed = random.between(0, 200);
    // The nearest slopes of a mountain are wooded.
    const ground = isPeaked && depth > 0.6 ? mix(near, woods, 0.55) : near;
    const color = mix(scale(horizon, 0.78), multiply(ground, mix(key, [0.8, 0.8, 0.8], 0.5)), 0.22 + 0.7 * depth);
    const snow = mix(
      scale(horizon, 0.85),
      multiply([0.9, 0.95, 1.04], mix(key, [0.86, 0.9, 1], 0.75)),
      0.5 + 0.45 * depth,
    );
    const tall = relief * (1 - 0.35 * depth);
    for (let column = 0; column < canvas.width; column++) {
      const x = (column + 0.5) / canvas.width;
      const slope = heightAt(x, seed, sharpness > 2 ? 5 : 2);
      const ahead = heightAt(x + 0.02 * lampSide, seed, 2);
      const top = Math.max(0, base - (slope - 0.3) * tall);
      const steep = 1 + Math.max(-0.45, Math.min(0.6, (slope - ahead) * 7));
      for (let row = Math.floor(top * canvas.height); row < canvas.height; row++) {
        const below = (row / canvas.height - top) / (1.001 - top);
        // Slopes have scree and trees; sand has none.
        const rough = isRocky
          ? 0.78 + 0.44 * noise.fractal(x * 11 * input.aspect + seed, row / canvas.height / 0.07, 4, 0.02)
          : 1;
        // Spurs run down a mountain aslant, so that its sides are not striped.
        const spur = isPeaked
          ? noise.fractal((x + 0.3 * below * lampSide) * 9 * input.aspect + seed, 2 * below, 3, 0.01)
          : 0.5;
        const facing = Math.max(0.3, steep + 1.5 * (spur - 0.5));
        const shade = light * rough * (facing + (1 - facing) * Math.min(1, below * 2.5)) * (1 - 0.18 * below);
        const above = (base - row / canvas.height) / tall + 0.5 * (rough - 1);
        const white = smoothstep(snowFrom - 0.07, snowFrom + 0.07, above);
        const shaded = light * (plan.isSnowy ? 0.35 + 0.65 * facing : 0.6 + 0.4 * facing) * (0.35 + 0.65 * rough);
        const at = row * canvas.width + column;
        for (let c = 0; c < 3; c++) {
          canvas.planes[c]![at] = color[c]! * shade * (1 - white) + snow[c]! * shaded * white;
        }
      }
    }
  }
}

export function paintDunes(input: BackdropInput): void {
  paintSkyGradient(input, input.horizonY);
  paintRidges(input, saturate(input.plan.backdropColor, 1.05), 3, 1.4, 0.42);
  blurCanvas(input.canvas, 0.013);
}

/** Land without hills still has hedges and dikes. */
const polderRelief = 0.035;

export function paintHills(input: BackdropInput): void {
  paintSkyGradient(input, input.horizonY);
  paintRidges(input, input.plan.backdropColor, 4, 1.8, input.plan.isFlat ? polderRelief : 0.36);
  blurCanvas(input.canvas, 0.012);
}

export function paintStars(input: BackdropInput): void {
  const { canvas, plan, noise, random, aspect } = input;
  const cloud = saturate(mix(plan.backdropColor, plan.accent, 0.3), 1.3);
  shadePixels(canvas, (x, y, out) => {
    const warp = noise.fractal(x * 2 * aspect, y * 2, 4, 0.01);
    const band = Math.exp(-((y - 0.35 - 0.3 * (x - 0.5) + (warp - 0.5) * 0.5) ** 2) * 9);
    const dust = smoothstep(0.4, 0.75, noise.fractal(x * 4 * aspect + warp, y * 4, 5, 0.01));
    for (let c = 0; c < 3; c++) out[c] = 0.006 + cloud[c]! * (0.1 + 0.9 * band) * (0.25 + dust) * 0.55;
  });
  for (let i = 0; i < 420; i++) {
    const bright = random.next() ** 5;
    fillDisc(
      canvas,
      random.next(),
      random.next(),
      0.0025 + 0.006 * bright,
      mix([0.7, 0.8, 1], [1, 0.9, 0.75], random.next()),
      0.25 + 1.2 * bright,
      true,
      0.7,
    );
  }
}
