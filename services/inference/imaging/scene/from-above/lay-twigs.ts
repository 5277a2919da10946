/** Twigs and leaves that reach in from the corners of a picture from above. */

import type { Random } from "@packshot/domain/random.ts";
import { fromHex, type LinearRgb, scale } from "../canvas/color.ts";
import { frond, monsteraLeaf } from "../motifs/flowers.ts";
import { leaf, needles, plume } from "../motifs/motifs.ts";
import type { Group } from "./lay-named.ts";
import { eucalyptusLeaf } from "./lay-own.ts";

/** Leaves in pairs along stems. */
export type Twig = Group & {
  readonly leaves: number;
  readonly spread: number;
  /** The drawing whose place it takes; absent: it is the place's. */
  readonly name?: string;
};

const color = (hex: string, random: Random): LinearRgb => scale(fromHex(hex), random.between(0.82, 1.16));
const leafy = (hex: string, leaves: number, wide: number, long: number, spread = 0.9): Twig => ({
  motif: (random) => leaf(color(hex, random), wide),
  reach: [long * 0.8, long * 1.15],
  lift: 0.025,
  wide: wide * 1.05,
  leaves,
  spread,
});

const firOf = (hex: string): Twig => ({
  motif: (random) => needles(color(hex, random), 0.24),
  reach: [0.13, 0.19],
  lift: 0.03,
  wide: 0.25,
  leaves: 7,
  spread: 0.7,
});
export const fir = firOf("#44694a");
export const frostedFir = firOf("#7f978c");
export const eucalyptus: Twig = {
  motif: eucalyptusLeaf,
  reach: [0.045, 0.068],
  lift: 0.03,
  wide: 1,
  leaves: 17,
  spread: 1.3,
};
export const olive = leafy("#7d8c62", 17, 0.2, 0.1, 0.75);
const rosemary = { ...firOf("#5f7458"), reach: [0.09, 0.13] } as const;
export const fern = leafy("#4f7d3f", 25, 0.2, 0.11, 1.1);
export const palm = leafy("#3f7a45", 23, 0.1, 0.22, 0.95);
export const beech = leafy("#66804a", 13, 0.42, 0.095);
export const lemonLeaves = leafy("#4f7d3a", 11, 0.4, 0.09);
export const herbs = leafy("#5f8f4c", 17, 0.46, 0.06);
/** Leaves as long as a hand or an arm, which lie over each other. */
export const jungle: Twig = {
  motif: (random) =>
    random.chance(0.62)
      ? monsteraLeaf(color(random.pick(["#2f6a35", "#3d7a3c", "#28592f"]), random), Math.floor(random.next() * 65_536))
      : frond(color("#4c8a3f", random), Math.floor(random.next() * 65_536)),
  reach: [0.32, 0.46],
  lift: 0.05,
  leaves: 4,
  spread: 0.95,
};
export const lavender: Twig = {
  motif: (random) => plume(color("#7a62a8", random), fromHex("#6f7d52"), 0.09),
  reach: [0.15, 0.22],
  lift: 0.02,
  wide: 0.1,
  leaves: 10,
  spread: 0.45,
};

/** Things that lie as twigs which reach in. */
export const namedTwigs: ReadonlyMap<string, Twig> = new Map([
  ["eucalyptus", eucalyptus],
  ["rosemary", rosemary],
  ["fern", fern],
  ["fern-clump", fern],
]);
