/** Fruit as a camera from above sees it: whole, in slices, and in bunches. */

import { createRandom, mix32 } from "@packshot/domain/random.ts";
import { fromHex, type LinearRgb, mix, saturate, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { Motif } from "./motifs.ts";
import { type Form, inRelief } from "./relief.ts";

const covered = (inside: number, soft: number) => smoothstep(-soft, soft, inside);
/** 0–1, the same for the same cell. */
const speck = (x: number, y: number, seed = 0) =>
  (mix32(Math.floor(x) * 7919 + Math.floor(y) * 104729 + seed) & 1023) / 1023;

const green = fromHex("#5f7a33");

export interface BallLook {
  /** Height over width of its outline. */
  readonly oblong?: number;
  readonly gloss?: number;
  /** Pores of a rind: their depth. */
  readonly pores?: number;
  /** What is at its end: a stalk in a hollow, leaves of a tomato, a blueberry's crown, a pale scar. */
  readonly end?: "stalk" | "leaves" | "crown" | "scar";
  /** A second color at one side, as of an apple. */
  readonly blush?: LinearRgb;
  /** Both ends are drawn out, as a lemon's. */
  readonly isPointed?: boolean;
  /** It is so much narrower at one end than in its middle, as an egg is. */
  readonly taper?: number;
}

/** A round fruit; `tilt` shows its end at a side. */
export function ball(color: LinearRgb, seed: number, look: BallLook = {}): Motif {
  const { oblong = 1, gloss = 0.3, pores = 0, end, blush, isPointed = false, taper = 0 } = look;
  const tilt = ((mix32(seed) & 255) / 255 - 0.5) * 0.9;
  const turn = ((mix32(seed + 1) & 255) / 255) * 2 * Math.PI;
  const [endX, endY] = [Math.cos(turn) * tilt, Math.sin(turn) * tilt] as const;
  const form: Form = (x, y, soft, out) => {
    const tip = isPointed ? 0.16 * Math.exp(-(y * y) * 40) : 0;
    const radius = Math.hypot(x / (0.84 + tip * 0.95), y / (oblong * 0.94 * (1 - taper * x)));
    const inside = (0.98 - radius) * oblong;
    out[3] = covered(inside, soft);
    let high = oblong * 0.9 * Math.sqrt(Math.max(0.02, 1.02 - radius * radius));
    let own = color;
    if (blush !== undefined) own = mix(color, blush, smoothstep(-0.5, 0.7, x + 0.5 * y + 0.2 * Math.sin(7 * y)));
    const dark = 1 - 0.3 * radius ** 5;
    if (pores > 0) high -= pores * speck(x * 17 + 50, y * 17 + 50, seed) * (1 - radius ** 4);
    const dx = x - endX;
    const dy = y - endY;
    const away = Math.hypot(dx, dy);
    const angle = Math.atan2(dy, dx);
    if (end === "stalk") {
      high -= 0.22 * Math.exp(-away * away * 22);
      if (away < 0.2 && Math.abs(Math.sin(angle - turn)) * away < 0.045) own = [0.16, 0.1, 0.04];
    } else if (end === "leaves") {
      const blade = 0.16 + 0.34 * Math.abs(Math.cos(2.5 * angle)) ** 2.4;
      const share = covered(blade - away, soft + 0.02);
      own = mix(own, green, share);
      high += 0.05 * share;
    } else if (end === "crown") {
      const ring = 0.2 + 0.07 * Math.cos(5 * angle);
      own = mix(own, scale(color, 0.35), covered(ring - away, 0.05));
      high -= 0.2 * covered(ring - away, 0.06);
      own = mix(own, mix(color, [0.55, 0.6, 0.72], 0.5), 0.4 * speck(x * 5 + 20, y * 5 + 20, seed));
    } else if (end === "scar") own = mix(own, [0.5, 0.42, 0.24], 0.8 * covered(0.12 - away, 0.05));
    for (let c = 0; c < 3; c++) out[c] = own[c]! * dark;
    return high;
  };
  return inRelief(form, { gloss, sharpness: 26 });
}

/** A round of a citrus fruit: wet flesh in segments, white pith, rind. */
export function citrusRound(rind: LinearRgb, flesh: LinearRgb, seed: number): Motif {
  const pith: LinearRgb = mix(rind, [0.9, 0.87, 0.74], 0.8);
  const segments = 9 + (seed & 1);
  const shift = (mix32(seed) & 255) / 255;
  const form: Form = (x, y, soft, out) => {
    const wobble = 1 + 0.012 * Math.sin(3 * Math.atan2(y, x) + seed);
    const radius = Math.hypot(x, y) / wobble;
    out[3] = covered(0.97 - radius, soft);
    const part = (Math.atan2(y, x) / (2 * Math.PI) + 0.5) * segments + shift;
    const within = Math.abs(part - Math.floor(part) - 0.5) * 2;
    const across = ((1 - within) * radius * Math.PI) / segments;
    const edge = Math.min(0.84 - radius, across - 0.014, radius - 0.07);
    const share = covered(edge - 0.012, soft + 0.012);
    // Cells of juice point to the middle.
    const cell = speck(part * 9, radius * 5 + 3 * speck(part * 9, 3, seed), seed);
    const long = speck(part * 17, radius * 3, seed + 5);
    const wet = mix(scale(saturate(flesh, 1.15), 0.7), mix(flesh, [1, 0.96, 0.8], 0.3), 0.55 * cell + 0.45 * long);
    const base = radius > 0.915 ? rind : pith;
    const own = share > 0 ? mix(base, wet, share) : base;
    for (let c = 0; c < 3; c++) out[c] = own[c]!;
    const rim = 0.1 * smoothstep(0.97, 0.9, radius);
    return rim - 0.045 * share + 0.03 * share * cell;
  };
  return inRelief(form, { gloss: 0.16, sharpness: 12 });
}

/** A round slice of a kiwi or a cucumber: a pale middle, seeds around it, a skin. */
export function seededRound(skin: LinearRgb, flesh: LinearRgb, seedColor: LinearRgb, seed: number): Motif {
  const form: Form = (x, y, soft, out) => {
    const radius = Math.hypot(x, y * 1.06);
    const angle = Math.atan2(y, x);
    out[3] = covered(0.97 - radius, soft);
    const ray = 0.5 + 0.5 * Math.sin(angle * 21 + seed);
    const own = mix(mix(flesh, [0.8, 0.86, 0.6], 0.55), flesh, smoothstep(0.16, 0.4, radius + 0.06 * ray));
    const at = (angle / (2 * Math.PI)) * 26;
    const along = Math.abs(at - Math.floor(at) - 0.5) * radius * 0.24;
    const place = 0.36 + 0.14 * speck(at, 1, seed);
    const isSeed = Math.hypot(along / 0.022, (radius - place) / 0.05) < 1;
    const shown = isSeed ? seedColor : radius > 0.92 ? skin : own;
    for (let c = 0; c < 3; c++) out[c] = shown[c]! * (0.9 + 0.14 * ray);
    return 0.08 * smoothstep(0.97, 0.9, radius) + (isSeed ? 0.02 : 0);
  };
  return inRelief(form, { gloss: 0.2, sharpness: 10 });
}

/** A raspberry or a blackberry: beads around a core, lying on its side. */
export function beadedBerry(color: LinearRgb, seed: number): Motif {
  const rows = 5.2;
  const form: Form = (x, y, soft, out) => {
    const half = 0.74 * Math.sqrt(Math.max(0, 1 - ((x + 0.08) / 0.98) ** 2)) * (1 - 0.18 * x);
    const across = y / Math.max(0.05, half);
    out[3] = covered(Math.min(half - Math.abs(y), 0.94 - Math.abs(x)) + 0.03, soft + 0.02);
    // Rows run around it: they are narrower where its sides turn away.
    const round = Math.asin(Math.min(1, Math.max(-1, across))) / (Math.PI / 2);
    const row = Math.floor((x + 1) * rows);
    const bead = round * 3.1 + (row % 2) * 0.5 + seed * 0.37;
    const bx = (x + 1) * rows - row - 0.5;
    const by = bead - Math.floor(bead) - 0.5;
    const near = Math.hypot(bx, by) * 2;
    const tone = 0.78 + 0.4 * speck(row + 9, Math.floor(bead) + 30, seed);
    const body = 0.6 * Math.sqrt(Math.max(0, 1 - Math.min(1, Math.abs(across)) ** 2));
    const dome = Math.sqrt(Math.max(0, 1.1 - Math.min(1.05, near) ** 2));
    const dark = 0.42 + 0.58 * smoothstep(1.1, 0.55, near);
    for (let c = 0; c < 3; c++) out[c] = color[c]! * tone * dark;
    return body + 0.17 * dome;
  };
  return inRelief(form, { gloss: 0.34, sharpness: 18 });
}

/** A strawberry on its side, with its leaves at the foot. */
export function strawberry(color: LinearRgb, seed: number): Motif {
  const pale = mix(color, [0.9, 0.62, 0.42], 0.6);
  const form: Form = (x, y, soft, out) => {
    const along = (x + 0.72) / 1.68;
    const half = along <= 0 || along >= 1 ? 0 : 0.72 * Math.sin(Math.PI * along ** 0.62) ** 0.72 * (1 - 0.3 * along);
    const inside = half - Math.abs(y);
    const blades = 0.26 + 0.3 * Math.abs(Math.cos(3.5 * Math.atan2(y, x + 0.7))) ** 1.6;
    const leafy = blades - Math.hypot(x + 0.7, y * 0.72);
    const isLeaf = leafy > 0 && (x < -0.42 || inside > 0);
    out[3] = Math.max(covered(inside, soft), isLeaf ? covered(leafy, soft) : 0);
    if (isLeaf) {
      const vein = 0.85 + 0.2 * Math.sin(9 * Math.atan2(y, x + 0.7));
      for (let c = 0; c < 3; c++) out[c] = green[c]! * vein;
      return 0.62 + 0.2 * leafy;
    }
    const across = Math.min(1, Math.abs(y) / Math.max(0.05, half));
    const px = x * 6.4 + 40;
    const py = Math.asin(Math.min(1, across)) * Math.sign(y) * 3.1 + 40 + 0.5 * (Math.floor(px) & 1);
    const near = Math.hypot((px - Math.floor(px) - 0.5) / 1.1, (py - Math.floor(py) - 0.5) / 0.62);
    const isSeed = near < 0.2;
    const own = mix(color, pale, 0.75 * smoothstep(-0.3, -0.72, x) + 0.1 * speck(px, py, seed));
    for (let c = 0; c < 3; c++) out[c] = isSeed ? [0.7, 0.5, 0.2][c]! : own[c]! * (1 - 0.25 * across ** 4);
    const dent = 0.035 * Math.exp(-near * near * 9);
    return (
      0.66 * Math.sqrt(Math.max(0.01, 1 - across * across)) * Math.min(1, 6 * Math.min(along, 1 - along) + 0.2) - dent
    );
  };
  return inRelief(form, { gloss: 0.3, sharpness: 22 });
}

/** A bunch of round berries on a stalk, the upper ones upon the lower ones. */
export function bunch(color: LinearRgb, seed: number): Motif {
  const random = createRandom(seed);
  const berries = Array.from({ length: 46 }, (_, i) => {
    const along = random.between(-0.82, 0.84);
    const wide = 0.52 * (1 - 0.75 * smoothstep(-0.5, 0.9, along)) * (0.5 + 0.5 * smoothstep(-0.95, -0.5, along));
    return {
      x: along,
      y: random.between(-1, 1) * wide,
      radius: random.between(0.12, 0.15),
      high: 0.3 * (i / 46),
      tone: random.between(0.7, 1.25),
    };
  });
  const bloom = mix(color, [0.5, 0.5, 0.6], 0.35);
  const form: Form = (x, y, soft, out) => {
    let top = -1;
    let edge = -1;
    out[3] = 0;
    for (const berry of berries) {
      const dx = (x - berry.x) / berry.radius;
      const dy = (y - berry.y) / berry.radius;
      const away = dx * dx + dy * dy;
      if (away >= 1) continue;
      const high = berry.high + berry.radius * Math.sqrt(1 - away);
      edge = Math.max(edge, (1 - Math.sqrt(away)) * berry.radius);
      if (high <= top) continue;
      top = high;
      const own = mix(color, bloom, 0.5 * speck(x * 9 + 30, y * 9 + 30, seed));
      const dark = berry.tone * (0.55 + 0.45 * (1 - away ** 3)) * (0.55 + 1.5 * berry.high);
      for (let c = 0; c < 3; c++) out[c] = own[c]! * dark;
    }
    if (top >= 0) out[3] = covered(edge, soft);
    else if (x < -0.6 && Math.abs(y - 0.03 * Math.sin(9 * x)) < 0.025) {
      out.set([0.2, 0.2, 0.07, 1]);
      return 0.1;
    }
    return Math.max(0, top) * 1.2;
  };
  return inRelief(form, { gloss: 0.22, sharpness: 30 });
}
