/**
 * Small round things that lie together on level ground behind the product: each is another one, turned its own way, where copies of one
 * drawing would be told at once. Those are what lay-own.ts lays around a product that is seen from above.
 */

import type { Random } from "@packshot/domain/random.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { Group } from "../from-above/lay-named.ts";
import { ownGroups } from "../from-above/lay-own.ts";
import { type LyingThing, lyingTogether } from "../motifs/lying-together.ts";
import type { Motif } from "../motifs/motifs.ts";

/** How things lie together; lengths are halves of the heap's width. */
interface Lay {
  readonly count: number;
  /** Half the length of one, from and to. */
  readonly reach: readonly [number, number];
  /** Half the height of the heap. */
  readonly tall: number;
}

/** What is large lies alone at each place. */
const single: Lay = { count: 1, reach: [0.94, 0.98], tall: 1 };

const lays: Readonly<Record<string, Lay>> = {
  blueberry: { count: 15, reach: [0.11, 0.14], tall: 0.44 },
  cranberry: { count: 15, reach: [0.1, 0.13], tall: 0.44 },
  orange: single,
  clementine: single,
  peach: single,
  plum: single,
  apricot: single,
  chestnuts: { count: 7, reach: [0.18, 0.23], tall: 0.48 },
};

export interface Heap {
  /** Width over height. */
  readonly aspect: number;
  readonly make: (random: Random) => Motif;
}

/** By the names of drawings. */
export const heaps: ReadonlyMap<string, Heap> = new Map(
  Object.entries(lays).map(([name, lay]) => {
    const [kind] = ownGroups(name, null)!;
    return [name, { aspect: 1 / lay.tall, make: (random: Random) => heap(lay, kind!, random) }];
  }),
);

/** A step of depth on the ground moves the foot up by this share of it. */
const pitch = 0.34;
/** Balls reach so far below their foot, in half lengths: they are round. */
const below = 0.06;
/** Two of them are at least so many of their half lengths apart on the ground. */
const apart = 1.75;
const placesTried = 14;

function heap({ count, reach: [low, high], tall }: Lay, kind: Group, random: Random): Motif {
  const placed: { readonly x: number; readonly foot: number; readonly reach: number }[] = [];
  for (let i = 0; i < count; i++) {
    const reach = random.between(low, high);
    let best: (typeof placed)[number] | null = null;
    let nearest = Infinity;
    for (let tried = 0; tried < placesTried; tried++) {
      // Most of them lie in the middle, and few have rolled away.
      const x = (1 - reach) * (random.next() + random.next() - 1);
      const foot =
        -tall + 0.02 + below * reach + random.next() ** 1.2 * 2 * Math.max(0, tall - reach - 0.02 - below * reach);
      const aways = placed.map((one) => Math.hypot(one.x - x, (one.foot - foot) / pitch) / (one.reach + reach));
      const least = Math.min(Infinity, ...aways);
      if (least < apart / 2 || (best !== null && least > nearest)) continue;
      best = { x, foot, reach };
      nearest = least;
    }
    if (best !== null) placed.push(best);
  }
  const things = placed.map((spot, i): LyingThing => {
    const turn = random.between(-Math.PI, Math.PI);
    const motif = kind.motif(random, i);
    return { ...spot, motif, squash: 1, cos: Math.cos(turn), sin: Math.sin(turn) };
  });
  return overShade(lyingTogether(things), placed);
}

/** The shade between and below them: how dark it is, how far it reaches, and how flat the ground is seen. */
const shadeMost = 0.42;
const shadeReach = 1.35;
const shadeFlat = 0.36;
/** What is more opaque would be taken for a thing that has a shade of its own. */
const openLeast = 0.54;

function overShade(
  things: Motif,
  feet: readonly { readonly x: number; readonly foot: number; readonly reach: number }[],
): Motif {
  return (point, out) => {
    things(point, out);
    const share = out[3]!;
    if (share >= 1) return;
    let open = 1;
    for (const { x, foot, reach } of feet) {
      const across = (point.x - x) / (shadeReach * reach);
      const along = (point.y - foot - 0.16 * reach) / (shadeReach * shadeFlat * reach);
      const away = Math.hypot(across, along);
      if (away < 1) open *= 1 - shadeMost * (1 - smoothstep(0.1, 1, away));
    }
    const shaded = 1 - Math.max(openLeast, open);
    const all = share + shaded * (1 - share);
    if (all <= 0) return;
    for (let c = 0; c < 3; c++) out[c] = (out[c]! * share) / all;
    out[3] = all;
  };
}
