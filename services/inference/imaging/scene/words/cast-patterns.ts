/**
 * Patterns that light and shadow cast on a wall: "shadow pattern of palm leaves", "stripes of shadow", "Schattenmuster". The wall is not
 * printed with them, and what casts them is not in the picture.
 */

import { lights, moods, patterns, printNouns } from "./lexicon.ts";
import { isPrint, type Print } from "./lexicon-patterns.ts";
import { isWallWord, type ThemeWord } from "./theme-words.ts";
import { wordSet } from "./word-set.ts";

const shadows = wordSet("shadow shade leafshade hardshadow windowshade");
/** "Soft shadows" are light. */
const softShadow = /shadow|schatten|ombre|sombra|schaduw|cie[nń]/;
const lightWords = wordSet(
  "light licht lumiere lumière luz luce światło światła swiatla sunlight sonnenlicht sunshine",
);

/** Between a shadow and what casts it: "ombres de feuilles", "shadows from leaves". */
const ofWords = wordSet("of from by de d du des von vom aus van di dei delle a à z");
const articles = wordSet("a an the le la les l el los las il i gli einer eines einem de het een");
/** Who stands in the shade of a tree stands below one. */
const within = wordSet("in im ins under unter dans en à a all alla sotto onder w pod");

/** What shades with its leaves. */
const plants = wordSet(
  "leaf leave foliage tropicalleaf palm fern banana plant monstera jungle tropical botanical flower floral blossom cherryblossom sakura tree " +
    "olivegrove eucalyptus bamboo branch leafprint floralprint",
);
const openings = wordSet("window");
const slats = wordSet("blind");

/** The shadow that looks like the print; the others are cast by nothing. */
const castLike: Readonly<Partial<Record<Print, string>>> = {
  stripes: "blind",
  zebra: "blind",
  checks: "windowshade",
  geometric: "windowshade",
  leaves: "leafshade",
  floral: "leafshade",
};

/** The lexicon's word for the shadow that a word's thing casts, or that looks like its print. */
function shadowOf({ form }: ThemeWord): string | undefined {
  if (form === null) return undefined;
  if (plants.has(form)) return "leafshade";
  if (openings.has(form)) return "windowshade";
  if (slats.has(form)) return "blind";
  if (form === "geometric") return castLike.geometric;
  const print = patterns.get(form);
  return isPrint(print) ? castLike[print] : undefined;
}

const isPatternNoun = (word: ThemeWord | undefined) => printNouns.has(word?.form ?? "");
const isPrintWord = ({ form }: ThemeWord) => isPrint(patterns.get(form ?? ""));
const isShadow = (word: ThemeWord | undefined) =>
  shadows.has(word?.form ?? "") || (word?.form === "diffuse" && softShadow.test(word.word));

/** "Light", and no color that is light: "striped light pink wallpaper". */
function isLight(words: readonly ThemeWord[], at: number): boolean {
  const next = words[at + 1];
  const isNoun = next === undefined || next.startsPhrase || next.isStop || isPatternNoun(next);
  return isNoun && lightWords.has(words[at]?.word ?? "");
}

/** "In the shade of palms", "in the cool shade of trees". */
function isWithin(words: readonly ThemeWord[], at: number): boolean {
  const isBetween = ({ word, form, isStop }: ThemeWord) =>
    isStop ? articles.has(word) && !within.has(word) : form === null || moods.has(form) || lights.has(form);
  let before = at - 1;
  while (before > 0 && isBetween(words[before]!) && !words[before + 1]!.startsPhrase) before--;
  return before >= 0 && words[before]!.isStop && within.has(words[before]!.word) && !words[before + 1]!.startsPhrase;
}

const trees = wordSet("tree palm olivegrove");

/** "Palm shade beach", "shade of an olive tree": without a wall, shade is below what gives it. */
function isBelowTrees(words: readonly ThemeWord[], told: readonly ThemeWord[]): boolean {
  const isOfShade = told.some(({ word }) => word === "shade" || word === "shades");
  return isOfShade && told.some(({ form }) => trees.has(form ?? "")) && !words.some(({ form }) => isWallWord(form));
}

/** The place of the word that a joint leads to, forwards or backwards from one; undefined: there is no joint. */
function acrossJoint(words: readonly ThemeWord[], at: number, way: -1 | 1): number | undefined {
  let other = at + way;
  let isJoined = false;
  for (; words[other]?.isStop === true; other += way) {
    const { word, startsPhrase } = words[other]!;
    if (startsPhrase || !(ofWords.has(word) || articles.has(word))) return undefined;
    isJoined ||= ofWords.has(word);
  }
  return isJoined && words[other] !== undefined && !words[way > 0 ? other : other + 1]!.startsPhrase
    ? other
    : undefined;
}

/** First and last place of the words that tell of one shadow. */
function extentOf(words: readonly ThemeWord[], at: number): readonly [first: number, last: number] {
  const isOf = (word: ThemeWord | undefined): word is ThemeWord =>
    word !== undefined && (isPatternNoun(word) || isPrintWord(word) || shadowOf(word) !== undefined);
  let first = at;
  let last = at;
  const grow = (way: -1 | 1) => {
    for (;;) {
      const edge = way < 0 ? first : last;
      const beside = words[edge + way];
      const isNext = isOf(beside) && !words[way < 0 ? edge : edge + 1]!.startsPhrase;
      const joined = isNext ? edge + way : acrossJoint(words, edge, way);
      if (joined === undefined || !isOf(words[joined])) return;
      if (way < 0) first = joined;
      else last = joined;
    }
  };
  grow(-1);
  grow(1);
  return [first, last];
}

/** Lamps in stripes are no sun between slats: "stripes of light at night". */
const isByNight = ({ form }: ThemeWord) => ["night", "neon"].includes(lights.get(form ?? "") ?? "");

/** The words with one for each shadow and what casts it or what it looks like; a print that nothing casts is not known. */
export function patternsAsCast(words: readonly ThemeWord[]): readonly ThemeWord[] {
  const out: ThemeWord[] = [];
  let done = 0;
  for (let at = 0; at < words.length; at++) {
    const isOfShadow = isShadow(words[at]);
    if (at < done || !(isOfShadow || isLight(words, at))) continue;
    const [from, last] = extentOf(words, at);
    const first = Math.max(done, from);
    const told = words.slice(first, last + 1);
    const hasPattern = told.some((word) => isPatternNoun(word) || isPrintWord(word));
    const isPlace = isOfShadow && !hasPattern && (isWithin(words, first) || isBelowTrees(words, told));
    if (first === last || isPlace || (!isOfShadow && !hasPattern)) continue;
    const isSlatted = !words.some(isByNight);
    const shadow = (word: ThemeWord) => (shadowOf(word) === "blind" && !isSlatted ? undefined : shadowOf(word));
    const forms = told.flatMap((word) => shadow(word) ?? []);
    const form = forms.includes("leafshade")
      ? "leafshade"
      : (forms[0] ?? (isOfShadow ? words[at]!.form! : words[at]!.form));
    const isLost = (word: ThemeWord) => isPrintWord(word) && shadow(word) === undefined;
    const kept = told.filter((word) => !isLost(word));
    const text = [...new Set(kept.map(({ word }) => word))].join(" ");
    out.push(...words.slice(done, first), ...told.filter(isLost).map((word) => ({ ...word, form: null })));
    out.push({ word: text, form, isStop: false, startsPhrase: words[first]!.startsPhrase });
    done = last + 1;
  }
  return [...out, ...words.slice(done)];
}
