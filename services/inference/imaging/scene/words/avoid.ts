/** What a request does not want to see: words of the lexicon, and things that painters add on their own. */

import { avoidDictionary } from "./languages.ts";
import {
  type AvoidedThing,
  avoidable,
  avoidedWith,
  type BackdropKind,
  carriers,
  colors,
  lights,
  type PropKind,
  props,
  type Setting,
  settings,
  surfaceKinds,
  surfaces,
} from "./lexicon.ts";
import { type LeftOut, laidThings, namedThings } from "./named-things.ts";
import { lexiconTables, type Reading, readThemeText, type ThemeWord } from "./theme-words.ts";

export interface Avoided {
  /** Words of the lexicon. */
  readonly forms: ReadonlySet<string>;
  readonly things: ReadonlySet<LeftOut>;
  readonly recognized: readonly string[];
  readonly unrecognized: readonly string[];
}

/** In the languages of themes; a number follows a name: "No 5". */
const negation =
  /(?<=^|[\s,;])(?:no|(?:but )?not|without|ohne|nicht|keine?n?|keinerlei|sans|pas de|aucune?|sin|ning[uú]na?|senza|nessuna?|zonder|geen|bez|[zż]adnych)\s(?!\d)/iu;
/** Letters behind a negation that are looked at. */
const negatedLettersMax = 100;
const punctuation = /[,.;:!?\n]/;
/** What is behind one of these is wanted again: "without plants in a kitchen". */
const endsOfNegation: ReadonlySet<string> = new Set(
  (
    "with in on at but by under near behind beside next before above against inside outside for from mit im am an auf bei vor hinter " +
    "neben unter zum zur avec dans sur au aux à devant derrière sous près chez con sobre al junto bajo ante nel nella su sul sulla alla " +
    "davanti vicino sotto met op bij aan voor achter naast onder z ze w we na nad przed przy pod no without ohne sans sin senza zonder bez"
  ).split(" "),
);
/** The second word of one thing: "palm trees". */
const headNouns: ReadonlySet<string> = new Set(
  "tree trees leaf leaves flower flowers plant plants lamp lamps light lights cup cups glass glasses".split(" "),
);
const joints = "and und et y e i en or nor oder ou ni o noch of ani lub";
const joiners: ReadonlySet<string> = new Set(joints.split(" ").filter((word) => word !== "en"));
const joint = joints.replaceAll(" ", "|");
/** From a comma: items of one or two words, the last of them joined: ", red flowers, or lamps". */
const commaList = new RegExp(
  String.raw`^(?:\s*,\s*\p{L}+(?:\s\p{L}+)?)+\s*,?\s(?:${joint})\s(?:\p{L}+\s)?\p{L}+(?=\s(?:${[...endsOfNegation].join("|")})\s|\s*(?:[,.;:!?\n]|$))`,
  "iu",
);
const betweenItems = new RegExp(String.raw`,|\s(?:${joint})\s`, "iu");

/** They lie on things, and are no ground that a place may lose. */
const cloths: ReadonlySet<string> = new Set("towel blanket pillow tablecloth sheet".split(" "));
const rugs: ReadonlySet<string> = new Set("rug carpet".split(" "));
/** They may be anything, while bottles are objects that one sees. */
const anything: ReadonlySet<AvoidedThing> = new Set<AvoidedThing>(["lights", "windows", "objects", "clouds"]);
/** They leave shelves empty; a kitchen without books keeps its plates. */
const allObjects: ReadonlySet<string> = new Set(
  "object prop accessory clutter decoration decor shelves shelf".split(" "),
);

const avoidReading: Reading = {
  dictionary: avoidDictionary,
  others: { has: (word) => avoidable.has(word) || laidThings.has(word) },
};

/** True for a word, perhaps behind others, of something that scenes are furnished with: "red flowers". */
function isThing(item: string): boolean {
  const form = readThemeText(item, avoidReading).words.at(-1)?.form ?? "";
  const called = avoidable.get(form);
  if (called === "never" || called === "people" || called === "patterns") return false;
  if (called !== undefined && !anything.has(called)) return true;
  return [props, namedThings, carriers, cloths, rugs].some((words) => words.has(form));
}

/**
 * The length of what is denied beside the first thing, behind a comma: ", flowers or lamps" in "no plants, flowers or lamps". Only
 * things are, and only where the theme wants something besides: "no people, flowers and candles" wants flowers.
 * @param first what is denied before the comma
 * @param isAllElse nothing stands before the negation
 */
function listedLength(first: string, text: string, isAllElse: boolean): number {
  const list = commaList.exec(text)?.[0];
  if (list === undefined || (isAllElse && list.length === text.trimEnd().length) || !isThing(first)) return 0;
  const items = list.split(betweenItems).filter((item) => item.trim() !== "");
  return items.every(isThing) ? list.length : 0;
}

/**
 * The length of what a negation denies, from the text behind it: "red flowers or plants" in "red flowers or plants white kitchen".
 * @param isAllElse nothing stands before the negation
 */
function unwantedLength(text: string, isDutch: boolean, isAllElse: boolean): number {
  let end = 0;
  let isOver = false;
  let isBehindPlace = false;
  const { words, isNounFirst } = readThemeText(text, avoidReading);
  for (const { word, form, isStop } of words) {
    const at = text.toLowerCase().indexOf(word, end);
    const isJoiner = joiners.has(word) || (word === "en" && isDutch);
    if (at < 0 || (!isJoiner && (endsOfNegation.has(word) || word === "en"))) break;
    if (punctuation.test(text.slice(end, at)))
      return end + listedLength(text.slice(0, end), text.slice(end), isAllElse);
    // "Without a kitchen table": the table is a kitchen's.
    const isOfPlace = isBehindPlace && (isOfThing(form ?? "") || (form === null && !isStop && !isNounFirst));
    if (isOver && !isJoiner && !isOfPlace && !headNouns.has(word)) break;
    isBehindPlace = settings.has(form ?? "") && !avoidable.has(form ?? "");
    if (isJoiner) isOver = false;
    else end = at + word.length;
    if (!isJoiner && !isStop && !colors.has(form ?? "")) isOver = true;
  }
  return end;
}

/** Parts a theme from what it says that it does not want: "white studio, no shadows". */
export function splitNegations(text: string): { readonly wanted: string; readonly unwanted: string } {
  let rest = text;
  let wanted = "";
  const unwanted: string[] = [];
  for (let found = negation.exec(rest); found !== null; found = negation.exec(rest)) {
    wanted += rest.slice(0, found.index);
    rest = rest.slice(found.index + found[0].length);
    const isDutch = /^(zonder|geen)/i.test(found[0]);
    const length = unwantedLength(rest.slice(0, negatedLettersMax), isDutch, wanted.trim() === "");
    unwanted.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return { wanted: wanted + rest, unwanted: unwanted.filter((part) => part !== "").join(", ") };
}

/** @param theme the text beside it, probably in the same language */
export function readAvoid(text: string, theme = ""): Avoided {
  const { words, ignored, isNounFirst } = readThemeText(text, avoidReading, theme);
  const isKept = (at: number) => isAttribute(words, at) || isOfUnknown(words, at, isNounFirst);
  const forms = words.flatMap(({ form }, at) => (form === null || isKept(at) ? [] : [form]));
  return {
    forms: new Set(forms),
    things: new Set(forms.flatMap(leftOutBy)),
    recognized: words.filter(({ form }) => form !== null).map(({ word }) => word),
    unrecognized: [
      ...words
        .filter(({ word, form, isStop }) => form === null && !isStop && !joiners.has(word))
        .map(({ word }) => word),
      ...ignored,
    ],
  };
}

/** Whether a word says whose or what color a thing is: "kitchen table", "white flowers", "people on the beach". The place stays. */
function isAttribute(words: readonly ThemeWord[], at: number): boolean {
  const form = words[at]!.form ?? "";
  if (!colors.has(form) && (!settings.has(form) || avoidable.has(form))) return false;
  const joined = joinedTo(words, at);
  if (joined !== null) return isAttribute(words, joined);
  for (let next = at + 1; isOfItem(words, next) && words[next]!.form !== null; next++)
    if (isOfThing(words[next]!.form!) || surfaces.has(words[next]!.form!)) return true;
  let before = at;
  while (isOfItem(words, before) && words[before - 1]?.isStop && !joiners.has(words[before - 1]!.word)) before--;
  return before < at && isOfItem(words, before) && isOfThing(words[before - 1]?.form ?? "");
}

/** Whether a word is a place of which something that is not known is avoided: "city traffic", "tráfico de la ciudad". */
function isOfUnknown(words: readonly ThemeWord[], at: number, isNounFirst: boolean): boolean {
  const form = words[at]!.form ?? "";
  if (!settings.has(form) || avoidable.has(form)) return false;
  const isUnknown = (word: ThemeWord | undefined) =>
    word !== undefined && word.form === null && !word.isStop && !joiners.has(word.word);
  if (!isNounFirst) return isOfItem(words, at + 1) && isUnknown(words[at + 1]);
  let before = at;
  while (isOfItem(words, before) && words[before - 1]?.isStop && !joiners.has(words[before - 1]!.word)) before--;
  return before < at && isOfItem(words, before) && isUnknown(words[before - 1]);
}

/** The last of the colors, or of the places, that a joiner ends: "pink" of "white, red or pink flowers"; null: the word is in no such list. */
function joinedTo(words: readonly ThemeWord[], at: number): number | null {
  const table = colors.has(words[at]!.form ?? "") ? colors : settings;
  const isAlike = (word: ThemeWord | undefined) => word?.form != null && table.has(word.form);
  for (let next = at + 1; next < words.length; next++) {
    if (joiners.has(words[next]!.word)) return isAlike(words[next + 1]) ? next + 1 : null;
    if (!words[next]!.startsPhrase || !isAlike(words[next])) return null;
  }
  return null;
}

/** No punctuation is between the word and the one before it; a compound is one word. */
function isOfItem(words: readonly ThemeWord[], at: number): boolean {
  const word = words[at];
  return word !== undefined && (!word.startsPhrase || word.word === words[at - 1]?.word);
}

/** Whoever avoids one of them wants nothing small strewn about the product. */
const strewnProps: ReadonlySet<PropKind | undefined> = new Set<PropKind | undefined>(["glitter", "confetti"]);

/** What a word of `avoid` takes from a scene: "furniture" also its beds, and "towels" also their drawing. */
function leftOutBy(form: string): LeftOut[] {
  const called = avoidable.get(form);
  const drawn = namedThings.get(form);
  return [
    ...(called === undefined ? [] : [called, ...(avoidedWith[called] ?? [])]),
    ...(drawn === undefined ? [] : ([`drawing:${drawn.name}`] as const)),
    ...(laidThings.get(form) ?? []).map((name) => `drawing:${name}` as const),
    ...(strewnProps.has(props.get(form)) ? (["glitter"] as const) : []),
  ];
}

/** Whether a word names a thing, be it also for the place where it is: a bed, toys. */
const isOfThing = (form: string) =>
  [avoidable, props, namedThings, laidThings, carriers].some((table) => table.has(form));

/** A theme's word that is avoided, or has the meaning of one that is. A place stays without the thing that is avoided. */
export function isAvoided({ form }: ThemeWord, { forms }: Avoided): boolean {
  if (form === null) return false;
  if (forms.has(form)) return true;
  if (form === "restaurantkitchen" && (forms.has("kitchen") || forms.has("restaurant"))) return true;
  const same = (table: ReadonlyMap<string, unknown>, other: string) =>
    !(settings.has(form) && isOfThing(other)) &&
    table.has(form) &&
    table.has(other) &&
    JSON.stringify(table.get(form)) === JSON.stringify(table.get(other));
  return [...forms].some((other) => lexiconTables.some((table) => same(table, other)) || isKindOf(other, form));
}

/** "Wood" also means oak and walnut. */
function isKindOf(kind: string, form: string): boolean {
  return (surfaceKinds as readonly string[]).includes(kind) && surfaces.get(form)?.kind === kind;
}

function hasAny(forms: ReadonlySet<string>, words: ReadonlySet<string>): boolean {
  return [...forms].some((form) => words.has(form));
}

/** Whether `avoid` names the thing that a word of a place brings with it: pumpkins for Halloween. */
export function isAvoidedProp(prop: PropKind, { forms }: Avoided): boolean {
  return [...forms].some((form) => props.get(form) === prop);
}

const seaWords: ReadonlySet<string> = new Set("sea ocean atlantic wave surf water".split(" "));
const lakeWords: ReadonlySet<string> = new Set("lake pond water".split(" "));
const snowWords: ReadonlySet<string> = new Set("snow snowy".split(" "));

/** What is behind a place whose water or snow is avoided: dunes behind a beach, the woods around a lake. */
function backdropWithout({ backdrop, decor }: Setting, forms: ReadonlySet<string>): BackdropKind | null {
  if (backdrop === "snowfield") return hasAny(forms, snowWords) ? "hills" : null;
  const isLake = decor === "lake" || decor === "mountain-lake";
  const isWet = (backdrop === "sea" || isLake) && hasAny(forms, isLake ? lakeWords : seaWords);
  if (!isWet) return null;
  if (isLake) return decor === "lake" ? "foliage" : "mountains";
  if (decor === "terrace" || decor === "palms") return "foliage";
  return decor === "underwater" ? "wall" : "dunes";
}

/** Before what is left of a place these still make sense. */
const withoutWater: ReadonlySet<string> = new Set(["terrace", "palms"]);

/** The place without what is avoided: its surface, its light, or what stands behind. */
export function withoutAvoided(place: Setting, avoided: Avoided): Setting {
  const { forms } = avoided;
  const backdrop = backdropWithout(place, forms);
  if (backdrop === null) return withoutParts(place, avoided);
  const { decor, ...bare } = place;
  const color = backdrop === "dunes" ? "#d0b288" : backdrop === "wall" ? place.color : "#6f8f5a";
  return withoutParts({ ...bare, ...(withoutWater.has(decor ?? "") && { decor }), backdrop, color }, avoided);
}

function withoutParts(setting: Setting, avoided: Avoided): Setting {
  const { forms, things } = avoided;
  // All that a restaurant's kitchen has is of steel.
  if (setting.decor === "restaurant-kitchen" && [...forms].some((form) => surfaces.get(form)?.kind === "metal"))
    return withoutParts(settings.get("kitchen")!, avoided);
  const isGround = (form: string) => !carriers.has(form) && !cloths.has(form) && !avoidable.has(form);
  const surface = [...forms].some((form) => isGround(form) && surfaces.get(form)?.kind === setting.surface.kind)
    ? ({ kind: "plain", color: "#e3ddd5" } as const)
    : setting.surface;
  const light = [...forms].some((form) => lights.get(form) === setting.light) ? "soft" : setting.light;
  const isBare =
    (setting.backdrop === "shelves" &&
      (setting.decor === "library" ? things.has("books") : hasAny(forms, allObjects))) ||
    // A greenhouse keeps its panes.
    (setting.backdrop === "foliage" && setting.decor !== "greenhouse" && things.has("plants"));
  const { decor: _decor, ...bare } = setting;
  return isBare ? { ...bare, surface, light, backdrop: "wall" } : { ...setting, surface, light };
}
