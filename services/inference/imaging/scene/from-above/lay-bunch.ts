/** Dried flowers and grasses that lie in a bunch and reach in from a corner of a picture from above. */

import { mix32, type Random } from "@packshot/domain/random.ts";
import { fromHex, type LinearRgb, mix, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { flowerHead, rosettes } from "../motifs/flowers.ts";
import { leaf, type Motif, plume } from "../motifs/motifs.ts";
import { type Form, inRelief } from "../motifs/relief.ts";
import type { Spot, Stamp } from "../motifs/stamp.ts";

/** What ends one of its stems: half its length in units of the ground, and half its width as a share of that. */
interface Head {
  readonly motif: Motif;
  readonly reach: number;
  readonly wide: number;
}

const speck = (x: number, y: number, seed: number) =>
  (mix32(Math.floor(x) * 7919 + Math.floor(y) * 104729 + seed) & 1023) / 1023;

/** The tail of a hare: an oval of fine hair that stands off all around. */
function hareTail(color: LinearRgb, seed: number): Motif {
  const pale = mix(color, [0.94, 0.9, 0.82], 0.6);
  const form: Form = (x, y, soft, out) => {
    const radius = Math.hypot(x, y / 0.52);
    const angle = Math.atan2(y / 0.52, x);
    const hair = speck(angle * 26 + 90, radius * 2.5, seed);
    out[3] = smoothstep(-soft, soft + 0.16, 0.76 + 0.24 * hair - radius);
    const own = mix(color, pale, 0.25 + 0.6 * speck(angle * 17 + 90, radius * 7, seed));
    for (let c = 0; c < 3; c++) out[c] = own[c]! * (0.74 + 0.3 * hair);
    return 0.42 * Math.sqrt(Math.max(0.02, 1 - radius * radius)) + 0.02 * hair;
  };
  return inRelief(form);
}

/** The theme's color, or one that dried flowers keep. */
const faded = ["#e6dcc8", "#d9b7a6", "#cfae9a", "#e3d3b4"] as const;

function plumeOf(random: Random, own: LinearRgb | null): Head {
  const grass = own === null ? fromHex("#d9c4a0") : mix(own, fromHex("#d9c4a0"), 0.5);
  const motif = plume(scale(grass, random.between(0.86, 1.1)), fromHex("#a08a5c"), 0.2);
  return { motif, reach: random.between(0.18, 0.25), wide: 0.22 };
}

function headOf(random: Random, own: LinearRgb | null, stem: number): Head {
  const seed = Math.floor(random.next() * 65_536);
  const color = scale(own ?? fromHex(random.pick(faded)), random.between(0.86, 1.1));
  if (stem % 4 === 3) {
    const reach = random.between(0.056, 0.078);
    return { motif: flowerHead(color, seed, rosettes.marigold), reach, wide: 1 };
  }
  return { motif: hareTail(color, seed), reach: random.between(0.076, 0.104), wide: 0.6 };
}

const stalkWide = 0.016;

interface Bunch {
  /** Where it comes from, outside the picture. */
  readonly x: number;
  readonly y: number;
  /** Radians, toward the picture's middle. */
  readonly turn: number;
  /** How far its longest stem reaches, in units of the ground. */
  readonly long: number;
}

/** Stalks that cross each other near their ends, the heads upon them. @param own null: heads have colors of their own */
export function bunchAt({ x, y, turn, long }: Bunch, own: LinearRgb | null, random: Random): Stamp[] {
  const stalks: Stamp[] = [];
  const heads: Stamp[] = [];
  const stems = 17;
  for (let stem = 0; stem < stems; stem++) {
    const share = stem / (stems - 1) - 0.5;
    const angle = turn + 1.1 * share + random.between(-0.1, 0.1);
    // Plumes are long themselves.
    const isPlume = stem % 4 === 1;
    const reach = long * (isPlume ? random.between(0.3, 0.5) : random.between(0.5, 1)) * (1 - 0.4 * Math.abs(share));
    const from = { x: x + 0.1 * share * Math.sin(turn), y: y - 0.1 * share * Math.cos(turn) };
    const tip = { x: from.x + reach * Math.cos(angle), y: from.y + reach * Math.sin(angle) };
    const color = scale(fromHex(random.pick(["#a89468", "#b8a67c", "#94835c"])), random.between(0.85, 1.1));
    const stalk: Spot = {
      x: (from.x + tip.x) / 2,
      y: (from.y + tip.y) / 2,
      reach: reach / 2,
      turn: angle,
      wide: 1.2 * stalkWide,
    };
    stalks.push({ motif: leaf(color, stalkWide), spot: stalk, lift: 0.014 });
    const head = isPlume ? plumeOf(random, own) : headOf(random, own, stem);
    const nod = angle + random.between(-0.3, 0.3);
    const spot: Spot = {
      x: tip.x + 0.7 * head.reach * Math.cos(nod),
      y: tip.y + 0.7 * head.reach * Math.sin(nod),
      reach: head.reach,
      turn: nod,
      wide: head.wide,
    };
    heads.push({ motif: head.motif, spot, lift: 0.03 });
  }
  return [...stalks, ...heads];
}
