/** Petals that lie on the ground: broad, cupped, notched at their tip, some folded. */

import type { Random } from "@packshot/domain/random.ts";
import type { Camera } from "./camera.ts";
import { fromHex, type LinearRgb, mix, saturate, scale } from "./color.ts";
import { smoothstep } from "./noise.ts";
import type { ScenePlan } from "./scene-plan.ts";

const petals = 54;

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
  /** How far its side is folded over, 0–1. */
  readonly fold: number;
}

export function drawPetals(light: Float32Array, plan: ScenePlan, camera: Camera, random: Random): void {
  const own = plan.propColor ?? defaultColor(plan);
  const spots = Array.from({ length: petals }, () =>
    camera.view === "above"
      ? { u: random.between(-1.5, 1.5), v: random.between(-1.1, 1.1) }
      : { u: random.between(-1.5, 1.5), v: 1.9 * random.next() ** 1.5 - 0.6 },
  );
  // The farthest first.
  spots.sort((a, b) => b.v - a.v);
  for (const { u, v } of spots) {
    const color = mix(scale(own, random.between(0.8, 1.1)), saturate(own, 1.3), random.next());
    const petal = {
      ...placeOf(camera, u, v, random.between(0.075, 0.12)),
      tilt: camera.view === "above" ? random.between(0.75, 1) : random.between(0.42, 0.72),
      turn: random.between(0, Math.PI * 2),
      tint: mix(color, [0.9, 0.84, 0.82], 0.25 * random.next() ** 2),
      fold: random.chance(0.35) ? random.between(0.4, 0.8) : 0,
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
  if (view === "above") return { x: baseX + u * size, y: baseY - size / 2 - v * size, reach: 0.72 * radius * size };
  const away = Math.max(0.2, 1 + (v * size) / distance);
  return { x: baseX + (u * size) / away, y: horizonY + (baseY - horizonY) / away, reach: (radius * size) / away };
}

/** How far inside its outline a point is, below 0 outside; x runs from its foot, −1, to its tip. */
function inside(x: number, y: number): number {
  const along = (x + 1) / 2;
  if (along <= 0 || along >= 1) return -1;
  const notch = 0.16 * Math.exp(-((y / 0.22) ** 2)) * smoothstep(0.75, 1, along);
  return 0.88 * Math.sin(Math.PI * along ** 1.28) ** 0.56 - notch * 2 - Math.abs(y);
}

function drawPetal(light: Float32Array, plan: ScenePlan, { width, height }: Camera, petal: Petal): void {
  const { x: cx, y: cy, reach, tilt, turn, tint, fold } = petal;
  const { key, ambient, lamp } = plan.lighting;
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const lampX = Math.sin((lamp.directionDeg * Math.PI) / 180);
  const soft = Math.min(0.5, 1.4 / Math.max(1, reach));
  const heart = scale(saturate(tint, 1.25), 0.62);
  /** The shadow lies below the petal and away from the lamp. */
  const fallX = -0.16 * lampX;
  const fallY = 0.2;
  const top = Math.max(0, Math.floor(cy - reach * tilt));
  const end = Math.min(height, cy + reach * (tilt + 0.4));
  for (let row = top; row < end; row++) {
    for (let column = Math.max(0, Math.floor(cx - reach * 1.2)); column < Math.min(width, cx + reach * 1.2); column++) {
      const dx = (column + 0.5 - cx) / reach;
      const dy = (row + 0.5 - cy) / reach;
      const sx = dx - fallX;
      const sy = (dy - fallY) / tilt;
      if (sx * sx + sy * sy > 1.2 && dx * dx + (dy / tilt) ** 2 > 1.1) continue;
      const at = (row * width + column) * 3;
      const dark = 0.5 * smoothstep(-0.22, 0.24, inside(sx * cos + sy * sin, -sx * sin + sy * cos));
      if (dark > 0) for (let c = 0; c < 3; c++) light[at + c]! *= 1 - dark;
      const x = dx * cos + (dy / tilt) * sin;
      const y = -dx * sin + (dy / tilt) * cos;
      const depth = inside(x, y);
      if (depth <= -soft) continue;
      const share = smoothstep(-soft, soft, depth);
      // A cup: its far side faces the lamp, and its rim catches light.
      const cup = 0.86 - 0.24 * (dx * lampX) - 0.16 * dy + 0.2 * (1 - smoothstep(0, 0.16, depth));
      const folded = fold > 0 && y > 1 - fold ? 1.22 - 0.5 * smoothstep(1 - fold, 1.3 - fold, y) : 1;
      const crease = fold > 0 ? 1 - 0.35 * Math.exp(-(((y - 1 + fold) / 0.07) ** 2)) : 1;
      const toFoot = 0.75 * smoothstep(0.1, -0.95, x);
      const veins = 1 + 0.018 * Math.sin(y * 26 * (1.4 - 0.4 * x));
      for (let c = 0; c < 3; c++) {
        const color = tint[c]! + (heart[c]! - tint[c]!) * toFoot;
        const value = color * (ambient[c]! + key[c]! * 0.85) * cup * folded * crease * veins;
        light[at + c]! += (value - light[at + c]!) * share;
      }
    }
  }
}
