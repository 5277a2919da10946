/**
 * What lies in a place around a product that is seen from above: one of each, at its true size. A place that is not listed is told by
 * the leaves and small things of flat-lay.ts alone.
 */

import { createRandom, type Random } from "@packshot/domain/random.ts";
import { type AvoidedThing, avoidedThings, type Decor, oneOf } from "../words/lexicon.ts";
import { namedThings, type ThemeThing } from "../words/named-things.ts";
import { groundUnitCm } from "./product-length.ts";
import type { ScenePlan } from "./scene-plan.ts";

/** `edge`: it reaches in from the picture's border; `whole`: all of it shows; `upon`: it lies on the one before it. */
const layings = ["edge", "whole", "upon"] as const;

export interface PlaceItem {
  /** Its drawing in `drawings-above`. */
  readonly name: string;
  /** Half its length, in units of the ground. */
  readonly reach: number;
  /** What `avoid` calls it. */
  readonly kind: AvoidedThing;
  readonly laying: (typeof layings)[number];
  /** `#rrggbb`; null: it has its own colors. */
  readonly color: string | null;
}

/** Drawing, length in centimeters, what `avoid` calls it, how it lies, its colors. */
const rows = {
  salon: `
    towel 34 towels edge #e9e2d8 #c4cbc6 #4a4644 #d8c0b4
    hair-clip 7 objects upon #c9a15c #b9c0c4
    hair-dryer 24 objects edge #37353a #e6dcd2 #c98f8a
    hairbrush 23 objects whole
    comb 18 objects whole #2b2826 #8a5a34 #d8c7a8
    scissors 16 objects whole
    spray-bottle 20 bottles whole #7d9a94 #c9b79c #3f4a52
    hair-clip 8 objects whole #d8a7a0 #3a3734
    cream-jar 7 objects whole
    succulent 10 plants whole #e2dcd2 #b9775a`,
  bathroom: `
    basin 44 furniture edge
    towel 34 towels edge #f1ece3 #b9c9c4 #d9c4ae #8fa3ad
    soap-dish 13 objects upon
    bath-brush 25 objects whole
    pump-bottle 19 bottles whole #6b3f1d #4f6b5c #d9d2c6
    toothbrush 19 objects whole
    sponge 11 objects whole
    cream-jar 7 objects whole`,
  spa: `
    towel 36 towels edge #f1ece3 #d9cbb6 #aab5a4
    soap-dish 12 objects upon
    bath-brush 25 objects whole
    pump-bottle 18 bottles whole #6b3f1d #3f4f45
    sponge 11 objects whole
    cream-jar 7 objects whole`,
  vanity: `
    towel 30 towels edge #f1e4e0 #e9e2d8
    hairbrush 22 objects edge
    compact 8 objects whole
    makeup-brush 18 objects whole #1f1c1b #d9b9ae
    lipstick 8 objects whole #b3242f #c4586a
    makeup-brush 14 objects whole #f0e6de #2b2725
    cream-jar 7 objects whole
    lipstick 7 objects whole #d98f84 #7d1f2f`,
  kitchen: `
    cutting-board 38 objects edge
    knife 26 objects upon
    napkin 34 objects edge #e9e1d2 #c3ccd0 #d8c8b4
    wooden-spoon 26 objects upon
    bowl 15 objects whole #e9e3d8 #7d97a3 #b98f6a
    plate 23 objects edge #f2efe9 #cfd6d3
    wooden-spoon 22 objects whole`,
  table: `
    napkin 36 objects edge #e9e1d2 #a9b5a4 #cdb7a4
    plate 25 objects edge #f2efe9 #dfe3e2
    coffee 16 cups whole #f3efe8 #c8d0cc #a9694a
    bowl 14 objects whole #e9e3d8 #7d97a3
    wooden-spoon 18 objects whole
    succulent 9 plants whole #e2dcd2`,
  desk: `
    laptop 33 screens edge
    notebook 22 books edge #3f5a52 #b5523f #d9c9ac #33405a
    pen 14 objects upon #26262a #7d1f2f
    coffee 15 cups whole #f3efe8 #3d4a54
    mouse 11 screens whole
    phone 15 screens whole
    pen 14 objects whole #c9a15c #2f4a5a
    succulent 10 plants whole #e2dcd2 #b9775a`,
  bedroom: `
    pillow 52 objects edge #f4f0ea #d9d3c8
    napkin 44 objects edge #c9b7a2 #a9b0a6 #b98f7d
    coffee 16 cups upon #f3efe8 #a9694a
    pillow 38 objects edge #c9a99a #9fb0a8 #cfc3ae
    notebook 21 books whole #d9c9ac #5a6a78`,
  picnic: `
    basket 40 objects edge
    plate 24 objects edge #f2efe9 #dfe3e2
    baguette 40 bread edge
    napkin 34 objects edge #e9e1d2 #d8b0a4 #b9c7b4
    bowl 14 objects upon #f2efe9 #7d97a3
    wooden-spoon 20 objects whole`,
  bakery: `
    cutting-board 36 objects edge
    baguette 34 bread upon
    napkin 36 objects edge #e9e1d2 #d8c8b4
    wooden-spoon 26 objects whole
    bowl 14 objects whole #e9e3d8 #b98f6a`,
} as const;
type LaidPlace = keyof typeof rows;

const placeOfDecor: Readonly<Partial<Record<Decor, LaidPlace>>> = {
  bathroom: "bathroom",
  spa: "spa",
  kitchen: "kitchen",
  "restaurant-kitchen": "kitchen",
  cafe: "table",
  desk: "desk",
  bedroom: "bedroom",
  bakery: "bakery",
};

/** Places that their furniture tells. */
const placeOfThing: ReadonlyMap<string, LaidPlace> = new Map([
  ["hair-dryer-hood", "salon"],
  ["barber-chair", "salon"],
  ["vanity", "vanity"],
  ["plates", "table"],
  ["toast", "table"],
]);

/** The place whose things lie around the product; null: it has none. */
export function laidPlace(plan: ScenePlan): LaidPlace | null {
  const told = plan.things.flatMap(({ name }) => placeOfThing.get(name) ?? [])[0];
  if (told !== undefined) return told;
  if (!plan.isPlace) return null;
  if (plan.isPicnic) return "picnic";
  return (plan.decor !== null && placeOfDecor[plan.decor]) || null;
}

/** What lies in the plan's place, without what the client avoids; its colors follow from the scene's seed. */
export function placeItems(plan: ScenePlan): PlaceItem[] {
  const place = laidPlace(plan);
  if (place === null || plan.without.has("objects")) return [];
  const random = createRandom(plan.seed ^ 0x1a75);
  const items = rows[place]
    .trim()
    .split("\n")
    .map((row): PlaceItem => {
      const [name, cm, kind, laying, ...colors] = row.trim().split(" ");
      const [first, ...others] = colors;
      return {
        name: name!,
        reach: Number(cm) / groundUnitCm / 2,
        kind: oneOf(avoidedThings, kind),
        laying: oneOf(layings, laying),
        color: first === undefined ? null : random.pick([first, ...others]),
      };
    });
  // No basin is let into a shelf.
  const isOnFloor = ({ kind }: PlaceItem) => plan.stand === null || kind !== "furniture";
  const shown = items.filter(
    (item) => isOnFloor(item) && !plan.without.has(item.kind) && !plan.without.has(`drawing:${item.name}`),
  );
  const towels = plan.things.find(({ name }) => name === "towels");
  return towels === undefined ? shown : withTowelsFirst(shown, colorNamed(towels), random);
}

/** A hand towel is so much smaller than a bath towel. */
const handTowel = 0.66;

/** The color that the theme gives to its towels, which are nearly white otherwise. */
function colorNamed({ color }: ThemeThing): string | null {
  return color === namedThings.get("towels")!.color ? null : color;
}

/** Towels that a theme names find room before all else, and are two. @param color `#rrggbb`; null: each has its own */
function withTowelsFirst(items: readonly PlaceItem[], color: string | null, random: Random): PlaceItem[] {
  const towel = items.find(({ name }) => name === "towel");
  if (towel === undefined) return [...items];
  const large: PlaceItem = { ...towel, color: color ?? towel.color };
  const small: PlaceItem = {
    ...towel,
    reach: handTowel * towel.reach,
    laying: "whole",
    color: color ?? random.pick(handTowelColors),
  };
  return [large, small, ...items.filter((item) => item !== towel)];
}

const handTowelColors = ["#b9c9c4", "#d9c4ae", "#c9b3a6", "#a9b5b9"] as const;
