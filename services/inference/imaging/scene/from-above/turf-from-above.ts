/** Blades of grass, moss and straw on a ground that a camera looks down on, each lit by the scene's lamp and shading those below it. */

import { createRandom, type Random } from "@packshot/domain/random.ts";
import type { Camera } from "../canvas/camera.ts";
import { fromHex, type LinearRgb, mix, saturate, scale } from "../canvas/color.ts";
import { type Ground, lampFromAbove } from "../ground/render-ground.ts";
import { surfaces } from "../words/lexicon.ts";

/** How the blades of a ground grow. Lengths are in units of the ground. */
interface Growth {
  /** In a square of the ground's unit. */
  readonly perSquare: number;
  readonly long: readonly [number, number];
  readonly half: number;
  /** How far neighbors turn alike, 0–1. */
  readonly combed: number;
  /** The light that is left at their feet, as a share. */
  readonly foot: number;
}

const growths = {
  lawn: { perSquare: 2_300, long: [0.1, 0.26], half: 0.0075, combed: 0.55, foot: 0.3 },
  moss: { perSquare: 7_000, long: [0.018, 0.042], half: 0.0042, combed: 0, foot: 0.5 },
  straw: { perSquare: 900, long: [0.22, 0.6], half: 0.0095, combed: 0.2, foot: 0.62 },
} as const satisfies Readonly<Record<string, Growth>>;

/** Pictures of a tiny product have no more. */
const bladesMax = 26_000;

const colorOf = (word: string) => fromHex(surfaces.get(word)!.color);
const moss = colorOf("moss");
const straws = [colorOf("hay"), colorOf("straw")];

const isNear = (a: LinearRgb, b: LinearRgb) => Math.hypot(...a.map((value, c) => value - b[c]!)) < 0.04;

function growthOf(color: LinearRgb): Growth {
  if (isNear(color, moss)) return growths.moss;
  return straws.some((straw) => isNear(color, straw)) ? growths.straw : growths.lawn;
}

/** A blade in pixels. */
interface Blade {
  readonly x: number;
  readonly y: number;
  /** From its foot to its tip. */
  readonly dx: number;
  readonly dy: number;
  readonly half: number;
  /** How far its middle is aside of the line between them, as a share of its length. */
  readonly bend: number;
  /** The lamp's light on its two sides. */
  readonly sides: readonly [number, number];
}

/**
 * Grows over what is painted there.
 *
 * @param outside how far a point is outside what lies on the ground, in units of it; null: nothing does
 */
export function growTurf(
  light: Float32Array,
  ground: Ground,
  color: LinearRgb,
  outside: ((u: number, v: number) => number) | null,
): void {
  const { plan, camera, noise } = ground;
  const random = createRandom(plan.seed ^ 0x7a2f);
  const growth = growthOf(color);
  const { key, ambient, lamp } = plan.lighting;
  const { width, height, size, baseX, baseY } = camera;
  const centerY = baseY - size / 2;
  const count = Math.min(bladesMax, Math.round((growth.perSquare * width * height) / size ** 2));
  const own = saturate(color, 0.85);
  const tones = [
    scale(own, 0.8),
    own,
    mix(saturate(own, 1.1), [0.6, 0.58, 0.26], 0.26),
    mix(own, [0.5, 0.42, 0.2], 0.3),
  ];
  const angle = (lamp.directionDeg * Math.PI) / 180;
  const value = new Float32Array(3);
  for (let i = 0; i < count; i++) {
    const x = random.between(-0.04, 1.04) * width;
    const y = random.between(-0.04, 1.04) * height;
    const u = (x - baseX) / size;
    const v = (centerY - y) / size;
    const blade = bladeAt({ x, y, u, v }, growth, size, angle, noise, random);
    // The first ones are deep in the turf.
    const depth = i / count;
    const tone = tones[Math.floor(random.next() * tones.length)]!;
    const bright = random.between(0.75, 1.2) * (0.5 + 0.55 * depth) * (0.76 + 0.5 * noise.at(u * 2.4 + 8, v * 2.4));
    if (outside !== null && outside(u, v) < 0.012) continue;
    const lit = lampFromAbove(ground, u, v);
    for (let c = 0; c < 3; c++) value[c] = tone[c]! * bright * (ambient[c]! + key[c]! * lit);
    drawBlade(light, camera, blade, value, growth.foot);
  }
}

function bladeAt(
  { x, y, u, v }: { readonly x: number; readonly y: number; readonly u: number; readonly v: number },
  { long: [least, most], half, combed }: Growth,
  size: number,
  lampAngle: number,
  noise: Ground["noise"],
  random: Random,
): Blade {
  const tuft = 4 * Math.PI * noise.at(u * 1.3 + 20, v * 1.3 + 40);
  const turn = combed * tuft + (1 - combed) * random.between(0, 2 * Math.PI) + combed * random.between(-0.9, 0.9);
  const long = random.between(least, most) * size;
  // One of its sides faces the lamp where it lies across the light.
  const facing = Math.cos(turn) * Math.cos(lampAngle) - Math.sin(turn) * Math.sin(lampAngle);
  return {
    x,
    y,
    dx: Math.cos(turn) * long,
    dy: -Math.sin(turn) * long,
    half: Math.max(0.42, half * size * random.between(0.65, 1.3)),
    bend: random.between(-0.22, 0.22),
    sides: [1 - 0.24 * facing, 1 + 0.24 * facing],
  };
}

/** What is just beside a blade, away from the lamp, is in its shade. */
const shadePx = 1.3;
const shadeShare = 0.3;

function drawBlade(light: Float32Array, camera: Camera, blade: Blade, color: Float32Array, foot: number): void {
  const { x, y, dx, dy, half, bend, sides } = blade;
  const isFlat = Math.abs(dx) >= Math.abs(dy);
  const [from, along, other, across] = isFlat ? [x, dx, y, dy] : [y, dy, x, dx];
  const last = (isFlat ? camera.width : camera.height) - 1;
  const end = (isFlat ? camera.height : camera.width) - 1;
  const step = isFlat ? 3 : 3 * camera.width;
  const stride = isFlat ? 3 * camera.width : 3;
  const slant = Math.hypot(dx, dy) / Math.max(0.001, Math.abs(along));
  const start = Math.max(0, Math.ceil(Math.min(from, from + along)));
  const stop = Math.min(last, Math.floor(Math.max(from, from + along)));
  // Whichever side is darker has the shade beside it.
  const shadeSide = sides[0] < sides[1] ? -1 : 1;
  for (let major = start; major <= stop; major++) {
    const t = Math.min(1, Math.max(0, (major - from) / along));
    const middle = other + across * t + bend * along * 4 * t * (1 - t) * 0.5;
    const wide = half * slant * (1 - t * t) + 0.12;
    const lit = foot + (1.1 - foot) * Math.min(1, 0.25 + 1.1 * t);
    const first = Math.max(0, Math.floor(middle - wide - (shadeSide < 0 ? shadePx : 0)));
    const final = Math.min(end, Math.ceil(middle + wide + (shadeSide > 0 ? shadePx : 0)));
    for (let minor = first; minor <= final; minor++) {
      const aside = minor + 0.5 - middle;
      const share = Math.min(1, Math.max(0, wide + 0.5 - Math.abs(aside)));
      const at = major * step + minor * stride;
      if (share < 1 && aside * shadeSide > 0) {
        const dark = 1 - shadeShare * (1 - share);
        light[at]! *= dark;
        light[at + 1]! *= dark;
        light[at + 2]! *= dark;
      }
      if (share <= 0) continue;
      const shade = lit * (aside < 0 ? sides[0] : sides[1]);
      light[at]! += (color[0]! * shade - light[at]!) * share;
      light[at + 1]! += (color[1]! * shade - light[at + 1]!) * share;
      light[at + 2]! += (color[2]! * shade - light[at + 2]!) * share;
    }
  }
}
