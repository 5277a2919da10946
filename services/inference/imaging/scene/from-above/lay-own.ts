/**
 * How named things lie around a product that is seen from above, where their drawing shows them standing or as a sign: each is another
 * one, at its true size, and lit by the scene's lamp. Lengths are in centimeters.
 */

import { mix32, type Random } from "@packshot/domain/random.ts";
import { fromHex, type LinearRgb, mix, scale } from "../canvas/color.ts";
import { coinLeaf, flowerHead, type Rosette, rosettes, sprig, toothedLeaf } from "../motifs/flowers.ts";
import { type BallLook, ball, beadedBerry, bunch, citrusRound, seededRound, strawberry } from "../motifs/fruit.ts";
import { type Motif, plume } from "../motifs/motifs.ts";
import {
  almond,
  biscuit,
  chocolatePiece,
  cinnamonStick,
  croissant,
  macaron,
  openJar,
  starAnise,
  walnut,
} from "../motifs/sweets.ts";
import { groundUnitCm } from "../plan/product-length.ts";
import type { Group } from "./lay-named.ts";

/** Things of one kind that lie about. */
interface OwnGroup extends Group {
  readonly count: number;
}

const seedOf = (random: Random) => mix32(Math.floor(random.next() * 0x7fffffff)) & 0xffff;
const varied = (color: LinearRgb, random: Random, by = 0.14) => scale(color, random.between(1 - by, 1 + by));

type MakeMotif = (color: LinearRgb, seed: number, random: Random) => Motif;

/**
 * @param cm its length, from and to
 * @param isNamed it is what the theme gives its color to, and not a leaf beside it
 */
function group(
  count: number,
  cm: readonly [number, number],
  lift: number,
  color: string,
  make: MakeMotif,
  isNamed = true,
): OwnKind {
  return (given) => ({
    count,
    reach: [cm[0] / groundUnitCm / 2, cm[1] / groundUnitCm / 2],
    lift,
    motif: (random) => make(varied(fromHex((isNamed ? given : null) ?? color), random), seedOf(random), random),
  });
}

/** @param color `#rrggbb`, what the theme gives to the thing; null: its own */
type OwnKind = (color: string | null) => OwnGroup;

const balls = (count: number, cm: readonly [number, number], color: string, look: BallLook) =>
  group(count, cm, 0.02, color, (own, seed) => ball(own, seed, look));

const rounds = (count: number, cm: readonly [number, number], rind: string, flesh: string) =>
  group(count, cm, 0.012, rind, (own, seed) => citrusRound(own, fromHex(flesh), seed));

const heads = (count: number, cm: readonly [number, number], color: string, look: Rosette) =>
  group(count, cm, 0.035, color, (own, seed) => flowerHead(own, seed, look));

const leaves = (count: number, cm: readonly [number, number], color: string, wide: number) =>
  group(count, cm, 0.014, color, (own, seed) => toothedLeaf(own, seed, wide), false);

const berry = (count: number, cm: readonly [number, number], color: string) =>
  group(count, cm, 0.02, color, beadedBerry);

const lemon = balls(3, [7.2, 8.6], "#e9c233", { oblong: 0.8, gloss: 0.22, pores: 0.03, isPointed: true });
const lemonRounds = rounds(5, [5.4, 6.2], "#e6bd2e", "#efd982");
const roseLeaves = leaves(5, [4, 5.5], "#4d6b38", 0.56);
const mintLeaves = leaves(7, [2.6, 4.2], "#5a8f45", 0.5);

/** By the names of drawings. */
const kinds: Readonly<Record<string, readonly OwnKind[]>> = {
  strawberry: [group(9, [3.4, 4.6], 0.025, "#c02a26", strawberry)],
  raspberry: [berry(15, [2.2, 2.8], "#c03a50"), leaves(4, [4, 5], "#58803f", 0.6)],
  blackberry: [berry(14, [2.2, 2.8], "#2f2030"), leaves(4, [4, 5], "#58803f", 0.6)],
  blueberry: [balls(26, [1.3, 1.8], "#3d4a74", { gloss: 0.1, end: "crown" })],
  cranberry: [balls(24, [1.1, 1.5], "#a3161f", { gloss: 0.4, end: "scar" })],
  cherry: [balls(13, [2.2, 2.6], "#7d1420", { gloss: 0.45, end: "stalk" })],
  grapes: [group(3, [14, 18], 0.05, "#5b3a5e", bunch)],
  lemon: [lemon, lemonRounds],
  "lemon-slices": [lemonRounds, lemon],
  orange: [
    balls(3, [7, 8], "#e28a1f", { gloss: 0.18, pores: 0.035, end: "scar" }),
    rounds(5, [6.4, 7.4], "#e2861c", "#f0a63c"),
  ],
  clementine: [
    balls(5, [5.4, 6.4], "#e57f1a", { oblong: 0.94, gloss: 0.2, pores: 0.03, end: "scar" }),
    rounds(3, [5, 5.8], "#e57f1a", "#f09a34"),
  ],
  lime: [
    balls(3, [5, 5.8], "#6f9a34", { oblong: 0.88, gloss: 0.26, pores: 0.03, isPointed: true }),
    rounds(6, [4.4, 5], "#6b9632", "#c3d27a"),
  ],
  grapefruit: [
    balls(2, [9, 10.5], "#e3a04a", { gloss: 0.16, pores: 0.03, end: "scar" }),
    rounds(4, [8.6, 9.6], "#e2a24c", "#e0705e"),
  ],
  apple: [balls(5, [7, 8], "#a8322c", { gloss: 0.28, end: "stalk", blush: fromHex("#d0a548") })],
  peach: [balls(4, [6.6, 7.6], "#d9803f", { gloss: 0.04, end: "stalk", blush: fromHex("#b5433a") })],
  apricot: [balls(7, [4, 5], "#e0913f", { gloss: 0.04, end: "stalk", blush: fromHex("#cf6a3a") })],
  plum: [balls(7, [4, 5], "#4a2c4c", { oblong: 0.86, gloss: 0.14, end: "stalk" })],
  tomato: [balls(8, [3, 4.6], "#bd2a1c", { gloss: 0.42, end: "leaves" })],
  olives: [
    balls(12, [2, 2.4], "#6f7a34", { oblong: 0.78, gloss: 0.3, end: "scar" }),
    balls(6, [2, 2.4], "#34262e", { oblong: 0.78, gloss: 0.34, end: "scar" }),
  ],
  kiwi: [
    group(6, [5, 5.8], 0.014, "#7a5c36", (own, seed) => seededRound(own, fromHex("#8fb343"), fromHex("#1d1a12"), seed)),
  ],
  cucumber: [
    group(9, [4, 4.6], 0.01, "#3f6a2a", (own, seed) => seededRound(own, fromHex("#bcd08c"), fromHex("#d3dba8"), seed)),
  ],
  mint: [group(5, [8, 11], 0.03, "#588c44", (own, seed) => sprig(own, seed, 0.56)), mintLeaves],
  basil: [group(5, [8, 11], 0.03, "#4f8a38", (own, seed) => sprig(own, seed, 0.68))],
  rose: [heads(6, [5.5, 7.5], "#a32a3e", rosettes.rose), roseLeaves],
  peony: [heads(5, [9, 12], "#dc9fb0", rosettes.peony), leaves(3, [7, 9], "#55763e", 0.36)],
  marigold: [heads(9, [4.4, 6], "#e08a22", rosettes.marigold)],
  sunflower: [heads(4, [11, 15], "#e6ac22", rosettes.sunflower)],
  daisy: [heads(13, [3, 4.2], "#ece9e0", rosettes.daisy)],
  poppy: [heads(6, [6, 8], "#b8281f", { ...rosettes.open, disc: { color: fromHex("#26231c"), radius: 0.15 } })],
  hibiscus: [heads(4, [9, 12], "#b8394a", rosettes.open), leaves(4, [6, 8], "#4f7a3c", 0.5)],
  jasmine: [heads(14, [2.4, 3.2], "#f1ece2", rosettes.open), leaves(5, [3.4, 4.4], "#4c7040", 0.4)],
  lavender: [group(9, [11, 16], 0.02, "#7a62a8", (own) => plume(own, fromHex("#6f7d52"), 0.16))],
  "pine-cones": [heads(5, [5.5, 7.5], "#7a5230", rosettes.cone)],
  croissant: [group(3, [13, 16], 0.06, "#b5702c", (_own, seed) => croissant(seed))],
  cookies: [group(6, [6.4, 7.6], 0.02, "#b98248", (own, seed) => biscuit(own, seed, 0.22, fromHex("#3a2014")))],
  gingerbread: [group(5, [6, 7.4], 0.02, "#8d5427", (own, seed) => biscuit(own, seed, 0.24))],
  "spiced-nuts": [group(30, [1.7, 2.4], 0.018, "#91572b", (own, seed) => biscuit(own, seed, 0.55))],
  macarons: [
    group(8, [4.4, 5], 0.03, "#d9a5ac", (own, seed, random) =>
      macaron(mix(own, fromHex(random.pick(["#d9b98f", "#b9c79a", "#e6d9c2", "#c9a5c0"])), random.next() ** 2), seed),
    ),
  ],
  cinnamon: [
    group(5, [8, 10], 0.02, "#8a4f26", (_own, seed) => cinnamonStick(seed)),
    group(5, [2.8, 3.6], 0.014, "#6e3d1d", (_own, seed) => starAnise(seed)),
  ],
  nuts: [
    group(12, [2.3, 2.8], 0.014, "#a5683a", (_own, seed) => almond(seed)),
    group(7, [3.2, 4], 0.018, "#b98a52", (_own, seed) => walnut(seed)),
    balls(9, [1.6, 2], "#9a6230", { gloss: 0.14, end: "scar" }),
  ],
  chestnuts: [balls(12, [2.6, 3.4], "#5e2f18", { oblong: 0.9, gloss: 0.4, end: "scar" })],
  chocolate: [group(9, [3.4, 4.2], 0.018, "#4a2817", chocolatePiece)],
  jam: [
    group(2, [7, 7.8], 0.09, "#8f1620", (own, seed) => openJar(own, seed, 0.12)),
    group(4, [3.2, 4.2], 0.025, "#c02a26", strawberry, false),
  ],
  eggs: [
    group(6, [5.4, 6.2], 0.03, "#cf9f73", (own, seed) =>
      ball(mix(own, [0.86, 0.8, 0.7], ((seed >> 4) & 255) / 255), seed, {
        oblong: 0.78,
        gloss: 0.03,
        pores: 0.012,
        taper: 0.16,
      }),
    ),
  ],
  honey: [group(2, [7, 7.8], 0.09, "#c07a14", (own, seed) => openJar(own, seed, 0.02))],
};

/** Names of the drawings that lie otherwise than they stand. */
export const ownNames: readonly string[] = Object.keys(kinds);

/** Their groups, in the order in which they are laid; null: the drawing lies there. @param color as `NamedThing.color` */
export function ownGroups(name: string, color: string | null): readonly OwnGroup[] | null {
  return kinds[name]?.map((kind) => kind(color)) ?? null;
}

/** A leaf of a twig of eucalyptus. */
export const eucalyptusLeaf = (random: Random): Motif =>
  coinLeaf(varied(mix(fromHex("#8ba592"), fromHex("#a9bcae"), random.next()), random, 0.12), seedOf(random));
