/** Words of a theme that are wrong by one letter. */

/** Shorter words are often others: "cost" is no coast. */
const lettersMin = 5;
/** In the other languages, of which fewer words are known: "anello" (ring) is no agnello (lamb). */
const foreignLettersMin = 8;
/** From this length on, any letter may be missing; in a shorter word, one of a pair. */
const longLettersMin = 6;
const lettersMax = 20;
/**
 * Letters at a word's end of which none is missing or too many: it would be an ending, and "closer" is another word than "close". In long
 * English ones the last but one may be missing: "kitchn".
 */
const endLetters = 2;

/** They are among the 60,000 commonest English words, or on labels of products, and one slip from one of the lexicon. */
const otherWords: ReadonlySet<string> = new Set(
  (
    "longer single trial barely dessert filed stain coats filing boost pairs bender panting dumping marian stripped nobel fright " +
    "corral gallon roster mantle neural sutter ceased confer bowing steamer canon patel prefect trough rotting staked sacked louvre " +
    "mediation topical cracking sparking slashing pooling ridding bolder sliver winkle nested angel cannon marco timbre decked lather taster plied " +
    "siting bellow burred corrals dinning framers gardened laddies louts mopped paining patter peaces pedant pilled rooter sanding selves " +
    "sopping steeps armories patois planes galley flatly preset " +
    // These are among the 10,000 commonest of the other languages.
    "geschafft fliessen nachtisch aandelen"
  ).split(" "),
);

/** Frequent ones that are too short for the rules below, or wrong by more than one slip. */
const commonSlips: ReadonlyMap<string, string> = new Map(
  Object.entries({
    coffee: "coffe cofee coffie",
    autumn: "autum",
    garden: "gardn",
    towels: "towl",
    sunset: "sunst",
    rustic: "rustik rustick",
    kitchen: "kitchin",
    flower: "flowr flwer",
    lemon: "lemmon",
    concrete: "concret",
    beige: "biege",
    marble: "marbal",
    table: "tabel",
    wooden: "wodden",
  }).flatMap(([word, slips]) => slips.split(" ").map((slip) => [slip, word] as const)),
);

const alphabet = "abcdefghijklmnopqrstuvwxyz";

/**
 * Texts that are one slip of the keys away from the word and begin with its letter: two letters swapped, one left out, or one typed
 * twice. Another letter in a letter's place makes other words too often: "dinner" and "diner", "stone" and "store".
 */
function* slips(word: string, isEnglish: boolean): Generator<string> {
  for (let at = 1; at < word.length - 1; at++) {
    const letter = word[at]!;
    const next = word[at + 1]!;
    if (letter !== next) yield word.slice(0, at) + next + letter + word.slice(at + 2);
  }
  const isLong = word.length >= longLettersMin;
  for (let at = 1; at <= word.length - (isLong && isEnglish ? 1 : endLetters); at++) {
    for (const missing of isLong ? alphabet : word[at]!) yield word.slice(0, at) + missing + word.slice(at);
    if (isLong && word[at] === word[at - 1]) yield word.slice(0, at) + word.slice(at + 1);
  }
}

/**
 * @param word in lower case, without accents; not known
 * @param meaningOf null: not known either
 * @returns the meaning of the word that was meant; null: none is near, or several are
 */
export function meaningOfMisspelled(
  word: string,
  meaningOf: (word: string) => string | null,
  isEnglish = true,
): string | null {
  const least = isEnglish ? lettersMin : foreignLettersMin;
  const isTaken = word.length >= least && word.length <= lettersMax && /^[a-z]+$/.test(word) && !otherWords.has(word);
  if (!isTaken) return null;
  const common = isEnglish ? commonSlips.get(word.replace(/s$/, "")) : undefined;
  if (common !== undefined) return meaningOf(common);
  const meanings = new Set<string>();
  for (const near of slips(word, isEnglish)) {
    const meaning = meaningOf(near);
    if (meaning !== null) meanings.add(meaning);
  }
  if (meanings.size > 0) return meanings.size === 1 ? [...meanings][0]! : null;
  const stem = word.slice(0, -1);
  // "Besides" is a word of its own, and no slip of "bedsides".
  return isEnglish && word.endsWith("s") && meaningOf(stem) === null ? meaningOfMisspelled(stem, meaningOf) : null;
}
