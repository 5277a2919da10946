/**
 * Renders the demo's sample photo, so that the image is ours: a mug with its handle on a table, lit by a soft lamp.
 * `node scripts/render-sample-photo.ts OUT.jpg [WIDTH]`. Signed distances, marched; a few seconds to a minute.
 */

import sharp from "sharp";

type Vec = readonly [number, number, number];

const add = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const scale = (a: Vec, by: number): Vec => [a[0] * by, a[1] * by, a[2] * by];
const dot = (a: Vec, b: Vec) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec, b: Vec): Vec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a: Vec): Vec => scale(a, 1 / Math.hypot(...a));
const mix = (a: Vec, b: Vec, share: number): Vec => add(scale(a, 1 - share), scale(b, share));
const clamp01 = (value: number) => Math.min(1, Math.max(0, value));
const smooth = (from: number, to: number, value: number) => {
  const t = clamp01((value - from) / (to - from));
  return t * t * (3 - 2 * t);
};

/** The same numbers in every run: the image is committed, and this script must make it again. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

// Meters of a sort: the mug is 1 wide and 1.1 high, and stands on y = 0.
const radius = 0.5;
const height = 1.1;
const wall = 0.045;

function cylinder(p: Vec, r: number, from: number, to: number, rounding: number): number {
  const dx = Math.hypot(p[0], p[2]) - r + rounding;
  const dy = Math.abs(p[1] - (from + to) / 2) - (to - from) / 2 + rounding;
  return Math.min(Math.max(dx, dy), 0) + Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) - rounding;
}

function handle(p: Vec): number {
  const x = p[0] - radius - 0.02;
  const y = (p[1] - 0.57) * 0.86;
  const ring = Math.hypot(x, y) - 0.3;
  // A flattened band rather than a tube.
  return (Math.hypot(ring, p[2] * 0.72) - 0.062) * 0.8;
}

function blend(a: number, b: number, k: number): number {
  const h = clamp01(0.5 + (0.5 * (b - a)) / k);
  return b + (a - b) * h - k * h * (1 - h);
}

function mug(world: Vec): number {
  // Turned, so that the handle shows from the side and a little from the front.
  const angle = 0.42;
  const p: Vec = [
    world[0] * Math.cos(angle) - world[2] * Math.sin(angle),
    world[1],
    world[0] * Math.sin(angle) + world[2] * Math.cos(angle),
  ];
  const body = cylinder(p, radius, 0, height, 0.05);
  const hollow = cylinder(p, radius - wall, 0.08, height + 0.4, 0.06);
  return Math.max(blend(body, handle(p), 0.05), -hollow);
}

const table = (p: Vec) => p[1];
const scene = (p: Vec) => Math.min(mug(p), table(p));

function march(from: Vec, along: Vec, reach: number, distance: (p: Vec) => number): number | null {
  let traveled = 0.002;
  for (let step = 0; step < 160 && traveled < reach; step++) {
    const gap = distance(add(from, scale(along, traveled)));
    if (gap < 0.0006) return traveled;
    traveled += gap * 0.9;
  }
  return null;
}

function normal(p: Vec): Vec {
  const e = 0.0006;
  return unit([
    mug([p[0] + e, p[1], p[2]]) - mug([p[0] - e, p[1], p[2]]),
    mug([p[0], p[1] + e, p[2]]) - mug([p[0], p[1] - e, p[2]]),
    mug([p[0], p[1], p[2] + e]) - mug([p[0], p[1], p[2] - e]),
  ]);
}

const lamp: Vec = [-2.6, 4.2, 2.4];
const lampRadius = 0.8;
const sky: Vec = [0.62, 0.66, 0.72];
const wallColor: Vec = [0.74, 0.73, 0.7];

/** A pale tabletop: faint speckles, like a stone composite. */
function stone(p: Vec): Vec {
  const speckle = Math.sin(p[0] * 173 + 4 * Math.sin(p[2] * 91)) * Math.sin(p[2] * 157 + 4 * Math.sin(p[0] * 83));
  return scale([0.66, 0.63, 0.59], 1 + 0.035 * speckle);
}

function glaze(p: Vec, n: Vec): Vec {
  const inside = Math.hypot(p[0], p[2]) < radius - 0.01 && dot(n, [p[0], 0, p[2]]) < 0;
  if (inside) return [0.05, 0.2, 0.23];
  // Dipped: a teal glaze over a terracotta body, with a wavering edge.
  const edge = 0.3 + 0.018 * Math.sin(Math.atan2(p[2], p[0]) * 5) + 0.01 * Math.sin(Math.atan2(p[2], p[0]) * 11 + 1);
  const isHandle = Math.hypot(p[0], p[2]) > radius + 0.02;
  return isHandle
    ? [0.06, 0.3, 0.34]
    : mix([0.5, 0.27, 0.13], [0.06, 0.3, 0.34], smooth(edge - 0.004, edge + 0.004, p[1]));
}

function reflected(along: Vec): Vec {
  if (along[1] < 0) return [0.5, 0.48, 0.45];
  // A window to the left: a bright rectangle in what the glaze mirrors.
  const isWindow = along[0] < -0.35 && along[0] > -0.8 && along[1] > 0.15 && along[1] < 0.75 && along[2] > -0.2;
  return isWindow ? [2.6, 2.6, 2.5] : mix(wallColor, sky, along[1]);
}

function shade(p: Vec, along: Vec, isMug: boolean, random: () => number): Vec {
  const n: Vec = isMug ? normal(p) : [0, 1, 0];
  const jitter = () => (random() * 2 - 1) * lampRadius;
  const toLamp = add(add(lamp, [jitter(), jitter(), jitter()]), scale(p, -1));
  const far = Math.hypot(...toLamp);
  const toward = unit(toLamp);
  const start = add(p, scale(n, 0.004));
  const isLit = dot(n, toward) > 0 && march(start, toward, far, mug) === null;
  const direct = isLit ? (dot(n, toward) * 26) / (far * far) : 0;
  // One ray into the half-space tells how much of the room this point sees.
  const u = random() * 2 * Math.PI;
  const v = Math.sqrt(random());
  const side = unit(cross(Math.abs(n[1]) > 0.9 ? [1, 0, 0] : [0, 1, 0], n));
  const outward = add(
    add(scale(side, v * Math.cos(u)), scale(cross(n, side), v * Math.sin(u))),
    scale(n, Math.sqrt(1 - v * v)),
  );
  const isOpen = march(start, unit(outward), 2.5, scene) === null;
  const color = isMug ? glaze(p, n) : stone(p);
  const light = add(scale([1, 0.95, 0.86], direct * 0.9), isOpen ? scale(sky, 0.4) : ([0.09, 0.07, 0.055] as const));
  const diffuse: Vec = [color[0] * light[0], color[1] * light[1], color[2] * light[2]];
  const mirrored = add(along, scale(n, -2 * dot(along, n)));
  const shine = (isMug ? 0.05 : 0.015) + (isMug ? 0.5 : 0.1) * (1 + dot(along, n)) ** 5;
  return add(diffuse, scale(reflected(mirrored), shine));
}

function look(from: Vec, along: Vec, random: () => number): Vec {
  const hitMug = march(from, along, 12, mug);
  const hitTable = along[1] < 0 ? -from[1] / along[1] : null;
  if (hitMug !== null && (hitTable === null || hitMug < hitTable))
    return shade(add(from, scale(along, hitMug)), along, true, random);
  const backdrop = scale(wallColor, 0.62 + 0.22 * smooth(0.5, -0.6, along[0]) + 0.1 * smooth(-0.3, 0.2, along[1]));
  if (hitTable === null) return backdrop;
  // A sweep of paper, as in a studio: the ground turns into the wall without an edge.
  const ground = add(from, scale(along, hitTable));
  const asWall = smooth(-0.4, -2.6, ground[2]);
  return asWall === 1 ? backdrop : mix(shade(ground, along, false, random), backdrop, asWall);
}

const [outPath, widthText = "1000"] = process.argv.slice(2);
if (outPath === undefined) throw new Error("usage: render-sample-photo.ts OUT.jpg [WIDTH]");
const width = Number(widthText);
const heightPx = Math.round(width * 0.75);
const samplesPerSide = 5;
const eye: Vec = [0.35, 1.75, 4.1];
const forward = unit(add([0.1, 0.5, 0], scale(eye, -1)));
const right = unit(cross(forward, [0, 1, 0]));
const upward = cross(right, forward);
const random = seeded(20_26);
const pixels = Buffer.alloc(width * heightPx * 3);

for (let y = 0; y < heightPx; y++) {
  for (let x = 0; x < width; x++) {
    let sum: Vec = [0, 0, 0];
    for (let sample = 0; sample < samplesPerSide ** 2; sample++) {
      const dx = ((sample % samplesPerSide) + random()) / samplesPerSide;
      const dy = (Math.floor(sample / samplesPerSide) + random()) / samplesPerSide;
      const across = ((x + dx) / width - 0.5) * 0.7;
      const down = ((y + dy) / heightPx - 0.5) * 0.7 * 0.75;
      sum = add(sum, look(eye, unit(add(add(forward, scale(right, across)), scale(upward, -down))), random));
    }
    for (let channel = 0; channel < 3; channel++) {
      const value = sum[channel]! / samplesPerSide ** 2;
      const grain = (random() - 0.5) * 0.012;
      pixels[(y * width + x) * 3 + channel] = 255 * clamp01((1 - Math.exp(-1.5 * value)) ** (1 / 2.2) + grain);
    }
  }
  if (y % 50 === 0) process.stdout.write(`\rline ${y} of ${heightPx}`);
}
await sharp(pixels, { raw: { width, height: heightPx, channels: 3 } })
  .jpeg({ quality: 88, mozjpeg: true })
  .toFile(outPath);
process.stdout.write(`\r${outPath}: ${width} × ${heightPx}\n`);
