/** The product's own name in a theme: "product photo of a perfume bottle on marble" asks for marble, and for no bottle beside the product. */

import { carriers, lights, settings, surfaces } from "./lexicon.ts";
import { namedThings } from "./named-things.ts";
import type { ThemeWord } from "./theme-words.ts";

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words for the picture that is to be made. */
const pictureWords = wordSet(
  "photo photograph photography picture image shot render rendering packshot foto fotografie produktfoto produktfotografie produktbild bild aufnahme " +
    "photographie fotografia fotografía immagine imagen productfoto productfotografie zdjęcie zdjecie",
);
/** Words of the picture's own, between it and the product's name: "foto de producto de una taza". */
const joiningWords = wordSet(
  "of a an the my our one single product von vom einer eines einem der des dem de du des d un une la le l une produit el una producto di del della " +
    "dello prodotto van een het produktowe produktowa",
);
/** What is behind one of these is where the product is. */
const placingWords = wordSet(
  "on upon atop standing sitting placed resting lying against auf vor stehend sur devant posé posée sobre ante su sul sulla davanti op voor na przed",
);
/** Words of a product's name, at most. */
const nameWordsMax = 6;

/** Whether the words name a place, a material or a light, and no product: "photo of a beach on a sunny day". */
function isScene(name: readonly ThemeWord[]): boolean {
  const head = name.at(-1);
  const form = head?.form;
  if (head === undefined || head.isStop) return true;
  // A candle lights a scene, and may be the product.
  if (form === null || form === undefined || carriers.has(form) || namedThings.has(form))
    return settings.has(form ?? "");
  return settings.has(form) || surfaces.has(form) || lights.has(form);
}

/** The words without the product's name, which stands between a word for the picture and one for where the product is. */
export function withoutProductName(words: readonly ThemeWord[]): readonly ThemeWord[] {
  const at = words.findIndex(({ word }) => pictureWords.has(word));
  if (at < 0) return words;
  let from = at + 1;
  while (joiningWords.has(words[from]?.word ?? "") || pictureWords.has(words[from]?.word ?? "")) from++;
  const until = words.findIndex(({ word }, index) => index >= from && placingWords.has(word));
  const name = words.slice(from, until);
  const isOnePhrase = name.slice(1).every(({ startsPhrase }) => !startsPhrase);
  if (until < 0 || name.length > nameWordsMax || !isOnePhrase || isScene(name)) return words;
  return [...words.slice(0, from), ...words.slice(until)];
}
