/** What a scene takes from a reference picture: the colors of its wall and ground, and where its light comes from. */

import { inKernelMemory } from "../kernels/kernel-memory.ts";
import type { Size } from "../pixels/geometry.ts";
import { rgbToLab } from "../pixels/lab.ts";

export interface SceneReference {
  /** `#rrggbb`: of the wall, of the ground, and of what else takes a part of the picture, the most striking first. */
  readonly palette: readonly [string, string, ...string[]];
  /** Where the light comes from, in degrees as `shadow.direction` has them; undefined: the picture is lit evenly. */
  readonly direction?: number;
}

/** A small picture, interleaved u8 RGB in sRGB. */
export interface SmallPicture extends Size {
  readonly rgb: Uint8Array;
}

/** Groups of similar colors, and how often their means are computed anew. */
const groupCount = 6;
const rounds = 12;
/** The wall is in the upper part of a picture, and what stands before it in the middle; the ground is in the lowest part. */
const wallEnd = 0.55;
const groundStart = 0.72;
const middleShare = 0.3;
const middleWeight = 0.25;
/** A smaller part of a picture gives no color. */
const shareMin = 0.015;
/** In Lab: colors that are nearer are one, and a light that changes a picture's lightness by less is even. */
const sameColorMax = 10;
const lightMin = 6;
/** A ground also darkens by distance, so that its depth says less of the light than its breadth. */
const depthWeight = 0.5;

export function readReference(picture: SmallPicture): SceneReference {
  const lab = inKernelMemory(() => rgbToLab(picture.rgb).slice());
  const groups = groupColors(lab);
  const { width, height } = picture;
  const ofWall = new Float64Array(groupCount);
  const ofGround = new Float64Array(groupCount);
  const sizes = new Float64Array(groupCount);
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i]!;
    const { wall, ground } = weightsAt(i, { width, height });
    sizes[group]! += 1 / groups.length;
    ofWall[group]! += wall;
    ofGround[group]! += ground;
  }
  const wall = largest(ofWall);
  // A very wide picture is reduced to one row, which is the wall's.
  const hasGround = ofGround.some((weight) => weight > 0);
  const ground = hasGround ? largest(ofGround) : wall;
  const meanOf = (group: number, part: "wall" | "ground" | undefined) => {
    return meanColor(picture, (i) => groups[i] === group && (part === undefined || weightsAt(i, picture)[part] > 0));
  };
  const colors = [meanOf(wall, "wall"), meanOf(ground, hasGround ? "ground" : "wall")] as const;
  const others = [...sizes.keys()]
    .filter((group) => group !== wall && group !== ground && sizes[group]! >= shareMin)
    .map((group) => ({ color: meanOf(group, undefined), weight: sizes[group]! }))
    .map(({ color, weight }) => ({ color, score: Math.sqrt(weight) * (1 + chromaOf(color) / 20) }))
    .sort((a, b) => b.score - a.score || (hexOf(a.color) < hexOf(b.color) ? -1 : 1));
  const chosen: Uint8Array[] = [...colors];
  for (const { color } of others) {
    if (chosen.length < 5 && chosen.every((known) => distance(known, color) > sameColorMax)) chosen.push(color);
  }
  const direction = lightDirection(lab, picture, (i) => groups[i] === wall || groups[i] === ground);
  const palette = chosen.map(hexOf) as [string, string];
  return { palette, ...(direction === undefined ? {} : { direction }) };
}

function weightsAt(i: number, { width, height }: Size) {
  const row = (Math.floor(i / width) + 0.5) / height;
  const isMiddle = Math.abs(((i % width) + 0.5) / width - 0.5) < middleShare / 2;
  const weight = isMiddle ? middleWeight : 1;
  return { wall: row < wallEnd ? weight : 0, ground: row > groundStart ? weight : 0 };
}

function largest(values: Float64Array): number {
  return values.indexOf(Math.max(...values));
}

/**
 * The group of each pixel, by k-means in Lab. It begins with the first pixel, and then with the one that is the farthest from all
 * chosen ones: nothing is drawn at random.
 */
function groupColors(lab: Float32Array): Uint8Array {
  const count = lab.length / 3;
  const centers = firstCenters(lab);
  const groups = new Uint8Array(count);
  for (let round = 0; round < rounds; round++) {
    const sums = new Float64Array(4 * groupCount);
    for (let i = 0; i < count; i++) {
      const group = nearest(lab, 3 * i, centers);
      groups[i] = group;
      for (let c = 0; c < 3; c++) sums[4 * group + c]! += lab[3 * i + c]!;
      sums[4 * group + 3]!++;
    }
    for (let group = 0; group < groupCount; group++) {
      const size = sums[4 * group + 3]!;
      for (let c = 0; c < 3 && size > 0; c++) centers[3 * group + c] = sums[4 * group + c]! / size;
    }
  }
  return groups;
}

function firstCenters(lab: Float32Array): Float64Array {
  const count = lab.length / 3;
  const centers = new Float64Array(3 * groupCount);
  const away = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  let chosen = 0;
  for (let group = 0; group < groupCount; group++) {
    for (let c = 0; c < 3; c++) centers[3 * group + c] = lab[3 * chosen + c]!;
    for (let i = 0; i < count; i++) away[i] = Math.min(away[i]!, squaredDistance(lab, 3 * i, centers, 3 * group));
    chosen = away.indexOf(away.reduce((most, value) => Math.max(most, value), 0));
  }
  return centers;
}

function nearest(lab: Float32Array, at: number, centers: Float64Array): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let group = 0; group < groupCount; group++) {
    const squared = squaredDistance(lab, at, centers, 3 * group);
    if (squared >= least) continue;
    least = squared;
    best = group;
  }
  return best;
}

function squaredDistance(a: ArrayLike<number>, i: number, b: ArrayLike<number>, k: number): number {
  return (a[i]! - b[k]!) ** 2 + (a[i + 1]! - b[k + 1]!) ** 2 + (a[i + 2]! - b[k + 2]!) ** 2;
}

/** The mean of display values, which are few and alike. */
function meanColor({ rgb }: SmallPicture, isOf: (pixel: number) => boolean): Uint8Array {
  const sums = [0, 0, 0];
  let count = 0;
  for (let i = 0; i < rgb.length / 3; i++) {
    if (!isOf(i)) continue;
    for (let c = 0; c < 3; c++) sums[c]! += rgb[3 * i + c]!;
    count++;
  }
  return Uint8Array.from(sums, (sum) => Math.round(sum / Math.max(1, count)));
}

function labOf(color: Uint8Array): Float32Array {
  return inKernelMemory(() => rgbToLab(color).slice());
}

function chromaOf(color: Uint8Array): number {
  const [, a, b] = labOf(color);
  return Math.hypot(a!, b!);
}

function distance(a: Uint8Array, b: Uint8Array): number {
  return Math.sqrt(squaredDistance(labOf(a), 0, labOf(b), 0));
}

function hexOf(color: Uint8Array): string {
  return `#${Buffer.from(color).toString("hex")}`;
}

/**
 * Walls and grounds are plain, so what grows lighter across them is lit from there. Only what belongs to one of both counts:
 * objects have a lightness of their own.
 */
function lightDirection(lab: Float32Array, size: Size, isPlain: (pixel: number) => boolean): number | undefined {
  const wall = slopesOf(lab, size, (i) => isPlain(i) && weightsAt(i, size).wall > 0);
  const ground = slopesOf(lab, size, (i) => isPlain(i) && weightsAt(i, size).ground > 0);
  const across = (wall.across * wall.count + ground.across * ground.count) / Math.max(1, wall.count + ground.count);
  // Upward is away from the viewer.
  const along = -depthWeight * ground.down;
  if (Math.hypot(across, along) < lightMin) return undefined;
  return (Math.round((Math.atan2(across, along) * 180) / Math.PI) + 360) % 360;
}

/** How much the lightness grows across the picture and down the part, of a plane that is fitted to it. */
function slopesOf(lab: Float32Array, { width, height }: Size, isOf: (pixel: number) => boolean) {
  const sums = { n: 0, x: 0, y: 0, l: 0 };
  const pixels: number[] = [];
  for (let i = 0; i < width * height; i++) {
    if (!isOf(i)) continue;
    pixels.push(i);
    sums.x += (i % width) / width;
    sums.y += Math.floor(i / width) / height;
    sums.l += lab[3 * i]!;
  }
  const count = pixels.length;
  const middle = { x: sums.x / count, y: sums.y / count, l: sums.l / count };
  let xx = 0;
  let yy = 0;
  let xl = 0;
  let yl = 0;
  for (const i of pixels) {
    const x = (i % width) / width - middle.x;
    const y = Math.floor(i / width) / height - middle.y;
    const l = lab[3 * i]! - middle.l;
    xx += x * x;
    yy += y * y;
    xl += x * l;
    yl += y * l;
  }
  // The parts are bands, in which both directions are nearly independent.
  return { count, across: xx === 0 ? 0 : xl / xx, down: yy === 0 ? 0 : (yl / yy) * (1 - groundStart) };
}
