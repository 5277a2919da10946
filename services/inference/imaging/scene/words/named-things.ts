/** The drawn things that a theme may name, parsed from their table. */

import { type AvoidedThing, avoidable, avoidedThings, type Decor, oneOf, parseRows } from "./lexicon.ts";
import { furnishingRows } from "./lexicon-furnishings.ts";
import { largeThingRows } from "./lexicon-large-things.ts";
import { thingRows } from "./lexicon-things.ts";

/**
 * Beside the product at the ground's end, behind that end, on a wall, hanging from above, reaching in from an upper corner, far away on
 * the horizon, in the sky; a flower grows outdoors and stands in a bunch indoors. No row has `upon`: behind people, what else is beside
 * the product is upon a table.
 */
export const thingPlaces = ["beside", "behind", "wall", "above", "corner", "far", "sky", "flower", "upon"] as const;

export interface NamedThing {
  /** Its drawing, without the ending. */
  readonly name: string;
  readonly place: (typeof thingPlaces)[number];
  /** A share of the backdrop's height. */
  readonly tall: number;
  readonly count: number;
  /** What `avoid` calls it. */
  readonly kind: AvoidedThing;
  /** `#rrggbb`; null: it has its own colors only. */
  readonly color: string | null;
  /** The lexicon's word for where it stands, when a theme names no place. */
  readonly setting: string | null;
}

/** A thing in a theme, with its color there. */
export interface ThemeThing extends NamedThing {
  /** The theme's words for it. */
  readonly words: readonly string[];
}

/** What a scene leaves out: what painters add on their own, the glitter that gold brings, and drawings by their names. */
export type LeftOut = AvoidedThing | "glitter" | `drawing:${string}`;

/** Things that look from above as they do from the side, where they lie. */
const thingsThatLie: ReadonlySet<string> = new Set(
  (
    "apple orange banana strawberry grapes watermelon tomato carrot chili garlic avocado coconut peach pomegranate croissant donut " +
    "cinnamon coffee-beans pine-cones lemon-slices blueberry raspberry cherry lime kiwi ginger nuts chocolate macarons eucalyptus " +
    "fern-clump tulip hydrangea mint rosemary cotton sunflower poppy rose daisy peony lily lavender wheat feather coral shell butterfly cheese " +
    "log chestnuts fig plum mango papaya dragon-fruit onion cookies pretzel potatoes grapefruit blackberry gems dice beads " +
    "poker-chips flip-flops sunglasses envelope puzzle compass acorns billiard-balls baby-shoes dumbbell kettlebell basketball football " +
    "tennis golf baseball volleyball yarn ribbon pencils brushes tools jewelry candy-canes gingerbread mushroom cutlery rolling-pin " +
    "vinyl medal horseshoe rattle magnifying-glass quill map-scroll pizza basil fern balloon-bunch hearts-balloon towels makeup mirror " +
    "open-book notebook-paper rolled-plans thread-spools paint-tubes crayons pearls starfish vanilla cocoa-pod hops " +
    "beach-ball pool-ring straw-hat cowboy-hat santa-hat violin ukulele maracas binoculars boxing-gloves " +
    "bowling headphones gamepad keyboard chinese-fan carnival-mask kite paper-plane bells ornaments wreath pear clementine " +
    "passion-fruit eggs cranberry apricot peas cucumber bell-pepper eggplant broccoli cabbage beetroot radishes asparagus corn dates " +
    "hibiscus jasmine marigold poinsettia daffodil toy-bricks honeycomb jam honey olives spiced-nuts"
  ).split(" "),
);

export const namedThings = parseRows(
  `${thingRows.trimEnd()}\n${largeThingRows.trimStart()}`,
  ([name, place, tall, count, kind, color, setting]): NamedThing => ({
    name: name!,
    place: oneOf(thingPlaces, place),
    tall: Number(tall),
    count: Number(count),
    kind: oneOf(avoidedThings, kind),
    color: color === "-" ? null : color!,
    setting: setting === "-" ? null : setting!,
  }),
);

/** Drawings that lie in a place seen from above, by the words for them; one also names a drawing that stands. */
export const laidThings: ReadonlyMap<string, readonly string[]> = parseRows(
  `
basket: basket
soap-dish: soap soapdish
lipstick: lipstick
lipstick compact makeup-brush: makeup
makeup-brush: makeupbrush
hairbrush bath-brush makeup-brush: brush brushe brushes
hairbrush: hairbrush hairbrushes
toothbrush: toothbrush toothbrushes
comb: comb
scissors: scissor scissors
hair-dryer: hairdryer
hair-clip: hairclip
sponge: sponge
basin: sink basin washbasin
cream-jar: jar
cutting-board: board cuttingboard choppingboard
napkin: napkin dishcloth
towel napkin: towels
hairbrush lipstick compact cream-jar toothbrush pump-bottle: vanity dressingtable
knife wooden-spoon napkin: cutlery silverware
knife: knife knive knives
wooden-spoon: spoon
bowl: bowl
plate plates: plate
plate bowl plates: dish crockery dinnerware tableware
coffee: coffee cup mug
succulent: succulent cactus
laptop: laptop
notebook: notebook
pen: pen fountainpen
mouse: mouse
phone: phone smartphone
pillow: pillow cushion
baguette: baguette bread loaf
`,
  (names) => names,
);

/** What `avoid` calls drawings, or what is in them, where its words for these name them not. */
const alsoCalled: Readonly<Record<string, AvoidedThing>> = {
  fireplace: "fire",
  "wicker-chair": "seats",
  "bistro-table": "tables",
};

/** What `avoid` calls a drawing beside its kind, by the words for it: a campfire is a fire. */
const calledBy = Map.groupBy(
  [...namedThings].flatMap(([word, { name }]) =>
    [avoidable.get(word), alsoCalled[name]].map((kind) => ({ name, kind })),
  ),
  ({ name }) => name,
);

/** Whether the scene has to do without the thing. */
export function isLeftOut({ name, kind }: NamedThing, without: ReadonlySet<LeftOut>): boolean {
  if (without.has(kind) || without.has(`drawing:${name}`)) return true;
  return calledBy.get(name)!.some((called) => called.kind !== undefined && without.has(called.kind));
}

const byName = new Map([...namedThings.values()].map((thing) => [thing.name, thing]));

/** What stands in a place that is known by it, by the lexicon's words for the place. */
export const furnishings = parseRows(furnishingRows, (names) =>
  names.map((name) => {
    const thing = byName.get(name);
    if (thing === undefined) throw new RangeError(`furnishings: no drawing "${name}"`);
    return thing;
  }),
);

/** What lies there where the thing itself only stands: a crate is full of it, and tools lie on a workbench. */
const contents: ReadonlyMap<string, readonly string[]> = new Map([
  ["crate", ["tomato", "carrot", "lemon"]],
  ["fruit-bowl", ["apple", "orange", "grapes"]],
  ["bread", ["wheat"]],
  ["juice-glass", ["orange"]],
  ["cup", ["coffee-beans"]],
  ["moka", ["coffee-beans"]],
  ["coffee-sack", ["coffee-beans"]],
  ["shopping-cart", ["tomato", "lemon"]],
  ["plates", ["cutlery"]],
  ["wine", ["grapes"]],
  ["workbench", ["tools"]],
  ["globe", ["compass"]],
  ["suitcase", ["map-scroll"]],
  ["soap", ["towels"]],
  ["vanity", ["makeup", "mirror"]],
  ["gaming-monitor", ["keyboard", "gamepad"]],
  ["hair-dryer-hood", ["mirror"]],
  ["barber-shelf", ["mirror"]],
  ["mannequin", ["thread-spools"]],
  ["hot-air-balloon", ["balloon-bunch"]],
]);

/** What lies in a place of which the theme names nothing that lies. */
const lyingIn: Readonly<Partial<Record<Decor, readonly string[]>>> = {
  bar: ["lime", "mint"],
  gym: ["dumbbell"],
  garage: ["tools"],
  joinery: ["tools"],
  desk: ["fountain-pen", "envelope"],
  library: ["envelope", "quill"],
  bakery: ["wheat"],
  underwater: ["shell", "coral"],
  airport: ["compass", "map-scroll"],
  station: ["map-scroll"],
};

/** The things of a place as a camera that looks down sees them; what does not lie is not among them. */
export function lyingThings(things: readonly ThemeThing[], decor: Decor | null): ThemeThing[] {
  const lying = things.flatMap((thing) => {
    if (thingsThatLie.has(thing.name)) return [thing];
    return (contents.get(thing.name) ?? []).map((name) => ({ ...byName.get(name)!, words: thing.words }));
  });
  if (lying.length > 0 || decor === null) return lying;
  return (lyingIn[decor] ?? []).map((name) => ({ ...byName.get(name)!, words: [] }));
}
