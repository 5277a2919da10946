/** Things that stand on the ground a little behind the product, at both sides of it. */

import { createRandom, type Random } from "@packshot/domain/random.ts";
import type { Light } from "../../shadow/light.ts";
import type { ProductPose } from "../../shadow/pose.ts";
import type { Camera } from "../canvas/camera.ts";
import { fromHex, type LinearRgb } from "../canvas/color.ts";
import { isInSight, type Sighting, shiftIntoSight } from "../canvas/in-sight.ts";
import { smoothstep } from "../canvas/noise.ts";
import { type DrawnThing, drawMotif, lightOn, motifOf } from "../motifs/draw-thing.ts";
import { lyingSprigs, sprigsTall } from "../motifs/flowers.ts";
import type { Motif } from "../motifs/motifs.ts";
import { findsTall, seaFinds } from "../motifs/shore.ts";
import { type Spot, stampInScene } from "../motifs/stamp.ts";
import { isTable, type ScenePlan } from "../plan/scene-plan.ts";
import { productShares, type StandInScene } from "../stands/build-set.ts";
import { highStands } from "../stands/build-stand.ts";
import type { BackdropKind } from "../words/lexicon.ts";
import type { NamedThing } from "../words/named-things.ts";
import { type Heap, heaps } from "./heaps.ts";
import { darkenContact, type Standing } from "./touch-ground.ts";

/** How far away they stand, in distances of the product from the lens, and how much farther furniture does. */
const awayFrom = 1.24;
const awayTo = 1.42;
const furtherBack = 1.35;
/** Height of a thing at the product's distance, in heights of the image, before its own share. */
const tallnessOf = ({ place }: NamedThing) => (place === "behind" ? 0.9 : 1);
/** They are out of focus by so many pixels of the drawing for one of the scene. */
const blurAt = ({ place }: NamedThing) => (place === "behind" ? 7.5 : 6);
/** A stand leaves at least this share of the image's width at each side. */
const standRoom = 0.24;
/** From the product to the first of them, as a share of the image's width. */
const gapShare = 0.05;
/** Tables and floors end here, in distances of the product; open ground goes on. */
const tableEnd = 1.48;
/**
 * A thing that is wider than its room stands so much farther away, at most: farther it would be a speck. It is partly behind the product
 * then, and whole but for that where its room is this share of its width; else the image's edge cuts it, too, within which so much of
 * half its width shows.
 */
const fartherMax = 1.35;
const roomOfWhole = 0.5;
const leastShown = 0.8;

const openBackdrops: ReadonlySet<BackdropKind> = new Set<BackdropKind>([
  "sea",
  "dunes",
  "hills",
  "mountains",
  "snowfield",
]);

/**
 * Whether a thing stands on the ground: not on a shelf's narrow board, nor on a floor far below. What is behind a table's end stands on a
 * ground that goes on.
 */
export function standsOnGround({ name, place }: NamedThing, plan: ScenePlan): boolean {
  // Smoke is painted in the air.
  if (name === "wisps") return false;
  if (plan.stand !== null) return place === "beside" && !highStands.has(plan.stand);
  // The water of a pool is behind its edge.
  if (place === "behind" && plan.decor === "pool") return true;
  return place === "beside" || (place === "behind" && openBackdrops.has(plan.backdrop) && !isTable(plan));
}

/** What is another one at each place; its width over its height. */
const ownMotifs: ReadonlyMap<string, Heap> = new Map([
  ...heaps,
  ["shell", { aspect: 1 / findsTall, make: seaFinds }],
  ["mint", { aspect: 1 / sprigsTall, make: (random) => lyingSprigs(fromHex("#588c44"), 0.56, random) }],
  ["basil", { aspect: 1 / sprigsTall, make: (random) => lyingSprigs(fromHex("#4f8a38"), 0.68, random) }],
]);

interface Placed extends Standing {
  readonly thing: DrawnThing;
}

interface Lit {
  readonly light: Float32Array;
  /** null: they stand on the product's own ground. */
  readonly stand: StandInScene | null;
}

/**
 * In a scene whose depth of field is applied: they are as much out of focus from foot to top.
 *
 * @returns where they stand, whether or not they are seen
 */
export function standThings(
  { light, stand }: Lit,
  plan: ScenePlan,
  ofProduct: Camera,
  pose: ProductPose | null,
  things: readonly DrawnThing[],
): readonly Sighting[] {
  const random = createRandom(plan.seed ^ 0x3c61);
  const standing = things.filter((thing) => standsOnGround(thing, plan));
  if (standing.length === 0) return [];
  const { key, ambient, lamp } = plan.lighting;
  const lampSide = Math.sin((lamp.directionDeg * Math.PI) / 180);
  const arriving: LinearRgb = [ambient[0] + 0.6 * key[0], ambient[1] + 0.6 * key[1], ambient[2] + 0.6 * key[2]];
  const groundEnd = openBackdrops.has(plan.backdrop) && !isTable(plan) ? Infinity : tableEnd;
  // They stand on the floor, beside the stand and behind it.
  const camera = stand === null ? ofProduct : { ...ofProduct, baseY: ofProduct.baseY - stand.floor * ofProduct.size };
  const ofPose = 0.5 * productShares(pose).wide * camera.size;
  // Beside a stand that fills the image they stand behind it.
  const half = Math.max(ofPose, Math.min((stand?.half ?? 0) * camera.size, (0.5 - standRoom) * camera.width));
  const inFront = stand === null ? null : copyCovered(light, stand.covers);
  const around = place(camera, half, standing, random, lampSide, groundEnd);
  const placed = intoSight(around, camera, pose).toSorted((a, b) => a.footY - b.footY);
  for (const one of placed) {
    castShadow(light, camera, one, lamp);
    shade(light, camera, one, lampSide);
    darkenContact(light, camera, one);
  }
  for (const { thing, motif, spot, halfTall } of placed) {
    const foot = -halfTall / spot.reach;
    const blur = blurAt(thing);
    const own = { x: 0, y: 0, soft: 0, lampX: 0, lampY: 1 };
    const soft: Motif = (point, out) => {
      own.x = point.x;
      own.y = point.y;
      own.soft = point.soft * blur;
      motif(own, out);
      if (out[3] === 0) return;
      const dark = 1 - footShade * Math.min(1, Math.exp((foot - point.y) / footReach));
      for (let c = 0; c < 3; c++) out[c]! *= dark;
    };
    stampInScene(light, camera, soft, spot, lampSide, lightOn(thing, arriving));
    if (thing.kind === "lights") glow(light, camera, spot);
  }
  if (stand !== null && inFront !== null) putBack(light, inFront, stand.covers);
  return placed.map((one) => ({ name: one.thing.name, area: areaOf(one, camera) }));
}

function areaOf({ spot, halfWide, halfTall, footY }: Placed, { width, height }: Camera) {
  return {
    left: (spot.x - halfWide) / width,
    right: (spot.x + halfWide) / width,
    top: (footY - 2 * halfTall) / height,
    bottom: footY / height,
  };
}

/** The first of things of which none were seen moves to where it is. */
function intoSight(placed: readonly Placed[], camera: Camera, pose: ProductPose | null): Placed[] {
  const moved = [...placed];
  for (const [i, one] of moved.entries()) {
    const alike = moved.filter(({ thing }) => thing === one.thing);
    if (alike[0] !== one || alike.some((other) => isInSight(areaOf(other, camera), pose))) continue;
    const others = moved.filter(({ thing }) => thing !== one.thing).map((other) => areaOf(other, camera));
    const x = one.spot.x + camera.width * shiftIntoSight(areaOf(one, camera), pose, others);
    moved[i] = { ...one, spot: { ...one.spot, x } };
  }
  return moved;
}

/** The pixels of a stand, one after the other. */
function copyCovered(light: Float32Array, covers: Uint8Array): Float32Array {
  let count = 0;
  for (let i = 0; i < covers.length; i++) count += covers[i]!;
  const copy = new Float32Array(3 * count);
  for (let i = 0, to = 0; i < covers.length; i++) {
    if (covers[i] === 0) continue;
    for (let c = 0; c < 3; c++) copy[to++] = light[3 * i + c]!;
  }
  return copy;
}

/** The stand is in front of what was drawn over it. */
function putBack(light: Float32Array, copy: Float32Array, covers: Uint8Array): void {
  for (let i = 0, from = 0; i < covers.length; i++) {
    if (covers[i] === 0) continue;
    for (let c = 0; c < 3; c++) light[3 * i + c] = copy[from++]!;
  }
}

/** From the product's side outward: two of three where there is more room, and the others at the other side. */
function place(
  camera: Camera,
  half: number,
  things: readonly DrawnThing[],
  random: Random,
  lampSide: number,
  groundEnd: number,
): Placed[] {
  const gap = gapShare * camera.width;
  const start = { left: camera.baseX - half - gap, right: camera.baseX + half + gap };
  const next = { ...start };
  const placed: Placed[] = [];
  for (const thing of things) {
    const isMainLeft = next.left > camera.width - next.right;
    for (let i = 0; i < thing.count; i++) {
      const near = random.between(awayFrom, awayTo) * (thing.place === "behind" ? furtherBack : 1);
      const own = ownMotifs.get(thing.name);
      const isOneOfMany = thing.count > 1 && thing.place === "beside";
      const hasSizes = isOneOfMany && thing.tall > lowTall && (thing.kind === "plants" || ofManySizes.has(thing.name));
      const grown = hasSizes ? grownTo[i % grownTo.length]! : 1;
      const tallest = tallnessOf(thing) * thing.tall * camera.height * random.between(0.82, 1.18) * grown;
      const drawing = thing.arrangements[i % thing.arrangements.length]!;
      const isMirrored = lampSide > 0 !== (i % 2 === 1 && Math.abs(lampSide) < 0.6);
      const { aspect } = own ?? drawing;
      const motif =
        own === undefined
          ? isOneOfMany
            ? varied(motifOf(drawing, isMirrored), thing, random)
            : motifOf(drawing, isMirrored)
          : motifOf(drawMotif(own.make(random), aspect, [0.6 * lampSide, 0.7]), false);
      // A group at the side that has more room, and one of three at the other.
      const isLeft = i % 3 === 2 ? !isMainLeft : isMainLeft;
      const room = Math.max(1, isLeft ? next.left : camera.width - next.right);
      const away = near * Math.min(fartherMax, Math.max(1, (tallest * aspect) / near / room));
      const tall = tallest / away;
      const halfWide = 0.5 * tall * aspect;
      // The frame cuts none of many but the first at its side.
      const isFirst = isLeft ? next.left === start.left : next.right === start.right;
      if (i > 0 && !isFirst && 2 * halfWide > room) continue;
      const fromEdge = halfWide * (room < roomOfWhole * 2 * halfWide ? leastShown : 1);
      const x = isLeft
        ? Math.max(fromEdge, next.left - halfWide)
        : Math.min(camera.width - fromEdge, next.right + halfWide);
      if (isLeft) next.left -= 1.5 * halfWide;
      else next.right += 1.5 * halfWide;
      // No farther than the end of what they stand on.
      const footY = camera.horizonY + (camera.baseY - camera.horizonY) / Math.min(away, groundEnd);
      const spot = { x, y: footY - tall / 2, reach: Math.max(tall / 2, halfWide), turn: 0 };
      placed.push({ thing, motif, spot, halfWide, halfTall: tall / 2, footY });
    }
  }
  return placed;
}

/** The next plants of a kind are smaller: two cacti as tall, left and right of the product, would be seen to be one drawing. */
const grownTo = [1.06, 0.82, 0.62] as const;
/** So are these; balls and glasses have one size. */
const ofManySizes: ReadonlySet<string> = new Set("suitcase gift-bag jack-o-lantern lantern coral amethyst".split(" "));
/** By how much copies of one drawing differ: narrower, darker or lighter, warmer or colder, and what is low also leans. */
const narrowest = 0.86;
const tones = [0.88, 1.1] as const;
const tints = [-0.05, 0.05] as const;
const leanMost = 0.14;
const lowTall = 0.2;

/** Low things that are straight: what is poured, cast or cut does not lean. */
const upright: ReadonlySet<string> = new Set(
  "tea-glass dice diya dreidel chocolate coins gems quartz ice-cubes golf rubber-duck".split(" "),
);

/** Nothing grows or is baked twice alike. */
function varied(motif: Motif, { tall, name }: NamedThing, random: Random): Motif {
  const narrow = random.between(narrowest, 1);
  const lean = tall > lowTall || upright.has(name) ? 0 : random.between(-leanMost, leanMost);
  const tone = random.between(...tones);
  const tint = random.between(...tints);
  const own = { x: 0, y: 0, soft: 0, lampX: 0, lampY: 1 };
  return ({ x, y, soft }, out) => {
    own.x = (x - lean * y) / narrow;
    own.y = y;
    own.soft = soft;
    motif(own, out);
    out[0]! *= tone * (1 + tint);
    out[1]! *= tone;
    out[2]! *= tone * (1 - tint);
  };
}

/** Warm light around a lamp or a flame, which is in the upper half of its drawing. */
function glow(light: Float32Array, { width, height }: Camera, { x: cx, y, reach }: Spot): void {
  const cy = y - 0.3 * reach;
  const end = 2.4 * reach;
  for (let row = Math.max(0, Math.floor(cy - end)); row < Math.min(height, cy + end); row++) {
    for (let column = Math.max(0, Math.floor(cx - end)); column < Math.min(width, cx + end); column++) {
      const away = Math.hypot(column + 0.5 - cx, row + 0.5 - cy) / end;
      if (away >= 1) continue;
      const share = 0.22 * (1 - away) ** 3;
      const at = (row * width + column) * 3;
      light[at]! += share;
      light[at + 1]! += 0.62 * share;
      light[at + 2]! += 0.26 * share;
    }
  }
}

/** Little light comes to the foot of a thing: by how much less, and up to which height in halves of its longer side. */
const footShade = 0.4;
const footReach = 0.09;
/** A low sun's shadow would lie across the whole ground. */
const shadowLongMax = 1.7;
/** A thing has a depth that its drawing does not show: light from the side throws a shadow of it, too. */
const leastForward = 0.7;
/** What a full shadow takes of the light of a hard lamp and of a soft one. */
const hardShadow = 0.62;
const softShadow = 0.42;

/** The outline of a thing, as the lamp throws it on the ground before it: blurred the more the farther from its foot. */
function castShadow(light: Float32Array, camera: Camera, one: Placed, lamp: Light): void {
  const { motif, spot, halfTall, halfWide, footY } = one;
  const angle = (lamp.directionDeg * Math.PI) / 180;
  const long = Math.min(shadowLongMax, 1 / Math.tan((lamp.elevationDeg * Math.PI) / 180));
  const aside = long * Math.sin(angle);
  // Rows that the shadow of a point goes down for each row of the point's height.
  const forward = Math.max(leastForward, Math.cos(angle)) * long * ((footY - camera.horizonY) / camera.distance);
  const tall = 2 * halfTall;
  const darkest = hardShadow + (softShadow - hardShadow) * lamp.softness;
  const out = new Float32Array(4);
  const point = { x: 0, y: 0, soft: 0, lampX: 0, lampY: 1 };
  const end = Math.min(camera.height, footY + forward * tall);
  for (let row = Math.max(0, Math.floor(footY)); row < end; row++) {
    const high = Math.max(0, row + 0.5 - footY) / forward;
    const share = high / tall;
    const middle = spot.x - aside * high;
    const reach = halfWide * (1 + 0.5 * share);
    point.y = (high - halfTall) / spot.reach;
    point.soft = Math.min(0.3, 0.05 + (0.08 + 0.4 * lamp.softness) * share);
    const fade = darkest * (1 - 0.6 * share);
    const last = Math.min(camera.width, middle + reach);
    for (let column = Math.max(0, Math.floor(middle - reach)); column < last; column++) {
      point.x = (column + 0.5 - middle) / spot.reach;
      motif(point, out);
      if (out[3]! <= 0) continue;
      const at = (row * camera.width + column) * 3;
      const kept = 1 - fade * out[3]!;
      for (let c = 0; c < 3; c++) light[at + c]! *= kept;
    }
  }
}

/** What keeps the sky's light from the ground around its foot. */
function shade(light: Float32Array, { width, height }: Camera, one: Placed, lampSide: number): void {
  const { spot, halfWide, footY } = one;
  const reach = 1.3 * halfWide;
  const flat = 0.2;
  const cx = spot.x - 0.35 * lampSide * halfWide;
  const cy = footY - 0.1 * halfWide;
  for (let y = Math.max(0, Math.floor(cy - reach * flat)); y < Math.min(height, cy + reach * flat); y++) {
    for (let x = Math.max(0, Math.floor(cx - reach)); x < Math.min(width, cx + reach); x++) {
      const away = Math.hypot(x + 0.5 - cx, (y + 0.5 - cy) / flat) / reach;
      const kept = 1 - 0.55 * (1 - smoothstep(0.25, 1, away));
      const at = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) light[at + c]! *= kept;
    }
  }
}
