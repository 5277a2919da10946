/** Small things on the ground and in the air: petals, drops of water, falling snow. */

import type { Random } from "@packshot/domain/random.ts";
import type { Camera } from "./camera.ts";
import type { LinearRgb } from "./color.ts";
import { fromHex, mix, saturate, scale } from "./color.ts";
import { smoothstep } from "./noise.ts";
import type { ScenePlan } from "./scene-plan.ts";

const petals = 30;
const drops = 120;
const flakes = 260;

/** @param camera whose ground is the one that the things lie on. */
export function scatterProps(light: Float32Array, plan: ScenePlan, camera: Camera, random: Random): void {
  if (plan.props.includes("petals")) {
    const color = plan.propColor ?? fromHex("#eab4bd");
    for (let i = 0; i < petals; i++) drawPetal(light, plan, camera, random, color);
  }
  if (plan.props.includes("drops")) for (let i = 0; i < drops; i++) drawDrop(light, plan, camera, random);
  if (plan.props.includes("snowfall")) drawSnow(light, plan, camera, random);
}

interface Spot {
  readonly u: number;
  readonly v: number;
  readonly radius: number;
}

/** Calls `at` with each pixel of a round spot of the ground: its place from −1 to 1 to the right and away, and its share. */
function eachPixel(
  camera: Camera,
  { u, v, radius }: Spot,
  at: (i: number, du: number, dv: number, share: number) => void,
) {
  const far = camera.distance / camera.size;
  const rise = camera.baseY - camera.horizonY;
  const away = 1 + v / far;
  if (away < 0.2) return;
  const reachX = (radius * camera.size) / away;
  const nearY = camera.horizonY + rise / Math.max(0.2, 1 + (v - radius) / far);
  const farY = camera.horizonY + rise / (1 + (v + radius) / far);
  const cx = camera.baseX + (u * camera.size) / away;
  const soft = Math.min(0.8, 1.2 / Math.max(0.5, reachX));
  for (let y = Math.max(0, Math.floor(farY)); y <= Math.min(camera.height - 1, nearY); y++) {
    const depth = rise / Math.max(0.5, y + 0.5 - camera.horizonY);
    const dv = (far * (depth - 1) - v) / radius;
    for (let x = Math.max(0, Math.floor(cx - reachX)); x <= Math.min(camera.width - 1, cx + reachX); x++) {
      const du = (((x + 0.5 - camera.baseX) * depth) / camera.size - u) / radius;
      const distance = Math.hypot(du, dv);
      if (distance < 1) at((y * camera.width + x) * 3, du, dv, 1 - smoothstep(1 - soft, 1, distance));
    }
  }
}

function drawPetal(light: Float32Array, plan: ScenePlan, camera: Camera, random: Random, color: LinearRgb): void {
  const spot: Spot = {
    u: random.between(-1.4, 1.4),
    v: random.between(-0.6, 1.1),
    radius: random.between(0.07, 0.115),
  };
  const turn = random.between(0, Math.PI * 2);
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const tint = scale(mix(color, saturate(color, 1.5), random.next()), random.between(0.85, 1.1));
  const { key, ambient } = plan.lighting;
  const shadow = {
    ...spot,
    u: spot.u - 0.012 * Math.sign(Math.sin((plan.lighting.lamp.directionDeg * Math.PI) / 180)),
    v: spot.v - 0.014,
  };
  const inPetal = (du: number, dv: number) => {
    const x = du * cos + dv * sin;
    const y = -du * sin + dv * cos;
    // A heart-shaped drop: narrow at its foot.
    const half = 0.62 * Math.sqrt(Math.max(0, 1 - x * x)) * (0.55 + 0.45 * x);
    return { x, y, share: 1 - smoothstep(half * 0.86, half + 0.02, Math.abs(y)) };
  };
  eachPixel(camera, shadow, (i, du, dv, share) => {
    const dark = 0.42 * share * inPetal(du, dv).share;
    for (let c = 0; c < 3; c++) light[i + c]! *= 1 - dark;
  });
  eachPixel(camera, spot, (i, du, dv, share) => {
    const petal = inPetal(du, dv);
    const bowl = 0.86 + 0.2 * petal.y + 0.14 * petal.x;
    for (let c = 0; c < 3; c++) {
      const value = tint[c]! * (ambient[c]! + key[c]! * 0.85) * bowl;
      light[i + c]! += (value - light[i + c]!) * petal.share * share;
    }
  });
}

/** A bead of water: dark at the lamp's side, where the ground's light is bent away, bright where it gathers. */
function drawDrop(light: Float32Array, plan: ScenePlan, camera: Camera, random: Random): void {
  const spot: Spot = {
    u: random.between(-1.6, 1.6),
    v: random.between(-0.5, 1.4),
    radius: 0.014 + 0.05 * random.next() ** 2.2,
  };
  const angle = (plan.lighting.lamp.directionDeg * Math.PI) / 180;
  const lu = Math.sin(angle);
  const lv = Math.cos(angle);
  const { key } = plan.lighting;
  eachPixel(camera, spot, (i, du, dv, share) => {
    const toward = du * lu + dv * lv;
    const rim = du * du + dv * dv;
    const body =
      0.98 - 0.3 * Math.max(0, toward) * rim - 0.16 * rim * rim + 0.42 * Math.max(0, -toward - 0.1) * (1 - rim * 0.5);
    const gleam = 1.5 * Math.exp(-(((du - 0.34 * lu) ** 2 + (dv - 0.34 * lv) ** 2) * 26));
    for (let c = 0; c < 3; c++) light[i + c]! += (light[i + c]! * (body - 1) + gleam * key[c]! * 0.7) * share;
  });
}

function drawSnow(light: Float32Array, plan: ScenePlan, { width, height }: Camera, random: Random): void {
  const white = mix(plan.lighting.horizon, [1, 1, 1], 0.6);
  for (let i = 0; i < flakes; i++) {
    const size = random.next() ** 3;
    const radius = Math.max(1, (0.0022 + 0.012 * size) * height);
    const share = 0.75 - 0.5 * size;
    const cx = random.next() * width;
    const cy = random.next() * height;
    for (let y = Math.max(0, Math.floor(cy - radius)); y < Math.min(height, cy + radius); y++) {
      for (let x = Math.max(0, Math.floor(cx - radius)); x < Math.min(width, cx + radius); x++) {
        const distance = Math.hypot(x + 0.5 - cx, y + 0.5 - cy) / radius;
        if (distance >= 1) continue;
        const keep = share * (1 - smoothstep(0.35, 1, distance));
        const at = (y * width + x) * 3;
        for (let c = 0; c < 3; c++) light[at + c]! += (white[c]! * 1.05 - light[at + c]!) * keep;
      }
    }
  }
}
