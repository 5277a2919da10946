/** Streets with old houses, which a word beside them tells: "French street", "rue ancienne". */

import type { ThemeWord } from "./theme-words.ts";
import { wordSet } from "./word-set.ts";

/** Streets of towers, unless the theme says that their houses are old. */
export const streetWords = wordSet("street city downtown alley lane");

/** Adjectives of countries whose towns are older than their towers, as texts have them. */
const oldWorldWords = wordSet(
  "italian italienisch italienische italienischen italienischer italienne italiennes italien italiana italiano italiane italiani italiaanse włoska włoskiej włoskie " +
    "spanish spanische spanischen spanischer espagnole española español spagnola spaanse hiszpańska hiszpańskiej " +
    "french französische französischen französischer française francesa francese franse francuska francuskiej " +
    "portuguese portugiesische portugaise portuguesa portoghese portugese portugalska european europäische européenne europea europese europejska " +
    "medieval mittelalterliche mittelalterlichen médiévale medievale middeleeuwse średniowieczna",
);

const oldForms = wordSet("vintage old antique historic");

/** What stands on towers' side: "modern European city". */
const modernWords = wordSet("modern moderne moderna moderno neon cyberpunk futuristic");

/**
 * "Strada italiana", "rue ancienne", a street with old houses. What else is of a country says nothing of the street, and a street that
 * is of something else stays that: "French city park", "vintage alley wall".
 */
export function isOfOldWorld(
  { word, form, startsPhrase }: ThemeWord,
  at: number,
  words: readonly ThemeWord[],
): boolean {
  const isOldForm = form !== null && oldForms.has(form);
  if (!isOldForm && !oldWorldWords.has(word)) return false;
  const before = startsPhrase ? undefined : words[at - 1];
  const next = words[at + 1]?.startsPhrase ? undefined : words[at + 1];
  if (modernWords.has(before?.word ?? "")) return false;
  if (isOldForm && [before, next].some((one) => one?.form === "house")) return true;
  const isStreet = (one: ThemeWord | undefined) => streetWords.has(one?.form ?? "");
  if (isStreet(before)) return true;
  const behind = words[at + 2];
  return isStreet(next) && (behind === undefined || behind.startsPhrase || behind.form === null);
}

/** Words that say that a theme's streets are old, and that name nothing themselves. */
export function oldWorldWordsIn(words: readonly ThemeWord[]): ReadonlySet<ThemeWord> {
  return new Set(words.filter(isOfOldWorld));
}
