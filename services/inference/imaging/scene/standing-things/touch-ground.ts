/**
 * The dark line along which drawn things touch their ground: without it a lemon hovers, because the shadow that it throws and the shade
 * around a group lie beside the point on which it rests.
 */

import type { Camera } from "../canvas/camera.ts";
import type { Motif } from "../motifs/motifs.ts";
import type { Spot } from "../motifs/stamp.ts";

/** A drawing that stands on its ground; lengths in scene pixels. */
export interface Standing {
  readonly motif: Motif;
  readonly spot: Spot;
  readonly halfWide: number;
  readonly halfTall: number;
  /** The row of its lowest point. */
  readonly footY: number;
}

/** Things of a group stand up to this share of its height farther back. */
const standsWithin = 0.3;
/** A ground line between things rises no faster than this. */
const slopeMax = 0.4;
/** What is higher above the line than this share of the height does not touch it. */
const gapShare = 0.06;
/** Half the height of the dark line and of the soft one around it, and how far both reach to the sides, as shares of the height. */
const lineShare = 0.035;
const surroundShare = 0.1;
const asideShare = 0.07;
/** The thing hides most of what is behind its foot: the soft one is in front of that, by this share of its own. */
const surroundBefore = 0.6;
/** Farther behind the line, as a share of the soft one, nothing of either is left. */
const behindReach = 2.4;
/** What they take of the light. */
const lineDarkness = 0.66;
const surroundDarkness = 0.55;
const solid = 0.5;

/** Darkens the ground along the undersides of a thing, in place, before it is drawn over them. */
export function darkenContact(light: Float32Array, { width, height }: Camera, one: Standing): void {
  const { spot, halfWide, halfTall, footY } = one;
  const tall = 2 * halfTall;
  const aside = Math.max(1, asideShare * tall);
  const from = Math.max(0, Math.floor(spot.x - halfWide - 3 * aside));
  const to = Math.min(width, Math.ceil(spot.x + halfWide + 3 * aside));
  const out = new Float32Array(4);
  const undersides = Float32Array.from({ length: Math.max(0, to - from) }, (_, i) =>
    undersideOf(one, from + i + 0.5, out),
  );
  const line = groundLine(undersides, footY);
  const gap = Math.max(1, gapShare * tall);
  const touching = undersides.map((row, i) => (row < 0 ? 0 : Math.exp(-(((line[i]! - row) / gap) ** 2))));
  const strength = spread(touching, aside);
  const fine = Math.max(0.7, lineShare * tall);
  const soft = Math.max(1, surroundShare * tall);
  const first = Math.max(0, Math.floor(footY - standsWithin * tall));
  const last = Math.min(height, Math.ceil(footY + (surroundBefore + 3.5) * soft));
  for (let y = first; y < last; y++) {
    for (let x = from; x < to; x++) {
      const touches = strength[x - from]!;
      if (touches < 0.01) continue;
      const away = y + 0.5 - line[x - from]!;
      if (away < -behindReach * soft) continue;
      const before = (away - surroundBefore * soft) / soft;
      const kept =
        (1 - lineDarkness * touches * Math.exp(-0.5 * (away / fine) ** 2)) *
        (1 - surroundDarkness * touches * Math.exp(-0.5 * before ** 2));
      const at = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) light[at + c]! *= kept;
    }
  }
}

/** The row below a thing's lowest point in a column; -1: nothing near the ground is there. */
function undersideOf({ motif, spot, halfTall, footY }: Standing, x: number, out: Float32Array): number {
  const point = { x: (x - spot.x) / spot.reach, y: 0, soft: 0, lampX: 0, lampY: 1 };
  for (let high = 0.5; high < 2 * standsWithin * halfTall; high++) {
    point.y = (high - halfTall) / spot.reach;
    motif(point, out);
    if (out[3]! > solid) return footY - high + 0.5;
  }
  return -1;
}

/** The lowest line on or below all undersides that rises nowhere faster than the ground between two things. */
function groundLine(undersides: Float32Array, footY: number): Float32Array {
  const line = undersides.slice();
  for (let i = 1; i < line.length; i++) line[i] = Math.max(line[i]!, line[i - 1]! - slopeMax);
  for (let i = line.length - 2; i >= 0; i--) line[i] = Math.max(line[i]!, line[i + 1]! - slopeMax);
  return line.map((row) => (row < 0 ? footY : row));
}

/** The largest of the values around each, that fall off to the sides. */
function spread(values: Float32Array, reach: number): Float32Array {
  const ends = Math.ceil(3 * reach);
  return values.map((_, i) => {
    let most = 0;
    for (let k = Math.max(0, i - ends); k <= Math.min(values.length - 1, i + ends); k++) {
      most = Math.max(most, values[k]! * Math.exp(-0.5 * ((i - k) / reach) ** 2));
    }
    return most;
  });
}
