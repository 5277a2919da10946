/**
 * A splash of water, milk or paint around the product's foot: a crown of tongues, arcs that rise behind the product, and drops. All of them
 * are balls along curves, whose fields add up, so that neighbors flow together; the field's height gives the liquid its form.
 */

import { createRandom, type Random } from "@packshot/domain/random.ts";
import type { ProductPose } from "../shadow/pose.ts";
import type { Camera } from "./canvas/camera.ts";
import { type LinearRgb, mix, saturate } from "./canvas/color.ts";
import { smoothstep } from "./canvas/noise.ts";
import type { ScenePlan } from "./plan/scene-plan.ts";
import { productShares } from "./stands/build-set.ts";

/** A ball of liquid, in pixels of the scene. */
interface Ball {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Its share of the field: balls along a curve overlap. */
  readonly weight: number;
}

/** The field of a ball ends at so many of its radii. */
const fieldReach = 1.9;
/** Where the field is this strong, the liquid ends; in the middle of a tube it has the other value. */
const surfaceField = 0.56;
const middleField = 1.74;
/** What makes a single ball as large as it says. */
const dropWeight = 1.6;
/** Balls along a curve are so many radii apart. */
const ballSpacing = 0.4;

/** The lumps of a pool and the tongues of a crown are so far apart along their circle, in sizes of the product. */
const poolStep = 0.04;
const tongueStep = 0.042;
/** Half the depth of a circle on the ground over its width. */
const flatness = 0.24;

/** In a scene whose depth of field is applied, before the product is put into it. */
export function splashAround(light: Float32Array, plan: ScenePlan, camera: Camera, pose: ProductPose | null): void {
  if (!plan.props.includes("splash")) return;
  const random = createRandom(plan.seed ^ 0x5b1a);
  const half = 0.5 * productShares(pose).wide * camera.size;
  const balls = [...pool(camera, half, random), ...crown(camera, half, random), ...arcs(camera, half, random)];
  const field = fieldOf(camera, balls);
  if (field === null) return;
  shadeGround(light, camera, field);
  shadeLiquid(light, plan, camera, field);
}

/** Depth of the shadow around what lies on the ground, in sizes of the product, and what it takes of the light. */
const shadowFall = 0.014;
const shadowShare = 0.4;
/** Over so much of the image, in sizes of the product, the shade grows to that. */
const shadowRise = 0.07;

/** What lies on the ground keeps light from it at its near edge; the shade begins at the middle and has no edge there. */
function shadeGround(light: Float32Array, camera: Camera, { left, top, width, height, sums }: Field): void {
  const fall = Math.max(1, Math.round(shadowFall * camera.size));
  const last = Math.min(height, camera.height - top - fall);
  for (let row = Math.max(0, Math.floor(camera.baseY - top)); row < last; row++) {
    const share = shadowShare * smoothstep(0, shadowRise * camera.size, row + top - camera.baseY);
    for (let column = 0; column < width; column++) {
      const sum = sums[row * width + column]!;
      if (sum === 0) continue;
      const at = ((row + top + fall) * camera.width + column + left) * 3;
      const kept = 1 - share * Math.min(1, sum / surfaceField);
      for (let c = 0; c < 3; c++) light[at + c]! *= kept;
    }
  }
}

type Point = readonly [number, number];

/** Balls along a curve, whose radius goes from one to the other. */
function tube(at: (share: number) => Point, long: number, from: number, to: number, bend = 0.8): Ball[] {
  const balls: Ball[] = [];
  for (let share = 0; share <= 1; ) {
    const radius = to + (from - to) * (1 - share) ** bend;
    const [x, y] = at(share);
    balls.push({ x, y, radius, weight: ballSpacing });
    share += (ballSpacing * radius) / long;
  }
  return balls;
}

/** Lumps of liquid that lie around the foot and below the product. */
function pool({ baseX, baseY, size }: Camera, half: number, random: Random): Ball[] {
  const reach = half + 0.1 * size;
  const balls: Ball[] = [];
  for (let ring = reach; ring > 0; ring -= 1.6 * poolStep * size) {
    const count = Math.ceil((2 * Math.PI * ring) / (poolStep * size));
    for (let i = 0; i < count; i++) {
      const turn = ((i + random.next()) / count) * 2 * Math.PI;
      const away = ring * random.between(0.9, 1.08);
      balls.push({
        x: baseX + Math.cos(turn) * away,
        y: baseY - Math.sin(turn) * away * flatness,
        radius: random.between(0.022, 0.042) * size,
        weight: random.between(0.6, 1.1),
      });
    }
  }
  return balls;
}

/** Tongues around the foot, highest at the sides, each with a bead at its tip and drops that have left it. */
function crown({ baseX, baseY, size }: Camera, half: number, random: Random): Ball[] {
  const balls: Ball[] = [];
  const reach = half + 0.09 * size;
  const tongues = Math.ceil((1.28 * Math.PI * reach) / (tongueStep * size));
  for (let i = 0; i < tongues; i++) {
    // From the right around the back to the left, a little to the front at both sides.
    const turn = Math.PI * (-0.14 + (1.28 * (i + random.between(0.15, 0.85))) / tongues);
    const cos = Math.cos(turn);
    const foot: Point = [baseX + cos * reach, baseY - Math.sin(turn) * reach * flatness];
    const tall = size * random.between(0.07, 0.2) * (0.7 + 0.9 * Math.abs(cos)) * (random.chance(0.3) ? 1.7 : 1);
    const lean = cos * random.between(0.35, 0.75) * tall;
    const at = (share: number): Point => [
      foot[0] + lean * share ** 1.3,
      foot[1] - tall * (1.5 * share - 0.5 * share * share) - 0.02 * size * Math.sin(turn) * share,
    ];
    const thick = size * random.between(0.02, 0.034);
    const tip = size * random.between(0.005, 0.009);
    balls.push(...tube(at, tall, thick, tip));
    const [x, y] = at(1);
    balls.push({ x, y, radius: 1.9 * tip, weight: 0.9 });
    for (let drop = 0; drop < 2; drop++) {
      const on = random.between(1.12, 1.7);
      const [dx, dy] = at(on);
      const radius = size * (0.003 + 0.011 * random.next() ** 2.5);
      balls.push({ x: dx + random.between(-0.03, 0.03) * size, y: dy, radius, weight: dropWeight });
    }
  }
  return balls;
}

/** Streams that rise beside and behind the product and break up into threads and drops. */
function arcs({ baseX, baseY, size }: Camera, half: number, random: Random): Ball[] {
  const balls: Ball[] = [];
  const main = random.chance(0.5) ? 1 : -1;
  for (const [side, power] of [
    [main, 1],
    [-main, 0.66],
    [main, 0.5],
  ] as const) {
    const from: Point = [baseX + side * half * 0.55, baseY - 0.03 * size];
    const over: Point = [
      baseX + side * (half + random.between(0.24, 0.34) * size),
      baseY - random.between(0.16, 0.3) * power * size,
    ];
    const to: Point = [
      baseX + side * (half + random.between(0.08, 0.3) * size * power),
      baseY - random.between(0.68, 0.86) * power * size,
    ];
    const at = (share: number): Point => {
      const rest = 1 - share;
      const wave = 0.018 * size * Math.sin(share * 9 + 4 * power) * share;
      return [
        rest * rest * from[0] + 2 * rest * share * over[0] + share * share * to[0] + wave,
        rest * rest * from[1] + 2 * rest * share * over[1] + share * share * to[1],
      ];
    };
    const long = Math.hypot(to[0] - from[0], to[1] - from[1]) * 1.15;
    balls.push(...tube(at, long, 0.06 * size * power, 0.008 * size, 1.1));
    balls.push(...threads(at, size, power, side, random));
  }
  return balls;
}

function threads(at: (share: number) => Point, size: number, power: number, side: number, random: Random): Ball[] {
  const balls: Ball[] = [];
  for (let i = 0; i < 9; i++) {
    const from = random.between(0.25, 0.95);
    const [x, y] = at(from);
    const turn = Math.PI / 2 - side * random.between(-0.75, 0.95);
    const long = size * power * random.between(0.06, 0.2);
    const curve = (share: number): Point => [
      x + Math.cos(turn) * long * share,
      y - Math.sin(turn) * long * share + 0.25 * long * share * share,
    ];
    const thick = size * power * random.between(0.01, 0.022);
    balls.push(...tube(curve, long, thick, 0.004 * size));
    for (let drop = 0; drop < 4; drop++) {
      const [dx, dy] = curve(random.between(1.05, 2.1));
      const radius = size * (0.003 + 0.013 * random.next() ** 2.2);
      const apart = random.between(-0.04, 0.04) * size;
      balls.push({ x: dx + apart, y: dy + 0.5 * apart, radius, weight: dropWeight });
    }
  }
  return balls;
}

/** Over a part of the scene. */
interface Field {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** How strong it is; the liquid is where it is stronger than `surfaceField`. */
  readonly sums: Float32Array;
  /** The liquid's height above its outline, in pixels. */
  readonly heights: Float32Array;
}

function fieldOf(camera: Camera, balls: readonly Ball[]): Field | null {
  const bound = (edge: (ball: Ball) => number, most: number) =>
    Math.min(most, Math.max(0, Math.floor(balls.reduce((far, ball) => Math.max(far, edge(ball)), -Infinity))));
  const left = camera.width - bound(({ x, radius }) => camera.width - x + fieldReach * radius, camera.width);
  const top = camera.height - bound(({ y, radius }) => camera.height - y + fieldReach * radius, camera.height);
  const width = bound(({ x, radius }) => x + fieldReach * radius + 1, camera.width) - left;
  const height = bound(({ y, radius }) => y + fieldReach * radius + 1, camera.height) - top;
  if (width < 3 || height < 3) return null;
  const sums = new Float32Array(width * height);
  const radii = new Float32Array(width * height);
  for (const { x, y, radius, weight } of balls) {
    const reach = fieldReach * radius;
    const lastRow = Math.min(height, y - top + reach);
    for (let row = Math.max(0, Math.ceil(y - top - reach - 0.5)); row < lastRow; row++) {
      const dy = (row + 0.5 + top - y) / reach;
      const half = reach * Math.sqrt(Math.max(0, 1 - dy * dy));
      const lastColumn = Math.min(width, x - left + half);
      for (let column = Math.max(0, Math.ceil(x - left - half - 0.5)); column < lastColumn; column++) {
        const dx = (column + 0.5 + left - x) / reach;
        const inside = 1 - dx * dx - dy * dy;
        if (inside <= 0) continue;
        const share = weight * inside * inside * inside;
        sums[row * width + column]! += share;
        radii[row * width + column]! += share * radius;
      }
    }
  }
  const heights = radii;
  for (let i = 0; i < sums.length; i++) {
    const sum = sums[i]!;
    if (sum === 0) continue;
    const full = (sum - surfaceField) / (middleField - surfaceField);
    heights[i] = (radii[i]! / sum) * Math.sqrt(Math.min(1.5, Math.max(0, full)));
  }
  return { left, top, width, height, sums, heights };
}

/** Milk and paint throw light back; water bends what is behind it, and mirrors the sky at its edges. */
function shadeLiquid(light: Float32Array, plan: ScenePlan, camera: Camera, field: Field): void {
  const { key, ambient, lamp, horizon } = plan.lighting;
  const { left, top, width, height, sums, heights } = field;
  const color = plan.propColor;
  const angle = (lamp.directionDeg * Math.PI) / 180;
  // From above and the lamp's side, and from the viewer: a lamp behind the product would leave the liquid dark.
  const lx = 0.62 * Math.sin(angle);
  const ly = -0.6;
  const lz = Math.sqrt(Math.max(0.1, 1 - lx * lx - ly * ly));
  const [hx, hy, hz] = unit(lx, ly, lz + 1);
  const sky = mix(horizon, [1, 1, 1], 0.35);
  // Water shows these rows as they were.
  const stride = 3 * camera.width;
  const behind = light.slice(top * stride, color === null ? (top + height) * stride : top * stride);
  const paint = color ?? waterTint;
  const deep = saturate(paint, 1.3);
  for (let row = 1; row < height - 1; row++) {
    for (let column = 1; column < width - 1; column++) {
      const i = row * width + column;
      if (sums[i]! <= 0) continue;
      const steep = Math.hypot(sums[i + 1]! - sums[i - 1]!, sums[i + width]! - sums[i - width]!) / 2;
      const share = Math.min(1, Math.max(0, 0.5 + (sums[i]! - surfaceField) / Math.max(1e-6, steep)));
      if (share === 0) continue;
      const high = heights[i]!;
      const [nx, ny, nz] = unit(
        (heights[i - 1]! - heights[i + 1]!) / 2,
        (heights[i - width]! - heights[i + width]!) / 2,
        1,
      );
      const at = ((row + top) * camera.width + column + left) * 3;
      const gleam = Math.max(0, nx * hx + ny * hy + nz * hz) ** 70;
      const facing = nx * lx + ny * ly + nz * lz;
      const edge = 1 - nz;
      if (color !== null) {
        const lit = 0.34 + 0.66 * smoothstep(-0.55, 1, facing);
        for (let c = 0; c < 3; c++) {
          // What the light passes through at thin edges comes out in a deeper color.
          const own = paint[c]! + (deep[c]! - paint[c]!) * 0.6 * edge;
          const value = own * (ambient[c]! * (1 - 0.35 * edge) + key[c]! * 1.05 * lit) + 0.8 * gleam * key[c]!;
          light[at + c]! += (value - light[at + c]!) * share;
        }
        continue;
      }
      const bend = Math.min(1, edge * 1.6) * 0.9 * high + 3;
      const sx = Math.min(camera.width - 1, Math.max(0, Math.round(column + left - nx * bend)));
      const sy = Math.min(height - 1, Math.max(0, Math.round(row - ny * bend)));
      const from = sy * stride + sx * 3;
      const fresnel = 0.04 + 0.62 * edge ** 2.2 * smoothstep(-0.4, 0.7, facing);
      const dark = 1 - 0.55 * smoothstep(0.25, 0.8, edge) * (1 - smoothstep(-0.2, 0.8, facing));
      for (let c = 0; c < 3; c++) {
        const through = behind[from + c]! * dark * waterTint[c]!;
        const value = through + (sky[c]! * (ambient[c]! + key[c]!) - through) * fresnel + 1.7 * gleam * key[c]!;
        light[at + c]! += (value - light[at + c]!) * share;
      }
    }
  }
}

const waterTint: LinearRgb = [0.93, 0.985, 1];

function unit(x: number, y: number, z: number): readonly [number, number, number] {
  const long = Math.hypot(x, y, z);
  return [x / long, y / long, z / long];
}
