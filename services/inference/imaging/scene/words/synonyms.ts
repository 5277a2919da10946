/**
 * English words and phrases that mean a word of the lexicon: that word before the colon, then the others, of which `_` joins the words of a
 * phrase. Plural endings need no row.
 */

import { lookSynonyms } from "./synonyms-looks.ts";
import { placeSynonyms } from "./synonyms-places.ts";

/** @throws RangeError on a word that is listed twice: the second meaning would never be read */
function readSynonyms(rows: string): ReadonlyMap<string, string> {
  const read = new Map<string, string>();
  for (const row of rows.trim().split("\n")) {
    const [concept = "", listed = ""] = row.split(": ");
    for (const word of listed.split(" ").map((one) => one.replaceAll("_", " "))) {
      if (read.has(word)) throw new RangeError(`synonyms: "${word}" is "${read.get(word)}" before it is "${concept}"`);
      read.set(word, concept);
    }
  }
  return read;
}

/** The lexicon's word, or `stop`, for each of them. */
export const synonyms: ReadonlyMap<string, string> = readSynonyms(`${placeSynonyms.trim()}\n${lookSynonyms.trim()}`);
