/** Lamps behind colored gels: "colored gels red and blue", "pink and blue gel lighting", "rote und blaue Gele", "red and blue light". */

import { colors, settings } from "./lexicon.ts";
import { andWords } from "./read-light.ts";
import { colorOfForm, isColorForm } from "./theme-colors.ts";
import { isWallWord, type ThemeWord } from "./theme-words.ts";
import { wordSet } from "./word-set.ts";

/** Plural forms of the lexicon's "gel", which is a smear of it elsewhere. */
const gelWords = wordSet("gels gele geles gelatines gelatine gélatines żele zele");
/** Nouns of what the gels color. */
const lightWords = wordSet(
  "light lights lighting licht beleuchtung lumiere lumière lumieres lumières luz luces luce luci verlichting światło swiatlo oświetlenie oswietlenie",
);
/** Those whose colors are behind them. */
const beforeColors = wordSet("lumiere lumière lumieres lumières luz luces luce luci");
/** Words beside a gel's color that shape nothing. */
const joints = wordSet("in de en with mit avec con met z of");

/** The form of a color that is a gel's: no table has it. */
const mark = "gel";
/** Lamps have none of these. */
const lampless = wordSet(
  "black gray brown beige tan taupe khaki charcoal espresso chocolate white cream ivory silver gold",
);

const colorOf = (word: ThemeWord | undefined): string | undefined => {
  const form = word?.form;
  return isColorForm(form) && !lampless.has(form) ? colorOfForm(form) : undefined;
};

const isAnd = (word: ThemeWord | undefined) => word?.isStop === true && !word.startsPhrase && andWords.has(word.word);

/** The places of the colors that end just before one, or begin just behind it, the first one first. */
function colorsBeside(words: readonly ThemeWord[], at: number, way: -1 | 1): number[] {
  const found: number[] = [];
  let index = at + way;
  const isBroken = (one: number) => words[way < 0 ? one + 1 : one]?.startsPhrase === true;
  const isBetween = (one: number) =>
    isAnd(words[one]) ||
    (words[one]?.isStop === true && joints.has(words[one]!.word)) ||
    words[one]?.form === "colorgel";
  while (!isBroken(index) && (isBetween(index) || colorOf(words[index]) !== undefined)) {
    if (colorOf(words[index]) !== undefined) found.push(index);
    index += way;
  }
  return way < 0 ? found.toReversed() : found;
}

/** Whether the gel or the light beside it belongs to this word, a noun or a color that no lamp has: "gel bottle", "blue light wood". */
const isOwner = (word: ThemeWord | undefined) =>
  word !== undefined && !word.isStop && !word.startsPhrase && colorOf(word) === undefined;

/** The words with colors of gels as such. A single color before "light" is the room's, and a gel without any is one to look at. */
export function gelsAsNamed(words: readonly ThemeWord[]): readonly ThemeWord[] {
  const out = [...words];
  for (const [at, word] of words.entries()) {
    const isNamed = word.form === "colorgel" || (word.form === "gel" && gelWords.has(word.word));
    const isLight = lightWords.has(word.word) || word.form === "light";
    if (!isNamed && !isLight && word.form !== "gel") continue;
    // "Shower gel": it is for sale.
    if (word.form === "gel" && !word.startsPhrase && isOwner(words[at - 1])) continue;
    const before = colorsBeside(words, at, -1);
    // "Gel bottle"; a background is lit.
    const isOfNext = isOwner(words[at + 1]) && !isWallWord(words[at + 1]!.form);
    // "Gel rouge et bleu", "luz roja y azul": the other one is behind it, and no noun's.
    const isJoined = before.length === 1 && isAnd(words[at + 1]);
    const behind =
      isJoined || (before.length === 0 && (!isLight || beforeColors.has(word.word))) ? colorsBeside(words, at, 1) : [];
    const found = [...before, ...(isOwner(words[(behind.at(-1) ?? at) + 1]) ? [] : behind)];
    if (isOfNext || found.length < (isNamed ? 1 : 2)) continue;
    for (const index of found.slice(0, 2)) out[index] = { ...out[index]!, form: `${mark}${colorOf(out[index])!}` };
    if (isNamed || word.form === "gel") out[at] = { ...word, form: "colorgel" };
  }
  return out;
}

export type GelColors = readonly [string] | readonly [string, string];

/** `#rrggbb` from the left and from the right; undefined: no light is colored. Out of doors no gel reaches. */
export function gelColorsOf(words: readonly ThemeWord[]): GelColors | undefined {
  const found = words.flatMap(({ form }) => (form?.startsWith(`${mark}#`) ? [form.slice(mark.length)] : []));
  const [one, other] = found;
  if (one === undefined) return undefined;
  return other === undefined ? [one] : [one, other];
}

/** Gray skies are overcast: "big ben and gray sky". */
export function graySkies(words: readonly ThemeWord[]): readonly ThemeWord[] {
  const isSky = (word: ThemeWord | undefined) =>
    word !== undefined && settings.get(word.form ?? "") === settings.get("sky");
  return words.map((word, at) => {
    const next = words[at + 1];
    const isOfSky = isSky(next) && !next!.startsPhrase;
    return colors.get(word.form ?? "") === colors.get("gray") && isOfSky ? { ...word, form: "overcast" } : word;
  });
}
