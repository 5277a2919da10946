/** Blades of grass that stand on the ground near the product, where the lens would show one from the other. */

import type { Random } from "@packshot/domain/random.ts";
import type { Camera } from "../canvas/camera.ts";
import { fromHex, type LinearRgb, mix, multiply, saturate, scale } from "../canvas/color.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import { surfaces } from "../words/lexicon.ts";

const blades = 3600;
/** Heights, in sizes of the product. */
const tallLeast = 0.035;
const tallMost = 0.1;
/** Moss is as short as this beside grass. */
const mossShare = 0.3;
/** Farther away, in sizes of the product, they are lost in the turf. */
const farthest = 2.6;
const nearest = -0.85;

const moss = fromHex(surfaces.get("moss")!.color);

/** No ground is darker, so that a black one in the dark divides nothing by nothing. */
const blackest = 1e-6;

/** @param camera whose ground is the one that they stand on */
export function growBlades(light: Float32Array, plan: ScenePlan, camera: Camera, random: Random): void {
  if (plan.floor !== "grass" || camera.view === "above") return;
  const { key, ambient, lamp } = plan.lighting;
  const lampSide = Math.sin((lamp.directionDeg * Math.PI) / 180);
  const far = camera.distance / camera.size;
  const rise = camera.baseY - camera.horizonY;
  const isMoss = Math.hypot(...plan.floorColor.map((value, c) => value - moss[c]!)) < 0.03;
  const color = saturate(plan.floorColor, 0.9);
  const fresh = mix(saturate(color, 1.15), [0.62, 0.62, 0.3], 0.35);
  const arriving: LinearRgb = [ambient[0] + 0.75 * key[0], ambient[1] + 0.75 * key[1], ambient[2] + 0.75 * key[2]];
  const usual = color[1] * arriving[1];
  for (let i = 0; i < blades; i++) {
    // The farthest first, and as many on each row of the image.
    const from = 1 / (1 + farthest / far);
    const away = 1 / (from + (1 / (1 + nearest / far) - from) * ((i + random.next()) / blades));
    const x = random.next() * camera.width;
    const size = camera.size / away;
    const tall = random.between(tallLeast, tallMost) * (isMoss ? mossShare : 1) * size;
    const lean = random.between(-0.55, 0.55) * tall;
    const half = Math.max(0.45, 0.0045 * size * random.between(0.7, 1.3));
    const tone = random.between(0.55, 1.2) * (1 + 0.12 * Math.sign(lean) * lampSide);
    const tint = scale(mix(color, fresh, random.next()), tone);
    const y = camera.horizonY + rise / away;
    const foot = 3 * (Math.min(camera.height - 1, Math.floor(y)) * camera.width + Math.floor(x));
    // Where the turf is in the shade of leaves, its blades are, too.
    const open = Math.min(1.5, Math.max(0.4, light[foot + 1]! / Math.max(usual, blackest))) ** 0.7;
    drawBlade(light, camera, { x, y, tall, lean, half }, scale(multiply(tint, arriving), open));
  }
}

interface Blade {
  readonly x: number;
  readonly y: number;
  readonly tall: number;
  /** How far its tip is aside of its foot. */
  readonly lean: number;
  readonly half: number;
}

function drawBlade(light: Float32Array, { width, height }: Camera, blade: Blade, color: LinearRgb): void {
  const { x, y, tall, lean, half } = blade;
  for (let row = Math.max(0, Math.floor(y - tall)); row < Math.min(height, y); row++) {
    const up = Math.min(1, Math.max(0, (y - row - 0.5) / tall));
    const middle = x + lean * up * up;
    const wide = half * (1 - 0.85 * up);
    // Down between the others little light comes.
    const lit = 0.45 + 0.85 * up;
    for (let column = Math.floor(middle - wide); column <= middle + wide; column++) {
      if (column < 0 || column >= width) continue;
      const share = Math.min(1, Math.max(0, wide + 0.5 - Math.abs(column + 0.5 - middle))) * Math.min(1, 6 * up);
      const at = 3 * (row * width + column);
      for (let c = 0; c < 3; c++) light[at + c]! += (color[c]! * lit - light[at + c]!) * share;
    }
  }
}
