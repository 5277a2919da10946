/**
 * Small things as flat pictures, for stamp.ts: what a point of the thing's square shows. x and y run from −1 to 1, to the right and
 * to its top; a long thing lies along x, its foot at −1. Each is lit as if it were round.
 */

import { mix32 } from "@packshot/domain/random.ts";
import { type LinearRgb, mix, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";

/** A point of a thing, and where the lamp is in the thing's own directions. */
export interface MotifPoint {
  x: number;
  y: number;
  /** Half a pixel, in the thing's units: its edges are so soft. */
  soft: number;
  lampX: number;
  lampY: number;
}

/** Writes linear RGB and the opacity, 0–1, of a point. */
export type Motif = (point: MotifPoint, out: Float32Array) => void;

function write(out: Float32Array, color: LinearRgb, shade: number, opacity: number): void {
  for (let c = 0; c < 3; c++) out[c] = color[c]! * shade;
  out[3] = opacity;
}

const covered = (inside: number, soft: number) => smoothstep(-soft, soft, inside);
/** 0–1, the same for the same cell. */
const speck = (x: number, y: number) => (mix32(Math.floor(x) * 7919 + Math.floor(y) * 104729) & 1023) / 1023;

/**
 * Its halves rise from the rib and bend down to the edge, so that light runs over them.
 *
 * @param wide half its width, as a share of half its length
 */
export function leaf(color: LinearRgb, wide = 0.34): Motif {
  const pale = mix(color, [0.8, 0.82, 0.62], 0.25);
  return ({ x, y, soft, lampX, lampY }, out) => {
    const along = Math.min(1, Math.max(0, (x + 1) / 2));
    const half = wide * Math.sin(Math.PI * along ** 0.85) ** 0.85;
    const across = Math.min(1, Math.abs(y) / Math.max(0.01, half));
    const rib = 1 - smoothstep(0.006, 0.03, Math.abs(y));
    const veins = 0.03 * Math.sin((x - Math.abs(y) * 1.5) * 34) * smoothstep(0.1, 0.4, across);
    const toLamp = Math.sign(y) * lampY;
    const bend = 0.34 * toLamp * (across - 0.35) + 0.12 * lampX * (along - 0.4);
    const sheen = 0.2 * Math.max(0, toLamp) * Math.exp(-((across - 0.6) ** 2) * 22) * Math.sin(Math.PI * along);
    const shade = 0.88 + bend + sheen + veins - 0.14 * (1 - along) - 0.12 * smoothstep(0.82, 1, across);
    write(
      out,
      rib > 0 ? mix(color, pale, rib) : color,
      shade,
      covered(Math.min(half - Math.abs(y), 1 - Math.abs(x)), soft),
    );
  };
}

/** A twig of a fir or a rosemary: needles that lean toward its tip. */
export function needles(color: LinearRgb, wide = 0.3): Motif {
  const bark = mix(color, [0.12, 0.07, 0.03], 0.7);
  return ({ x, y, soft, lampY }, out) => {
    const reach = wide * Math.min(1, (1.02 - x) * 1.6) * Math.min(1, (x + 1.06) * 5);
    const away = Math.abs(y);
    const phase = (x - away * 1.15) * 17 + (y > 0 ? 0.5 : 0);
    const index = Math.floor(phase);
    const long = reach * (0.72 + 0.28 * speck(index, y > 0 ? 1 : 2));
    const across = Math.abs(phase - index - 0.5);
    const needle = covered(0.3 - across, Math.min(0.5, soft * 17)) * covered(long - away, soft);
    const stem = covered(0.022 - away, soft);
    const shade = 0.62 + 0.5 * (away / Math.max(0.05, reach)) + 0.2 * Math.sign(y) * lampY;
    const tone = 0.8 + 0.4 * speck(index, y > 0 ? 3 : 4);
    if (stem > needle) write(out, bark, 1, stem);
    else write(out, color, shade * tone, needle);
  };
}

/** A ball of glass, with a lamp's reflection and its cap at the top. */
export function bauble(color: LinearRgb): Motif {
  return ({ x, y, soft, lampX, lampY }, out) => {
    const radius = Math.hypot(x, y + 0.1);
    if (y > 0.76 && Math.abs(x) < 0.17) return write(out, [0.5, 0.38, 0.16], 0.8 + 0.5 * x, covered(0.96 - y, soft));
    const lit = 0.66 + 0.5 * (x * lampX + (y + 0.1) * lampY) - 0.3 * radius ** 6;
    const gleam = Math.exp(-((x - 0.34 * lampX) ** 2 + (y + 0.1 - 0.34 * lampY) ** 2) * 22);
    write(out, mix(color, [1.5, 1.45, 1.4], Math.min(0.85, gleam)), Math.max(0.2, lit), covered(0.88 - radius, soft));
  };
}

/** A circle with five bulges: the petals of a blossom. */
function bulges(x: number, y: number, low: number, high: number, sharpness: number): number {
  const turn = Math.abs(Math.cos(2.5 * Math.atan2(y, x))) ** sharpness;
  return low + (high - low) * turn - Math.hypot(x, y);
}

export function blossom(color: LinearRgb, heart: LinearRgb): Motif {
  return ({ x, y, soft, lampX, lampY }, out) => {
    const radius = Math.hypot(x, y);
    const eye = covered(0.2 - radius, soft);
    const crease = 0.2 * (1 - smoothstep(0, 0.5, bulges(x, y, 0.5, 1, 0.7)));
    const shade = 0.72 + 0.34 * radius - crease + 0.14 * (x * lampX + y * lampY);
    write(out, eye > 0 ? mix(color, heart, eye) : color, shade, covered(bulges(x, y, 0.62, 0.98, 0.55), soft));
  };
}

/** Many narrow petals around a yellow middle. */
export function daisy({ x, y, soft, lampX, lampY }: MotifPoint, out: Float32Array): void {
  const radius = Math.hypot(x, y);
  const petal = Math.abs(Math.cos(7 * Math.atan2(y, x)));
  const middle = covered(0.27 - radius, soft);
  const lit = 0.12 * (x * lampX + y * lampY);
  if (middle > 0.5) write(out, [0.8, 0.47, 0.05], 0.9 + lit - 0.5 * radius, middle);
  else write(out, [0.86, 0.86, 0.82], 0.74 + 0.22 * petal + lit, covered(0.62 + 0.36 * petal ** 0.6 - radius, soft));
}

/** @param oblong height over width */
export function pebble(color: LinearRgb, oblong = 0.74): Motif {
  return ({ x, y, soft, lampX, lampY }, out) => {
    const radius = Math.hypot(x, y / oblong);
    const grain = 0.05 * (speck(x * 26, y * 26) - 0.5);
    const lit = 0.8 + 0.3 * (x * lampX + (y / oblong) * lampY) - 0.22 * radius ** 5 + grain;
    write(out, color, lit, covered((0.97 - radius) * oblong, soft));
  };
}

/** A puffed heart: it darkens toward its outline, and a lamp's reflection is on the lobe that faces it. */
export function heart(color: LinearRgb): Motif {
  return ({ x, y, soft, lampX, lampY }, out) => {
    const u = x * 1.16;
    const v = (y - 0.06) * 1.1;
    // The heart curve (u² + v² − a)³ = a u² v³ with a = 0.82, over its slope: a distance where the curve is near.
    const base = u * u + v * v - 0.82;
    const inside = (0.82 * u * u * v * v * v - base ** 3) / (0.25 + 6 * base * base * Math.hypot(u, v));
    const lit = 0.9 + 0.2 * (x * lampX + y * lampY) - 0.16 * (u * u + v * v) ** 2;
    const gleam = 0.4 * Math.exp(-((x - 0.42 * Math.sign(lampX)) ** 2 + (y - 0.44) ** 2) * 24);
    write(out, mix(color, [1, 1, 1], gleam), lit, covered(inside, soft));
  };
}

/** @param band the color of its speckles and stripes */
export function egg(color: LinearRgb, band: LinearRgb, isStriped: boolean): Motif {
  return ({ x, y, soft, lampX, lampY }, out) => {
    const half = 0.74 * Math.sqrt(Math.max(0, 1 - y * y)) * (1 - 0.16 * y);
    const radius = Math.hypot(x / 0.74, y);
    const wave = Math.abs(((y * 3.2 + 0.12 * Math.sin(x * 14)) % 1) - (y < 0 ? -0.5 : 0.5));
    const marked = isStriped ? smoothstep(0.3, 0.36, wave) : speck(x * 11 + 40, y * 11 + 40) > 0.84 ? 0.8 : 0;
    const lit = 0.78 + 0.34 * (x * lampX + y * lampY) - 0.24 * radius ** 4;
    write(out, mix(color, band, marked * 0.85), lit, covered(half - Math.abs(x), soft));
  };
}

/** From the front: ribs as half ellipses, and a stem. */
export function pumpkin(color: LinearRgb): Motif {
  return ({ x, y, soft, lampX, lampY }, out) => {
    if (y > 0.6) {
      const stem = 0.1 + 0.05 * (y - 0.6) - Math.abs(x - 0.16 * (y - 0.6));
      return write(out, [0.12, 0.16, 0.05], 0.8 + x * lampX, covered(Math.min(stem, 0.96 - y), soft));
    }
    const v = (y + 0.16) / 0.78;
    const inside = 0.97 * Math.sqrt(Math.max(0, 1 - Math.abs(v) ** 2.4)) - Math.abs(x);
    const across = Math.asin(Math.min(1, Math.abs(x) / Math.max(0.05, inside + Math.abs(x))));
    const rib = Math.abs(Math.cos(across * 3.6));
    const lit = 0.66 + 0.26 * rib + 0.3 * (x * lampX) + 0.2 * v * Math.max(0.3, lampY) - 0.16 * Math.abs(v) ** 3;
    write(out, color, lit, covered(inside, soft));
  };
}

/** A parcel from the front, or from above where `top`: paper, a ribbon both ways, a bow. */
export function gift(paper: LinearRgb, ribbon: LinearRgb, top: boolean): Motif {
  const box = top ? 0.92 : 0.7;
  return ({ x, y, soft, lampX, lampY }, out) => {
    const bowY = top ? 0 : box - 0.02;
    const loops = [-1, 1].map((side) => Math.hypot((x - side * 0.22) / 0.24, (y - bowY - (top ? 0 : 0.12)) / 0.16));
    const loop = Math.min(loops[0]!, loops[1]!);
    if (loop < 1) return write(out, ribbon, 0.66 + 0.5 * loop, covered((1 - loop) * 0.18, soft));
    const inside = Math.min(0.92 - Math.abs(x), top ? 0.92 - Math.abs(y) : Math.min(box - y, y + 0.98));
    const isRibbon = Math.abs(x) < 0.11 || (top && Math.abs(y) < 0.11);
    const lid = !top && y > box - 0.3 ? 1.1 : 1;
    const lit = 0.86 + 0.12 * (x * lampX + y * lampY);
    write(out, isRibbon ? ribbon : paper, lit * lid, covered(inside, soft));
  };
}

/** With its stem and two blades. */
/** A plume of dry grass on its stalk; lavender in another color. */
export function plume(color: LinearRgb, stalk: LinearRgb, wide = 0.22): Motif {
  return ({ x, y, soft, lampY }, out) => {
    const along = (x + 0.25) / 1.25;
    const away = Math.abs(y);
    if (along > 0 && along < 1) {
      const half = wide * Math.sin(Math.PI * Math.min(1, 0.12 + 0.88 * along ** 0.8)) ** 0.8;
      const phase = (x - away * 2.2) * 26 + (y > 0 ? 0.4 : 0);
      const thread = speck(phase, y > 0 ? 5 : 6);
      const inside = half * (0.6 + 0.4 * thread) - away;
      const lit = 0.66 + 0.3 * speck(phase * 2, y * 40) + 0.5 * y * lampY + 0.2 * (away / Math.max(0.02, half));
      const share = smoothstep(-soft, soft + 0.3 * wide, inside);
      if (share > 0.02) return write(out, color, lit, share);
    }
    write(out, stalk, 0.9, x < 0.3 ? covered(0.014 - away, soft) : 0);
  };
}

export function coffeeBean({ x, y, soft, lampX, lampY }: MotifPoint, out: Float32Array): void {
  const radius = Math.hypot(x, y / 0.7);
  const groove = 1 - smoothstep(0.03, 0.11, Math.abs(y - 0.12 * Math.sin(x * 3)));
  const lit = 0.86 + 0.55 * (x * lampX + y * lampY) - 0.7 * groove - 0.2 * radius ** 4;
  write(out, [0.1, 0.047, 0.022], Math.max(0.15, lit), covered((0.97 - radius) * 0.7, soft));
}

/** A block of wood with its edges broken. */
export function block(color: LinearRgb): Motif {
  const pale = scale(color, 1.12);
  return ({ x, y, soft, lampX, lampY }, out) => {
    const edge = 0.94 - (Math.abs(x) ** 6 + Math.abs(y) ** 6) ** (1 / 6);
    const rim = 1 - smoothstep(0.02, 0.12, edge);
    const toward = Math.abs(x) > Math.abs(y) ? Math.sign(x) * lampX : Math.sign(y) * lampY;
    write(out, rim > 0.5 ? pale : color, 0.92 + 0.22 * rim * toward, covered(edge, soft));
  };
}

/** A tea light: its cup, its wax, and its flame from above. */
export function teaLight({ x, y, soft }: MotifPoint, out: Float32Array): void {
  const radius = Math.hypot(x, y);
  const flame = Math.exp(-radius * radius * 16);
  const wax: LinearRgb = [0.84 + 2.6 * flame, 0.7 + 1.7 * flame, 0.48 + 0.6 * flame];
  write(out, radius > 0.82 ? [0.5, 0.5, 0.52] : wax, radius > 0.82 ? 0.8 + 0.4 * y : 1, covered(0.96 - radius, soft));
}

/** A tent with two slopes, its opening toward the viewer. */
export function tent(cloth: LinearRgb): Motif {
  return ({ x, y, soft, lampX }, out) => {
    const up = (y + 0.8) / 1.6;
    const inside = 0.92 * (1 - up) - Math.abs(x);
    const flap = 0.3 * (0.86 - up) - Math.abs(x);
    const seam = 1 - 0.2 * (1 - smoothstep(0, 0.05, Math.abs(inside - 0.3)));
    const lit = (0.8 + 0.22 * Math.sign(x) * lampX + 0.1 * up) * seam;
    const isOpen = covered(flap, soft);
    write(out, mix(cloth, [0.05, 0.035, 0.02], isOpen), isOpen > 0.5 ? 1 : lit, covered(Math.min(inside, up), soft));
  };
}

/** Gores of its canopy that are seen. */
const gores = 5;

/** Its canopy in stripes, seen a little from below, with a valance; its shaded inside, ribs and pole. */
export function parasol(cloth: LinearRgb, stripe: LinearRgb): Motif {
  const pole: LinearRgb = [0.3, 0.2, 0.11];
  return ({ x, y, soft, lampX, lampY }, out) => {
    const up = (y - 0.46) / 0.46;
    // Cloth hangs a little between its ribs: the outline is nearer to a cone than to a dome.
    const half = up <= 0 ? 1 : Math.max(0, 1 - up) ** 0.62;
    const across = Math.min(1, Math.max(-1, x / Math.max(0.02, half * 0.97)));
    const gore = (Math.asin(across) / Math.PI + 0.5) * gores;
    const sag = 1 - Math.abs(2 * (gore - Math.floor(gore)) - 1);
    const hem = -0.035 * sag - 0.02 * (1 - across * across);
    const valance = hem - 0.13 + 0.018 * Math.sin(gore * Math.PI * 8);
    const isStripe = Math.floor(gore) % 2 === 1;
    const side = across * lampX;
    const edge = half * 0.97 - Math.abs(x);
    if (Math.abs(x) < 0.97 && up > valance && edge > -soft) {
      const isHanging = up < hem;
      const seam = 1 - 0.22 * Math.exp(-((sag / 0.09) ** 2));
      const fold = 0.9 + 0.16 * sag;
      const toTop = Math.max(0, up);
      const lit = isHanging ? 0.6 + 0.3 * side : (0.7 + 0.34 * side + 0.2 * lampY * toTop + 0.06 * toTop) * fold;
      const rim = isHanging ? 1 - 0.25 * smoothstep(0.035, 0, hem - up) : 1;
      const inside = Math.min(edge, (up - valance) * 0.46);
      return write(out, isStripe ? stripe : cloth, Math.max(0.25, lit) * seam * rim, covered(inside, soft));
    }
    // Below the far rim the inside is in shade, and light comes through the cloth.
    const under = 1 - Math.hypot(x / 0.9, (y - 0.4) / 0.075);
    if (under > 0 && y < 0.46) {
      const rib = 1 - 0.35 * Math.exp(-((Math.sin(Math.atan2(y - 0.45, x) * 5) / 0.25) ** 2));
      return write(out, isStripe ? stripe : cloth, 0.4 * rib, covered(under * 0.07, soft));
    }
    const round = Math.min(1, Math.abs(x) / 0.024);
    const lit = 0.6 + 0.5 * (x / 0.024) * lampX - 0.25 * round * round;
    write(out, pole, Math.max(0.2, lit), y < 0.46 ? covered(0.024 - Math.abs(x), soft) : 0);
  };
}
