/** Baked and sweet things, spices and nuts as a camera from above sees them. */

import { mix32 } from "@packshot/domain/random.ts";
import { fromHex, type LinearRgb, mix, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { Motif } from "./motifs.ts";
import { type Form, inRelief } from "./relief.ts";

const covered = (inside: number, soft: number) => smoothstep(-soft, soft, inside);
const speck = (x: number, y: number, seed = 0) =>
  (mix32(Math.floor(x) * 7919 + Math.floor(y) * 104729 + seed) & 1023) / 1023;
/** Smooth, 0–1, about one unit wide. */
function cloud(x: number, y: number, seed: number): number {
  const fx = smoothstep(0, 1, x - Math.floor(x));
  const fy = smoothstep(0, 1, y - Math.floor(y));
  const upper = speck(x, y, seed) * (1 - fx) + speck(x + 1, y, seed) * fx;
  const lower = speck(x, y + 1, seed) * (1 - fx) + speck(x + 1, y + 1, seed) * fx;
  return upper * (1 - fy) + lower * fy;
}

const crust = fromHex("#b5702c");
const darkCrust = fromHex("#7a3f14");
const crumb = fromHex("#e8c184");

/** A crescent of dough that was rolled up: bands across it, brown on their ridges and pale between. */
export function croissant(seed: number): Motif {
  const bow = 0.9 + 0.25 * speck(1, 2, seed);
  const form: Form = (x, y, soft, out) => {
    // Polar around a point below it; `t` runs along the crescent from −1 to 1.
    const cx = x;
    const cy = y + bow * 0.62;
    const radius = Math.hypot(cx, cy);
    const t = (Math.atan2(cx, cy) / 1.12) * 0.98;
    const half = 0.4 * Math.max(0, 1 - Math.abs(t) ** 2.1) ** 0.7 + (Math.abs(t) < 1 ? 0.03 : 0);
    const across = (radius - bow * 0.78) / Math.max(0.02, half);
    const slanted = t * 4.1 + 0.32 * across * Math.sign(t || 1);
    const band = slanted - Math.floor(slanted);
    // Each band is stepped: it rises slowly and ends in an edge.
    const stepUp = t < 0 ? 1 - band : band;
    const bulge = 1 + 0.1 * stepUp;
    const inside = (bulge - Math.abs(across)) * half;
    out[3] = Math.abs(t) < 1.02 ? covered(inside, soft) : 0;
    const body = half * 1.1 * Math.sqrt(Math.max(0.01, 1 - Math.min(1, (across / bulge) ** 2)));
    const flakes = cloud(x * 14 + 60, y * 14 + 60, seed);
    const brown = smoothstep(0.15, 0.9, stepUp) * (1 - 0.5 * across * across) + 0.25 * (flakes - 0.5);
    const own = brown < 0.5 ? mix(crumb, crust, 2 * Math.max(0, brown)) : mix(crust, darkCrust, 1.5 * (brown - 0.5));
    const lines = 0.9 + 0.14 * Math.sin(slanted * 44 + 4 * across);
    for (let c = 0; c < 3; c++)
      out[c] = own[c]! * lines * (0.8 + 0.2 * smoothstep(0, 0.16, band) * smoothstep(1, 0.9, band));
    return body + 0.1 * stepUp * half * 2 + 0.012 * flakes;
  };
  return inRelief(form, { gloss: 0.14, sharpness: 12 });
}

/** A biscuit: round but not quite, cracked, with chips where `chips` is their color. */
export function biscuit(color: LinearRgb, seed: number, dome: number, chips?: LinearRgb): Motif {
  const form: Form = (x, y, soft, out) => {
    const angle = Math.atan2(y, x);
    const outline = 0.9 + 0.03 * Math.sin(3 * angle + seed) + 0.025 * Math.sin(5 * angle + 2 * seed);
    const radius = Math.hypot(x, y) / outline;
    out[3] = covered((1 - radius) * outline, soft);
    const rough = cloud(x * 7 + 30, y * 7 + 30, seed);
    const fine = cloud(x * 19 + 70, y * 19 + 70, seed);
    const crack = smoothstep(0.09, 0.02, Math.abs(cloud(x * 2.6 + 90, y * 2.6 + 90, seed) - 0.5)) * (1 - radius);
    const baked = smoothstep(0.5, 1, radius);
    const base = mix(color, scale(color, 0.62), 0.6 * baked);
    const isChip = chips !== undefined && cloud(x * 4.2 + 11, y * 4.2 + 17, seed + 3) > 0.72 && radius < 0.86;
    const own = isChip ? chips : base;
    for (let c = 0; c < 3; c++) out[c] = own[c]! * (0.86 + 0.2 * fine) * (1 - 0.4 * crack);
    const body = dome * Math.sqrt(Math.max(0.01, 1 - Math.min(1, radius) ** 2.6));
    return body + 0.05 * rough + 0.03 * fine - 0.06 * crack + (isChip ? 0.06 : 0);
  };
  return inRelief(form, { gloss: 0.04, sharpness: 6 });
}

/** A macaron: a smooth shell on its ragged foot. */
export function macaron(color: LinearRgb, seed: number): Motif {
  const form: Form = (x, y, soft, out) => {
    const radius = Math.hypot(x, y);
    const angle = Math.atan2(y, x);
    const foot = 0.95 + 0.02 * Math.sin(23 * angle + seed) + 0.014 * Math.sin(41 * angle);
    out[3] = covered(foot - radius, soft);
    const isFoot = radius > 0.88;
    const tone = isFoot ? 0.84 + 0.2 * speck(angle * 12 + 60, radius * 30, seed) : 1;
    for (let c = 0; c < 3; c++) out[c] = color[c]! * tone;
    return isFoot ? 0.05 : 0.1 + 0.3 * Math.sqrt(Math.max(0, 1 - (radius / 0.9) ** 2));
  };
  return inRelief(form, { gloss: 0.1, sharpness: 8 });
}

/** A stick of bark that is rolled up from both sides. */
export function cinnamonStick(seed: number): Motif {
  const bark = fromHex("#8a4f26");
  const form: Form = (x, y, soft, out) => {
    const half = 0.15 + 0.012 * Math.sin(4 * x + seed);
    const aside = y - 0.02 * Math.sin(2.2 * x + seed);
    out[3] = covered(Math.min(half - Math.abs(aside), 0.96 + 0.02 * speck(y * 20 + 30, 1, seed) - Math.abs(x)), soft);
    const scroll = (Math.abs(aside) / half - 0.5) * 2;
    const groove = Math.exp(-((aside / half) ** 2) * 60);
    const streak = cloud(x * 5 + 40, y * 60 + 40, seed);
    for (let c = 0; c < 3; c++) out[c] = bark[c]! * (0.72 + 0.5 * streak) * (1 - 0.65 * groove);
    return half * 0.95 * Math.sqrt(Math.max(0.02, 1 - scroll * scroll)) + 0.02 * streak;
  };
  return inRelief(form, { gloss: 0.05, sharpness: 8 });
}

/** Star anise: eight boats, most of them with their seed. */
export function starAnise(seed: number): Motif {
  const wood = fromHex("#6e3d1d");
  const form: Form = (x, y, soft, out) => {
    const radius = Math.hypot(x, y);
    const part = (Math.atan2(y, x) / (2 * Math.PI)) * 8;
    const index = Math.floor(part);
    const within = part - index - 0.5;
    const long = 0.86 + 0.14 * speck(index + 20, 1, seed);
    const wide = 0.3 * Math.sin(Math.PI * Math.min(1, Math.max(0, radius / long)) ** 0.8) ** 0.9;
    const aside = Math.abs(within) * radius * 0.785;
    const inside = Math.max(Math.min(wide * 0.55 - aside, long - radius), 0.1 - radius);
    out[3] = covered(inside, soft);
    const mouth = Math.exp(-((aside / 0.045) ** 2)) * smoothstep(0.2, 0.4, radius) * smoothstep(long, 0.6, radius);
    const isSeed = Math.hypot(aside / 0.055, (radius - 0.5) / 0.1) < 1 && speck(index + 20, 4, seed) > 0.25;
    const own = isSeed ? ([0.3, 0.13, 0.045] as const) : wood;
    for (let c = 0; c < 3; c++) out[c] = own[c]! * (isSeed ? 1.2 : 1 - 0.6 * mouth);
    return 0.2 - 0.12 * radius + (isSeed ? 0.1 : 0.12 * smoothstep(0, 0.06, inside) - 0.14 * mouth);
  };
  return inRelief(form, { gloss: 0.12, sharpness: 16 });
}

/** An almond in its brown skin. */
export function almond(seed: number): Motif {
  const skin = fromHex("#a5683a");
  const form: Form = (x, y, soft, out) => {
    const along = (x + 1) / 2;
    const half = along <= 0 || along >= 1 ? 0 : 0.58 * Math.sin(Math.PI * along ** 0.72) ** 0.7;
    out[3] = covered(half - Math.abs(y), soft);
    const across = Math.min(1, Math.abs(y) / Math.max(0.03, half));
    const lines = 0.84 + 0.26 * cloud(x * 2.4 + 20, (y / Math.max(0.1, half)) * 7 + 20, seed);
    for (let c = 0; c < 3; c++) out[c] = skin[c]! * lines * (1 - 0.2 * across ** 3);
    return 0.42 * Math.sqrt(Math.max(0.02, 1 - across * across)) * Math.min(1, 5 * along * (1 - along) + 0.2);
  };
  return inRelief(form, { gloss: 0.06, sharpness: 8 });
}

/** Half a walnut: two wrinkled lobes. */
export function walnut(seed: number): Motif {
  const kernel = fromHex("#b98a52");
  const form: Form = (x, y, soft, out) => {
    const radius = Math.hypot(x / 0.94, y / 0.8);
    const wobble = 0.06 * cloud(Math.atan2(y, x) * 3 + 20, 1, seed);
    out[3] = covered((0.95 + wobble - radius) * 0.8, soft);
    const fold = Math.abs(cloud(x * 4 + 30, y * 5 + 30, seed) - 0.5) * 2;
    const crease = Math.exp(-((y / 0.07) ** 2)) * 0.9;
    for (let c = 0; c < 3; c++) out[c] = kernel[c]! * (0.62 + 0.45 * fold) * (1 - 0.45 * crease);
    return 0.5 * Math.sqrt(Math.max(0.02, 1 - Math.min(1, radius) ** 2)) + 0.16 * fold - 0.16 * crease;
  };
  return inRelief(form, { gloss: 0.05, sharpness: 8 });
}

/** A piece of a bar of chocolate: its four sides are sloped. */
export function chocolatePiece(color: LinearRgb, seed: number): Motif {
  const form: Form = (x, y, soft, out) => {
    const edge = Math.min(0.93 - Math.abs(x), 0.68 - Math.abs(y) + 0.02 * Math.sin(9 * x + seed));
    out[3] = covered(edge, soft);
    const tone = 0.92 + 0.12 * cloud(x * 3 + 10, y * 3 + 10, seed);
    for (let c = 0; c < 3; c++) out[c] = color[c]! * tone;
    const groove = Math.exp(-((x / 0.05) ** 2));
    return 0.2 * Math.min(1, Math.max(0, edge) / 0.16) - 0.12 * groove;
  };
  return inRelief(form, { gloss: 0.16, sharpness: 14 });
}

/** An open jar from above: a rim of glass around what is in it. */
export function openJar(content: LinearRgb, seed: number, lumps: number): Motif {
  const form: Form = (x, y, soft, out) => {
    const radius = Math.hypot(x, y);
    out[3] = covered(0.97 - radius, soft);
    if (radius > 0.8) {
      // A band of glass: bright at its edges, and of the ground's light between.
      const band = (radius - 0.8) / 0.17;
      const bright = 0.45 + 0.5 * Math.abs(2 * band - 1) ** 3;
      for (let c = 0; c < 3; c++) out[c] = bright * (0.94 + 0.03 * c) * 0.8 + 0.08 * content[c]!;
      return 0.3 * Math.sin(Math.PI * Math.min(1, band));
    }
    const lump = cloud(x * 4.5 + 20, y * 4.5 + 20, seed);
    const shade = smoothstep(0.82, 0.62, radius) * 0.4 + 0.6;
    for (let c = 0; c < 3; c++) out[c] = content[c]! * shade * (0.8 + 0.4 * lump);
    return lumps * lump - 0.1 * smoothstep(0.7, 0.8, radius);
  };
  return inRelief(form, { gloss: 0.4, sharpness: 30 });
}
