/** Reads a text of any of the known languages as words of the English lexicon. */

import { isRestaurantKitchen, joinPlaces } from "./joined-places.ts";
import {
  type Dictionary,
  foreignLettersMax,
  type Language,
  type LookUpEnglish,
  listedWords,
  mattOrMat,
  normalizeWord,
  phraseWordsMax,
  putsColorsBehind,
  stopMark,
  themeDictionary,
} from "./languages.ts";
import {
  carriers,
  colors,
  flatLays,
  lights,
  moods,
  patterns,
  printNouns,
  props,
  settings,
  stands,
  stopWords,
  surfaces,
} from "./lexicon.ts";
import { namedThings } from "./named-things.ts";
import { isProductNoun } from "./product-nouns.ts";
import { synonyms } from "./synonyms.ts";
import { isShadeOf } from "./theme-colors.ts";

export interface ThemeWord {
  /** As in the text, in lower case. */
  readonly word: string;
  /** The lexicon's word, or `#rrggbb`. null: unknown, or a stop word. */
  readonly form: string | null;
  readonly isStop: boolean;
  /** Punctuation is before it. */
  readonly startsPhrase: boolean;
  /** The material of the drawn thing beside it, and of nothing else. */
  readonly isOfThing?: true;
}

export interface ThemeText {
  readonly words: readonly ThemeWord[];
  /** Words beyond the limit. */
  readonly ignored: readonly string[];
  /** Its language puts adjectives behind nouns. */
  readonly isNounFirst: boolean;
  /** It puts prints there: "kurtka moro". */
  readonly arePrintsBehind: boolean;
}

/** Words beyond this number are ignored and reported as unrecognized. */
const wordsMax = 60;
/** Letters of a word beyond this number are left out of the report. */
const wordLettersMax = 40;

/** Words that join a wall to its material: "wall of brick", "mur en brique". */
const joints: ReadonlySet<string> = new Set("of de d en di in aus van z".split(" "));
const wallWords: ReadonlySet<string> = new Set([
  "wall",
  "wallpaper",
  "paneling",
  "panelling",
  "backdrop",
  "background",
]);

export function isWallWord(form: string | null | undefined): boolean {
  return form !== null && form !== undefined && wallWords.has(form);
}

interface Words {
  has(word: string): boolean;
}

/** How a text is read that is no theme. */
export interface Reading {
  readonly dictionary: Dictionary;
  /** Words with a meaning beside the lexicon's. */
  readonly others: Words;
}

const themeReading: Reading = { dictionary: themeDictionary, others: new Set<string>() };

/** None of the seven languages has them. */
const unknownLetters = /[åøæşșğıěřůťďňčšžțăőűđ]/u;
const listed: ReadonlySet<string> = new Set(Array.from(listedWords(), ([language, word]) => `${language} ${word}`));

/**
 * A text with letters of another language is in none of the seven: Swedish "vid" is no Spanish vine. Brands and towns have such letters in
 * any language, "Kerze auf Holz, Øresund", and so has a text with one of a language's longer words: "planche pour smørrebrød".
 */
function isOfOther(text: string, words: readonly string[], language: Language): boolean {
  const others = (text.normalize("NFKC").match(/[\p{L}\p{M}]+/gu) ?? []).filter((word) =>
    unknownLetters.test(word.toLowerCase()),
  );
  if (others.every((word) => /^\p{Lu}/u.test(word))) return false;
  return !words.some((word) => word.length > foreignLettersMax && listed.has(`${language} ${word}`));
}

/** @param beside a text whose language goes before others that know as many words of this one */
export function readThemeText(text: string, reading: Reading = themeReading, beside = ""): ThemeText {
  const { dictionary, others } = reading;
  const lookUpEnglish = createLookUp(others);
  const source = text.toLowerCase().normalize("NFKC");
  const found = wordsIn(source).flatMap((one) => (source[one.at - 1] === "#" ? splitTag(one, lookUpEnglish) : [one]));
  const considered = found.slice(0, wordsMax);
  const spoken = considered.map(({ word }) => normalizeWord(word));
  const known = dictionary.languageOf(spoken, lookUpEnglish, languageOfTheme(beside));
  const language = isOfOther(text, spoken, known) ? "en" : known;
  const isGoodsAt = (at: number) => {
    const forms = dictionary.translate(spoken[at]!, language, lookUpEnglish);
    return forms === null ? isProductNoun(spoken[at]!) : isGoods(forms.at(-1)!);
  };
  const titles = titlesIn(source, considered, isGoodsAt);
  const isTitleBeside = (at: number) => titles.some(({ first, last }) => at === first || at === last + 1);
  const breaks = considered.map(({ at }, index) => {
    const between = index === 0 ? "" : source.slice(considered[index - 1]!.end, at);
    return (isTitleBeside(index) ? /[^\s\p{M}'’"“”„«»‹›-]/u : /[^\s\p{M}'’-]/u).test(between);
  });
  const lastOf = (first: number) => titles.find((title) => title.first === first)?.last;
  const isOfTitle = (at: number) => titles.some(({ first, last }) => at >= first && at <= last);
  // No dictionary has the mark.
  const normalized = spoken.map((word, at) => (isOfTitle(at) ? "\u0000" : word));
  const tokens: ThemeWord[] = [];
  for (let index = 0; index < considered.length; ) {
    const title = lastOf(index);
    const { forms, length } =
      title === undefined
        ? formsAt(normalized, breaks, index, language, lookUpEnglish, dictionary)
        : { forms: null, length: title + 1 - index };
    const words = considered.slice(index, index + length).map(({ word }) => word);
    const word = words.join(" ");
    const startsPhrase = breaks[index]!;
    const isKnown = (form: string) => form.startsWith("#") || isLexiconWord(form) || others.has(form);
    const meant = forms?.filter(isKnown) ?? [];
    const isStop = forms?.some((form) => form === stopMark || stopWords.has(form)) ?? false;
    if (meant.length === 0) tokens.push({ word, form: null, isStop, startsPhrase });
    for (const form of meant) tokens.push({ word, form, isStop: false, startsPhrase });
    index += length;
  }
  const isNounFirst = putsColorsBehind(language);
  const ordered = isNounFirst ? colorsFirst(tokens) : tokens.map(withoutMattAsMat);
  return {
    words: materialsBeforeWalls(ordered),
    ignored: found.slice(wordsMax).map(({ word }) => word),
    isNounFirst,
    arePrintsBehind: isNounFirst || language === "pl",
  };
}

const quoted = /["“”„«»‹›]([^"“”„«»‹›]+)["“”„«»‹›]/gu;

/** Drawn things that are sold, and no place or light. */
const isGoods = (form: string) =>
  namedThings.get(form)?.place === "beside" && !settings.has(form) && !surfaces.has(form);

/**
 * The first and the last word of each product's title, in quotation marks just behind what is sold: `candle "Midnight in Paris" on oak`.
 * What is quoted behind other nouns is a part of the scene: `wall "brick"`.
 */
function titlesIn(source: string, words: readonly FoundWord[], isGoodsAt: (at: number) => boolean) {
  const titles: { readonly first: number; readonly last: number }[] = [];
  for (const { index, 0: title } of source.matchAll(quoted)) {
    const noun = words.findLastIndex(({ end }) => end <= index);
    const last = words.findLastIndex(({ end }) => end < index + title.length);
    const isBehindGoods = noun >= 0 && source.slice(words[noun]!.end, index).trim() === "" && isGoodsAt(noun);
    if (isBehindGoods && last > noun) titles.push({ first: noun + 1, last });
  }
  return titles;
}

function languageOfTheme(text: string): Language {
  const words = wordsIn(text.toLowerCase().normalize("NFKC")).slice(0, wordsMax);
  return themeDictionary.languageOf(
    words.map(({ word }) => normalizeWord(word)),
    createLookUp(themeReading.others),
  );
}

function formsAt(
  words: readonly string[],
  breaks: readonly boolean[],
  index: number,
  language: Language,
  lookUpEnglish: LookUpEnglish,
  { translate, translatePhrase, correct }: Dictionary,
) {
  for (let length = phraseWordsMax; length > 1; length--) {
    const isPhrase = index + length <= words.length && !breaks.slice(index + 1, index + length).some(Boolean);
    if (!isPhrase) continue;
    const spoken = words.slice(index, index + length);
    const phrase = spoken.join(" ");
    const form =
      translatePhrase(phrase, language) ?? joined(spoken, lookUpEnglish) ?? ofStyle(spoken, language, translatePhrase);
    if (form === undefined) continue;
    const end = index + length;
    const next = end < words.length && !breaks[end] ? translate(words[end]!, language, lookUpEnglish)?.[0] : undefined;
    if (form === "restaurantkitchen" && phrase.endsWith(" kitchen") && end < words.length && !breaks[end]) {
      const ofKitchen = ["kitchen", words[end]!];
      const named = translatePhrase(ofKitchen.join(" "), language) ?? joined(ofKitchen, lookUpEnglish);
      if (named !== undefined || next === undefined || isThing(next)) continue;
    }
    // Two places that one may avoid.
    if (phrase === "restaurant kitchen") continue;
    if (isCastLight(form, phrase) && (isLightened(next) || words.some((word) => shining.get(form)!.has(word))))
      continue;
    return { forms: [form], length };
  }
  const forms = translate(words[index]!, language, lookUpEnglish);
  if (forms !== null) return { forms: headOfCompound(forms), length: 1 };
  const meant = correct(words[index]!, language, (near) => isLexiconWord(near) || stopWords.has(near));
  return { forms: meant === null ? null : [stopWords.has(meant) ? stopMark : meant], length: 1 };
}

/** Between two words of a phrase they change nothing: "farmhouse style kitchen". */
const styleJoints: ReadonlySet<string> = new Set("style styled inspired look vibe".split(" "));

function ofStyle(words: readonly string[], language: Language, translatePhrase: Dictionary["translatePhrase"]) {
  if (words.length < 3 || !words.some((word) => styleJoints.has(word))) return undefined;
  const rest = words.filter((word) => !styleJoints.has(word));
  const isBetween =
    rest.length > 1 && rest.length < words.length && rest[0] === words[0] && rest.at(-1) === words.at(-1);
  return isBetween ? translatePhrase(rest.join(" "), language) : undefined;
}

/** A professional kitchen's knife is a thing, and no kitchen. */
const isThing = (form: string | undefined) =>
  form !== undefined && (namedThings.has(form) || carriers.has(form)) && !settings.has(form) && !surfaces.has(form);

/** By these words light in stripes is that of lamps, and light from the side is no sun's: "stripes of light at night". */
const shining: ReadonlyMap<string, Words> = new Map([
  ["blind", new Set("night nights nighttime neon city cities".split(" "))],
  ["sunlit", new Set("night nights nighttime neon".split(" "))],
]);

/** "Stripes of light", "side light". */
const isCastLight = (form: string, phrase: string) =>
  shining.has(form) && /^(side|striped|stripes of) light$/.test(phrase);

/** "Striped light pink wallpaper": the light is the color's. White and black are not lighter or darker. */
function isLightened(next: string | undefined): boolean {
  if (next === undefined || next === "white" || next === "black") return false;
  return next.startsWith("#") || colors.has(next) || surfaces.has(next);
}

/** Letters of a word that may be written together with another one, at least: "d'une" is no dune, and "jam on" no jamón. */
const joinedLettersMin = 3;

/** The lexicon's word that several words are when they are written as one: "washing machines". */
function joined(words: readonly string[], lookUpEnglish: LookUpEnglish): string | undefined {
  if (words.some((word) => word.length < joinedLettersMin)) return undefined;
  const form = lookUpEnglish(words.join(""))?.[0];
  return form === stopMark ? undefined : form;
}

/** A word in a text. */
interface FoundWord {
  readonly word: string;
  readonly at: number;
  readonly end: number;
}

/** Letters of each of two words of a hashtag, at least. */
const partLettersMin = 4;

/** @param source in lower case */
function wordsIn(source: string): FoundWord[] {
  return (
    [...source.matchAll(/#[0-9a-f]{6}\b|[\p{L}\p{N}\p{M}]+/gu)]
      .map((match) => ({
        word: match[0].slice(0, wordLettersMax),
        at: match.index,
        end: match.index + match[0].length,
      }))
      // The mark that makes a sign an emoji is no word.
      .filter(({ word }) => normalizeWord(word) !== "")
  );
}

/** A hashtag may be two words: "#palmtrees". Elsewhere such a word is another one: "dishwasher", "peppercorns". */
function splitTag(tag: FoundWord, lookUpEnglish: LookUpEnglish): readonly FoundWord[] {
  const { word, at, end } = tag;
  if (lookUpEnglish(word) !== null) return [tag];
  for (let letters = partLettersMin; letters <= word.length - partLettersMin; letters++) {
    const parts = [word.slice(0, letters), word.slice(letters)] as const;
    const [one, other] = parts.map((part) => lookUpEnglish(part)?.[0]);
    if (one === undefined || other === undefined || (one === stopMark && other === stopMark)) continue;
    const middle = at + letters;
    return [
      { word: parts[0], at, end: middle },
      { word: parts[1], at: middle, end },
    ];
  }
  return [tag];
}

const seasons: ReadonlySet<string> = new Set("spring summer autumn winter christmas easter".split(" "));

const isOnePlace = (one: string, other: string) =>
  joinPlaces(one, other) !== undefined || isRestaurantKitchen(one, other);

/** The last part of a compound is the thing: "Landhausküche" is a kitchen, and "blaugrün" is green; "Herbstwald" is both. */
function headOfCompound(forms: readonly string[]): readonly string[] {
  const last = forms.at(-1);
  // A bathroom's shelf is a shelf in a bathroom.
  if (last === "shelves" && forms.slice(0, -1).some((form) => settings.has(form)))
    return [...forms.slice(0, -1), "shelf"];
  // "Moosgrün" is a green, and no moss; "dunkelgrün" is a dark one.
  const before = forms.at(-2) ?? "";
  // "Smaragdgroen" is emerald.
  if (isShadeOf(before, last ?? "")) return headOfCompound(forms.slice(0, -1));
  if (colors.has(last ?? "")) return forms.filter((form) => form === last || moods.has(form) || seasons.has(form));
  return forms.filter((form, at) => {
    const isReplacedIn = (table: { has(word: string): boolean }) =>
      table.has(form) && forms.slice(at + 1).some((later) => table.has(later) && !isOnePlace(form, later));
    // "Blumentapete" has both.
    return seasons.has(form) || last === "wallpaper" || !(isReplacedIn(colors) || isReplacedIn(settings));
  });
}

/** German words that stand behind a noun, and never between an adjective and its noun. */
const behindNouns: ReadonlySet<string> = new Set(
  "und oder mit ohne auf in im an am aus vor von vom bei beim zu zum zur neben unter über hinter für als wie der die das".split(
    " ",
  ),
);

/** "Eine matte Oberfläche", "papier matte": before a noun or just behind a material it is the adjective, which shapes nothing. */
function withoutMattAsMat(token: ThemeWord, at: number, tokens: readonly ThemeWord[]): ThemeWord {
  if (token.form !== "yogamat" || !mattOrMat.has(token.word)) return token;
  const next = tokens[at + 1];
  const isBeforeNoun = next !== undefined && !next.startsPhrase && !behindNouns.has(next.word.split(" ")[0]!);
  const isBehindMaterial = !token.startsPhrase && surfaces.has(tokens[at - 1]?.form ?? "");
  return isBeforeNoun || isBehindMaterial ? { ...token, form: null, isStop: true } : token;
}

/** Words for a table. */
export const tableWords: ReadonlySet<string> = new Set(
  "table coffeetable sidetable diningtable tisch tischchen gartentisch terrassentisch mesa mesita tavolo tavola tafel tafeltje tuintafel stół stol stole stolik stoliku".split(
    " ",
  ),
);

/** Words of the lexicon for what is as high as a table. */
const tableForms: ReadonlySet<string> = new Set(
  "desk counter countertop vanity dresser dressing nightstand bedside workbench bar".split(" "),
);

/** "Küchentisch", "tabletop", "keukentafel". */
const tableCompound = /tisch(e|es|s|platte)?$|tafel$|(table|counter|work|bar|desk)top$/;

/** Whether a text names what is as high as a table, so that a product that is put there is above the floor. */
export function namesTable(text: string): boolean {
  return readThemeText(text).words.some(({ form, word }) => {
    const known = form ?? word;
    return tableWords.has(word) || tableWords.has(known) || tableForms.has(known) || tableCompound.test(word);
  });
}

export const floorWords: ReadonlySet<string> = new Set(
  "floor flooring boden fussboden sol suelo pavimento vloer podłoga podłodze".split(" "),
);

/** What may stand between a noun and its color: "seta color avorio". */
const colorNames: ReadonlySet<string> = new Set("color colore couleur ton tono tinta coloris".split(" "));

/** Reverses each run of words with a meaning, so that "mármol negro" reads as "black marble", and "mesa negra" as "black table". */
function colorsFirst(tokens: readonly ThemeWord[]): ThemeWord[] {
  const ordered: ThemeWord[] = [];
  let run: ThemeWord[] = [];
  for (const [at, token] of tokens.entries()) {
    const isJoined = colorNames.has(token.word) && !token.startsPhrase && run.length > 0;
    const isTable = run.length === 0 && tableWords.has(token.word) && colors.has(tokens[at + 1]?.form ?? "");
    const isBetween = token.form === null && !isJoined && !isTable;
    if (isBetween || token.startsPhrase) {
      ordered.push(...reversed(run));
      run = [];
    }
    if (isBetween) ordered.push(token);
    else run.push(token);
  }
  return [...ordered, ...reversed(run)];
}

/** The words of a phrase from its last to its first, which begins it now. */
function reversed(run: readonly ThemeWord[]): ThemeWord[] {
  const startsPhrase = run[0]?.startsPhrase ?? false;
  return run.toReversed().map((token, at) => ({ ...token, startsPhrase: startsPhrase && at === 0 }));
}

/** A wall, a curtain, an arch, a stand or what may be one. */
function isMadeOf(form: string | null): boolean {
  return form !== null && (isWallWord(form) || props.has(form) || stands.has(form) || carriers.has(form));
}

/** "Wall of red brick" becomes "red brick wall". */
function materialsBeforeWalls(tokens: readonly ThemeWord[]): ThemeWord[] {
  const ordered = [...tokens];
  for (let at = 0; at + 2 < ordered.length; at++) {
    if (!isMadeOf(ordered[at]!.form) || !joints.has(ordered[at + 1]!.word)) continue;
    let end = at + 2;
    while (end < ordered.length && ordered[end]!.form !== null && !ordered[end]!.startsPhrase) {
      end++;
      if (surfaces.has(ordered[end - 1]!.form!)) {
        const [wall, joint] = ordered.splice(at, 2);
        ordered.splice(end - 2, 0, wall!, joint!);
        at = end - 1;
        break;
      }
    }
  }
  return ordered;
}

/** Words and their meanings, by what they are. */
export const lexiconTables: readonly ReadonlyMap<string, unknown>[] = [
  surfaces,
  settings,
  lights,
  moods,
  colors,
  stands,
  carriers,
  props,
  patterns,
  printNouns,
  flatLays,
  namedThings,
];

/** True for a word of the English lexicon. */
export function isLexiconWord(word: string): boolean {
  return lexiconTables.some((table) => table.has(word));
}

/** The word's form in the lexicon, without a plural ending; null: unknown. */
function createLookUp(others: Words): LookUpEnglish {
  return (word) => {
    if (word.startsWith("#")) return [word];
    const forms = [
      word,
      word.replace(/s$/, ""),
      // "Tubes" are no tubs.
      word.replace(/(?<=[sxzo]|[cs]h)es$/, ""),
      word.replace(/ies$/, "y"),
      word.replace(/ves$/, "f"),
    ];
    const form = forms.find((one) => isLexiconWord(one) || others.has(one));
    if (form !== undefined) return [form];
    const meant = forms.map((one) => synonyms.get(one)).find((one) => one !== undefined);
    if (meant !== undefined) return [meant];
    return stopWords.has(word) || /^([a-z]|\d+(s|er|st|nd|rd|th|d|k|mm|cm|px|p)?)$/.test(word) ? [stopMark] : null;
  };
}
