/** Shells and starfish, in relief. */

import { mix32, type Random } from "@packshot/domain/random.ts";
import { fromHex, type LinearRgb, mix, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { lyingTogether } from "./lying-together.ts";
import type { Motif } from "./motifs.ts";
import { type Form, inRelief } from "./relief.ts";

const covered = (inside: number, soft: number) => smoothstep(-soft, soft, inside);
const speck = (x: number, y: number, seed = 0) =>
  (mix32(Math.floor(x) * 7919 + Math.floor(y) * 104729 + seed) & 1023) / 1023;

/** Where the ribs of a fan meet, and how far they spread to each side, in radians. */
const hinge = -0.82;
const spread = 1.06;

/** A scallop that lies on its flat side: ribs from its hinge at the foot, bands of growth, a wavy rim. */
function fanShell(color: LinearRgb, seed: number): Motif {
  const ribs = 9 + (mix32(seed) % 5);
  const deep = mix(scale(color, 0.72), fromHex("#a5603f"), 0.3);
  const pale = mix(color, [0.9, 0.86, 0.8], 0.4);
  const lean = 0.16 * (speck(1, 2, seed) - 0.5);
  const form: Form = (x, y, soft, out) => {
    const up = y - hinge;
    const aside = x - lean * up;
    const angle = Math.atan2(aside, up) / spread;
    const radius = Math.hypot(aside, up) / 1.72;
    const rib = Math.cos(angle * ribs * Math.PI);
    const rim = 1 - 0.07 * angle ** 4 + 0.018 * rib - radius;
    // Two small ears beside the hinge.
    const ear = Math.min(0.34 - Math.abs(aside), 0.13 - Math.abs(up - 0.02), 0.3 - Math.abs(aside) + 0.9 * up);
    const inside = Math.max(Math.min(rim * 1.6, (1 - Math.abs(angle)) * radius * 1.7), ear);
    out[3] = covered(inside, soft);
    const band = speck(radius * 13 + 0.6 * Math.abs(angle), 4, seed);
    const stain = smoothstep(0.35, 0.9, band) * (0.3 + 0.7 * smoothstep(0.1, 0.6, radius));
    const own = mix(mix(pale, color, smoothstep(0, 0.5, radius)), deep, 0.55 * stain);
    const valley = 0.82 + 0.18 * smoothstep(-0.9, 0.2, rib);
    for (let c = 0; c < 3; c++) out[c] = own[c]! * valley;
    const far = Math.min(1, Math.hypot(angle * 0.92, (radius - 0.42) / 0.62));
    const rings = 0.008 * Math.sin(radius * 44);
    return 0.42 * Math.sqrt(1 - far * far + 1e-4) + 0.03 * rib * smoothstep(0.12, 0.45, radius) + rings;
  };
  return inRelief(form, { gloss: 0.08, sharpness: 9 });
}

/** A whelk on its side, its tip at the left: whorls that widen toward the mouth. */
function spiralShell(color: LinearRgb, seed: number): Motif {
  const deep = mix(scale(color, 0.6), fromHex("#7d4a2c"), 0.5);
  const mouth = mix(color, fromHex("#c9907a"), 0.55);
  const wide = 0.4 + 0.1 * speck(3, 5, seed);
  const form: Form = (x, y, soft, out) => {
    const along = (x + 1) / 2;
    const body = along < 0.66 ? (along / 0.66) ** 0.94 : Math.sqrt(Math.max(0, 1 - ((along - 0.66) / 0.34) ** 2));
    // Whorls run aslant, each a third larger than the one before.
    const turn = Math.log(Math.max(0.04, along + 0.16 * y)) / Math.log(1.42) + 20;
    const within = turn - Math.floor(turn);
    const bulge = Math.sin(Math.PI * within);
    const half = along <= 0 || along >= 1 ? 0 : wide * body * (0.86 + 0.14 * bulge);
    out[3] = covered(half - Math.abs(y), soft);
    const across = Math.min(1, Math.abs(y) / Math.max(0.02, half));
    const band = speck(within * 7, Math.floor(turn), seed) * speck(y * 9 + 40, turn * 3, seed);
    const opening = smoothstep(0.12, -0.03, Math.hypot((along - 0.78) / 1.5, (y + 0.1) / 1.25) - 0.09);
    const own = mix(mix(color, deep, 0.75 * smoothstep(0.2, 0.7, band)), mouth, opening);
    const seam = 1 - 0.3 * (1 - smoothstep(0, 0.12, within));
    for (let c = 0; c < 3; c++) out[c] = own[c]! * seam * (1 - 0.5 * opening);
    return half * Math.sqrt(1 - across * across + 1e-4) * (0.9 + 0.16 * bulge) - 0.14 * opening;
  };
  return inRelief(form, { gloss: 0.14, sharpness: 12 });
}

/** Five arms of uneven length, bent a little, with rows of pale knobs on a grainy skin. */
export function starfish(color: LinearRgb, seed: number): Motif {
  const pale = mix(color, [0.86, 0.74, 0.58], 0.55);
  const arms = Array.from({ length: 5 }, (_, k) => {
    const turn = (k * 2 * Math.PI) / 5 + 0.22 * (speck(k, 1, seed) - 0.5);
    return {
      cos: Math.cos(turn),
      sin: Math.sin(turn),
      long: 0.8 + 0.19 * speck(k, 2, seed),
      bend: 0.5 * (speck(k, 3, seed) - 0.5),
    };
  });
  const form: Form = (x, y, soft, out) => {
    let inside = -1;
    let high = 0;
    let knob = 0;
    for (const { cos, sin, long, bend } of arms) {
      const along = x * cos + y * sin;
      if (along < -0.1 || along > long + 0.05) continue;
      const aside = -x * sin + y * cos - bend * along * along;
      const share = Math.min(1, Math.max(0, along / long));
      const half = 0.235 * (1 - share) ** 0.75 + 0.055 * Math.sqrt(Math.max(0, 1 - share ** 8));
      const room = Math.min(half - Math.abs(aside), (long - along) * 1.4);
      if (room <= inside) continue;
      inside = room;
      const across = Math.min(1, Math.abs(aside) / half);
      high = (0.05 + 0.85 * half) * Math.sqrt(1 - across * across + 1e-4);
      const row = Math.abs(aside) < 0.045 ? 1 : smoothstep(0.62, 0.7, across) * (1 - smoothstep(0.8, 0.88, across));
      const bead = Math.abs(along * 15 - Math.floor(along * 15) - 0.5);
      knob = row * (1 - smoothstep(0.2, 0.42, bead));
    }
    out[3] = covered(inside, soft);
    const grain = speck(x * 34 + 80, y * 34 + 80, seed);
    const mottled = speck(x * 7 + 80, y * 7 + 80, seed);
    const own = mix(color, pale, Math.min(1, 0.75 * knob + 0.22 * grain * mottled));
    for (let c = 0; c < 3; c++) out[c] = own[c]! * (0.82 + 0.24 * grain);
    return high + 0.016 * grain + 0.03 * knob;
  };
  return inRelief(form, { gloss: 0.04, sharpness: 6 });
}

const sands = ["#e6d3bd", "#dcb9a0", "#efe4d6", "#cfa98d", "#d8c3b4"] as const;
const stars = ["#c9976f", "#bd8262", "#d3aa84"] as const;

/** One that the sea left, in one of the colors that they have. */
export function seaFind(random: Random, isStar: boolean): Motif {
  const seed = Math.floor(random.next() * 65_536);
  const color = scale(fromHex(isStar ? random.pick(stars) : random.pick(sands)), random.between(0.85, 1.12));
  if (isStar) return starfish(color, seed);
  return random.chance(0.52) ? fanShell(color, seed) : spiralShell(color, seed);
}

/** How flat a star looks to a level camera, and how far a shell leans that is half in the sand. */
const lying = 0.5;
const leaning = 0.82;

/** Two or three that lie together on level ground. Wide as their square, they are in its lower `findsTall`. */
export function seaFinds(random: Random): Motif {
  const count = random.chance(0.6) ? 3 : 2;
  const way = random.chance(0.5) ? 1 : -1;
  const starAt = random.chance(0.55) ? 2 : -1;
  const finds = Array.from({ length: count }, (_, i) => {
    const isStar = i === starAt;
    const squash = isStar ? lying : i === 0 ? leaning : random.between(0.6, 0.75);
    const reach = [0.4, 0.31, 0.36][i]! * random.between(0.9, 1.1);
    const turn = isStar ? random.between(-Math.PI, Math.PI) : random.between(-0.5, 0.5);
    return {
      x: way * ([-0.42, 0.22, 0.62][i]! + random.between(-0.06, 0.06)),
      foot: -findsTall + [0.05, 0.02, 0.1][i]! + random.between(0, 0.04),
      reach,
      squash,
      cos: Math.cos(turn),
      sin: Math.sin(turn),
      motif: seaFind(random, isStar),
    };
  });
  return lyingTogether(finds);
}

/** Height of `seaFinds` above and below the middle, as a share of half its width. */
export const findsTall = 0.42;
