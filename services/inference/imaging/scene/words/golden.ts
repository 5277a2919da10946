/** What is golden: a thing that is of gold, gold leaf, the leaves of plants, or the light. */

import { colors, type PropKind, props, settings, stands, surfaces } from "./lexicon.ts";
import { namedThings } from "./named-things.ts";
import { andWords } from "./read-light.ts";
import { isColorForm } from "./theme-colors.ts";
import { isWallWord, type ThemeWord, tableWords } from "./theme-words.ts";
import { trimWords } from "./things-of-colors.ts";
import { wordSet } from "./word-set.ts";

/** Things around the product that have the color which a theme names. */
export const coloredProps: ReadonlySet<string> = new Set<PropKind | "">([
  "arch",
  "curtain",
  "shapes",
  "eggs",
  "gifts",
  "hearts",
]);

/** Where leaves turn golden by themselves. */
const leafyPlaces = wordSet("autumn fall tree vineyard");
/** Words for gold leaf that are those for a golden leaf, too. */
const mayBeLeaf = /leaf|leaves|feuille|fogli/;
const isLeafyPlace = ({ form }: ThemeWord) =>
  form !== null && form !== "pool" && (leafyPlaces.has(form) || settings.get(form)?.backdrop === "foliage");

const isNoun = (word: ThemeWord | undefined) =>
  word !== undefined && !word.isStop && !word.startsPhrase && !isColorForm(word.form);

/** "Gold leaf wall", "sfondo foglia d'oro", which is in English order here: a noun is of gold leaf, and of no plant's. */
function isOfNoun({ word }: ThemeWord, next: ThemeWord | undefined): boolean {
  const isGold = word.startsWith("gold ") || /\bd oro?$/.test(word);
  return isGold && (isNoun(next) || (tableWords.has(next?.word ?? "") && !next!.startsPhrase));
}

/**
 * Gold leaf beside another material is behind it: "gold leaf and black marble". "Golden leaf in a forest" and "golden leaves" are leaves of
 * plants, in golden light; without a place of theirs they are no autumn's.
 */
export function leafBehind(words: readonly ThemeWord[]): readonly ThemeWord[] {
  const isAmongTrees = words.some(isLeafyPlace);
  const read = words.flatMap((one, at) => {
    if (one.form !== "goldleaf" || !mayBeLeaf.test(one.word) || isOfNoun(one, words[at + 1])) return [one];
    if (!isAmongTrees && !one.word.endsWith(" leaves")) return [one];
    const leaf = { ...one, form: "leaf" };
    return isAmongTrees
      ? [
          { ...one, form: "golden" },
          { ...leaf, startsPhrase: false },
        ]
      : [leaf];
  });
  const isOther = ({ form }: ThemeWord) => form !== "goldleaf" && surfaces.has(form ?? "");
  if (!read.some(isOther)) return read;
  return read.flatMap((one, at) => {
    const next = read[at + 1];
    // "Gold leaf tea on oak": it is the tea's.
    if (one.form === "goldleaf" && isNoun(next) && !surfaces.has(next!.form ?? "")) return [{ ...one, form: null }];
    const isLeaf = one.form === "goldleaf" && !isWallWord(next?.form);
    return isLeaf ? [one, { ...one, form: "wall", startsPhrase: false }] : [one];
  });
}

/** Behind "golden" they are a shade of their own, and nothing is of gold: "golden brown background". */
const goldenShades: ReadonlySet<string> = new Set("yellow brown beige pink cream".split(" "));

/** A golden podium is of gold, as are golden backdrops, accents and faucets, and a golden field is in golden light. */
export function isGilded(
  word: string,
  [next, after]: readonly (ThemeWord | undefined)[],
  before: string,
  [lastKnown, knownBefore]: LastKnown,
): boolean {
  if (trimWords.has(next?.word ?? "") || trimWords.has(before)) return true;
  // Behind "golden hour" a backdrop is lit.
  if (isWallWord(next?.form)) return !word.includes(" ") && !next!.startsPhrase;
  // "Fond noir doré" and "fond noir et doré": nothing that is lit follows. "Heure dorée, fond blanc" is another phrase.
  const isOfPhrase = !word.includes(" ") && !next?.startsPhrase && !after?.startsPhrase;
  if (isOfPhrase && !goldenShades.has(next?.form ?? "") && colors.has(next?.form ?? "") && isWallWord(after?.form))
    return true;
  // Light falls on "a garden's background and golden", and on "a white wall and golden".
  const isColored = colors.has(knownBefore ?? "") && isWallWord(lastKnown) && lastKnown !== "wall";
  const isJoined = isColored && andWords.has(before) && !word.includes(" ");
  if (isJoined && (next === undefined || next.startsPhrase)) return true;
  const form = next?.form;
  if (form == null) return false;
  const thing = namedThings.get(form);
  const isFurnishing = thing !== undefined && (thing.kind === "furniture" || thing.place === "wall");
  return isFurnishing || stands.has(form) || coloredProps.has(props.get(form) ?? "");
}

/** "Golden leaves". */
export const isOfPlants = (next: ThemeWord | undefined) =>
  next !== undefined && !next.startsPhrase && props.get(next.form ?? "") === "plants";

/** The last two words of the lexicon, the later one first. */
export type LastKnown = readonly [string | null, string | null];
