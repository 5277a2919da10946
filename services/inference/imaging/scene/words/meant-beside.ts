/** Words that mean another thing beside others: an alley of trees, an island in a kitchen, a room that is "space themed". */

import type { NamedPart } from "./left-places.ts";
import { moods, type SurfaceKind, settings, surfaces } from "./lexicon.ts";
import { namedThings } from "./named-things.ts";
import { cloths, isMaterialAdjective, worn } from "./product-nouns.ts";
import { belongingWords } from "./read-stands.ts";
import { upon } from "./read-surfaces.ts";
import { colorOfForm, isColorForm } from "./theme-colors.ts";
import type { ThemeWord } from "./theme-words.ts";
import { wordSet } from "./word-set.ts";

const alleys = wordSet("alley avenue alleyway lane row");
/** In the other languages they are paths between trees by themselves: "Allee", "allée", "laan". */
const alleyWord = /(all[ée]es?|alleen|laan|lanen|alameda|viale|alej[aei]|alei)$/;
const isAlley = (word: ThemeWord | undefined) =>
  word !== undefined && (alleys.has(word.word) || (word.form === "forestpath" && alleyWord.test(word.word)));
const drawnTrees = wordSet("cypress fir palm olivetree olivegrove bamboo cherryblossom");
/** A path through a wood shows them: no drawing of an alley does. */
const otherTrees = wordSet("tree oak pine birch maple beech ash elm poplar larch alder acacia spruce cedar walnut");
const isTree = (word: ThemeWord | undefined) => drawnTrees.has(word?.form ?? "") || otherTrees.has(word?.form ?? "");
const alleyJoints = wordSet("of de d di van von aus z");
const withWords = wordSet("mit met avec con z ze");

/** Where the trees are that an alley leads between: "cypress alley", "allée de chênes". */
function treesOfAlley(words: readonly ThemeWord[], at: number): number | undefined {
  if (words[at]!.word === "row" && !isRowOfTrees(words, at)) return undefined;
  if (!words[at]!.startsPhrase && isTree(words[at - 1])) return at - 1;
  const joint = words[at + 1];
  // "Aleja dębowa".
  if (!alleys.has(words[at]!.word) && isTree(joint) && !joint!.startsPhrase) return at + 1;
  if (joint?.isStop === true && !joint.startsPhrase && withWords.has(joint.word)) return treesWith(words, at);
  const isJoined = joint?.isStop === true && !joint.startsPhrase && alleyJoints.has(joint.word);
  return isJoined && isTree(words[at + 2]) && !words[at + 2]!.startsPhrase ? at + 2 : undefined;
}

/** "Allee mit Ahorn", and no "Allee mit Eichentisch". */
function treesWith(words: readonly ThemeWord[], at: number): number | undefined {
  const [tree, next] = words.slice(at + 2);
  const isLast = next === undefined || next.startsPhrase || next.isStop;
  return !alleys.has(words[at]!.word) && isTree(tree) && !tree!.startsPhrase && isLast ? at + 2 : undefined;
}

/** "Row of oaks", and no row of oak barrels. */
function isRowOfTrees(words: readonly ThemeWord[], at: number): boolean {
  const named = [words[at - 1], words[at + 2]].find(isTree);
  const next = words[named === words[at - 1] ? at + 1 : at + 3];
  const hasNoun = next !== undefined && !next.isStop && !next.startsPhrase;
  return named !== undefined && !hasNoun && /s$|tree/.test(named.word);
}

const aisleJoints = wordSet("de du des d un une la le l");

/** "Allée du supermarché": it is that place's aisle, and no path. */
function aislesOfPlaces(words: readonly ThemeWord[]): readonly ThemeWord[] {
  const isAisle = ({ word }: ThemeWord, at: number): boolean => {
    if (!/^all[ée]es?$/.test(word)) return false;
    let next = at + 1;
    while (words[next]?.isStop === true && aisleJoints.has(words[next]!.word)) next++;
    const place = words[next];
    return (
      next > at + 1 && place !== undefined && !place.startsPhrase && settings.has(place.form ?? "") && !isTree(place)
    );
  };
  return words.filter((word, at) => !isAisle(word, at));
}

/** It leads between trees, and not between houses. */
function alleysOfTrees(words: readonly ThemeWord[]): readonly ThemeWord[] {
  const out = [...words];
  for (let at = 0; at < out.length; at++) {
    const trees = isAlley(out[at]) ? treesOfAlley(out, at) : undefined;
    if (trees === undefined) continue;
    const first = Math.min(at, trees);
    const told = out.slice(first, Math.max(at, trees) + 1);
    const form = drawnTrees.has(out[trees]!.form!) ? out[trees]!.form : "forestpath";
    const word = [...new Set(told.map((one) => one.word))].join(" ");
    out.splice(first, told.length, { ...told[0]!, word, form, isStop: false });
    at = first;
  }
  return out;
}

const cupboards = wordSet("cabinet cabinets cupboard cupboards");

/** "Kitchen with a marble island", "cocina con isla de mármol": none in the sea is of one. */
function isOfStone(words: readonly ThemeWord[], at: number): boolean {
  if (!words.some(({ form }) => isKitchenWord(form))) return false;
  const beside = [words[at - 1], words.slice(at + 1).find(({ isStop }) => !isStop)];
  return beside.some((one) =>
    ["marble", "concrete", "wood", "tile"].includes(surfaces.get(one?.form ?? "")?.kind ?? ""),
  );
}

/**
 * "Farmhouse kitchen island": behind a kitchen an island is a piece of its furniture, and none of the sea. An island whose kitchen nobody
 * names is the counter that the product stands on. The cabinets of a kitchen have its color.
 */
export function islandsOfKitchens(words: readonly ThemeWord[]): readonly ThemeWord[] {
  const isNamed = words.some(({ form }) => isKitchenWord(form));
  const hasIsland = words.some(({ form }) => form === "kitchenisland");
  return words.map((word, at) => {
    const { form, startsPhrase } = word;
    const isBehind = !startsPhrase && isKitchenWord(words[at - 1]?.form);
    if (form === "island" && (isBehind || isOfStone(words, at))) return { ...word, form: "kitchenisland" };
    if (form === "kitchenisland" && !isNamed) return { ...word, form: "kitchen" };
    return (isNamed || hasIsland) && cupboards.has(word.word) ? { ...word, form: "kitchen" } : word;
  });
}

const kitchen = settings.get("kitchen")!;
const isKitchenWord = (form: string | null | undefined) => {
  const place = settings.get(form ?? "");
  return place !== undefined && form !== "restaurantkitchen" && place.decor === kitchen.decor && form !== "counter";
};

const themedWords = wordSet("themed theme motto theme temático tematica temática tematyczny tematyczna");
/** What is there of a place that a room only has for its theme. */
const themeThings: ReadonlyMap<string, string> = new Map([
  ["space", "solarsystem"],
  ["galaxy", "solarsystem"],
  ["planet", "solarsystem"],
]);

/** "Space themed kids room": it is a room, and what tells of space is in it. */
function themedRooms(words: readonly ThemeWord[]): readonly ThemeWord[] {
  const isTheme = ({ form }: ThemeWord, at: number): boolean => {
    if (!themeThings.has(form ?? "") || !themedWords.has(words[at + 1]?.word ?? "")) return false;
    return words.slice(at + 2).some((other) => settings.get(other.form ?? "")?.backdrop === "interior");
  };
  if (!words.some(isTheme)) return words;
  return words.map((word) => {
    const thing = themeThings.get(word.form ?? "");
    return thing === undefined ? word : { ...word, form: thing };
  });
}

/** Drawings of things that are made of what grounds are made of, too. */
const madeThings = wordSet(
  "vase teapot cup plates backpack suitcase notebook-paper basket wicker-baskets towels cutlery straw-hat cowboy-hat beach-bag hiking-boots " +
    "baby-shoes rain-boots flip-flops frame jar jewelry clay-vases tea-glass wine-glass pet-bowl umbrella boxing-gloves teddy statue headphones",
);
const isMadeThing = (word: ThemeWord | undefined) => madeThings.has(namedThings.get(word?.form ?? "")?.name ?? "");
const thingMaterials: ReadonlySet<string | undefined> = new Set<SurfaceKind>([
  "stone",
  "tile",
  "concrete",
  "fabric",
  "silk",
  "velvet",
  "marble",
  "plain",
]);
/** Things of cloth or leather. */
const softThings = wordSet(
  "backpack suitcase notebook-paper basket wicker-baskets towels straw-hat cowboy-hat beach-bag hiking-boots baby-shoes flip-flops umbrella " +
    "boxing-gloves teddy",
);
const vessels = wordSet("vase teapot cup plates jar clay-vases tea-glass wine-glass pet-bowl");
const vesselMaterials = wordSet("ceramic porcelain terracotta clay glass crystal");
/** Just before a thing they are its own already. */
const behindThings: ReadonlySet<string | undefined> = new Set<SurfaceKind>(["gloss", "metal"]);
const materialJoints = wordSet("of de d di van von aus en in z ze");
const doubtfulJoints = wordSet("en in");

/** "On a linen napkin": the napkin is the ground. */
function isUpon(words: readonly ThemeWord[], at: number): boolean {
  let before = at - 1;
  const isBetween = (word: ThemeWord | undefined) =>
    word !== undefined && (belongingWords.has(word.word) || isColorForm(word.form) || moods.has(word.form ?? ""));
  while (isBetween(words[before])) before--;
  return upon.has(words[before]?.word ?? "");
}

/** Whether the material behind "in" is the thing's: other things lie on it. */
function isMadeIn(form: string, { form: thing }: ThemeWord): boolean {
  const { name } = namedThings.get(thing!)!;
  return (
    worn.has(form) || (softThings.has(name) && cloths.has(form)) || (vessels.has(name) && vesselMaterials.has(form))
  );
}

/**
 * "Leather backpack in a forest", "vase en céramique": the thing is made of it, and the ground is the place's.
 * @param isNounFirst the language puts adjectives behind nouns, and joins a thing to its material: "vase marbre" is on marble
 */
function materialsOfThings(words: readonly ThemeWord[], isNounFirst: boolean): readonly ThemeWord[] {
  const isOfThing = ({ form, word }: ThemeWord, at: number): boolean => {
    const kind = form === null || namedThings.has(form) ? undefined : surfaces.get(form)?.kind;
    const isBefore = thingMaterials.has(kind);
    if (!isBefore && !behindThings.has(kind)) return false;
    const next = words[at + 1];
    if (isMadeThing(next) && !next!.startsPhrase) return isBefore && !isNounFirst && !isUpon(words, at);
    const joint = words[at - 1];
    // "Kosz wiklinowy", where "vase marble" is a vase on marble.
    const isLast = next === undefined || next.startsPhrase || next.isStop;
    if (isLast && isMadeThing(joint) && !words[at]!.startsPhrase)
      return isMaterialAdjective(word) && !isUpon(words, at - 1);
    const isJoined = joint?.isStop === true && materialJoints.has(joint.word) && !words[at]!.startsPhrase;
    if (!isJoined || joint.startsPhrase || !isMadeThing(words[at - 2]) || isUpon(words, at - 2)) return false;
    return !doubtfulJoints.has(joint.word) || isMadeIn(form!, words[at - 2]!);
  };
  return words.map((word, at) => (isOfThing(word, at) ? { ...word, form: null, isStop: true, isOfThing: true } : word));
}

export const asMeantBeside = (words: readonly ThemeWord[], isNounFirst: boolean) =>
  materialsOfThings(alleysOfTrees(aislesOfPlaces(themedRooms(words))), isNounFirst);

const seats = wordSet("sofa couch armchair bed bedroom livingroom");
const seatCloths = wordSet("cushion pillow");

const clothKinds: ReadonlySet<string | undefined> = new Set(["fabric", "silk", "velvet"]);
const describesCloth = (word: ThemeWord) =>
  isColorForm(word.form) || clothKinds.has(surfaces.get(word.form ?? "")?.kind);

interface Cushions {
  /** They and the words for their colors. */
  readonly words: ReadonlySet<ThemeWord>;
  readonly parts: readonly NamedPart[];
  /** `#rrggbb`; absent: the theme names none. */
  readonly color?: string;
}

/** "Sofa with mustard cushions": they lie on it, and are no ground, as in "on a cushion". */
export function cushionsOnSeats(words: readonly ThemeWord[]): Cushions {
  const seat = words.findIndex(({ form }) => seats.has(form ?? ""));
  const found = new Set<ThemeWord>();
  let color: string | undefined;
  for (const [at, word] of words.entries()) {
    if (seat < 0 || at <= seat || !seatCloths.has(word.form ?? "")) continue;
    const joint = words.slice(seat, at).findLast(({ isStop, word: stop }) => isStop && !belongingWords.has(stop));
    if (upon.has(joint?.word ?? "")) continue;
    found.add(word);
    for (let of = at - 1; !words[of + 1]!.startsPhrase && describesCloth(words[of]!); of--) {
      const { form } = words[of]!;
      found.add(words[of]!);
      if (isColorForm(form)) color ??= colorOfForm(form);
    }
  }
  const cloths = [...found].filter(({ form }) => seatCloths.has(form ?? ""));
  const parts = cloths.map(({ word }) => ({ word, isCushion: true }));
  return { words: found, parts, ...(color !== undefined && { color }) };
}

const firstStands = wordSet("stump treestump log crate barrel cask hay haybale rock boulder");
const notOn = wordSet("of and und et y e en i with mit avec con met z");

/** "Tree stump in a clearing": who names first a thing that products are put on, has the product there. */
export function beginsWithStand(words: readonly ThemeWord[]): boolean {
  const at = words.findIndex(({ form, isStop }) => !isStop && form !== null && !surfaces.has(form) && !moods.has(form));
  const first = words[at];
  if (first === undefined || !firstStands.has(first.form ?? "") || first.word.endsWith("s")) return false;
  if (words.slice(1, at + 1).some(({ startsPhrase }) => startsPhrase)) return false;
  const next = words[at + 1];
  return next !== undefined && !next.startsPhrase && next.isStop && !notOn.has(next.word);
}
