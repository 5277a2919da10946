/** Flower heads and leaves as a camera from above sees them. */

import { mix32, type Random } from "@packshot/domain/random.ts";
import { fromHex, type LinearRgb, mix, saturate, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { lyingTogether } from "./lying-together.ts";
import type { Motif } from "./motifs.ts";
import { type Form, inRelief } from "./relief.ts";

const covered = (inside: number, soft: number) => smoothstep(-soft, soft, inside);
const speck = (x: number, y: number, seed = 0) =>
  (mix32(Math.floor(x) * 7919 + Math.floor(y) * 104729 + seed) & 1023) / 1023;

/** How the petals of a head lie. */
export interface Rosette {
  /** From the outermost ring to the innermost. */
  readonly rings: number;
  /** Petals of each ring. */
  readonly petals: number;
  /** The inner ring's radius as a share of the outer one's. */
  readonly heart: number;
  /** How deep the gaps between petals are, 0–1. */
  readonly gaps: number;
  /** Frilled edges. */
  readonly frill: number;
  /** A disc in the middle; absent: petals close over it. */
  readonly disc?: { readonly color: LinearRgb; readonly radius: number };
}

export const rosettes = {
  rose: { rings: 8, petals: 5, heart: 0.12, gaps: 0.13, frill: 0.006 },
  peony: { rings: 9, petals: 6, heart: 0.1, gaps: 0.13, frill: 0.016 },
  marigold: { rings: 8, petals: 11, heart: 0.1, gaps: 0.24, frill: 0.03 },
  sunflower: {
    rings: 2,
    petals: 17,
    heart: 0.84,
    gaps: 0.5,
    frill: 0.006,
    disc: { color: fromHex("#4a2c14"), radius: 0.44 },
  },
  daisy: {
    rings: 2,
    petals: 13,
    heart: 0.92,
    gaps: 0.46,
    frill: 0.004,
    disc: { color: fromHex("#e0a52a"), radius: 0.28 },
  },
  open: {
    rings: 2,
    petals: 5,
    heart: 0.86,
    gaps: 0.36,
    frill: 0.016,
    disc: { color: fromHex("#d9a83a"), radius: 0.13 },
  },
  cone: { rings: 8, petals: 9, heart: 0.1, gaps: 0.4, frill: 0.006 },
} as const satisfies Readonly<Record<string, Rosette>>;

/** A head of petals in rings, each ring upon the one outside it. */
export function flowerHead(color: LinearRgb, seed: number, look: Rosette): Motif {
  const { rings, petals, heart, gaps, frill, disc } = look;
  const deep = scale(saturate(color, 1.25), 0.62);
  const pale = mix(color, [1, 0.96, 0.93], 0.12);
  const ring = Array.from({ length: rings }, (_, k) => ({
    radius: 0.97 * (1 - ((1 - heart) * k) / Math.max(1, rings - 1)) * (0.96 + 0.08 * speck(k, 3, seed)),
    turn: k * 2.4 + 2 * Math.PI * speck(k, 7, seed),
    // Petals do not close around one middle.
    x: disc === undefined ? 0.1 * (speck(k, 11, seed) - 0.5) * Math.min(1, k) : 0,
    y: disc === undefined ? 0.1 * (speck(k, 13, seed) - 0.5) * Math.min(1, k) : 0,
    // Few petals close the heart.
    petals: Math.max(3, Math.round(petals * (disc === undefined ? 1 - (0.5 * k) / rings : 1))),
  }));
  const form: Form = (x, y, soft, out) => {
    // Nobody holds it quite upright.
    const px = x * 1.02;
    const py = y * (1.02 + 0.12 * speck(1, 1, seed));
    const radius = Math.hypot(px, py);
    const angle = Math.atan2(py, px);
    if (disc !== undefined && radius < disc.radius) {
      const grain = speck(x * 30 + 60, y * 30 + 60, seed);
      const round = radius / disc.radius;
      for (let c = 0; c < 3; c++) out[c] = disc.color[c]! * (0.55 + 0.6 * grain) * (1 - 0.2 * (1 - round));
      out[3] = 1;
      return 0.16 + 0.1 * Math.sqrt(1 - round * round) + 0.02 * grain;
    }
    let found = -1;
    let edge = -1;
    let place = 0;
    for (let k = rings - 1; k >= 0; k--) {
      const one = ring[k]!;
      const away = Math.hypot(px - one.x, py - one.y);
      const part = ((Math.atan2(py - one.y, px - one.x) + one.turn) / (2 * Math.PI)) * one.petals;
      const within = 2 * Math.abs(part - Math.floor(part) - 0.5);
      const uneven = 1 + 0.1 * (speck(Math.floor(part) + 40, k + 5, seed) - 0.5);
      const wave = frill * Math.sin(angle * 31 + 5 * k);
      const rim = one.radius * uneven * (1 - gaps * within ** 2.4) + wave;
      if (away >= rim && !(k === 0 && away < rim + soft)) continue;
      found = k;
      edge = rim - away;
      place = within;
      break;
    }
    if (found < 0) {
      out[3] = 0;
      return 0;
    }
    out[3] = found === 0 ? covered(edge, soft) : 1;
    const inner = found + 1 < rings ? ring[found + 1]!.radius : disc === undefined ? 0 : disc.radius;
    const wide = Math.max(0.06, ring[found]!.radius - inner);
    const toRim = Math.min(1, Math.max(0, 1 - edge / wide));
    // Deep where the next ring stands, bright where the petal curls over.
    const lit = 0.5 + 0.55 * smoothstep(0, 0.7, toRim) - 0.12 * smoothstep(0.55, 1, place);
    const own = mix(mix(deep, color, smoothstep(0, 0.55, toRim)), pale, smoothstep(0.6, 1, toRim));
    const vein = 1 + 0.05 * Math.sin(angle * 57 + 3 * found);
    for (let c = 0; c < 3; c++) out[c] = own[c]! * lit * vein * (0.78 + 0.22 * (1 - found / rings));
    const cup = 0.32 * (1 - radius * radius);
    return cup + 0.05 * smoothstep(0.1, 0.9, toRim) - 0.04 * place * place;
  };
  return inRelief(form);
}

/** A leaf of mint, lemon balm or a rose: its edge is toothed, and it bulges between its veins. */
export function toothedLeaf(color: LinearRgb, seed: number, wide = 0.52): Motif {
  const pale = mix(color, [0.72, 0.8, 0.5], 0.35);
  const bend = ((mix32(seed) & 255) / 255 - 0.5) * 0.22;
  const form: Form = (x, y, soft, out) => {
    const along = (x + 1) / 2;
    const aside = y - bend * (1 - x * x);
    const away = Math.abs(aside);
    const teeth = 0.035 * Math.abs(((along * 9) % 1) - 0.5);
    const half = along <= 0 || along >= 1 ? 0 : wide * Math.sin(Math.PI * along ** 0.78) ** 0.66 + teeth;
    out[3] = covered(half - away, soft);
    const across = Math.min(1, away / Math.max(0.02, half));
    const phase = (x - away * 0.85) * 4.3 + 20;
    const between = Math.abs(phase - Math.floor(phase) - 0.5) * 2;
    const vein = 1 - smoothstep(0.82, 1, between);
    const rib = 1 - smoothstep(0.012, 0.035, away);
    const share = Math.max(rib, 0.5 * (1 - vein));
    const own = mix(color, pale, share);
    const tone = 0.86 + 0.2 * speck(x * 12 + 40, y * 12 + 40, seed) * 0.5 - 0.18 * (1 - along);
    for (let c = 0; c < 3; c++) out[c] = own[c]! * tone;
    const bulge = 0.075 * Math.sin(Math.PI * (1 - between) * 0.5) * Math.sin(Math.PI * Math.min(1, across + 0.08));
    return bulge + 0.16 * Math.sqrt(across + 0.02) * (1 - 0.7 * across) - 0.05 * rib;
  };
  return inRelief(form, { gloss: 0.12, sharpness: 8 });
}

/** A leaf of a monstera: a heart with deep cuts between its ribs, and holes beside the midrib. */
export function monsteraLeaf(color: LinearRgb, seed: number): Motif {
  const pale = mix(color, [0.5, 0.66, 0.3], 0.4);
  const drift = speck(3, 7, seed) * 0.6;
  const form: Form = (x, y, soft, out) => {
    const away = Math.abs(y);
    const along = (x + 1) / 2;
    const half = along <= 0 || along >= 1 ? 0 : 0.86 * Math.sin(Math.PI * along ** 0.62) ** 0.72;
    const across = Math.min(1, away / Math.max(0.02, half));
    // The ribs lean toward the tip, and a cut lies between two of them.
    const phase = (x - away * 0.62) * 3.1 + 20 + drift * Math.sign(y);
    const between = Math.abs(phase - Math.floor(phase) - 0.5) * 2;
    const cut = between - 1 + 0.34 * smoothstep(0.42, 0.95, across);
    const hole = 0.1 - Math.hypot((between - 1) * 0.34, across - 0.26);
    const isCut = Math.max(along > 0.1 && along < 0.9 ? cut * 0.32 : -1, along > 0.25 && along < 0.72 ? hole : -1);
    out[3] = covered(Math.min(half - away, -isCut), soft);
    const rib = 1 - smoothstep(0.01, 0.028, away);
    const vein = 1 - smoothstep(0.02, 0.12, between);
    const own = mix(color, pale, Math.max(0.9 * rib, 0.45 * vein));
    const tone = 0.84 + 0.12 * speck(x * 9 + 40, y * 9 + 40, seed) - 0.12 * (1 - along);
    for (let c = 0; c < 3; c++) out[c] = own[c]! * tone;
    return (
      0.06 * Math.sin(Math.PI * 0.5 * (1 - between)) +
      0.24 * Math.sqrt(across + 0.02) * (1 - 0.75 * across) -
      0.04 * rib
    );
  };
  return inRelief(form, { gloss: 0.16, sharpness: 10 });
}

/** A palm's frond: narrow leaflets at both sides of its rib, which lean toward the tip. */
export function frond(color: LinearRgb, seed: number): Motif {
  const pale = mix(color, [0.62, 0.66, 0.34], 0.5);
  const bend = (speck(5, 11, seed) - 0.5) * 0.3;
  const form: Form = (x, y, soft, out) => {
    const aside = y - bend * (1 - x * x);
    const away = Math.abs(aside);
    const along = (x + 1) / 2;
    const half = along <= 0 || along >= 1 ? 0 : 0.5 * Math.sin(Math.PI * along ** 0.7) ** 0.6;
    const phase = (x - away * 0.9) * 8.5 + 20;
    const between = Math.abs(phase - Math.floor(phase) - 0.5) * 2;
    const across = Math.min(1, away / Math.max(0.02, half));
    const leaflet = (0.86 - 0.5 * across - between) * 0.06;
    const rib = 0.014 * (1.3 - along) - away;
    out[3] = covered(Math.max(Math.min(leaflet, half - away), rib), soft);
    const own = mix(color, pale, rib > 0 ? 0.8 : 0.25 * (1 - between));
    const tone = 0.82 + 0.2 * speck(Math.floor(phase), Math.sign(aside) + 4, seed);
    for (let c = 0; c < 3; c++) out[c] = own[c]! * tone;
    return 0.05 * (1 - between) + 0.1 * Math.sqrt(across + 0.02);
  };
  return inRelief(form, { gloss: 0.1, sharpness: 8 });
}

/** A sprig of mint or basil from above: crossed pairs of leaves, the youngest in the middle. */
export function sprig(color: LinearRgb, seed: number, wide: number): Motif {
  const leaves = Array.from({ length: 12 }, (_, i) => {
    const pair = Math.floor(i / 2);
    const turn = (i % 2) * Math.PI + (pair % 2) * (Math.PI / 2) + 0.32 * pair + 0.5 * (speck(i, 2, seed) - 0.5);
    const long = (0.5 - 0.066 * pair) * (0.86 + 0.28 * speck(i, 5, seed));
    const tone = 0.66 + 0.13 * pair;
    return {
      cos: Math.cos(turn),
      sin: Math.sin(turn),
      long,
      from: 0.02 + 0.5 * long,
      motif: toothedLeaf(scale(mix(color, [0.5, 0.62, 0.2], 0.06 * pair), tone), seed + i, wide),
    };
  }).toReversed();
  const inner = { x: 0, y: 0, soft: 0, lampX: 0, lampY: 0 };
  return ({ x, y, soft, lampX, lampY }, out) => {
    out.fill(0);
    // The upper leaves shade those below.
    for (const { cos, sin, long, from, motif } of leaves) {
      const half = long;
      inner.x = (x * cos + y * sin - from) / (half * 0.98);
      inner.y = (-x * sin + y * cos) / (half * 0.98);
      if (Math.abs(inner.x) > 1.1 || Math.abs(inner.y) > wide + 0.15) continue;
      inner.soft = soft / half;
      inner.lampX = lampX * cos + lampY * sin;
      inner.lampY = -lampX * sin + lampY * cos;
      motif(inner, out);
      if (out[3]! > 0.4) {
        out[3] = 1;
        return;
      }
    }
  };
}

/** Height of `lyingSprigs` above and below the middle, as a share of half its width. */
export const sprigsTall = 0.56;

/** Three sprigs that lie on level ground. @param wide as for `sprig` */
export function lyingSprigs(color: LinearRgb, wide: number, random: Random): Motif {
  const sprigs = [-0.48, 0.06, 0.52].map((x, i) => {
    const turn = random.between(-Math.PI, Math.PI);
    return {
      x: x + random.between(-0.06, 0.06),
      foot: -sprigsTall + (i === 1 ? 0.12 : 0.02) + random.between(0, 0.05),
      reach: random.between(0.42, 0.5),
      squash: random.between(0.84, 0.96),
      cos: Math.cos(turn),
      sin: Math.sin(turn),
      motif: sprig(scale(color, random.between(0.86, 1.12)), Math.floor(random.next() * 65_536), wide),
    };
  });
  return lyingTogether(sprigs);
}

/** A coin-shaped leaf of eucalyptus: matte, with a pale rim and a red stalk. */
export function coinLeaf(color: LinearRgb, seed: number): Motif {
  const tilt = 0.72 + 0.24 * ((mix32(seed) & 255) / 255);
  const pale = mix(color, [0.86, 0.9, 0.86], 0.3);
  const form: Form = (x, y, soft, out) => {
    const radius = Math.hypot(x / 0.96, y / tilt);
    const point = x > 0.6 ? 0.08 * (x - 0.6) : 0;
    out[3] = covered((0.97 + point - radius) * tilt, soft);
    const rib = 1 - smoothstep(0.012, 0.05, Math.abs(y));
    const rim = smoothstep(0.84, 0.98, radius);
    const veins = 0.04 * Math.sin((x * 1.4 + Math.abs(y)) * 16);
    const own = mix(color, pale, Math.max(0.55 * rib, 0.7 * rim));
    const cloud = 0.9 + 0.2 * speck(x * 3 + 20, y * 3 + 20, seed) * (1 - radius);
    for (let c = 0; c < 3; c++) out[c] = own[c]! * (cloud + veins);
    return 0.16 * Math.sin(2.2 * y + seed) + 0.14 * y * y - 0.04 * rib + 0.1 * x * x;
  };
  return inRelief(form, { gloss: 0.05, sharpness: 6 });
}
