/**
 * Words of seven languages, and the one in which a text is written. A word may mean different things in two languages
 * ("or" is gold in French): the language that knows most words of the text decides, and of several the first in
 * `languages`. A short word of another language than the text's own is not taken ("a bad photo" is no bathroom).
 */

import { phrases } from "./lexicon-phrases.ts";
import { meaningOfMisspelled } from "./misspellings.ts";
import { synonyms } from "./synonyms.ts";
import { avoidTranslations, phrasesOfAvoid } from "./translations-avoid.ts";
import { largeThingTranslations } from "./translations-large-things.ts";
import { lookTranslations } from "./translations-looks.ts";
import { phraseTranslations } from "./translations-phrases.ts";
import { placeTranslations } from "./translations-places.ts";
import { roomTranslations } from "./translations-rooms.ts";
import { surfaceTranslations } from "./translations-surfaces.ts";
import { thingTranslations } from "./translations-things.ts";

/** In the order in which they are preferred. */
export const languages = ["en", "de", "fr", "es", "it", "nl", "pl"] as const;
export type Language = (typeof languages)[number];
type Translated = Exclude<Language, "en">;
const translated = ["de", "fr", "es", "it", "nl", "pl"] as const satisfies readonly Translated[];

/** Endings of inflected forms, the longest first. What remains has three letters at least. */
const endings: Readonly<Record<Translated, readonly string[]>> = {
  de: ["em", "en", "er", "es", "e", "n", "s"],
  fr: ["es", "s", "e", "x"],
  es: ["os", "as", "es", "o", "a", "e", "s"],
  it: ["hi", "he", "o", "a", "i", "e"],
  nl: ["en", "es", "e", "n", "s"],
  pl: "ego iego iemu emu ymi imi ami iami iach ych ich ach iem owi owe ej iej ym im em om ow ie iu a e i o u y"
    .split(" ")
    .sort((a, b) => b.length - a.length),
};
const stemLettersMin = 3;

/** Letters between the parts of a compound: Eiche-n-tisch, ciemn-o-zielony. */
const links: Readonly<Partial<Record<Translated, readonly string[]>>> = {
  de: ["", "s", "n", "en", "e", "es"],
  nl: ["", "s", "n", "en", "e", "es"],
  pl: ["o"],
};
const compoundPartsMax = 4;
/** The last part of a compound may be known alone (Landhausküche is a kitchen) from this length on. */
const compoundHeadLettersMin = 5;
/** A word up to this length is only taken from the text's own language. */
export const foreignLettersMax = 4;
/** Words of a phrase such as "salle de bain", at most. */
export const phraseWordsMax = 5;

/** In an entry's place: the word shapes nothing. */
export const stopMark = "stop";

interface Vocabulary {
  /** Listed forms. */
  readonly exact: Map<string, string>;
  /** Listed forms without their ending. */
  readonly stems: Map<string, string>;
}

type Vocabularies = ReadonlyMap<Translated, Vocabulary>;

/**
 * @param rows of tables such as `translations-places.ts`
 * @throws RangeError on a word that one language has twice: the second meaning would never be read
 */
export function readTranslations(rows: string): Vocabularies {
  const read: Vocabularies = new Map(
    translated.map((language) => [language, { exact: new Map<string, string>(), stems: new Map<string, string>() }]),
  );
  for (const row of rows.split("\n")) {
    const [concept = "", cells = ""] = row.split(":");
    if (cells === "") continue;
    for (const [at, cell] of cells.split("|").entries()) {
      const language = translated[at]!;
      for (const listed of cell.trim().split(" ").filter(Boolean)) {
        addWord(read.get(language)!, language, listed.replaceAll("_", " "), concept.trim());
      }
    }
  }
  return read;
}

function addWord({ exact, stems }: Vocabulary, language: Translated, word: string, concept: string): void {
  const known = exact.get(word);
  if (known !== undefined)
    throw new RangeError(`translations: "${word}" (${language}) is "${known}" before it is "${concept}"`);
  const add = (words: Map<string, string>, form: string) => {
    if (!words.has(form)) words.set(form, concept);
  };
  // Umlauts are listed as ae, oe, ue; a text may also lose them to the removal of accents.
  const forms = language === "de" ? [word, word.replace(/([aou])e/g, "$1")] : [word];
  for (const form of forms) {
    add(exact, form);
    // "Dunkel" becomes "dunkles".
    if (language === "de" && form.endsWith("el")) add(stems, `${form.slice(0, -2)}l`);
    const ending = endings[language].find((one) => form.endsWith(one) && form.length - one.length >= stemLettersMin);
    if (concept !== stopMark && ending !== undefined) add(stems, form.slice(0, -ending.length));
  }
}

const letters: Readonly<Record<string, string>> = { ß: "ss", ł: "l", æ: "ae", œ: "oe", ø: "o", đ: "d", ı: "i" };

/** Lower case without accents: "Küche" and "kuche" are one word. */
export function normalizeWord(word: string): string {
  return word
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßłæœøđı]/g, (letter) => letters[letter]!);
}

/** Concepts with whose words many words end by chance, as futuristisch does with a table's. */
const headless: ReadonlySet<string> = new Set([stopMark, "table"]);
/** Words with which others end by chance: a universe is not fresh, as "verse" is in Dutch. */
const headlessWords: ReadonlySet<string> = new Set(["verse"]);

/** German mats, or the adjective in several languages: they do not say in which one a text is. */
export const mattOrMat: ReadonlySet<string> = new Set(["matte", "matten"]);

/** English words for an English word; null: unknown. */
export type LookUpEnglish = (word: string) => readonly string[] | null;

export interface Dictionary {
  /**
   * The language that knows most of the words; a listed form weighs more than an inflected one, and a phrase most.
   *
   * @param preferred before others that know as much
   */
  readonly languageOf: (words: readonly string[], english: LookUpEnglish, preferred?: Language) => Language;
  /** The English words for a word of a text in a language; null: unknown in all of them. May be `stopMark`. */
  readonly translate: (word: string, language: Language, english: LookUpEnglish) => readonly string[] | null;
  /** The lexicon's word for a listed phrase of the language, or for an English one. */
  readonly translatePhrase: (phrase: string, language: Language) => string | undefined;
  /**
   * The meaning of a word of a text in a language that is wrong by one letter; null: it is near to no listed word.
   *
   * @param isEnglish whether a word is one of the lexicon, as it is listed
   */
  readonly correct: (word: string, language: Language, isEnglish: (word: string) => boolean) => string | null;
}

/** @param phrases English ones */
function createDictionary(vocabularies: Vocabularies, phrases: Readonly<Record<string, string>>): Dictionary {
  /** The English words for a listed or inflected word, or for a compound's parts; null: unknown. */
  function lookUp(language: Translated, word: string): readonly string[] | null {
    const concept = lookUpForm(language, word);
    if (concept !== null) return [concept];
    if (links[language] === undefined) return null;
    return splitCompound(language, word, compoundPartsMax) ?? (language === "pl" ? null : lookUpHead(language, word));
  }

  function lookUpForm(language: Translated, word: string): string | null {
    const { exact, stems } = vocabularies.get(language)!;
    const listed = exact.get(word) ?? stems.get(word);
    if (listed !== undefined) return listed;
    for (const ending of endings[language]) {
      if (!word.endsWith(ending) || word.length - ending.length < stemLettersMin) continue;
      const stem = word.slice(0, -ending.length);
      const concept = exact.get(stem) ?? stems.get(stem);
      if (concept !== undefined && concept !== stopMark) return concept;
    }
    return null;
  }

  /** The parts of a compound, the longest first: Eichenholztisch is oak and wood, and a table. */
  function splitCompound(language: Translated, word: string, partsMax: number): readonly string[] | null {
    for (let length = word.length - stemLettersMin; length >= stemLettersMin; length--) {
      const first = lookUpForm(language, word.slice(0, length));
      if (first === null) continue;
      for (const link of links[language] ?? []) {
        if (!word.startsWith(link, length)) continue;
        const rest = word.slice(length + link.length);
        if (rest.length < stemLettersMin) continue;
        const last = lookUpForm(language, rest);
        const others = last !== null ? [last] : partsMax > 2 ? splitCompound(language, rest, partsMax - 1) : null;
        if (others !== null) return [first, ...others];
      }
    }
    return null;
  }

  function lookUpHead(language: Translated, word: string): readonly string[] | null {
    for (let at = stemLettersMin; at <= word.length - compoundHeadLettersMin; at++) {
      const concept = vocabularies.get(language)!.exact.get(word.slice(at));
      if (concept !== undefined && !headless.has(concept) && !headlessWords.has(word.slice(at))) return [concept];
    }
    return null;
  }

  function weightOf(language: Translated, words: readonly string[], at: number): number {
    const { exact } = vocabularies.get(language)!;
    for (let length = Math.min(phraseWordsMax, words.length - at); length > 1; length--) {
      if (exact.has(words.slice(at, at + length).join(" "))) return 2 * length;
    }
    if (exact.has(words[at]!)) return 2;
    return lookUp(language, words[at]!) === null ? 0 : 1;
  }

  const englishPhrase = (phrase: string): string | undefined =>
    Object.hasOwn(phrases, phrase) ? phrases[phrase] : phrase.includes(" ") ? synonyms.get(phrase) : undefined;

  /** "Shop windows"; no brand has a plural: "all stars". */
  function ofPlural(phrase: string): string | undefined {
    const meant = phrase.endsWith("s") ? englishPhrase(phrase.slice(0, -1)) : undefined;
    return meant === stopMark ? undefined : meant;
  }

  return {
    languageOf: (words, english, preferred = "en") => {
      let best = preferred;
      let most = 0;
      for (const language of [preferred, ...languages]) {
        const weigh = (word: string, at: number) =>
          language === "en" ? 2 * Number(english(word) !== null) : weightOf(language, words, at);
        const weight = words.reduce((sum, word, at) => sum + (mattOrMat.has(word) ? 0 : weigh(word, at)), 0);
        if (weight > most) [best, most] = [language, weight];
      }
      return best;
    },
    translate: (word, language, english) => {
      const own = language === "en" ? english(word) : lookUp(language, word);
      if (own !== null) return own;
      const inEnglish = english(word);
      if (inEnglish !== null) return inEnglish;
      if (word.length <= foreignLettersMax) return null;
      for (const other of translated) {
        const concept = vocabularies.get(other)!.exact.get(word);
        if (concept !== undefined && concept !== stopMark) return [concept];
      }
      return null;
    },
    translatePhrase: (phrase, language) =>
      (language === "en" ? undefined : vocabularies.get(language)!.exact.get(phrase)) ??
      englishPhrase(phrase) ??
      ofPlural(phrase),
    correct: (word, language, isEnglish) => {
      if (language === "en") return meaningOfMisspelled(word, (near) => (isEnglish(near) ? near : null));
      const { exact } = vocabularies.get(language)!;
      return meaningOfMisspelled(word, (near) => exact.get(near) ?? null, false);
    },
  };
}

const ofThemes = readTranslations(
  [
    phraseTranslations,
    placeTranslations,
    surfaceTranslations,
    thingTranslations,
    largeThingTranslations,
    roomTranslations,
    lookTranslations,
  ].join("\n"),
);
const ofAvoid = readTranslations(avoidTranslations);

export const themeDictionary = createDictionary(ofThemes, phrases);
/** That of `avoid`, whose own words go before those of themes. */
export const avoidDictionary = createDictionary(
  new Map(
    translated.map((language) => {
      const base = ofThemes.get(language)!;
      const own = ofAvoid.get(language)!;
      return [
        language,
        { exact: new Map([...base.exact, ...own.exact]), stems: new Map([...base.stems, ...own.stems]) },
      ];
    }),
  ),
  { ...phrases, ...phrasesOfAvoid },
);

/** Every listed word with its English concept. */
export const listedWords = () => listedIn(ofThemes);
/** Those that `avoid` has of its own. */
export const listedWordsOfAvoid = () => listedIn(ofAvoid);

function* listedIn(vocabularies: Vocabularies): Generator<readonly [Language, string, string]> {
  for (const [language, { exact }] of vocabularies) {
    for (const [word, concept] of exact) yield [language, word, concept];
  }
}

/** Languages in which a color follows its noun: "mur vert". */
export function putsColorsBehind(language: Language): boolean {
  return language === "fr" || language === "es" || language === "it";
}
