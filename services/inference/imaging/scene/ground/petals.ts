/** Petals that lie on the ground: cupped leaves of cloth-like tissue, thin at the rim, dark where they were grown on. */

import type { Random } from "@packshot/domain/random.ts";
import type { Camera } from "../canvas/camera.ts";
import { fromHex, type LinearRgb, mix, saturate, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";

const petals = 110;
/** Half the length of one, in sizes of the product. */
const reachLeast = 0.03;
const reachMost = 0.056;
/** They have fallen in drifts. */
const drifts = 5;

const pink = fromHex("#e58ea2");
const red = fromHex("#a81f38");
/** Petals of the default color would not be seen on a ground that is nearer to it than this, in linear light. */
const contrastMin = 0.5;

interface Petal {
  /** Pixels. */
  readonly x: number;
  readonly y: number;
  readonly reach: number;
  /** Height over width of a round petal: it lies flat, or stands up on its edge. */
  readonly tilt: number;
  readonly turn: number;
  readonly tint: LinearRgb;
  /** How much its sides rise: above 0 it is a cup, below 0 it lies with its back up. */
  readonly cup: number;
  /** How far its tip is rolled back, 0–1. */
  readonly curl: number;
  /** Height over breadth of its outline: some are broad, some narrow. */
  readonly slim: number;
}

export function drawPetals(light: Float32Array, plan: ScenePlan, camera: Camera, random: Random): void {
  const own = plan.propColor ?? defaultColor(plan);
  const isAbove = camera.view === "above";
  const wide = isAbove ? Math.max(1, plan.productLong) : 1;
  const anywhere = () =>
    isAbove
      ? { u: wide * random.between(-1.5, 1.5), v: wide * random.between(-1.1, 1.1) }
      : { u: random.between(-1.5, 1.5), v: 1.9 * random.next() ** 1.5 - 0.6 };
  const middles = Array.from({ length: Math.round(wide * drifts) }, anywhere);
  const spots = Array.from({ length: Math.round(wide * petals) }, (_, i) => {
    if (i % 3 === 0) return anywhere();
    const { u, v } = middles[i % middles.length]!;
    const away = 0.42 * random.next() ** 0.7;
    const turn = random.between(0, 2 * Math.PI);
    return { u: u + away * Math.cos(turn), v: v + (isAbove ? 1 : 0.8) * away * Math.sin(turn) };
  });
  // The farthest first.
  spots.sort((a, b) => b.v - a.v);
  for (const { u, v } of spots) {
    const color = mix(scale(own, random.between(0.78, 1.08)), saturate(own, 1.25), random.next());
    const petal = {
      ...placeOf(camera, u, v, random.between(reachLeast, reachMost)),
      tilt: isAbove ? random.between(0.72, 1) : random.between(0.36, 0.66),
      turn: random.between(0, Math.PI * 2),
      tint: mix(color, [0.9, 0.84, 0.82], 0.22 * random.next() ** 2),
      cup: random.chance(0.7) ? random.between(0.35, 0.9) : random.between(-0.8, -0.3),
      curl: random.chance(0.5) ? random.between(0.2, 0.9) : 0,
      slim: random.between(0.72, 1),
    };
    drawPetal(light, plan, camera, petal);
  }
}

function defaultColor({ surfaceColor, floorColor, stand }: ScenePlan): LinearRgb {
  const ground = stand === null ? surfaceColor : floorColor;
  return Math.hypot(...pink.map((value, c) => value - ground[c]!)) < contrastMin ? red : pink;
}

function placeOf(camera: Camera, u: number, v: number, radius: number): Pick<Petal, "x" | "y" | "reach"> {
  const { size, baseX, baseY, horizonY, distance, view } = camera;
  if (view === "above") return { x: baseX + u * size, y: baseY - size / 2 - v * size, reach: radius * size };
  const away = Math.max(0.2, 1 + (v * size) / distance);
  return { x: baseX + (u * size) / away, y: horizonY + (baseY - horizonY) / away, reach: (1.2 * radius * size) / away };
}

/** How far inside its outline a point is, below 0 outside; x runs from its foot, −1, to its tip. */
function inside(x: number, y: number, slim: number): number {
  const along = (x + 1) / 2;
  if (along <= 0 || along >= 1) return -1;
  const notch = 0.1 * Math.exp(-((y / 0.2) ** 2)) * smoothstep(0.8, 1, along);
  return slim * Math.sin(Math.PI * along ** 1.34) ** 0.54 - notch * 2 - Math.abs(y);
}

/** A petal is as thin as this at its rim, of its half length: light comes through it. */
const translucent = 0.3;

function drawPetal(light: Float32Array, plan: ScenePlan, { width, height }: Camera, petal: Petal): void {
  const { x: cx, y: cy, reach, tilt, turn, tint, cup, curl, slim } = petal;
  const { key, ambient, lamp } = plan.lighting;
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const angle = (lamp.directionDeg * Math.PI) / 180;
  const rise = Math.sin((lamp.elevationDeg * Math.PI) / 180);
  const lampX = Math.sin(angle) * 0.8;
  const lampY = -Math.cos(angle) * 0.5;
  const soft = Math.min(0.5, 1.1 / Math.max(1, reach));
  const heart = mix(scale(saturate(tint, 1.25), 0.6), [0.75, 0.7, 0.5], 0.12);
  const back = mix(tint, [0.8, 0.74, 0.7], 0.28);
  /** The shadow lies below the petal and away from the lamp, the farther the higher the rim stands. */
  const fall = 0.15 + 0.2 * Math.abs(cup);
  const fallX = -fall * Math.sin(angle);
  const fallY = fall * 0.9;
  const blur = 0.1 + 0.12 * Math.abs(cup);
  const bottom = Math.min(height, cy + reach * (tilt + 0.5));
  for (let row = Math.max(0, Math.floor(cy - reach * tilt)); row < bottom; row++) {
    for (let column = Math.max(0, Math.floor(cx - reach * 1.3)); column < Math.min(width, cx + reach * 1.3); column++) {
      const dx = (column + 0.5 - cx) / reach;
      const dy = (row + 0.5 - cy) / reach;
      const sx = dx - fallX;
      const sy = (dy - fallY) / tilt;
      if (sx * sx + sy * sy > 1.3 && dx * dx + (dy / tilt) ** 2 > 1.1) continue;
      const at = (row * width + column) * 3;
      const below = inside(sx * cos + sy * sin, -sx * sin + sy * cos, slim);
      const dark = 0.62 * smoothstep(-blur, 1.6 * blur, below);
      if (dark > 0) for (let c = 0; c < 3; c++) light[at + c]! *= 1 - dark;
      const x = dx * cos + (dy / tilt) * sin;
      const y = -dx * sin + (dy / tilt) * cos;
      const depth = inside(x, y, slim);
      if (depth <= -soft) continue;
      const share = smoothstep(-soft, soft, depth);
      // Its height is cup × y² and a roll at the tip: the slopes in its own directions, then in the image's.
      const toTip = Math.max(0, x - 0.45);
      const slopeLong = -2.6 * curl * toTip + 0.35 * cup * x;
      const slopeWide = 1.5 * cup * y + 0.05 * Math.sin(y * 17 + 3 * x) * (1 - Math.abs(y));
      const slopeX = slopeLong * cos - slopeWide * sin;
      const slopeY = slopeLong * sin + slopeWide * cos;
      const facing = (rise - slopeX * lampX - slopeY * lampY) / Math.hypot(slopeX, slopeY, 1);
      const direct = Math.max(0, facing) / rise;
      // Inside a cup less of the sky is seen, and light comes through thin tissue at the rim.
      const open = 1 - 0.42 * Math.max(0, cup) * smoothstep(0, 0.55, depth) + 0.1 * toTip;
      const through = translucent * (1 - smoothstep(0, 0.4, depth));
      const toFoot = 0.85 * smoothstep(-0.1, -0.95, x);
      const veins = 1 + 0.035 * Math.sin(y * 24 * (1.5 - 0.5 * x)) * smoothstep(0.9, 0.2, Math.abs(x));
      const rolled = smoothstep(0.3, 0.5, curl * toTip * 2.2);
      for (let c = 0; c < 3; c++) {
        const face = tint[c]! + (heart[c]! - tint[c]!) * toFoot;
        const color = face + (back[c]! - face) * (cup < 0 ? 0.5 : rolled);
        const value = color * veins * (ambient[c]! * open + key[c]! * (0.82 * direct + through));
        light[at + c]! += (value - light[at + c]!) * share;
      }
    }
  }
}
