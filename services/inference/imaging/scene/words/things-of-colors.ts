/** Words that are the names of colors and of things: whether "lavender" is a color depends on what stands around it. */

import { colors, type SurfaceKind, surfaces } from "./lexicon.ts";
import { namedThings } from "./named-things.ts";
import type { ThemeWord } from "./theme-words.ts";

/** Parts whose color is not that of the whole. */
export const trimWords: ReadonlySet<string> = new Set(
  (
    "accent accents detail details trim trims rim edging hardware handles knobs stitching akzent akzente akzenten détail détails dettaglio dettagli detalle detalles " +
    "accenti acentos accenten akcenty akcentami"
  ).split(" "),
);

/** "With lavender" means the plant, and "in lavender" the color. */
const thingsOfColors: ReadonlyMap<string, string> = new Map([
  ["lavender", "lavenderbunch"],
  ["champagne", "prosecco"],
  ["wine", "wineglass"],
  ["ice", "icecube"],
  ["mint", "mintleaf"],
  ["coral", "corals"],
  ["chocolate", "chocolatebar"],
  ["vanilla", "vanillabean"],
]);
/** So does "an orange", beside other things. */
const thingsBehindArticles: ReadonlyMap<string, string> = new Map([
  ["espresso", "cup"],
  ["orange", "oranges"],
  ["peach", "peaches"],
  ["lime", "limes"],
  ["rose", "roses"],
  ["plum", "plum"],
  ["olive", "olives"],
]);
const articles: ReadonlySet<string> = new Set("a an ein eine einem einer un une una een".split(" "));
/** Silk in waves is draped, and no sea. */
const clothKinds: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["fabric", "silk", "velvet"]);

/** They are drinks more often than colors: "wine and cheese", but "in champagne". */
const drinks: ReadonlySet<string> = new Set(["wine", "champagne"]);

/** The color before one of these words belongs to nothing behind it: "a podium in pink with petals". */
export const joiningWords: ReadonlySet<string> = new Set("with mit avec con met".split(" "));
/** A word behind one of these is the thing and not its color: "with lavender". The Polish "z" also means "of". */
const withWords: ReadonlySet<string> = new Set([...joiningWords, "z"]);
/** So is a word behind one of these, if a thing is before it: "bread and wine", but "navy and coral". */
const andWords: ReadonlySet<string> = new Set("and und et y e en i".split(" "));
/** A word before one of these is a color: "wine tones", "champagne colored silk". */
const colorNouns: ReadonlySet<string> = new Set(
  "tone tones shade shades palette color colors colored ton tons tonos toni farben farbig accent accents".split(" "),
);

/**
 * @param stop the stop word just before the form; "": none is
 * @param known the last word before it with a meaning
 * @param behind the words behind it
 */
export function meantAfter(
  stop: string,
  known: string | null,
  form: string,
  [following, after]: readonly (ThemeWord | undefined)[],
): string {
  // "With lavender, morning light": what begins another phrase is no noun of it, but may be another color of a list.
  // Coral is one more often than lavender is: "with coral, soft shadow", but "with coral, fish".
  const behind = following?.form ?? "";
  const isOtherPhrase =
    following?.startsPhrase === true && !colors.has(behind) && (form !== "coral" || namedThings.has(behind));
  const nextWord = isOtherPhrase ? undefined : following;
  if (form === "wave" && clothKinds.has(surfaces.get(known ?? "")?.kind ?? "plain")) return "draped";
  if (nextWord?.form != null) return form;
  const next = nextWord?.word ?? "";
  if (colorNouns.has(next) || trimWords.has(next)) return form;
  const isAlone = nextWord === undefined || (nextWord.isStop && !isListOfColors(stop, next, after?.form ?? ""));
  if (articles.has(stop) && isAlone) return thingsBehindArticles.get(form) ?? form;
  const isBesideThing = andWords.has(stop) && known !== null && namedThings.has(known) && !colors.has(known);
  const isThing = withWords.has(stop) || isBesideThing || (drinks.has(form) && !isOfColors(stop, known));
  return isThing ? (thingsOfColors.get(form) ?? form) : form;
}

/** "An orange and white wall" has no fruit, and only in Dutch does "en" say so. */
function isListOfColors(article: string, next: string, after: string): boolean {
  if (!andWords.has(next) || (next === "en" && article !== "een")) return false;
  return colors.has(after) || surfaces.has(after) || after.startsWith("#");
}

/** Whether what is before the word makes it a color: "silk in champagne", "navy and wine". */
function isOfColors(stop: string, known: string | null): boolean {
  return stop === "in" || (known !== null && (colors.has(known) || surfaces.has(known)));
}
