/** Reads a text of any of the known languages as words of the English lexicon. */

import {
  type Language,
  type LookUpEnglish,
  languageOf,
  normalizeWord,
  phraseWordsMax,
  putsColorsBehind,
  stopMark,
  translate,
  translatePhrase,
} from "./languages.ts";
import { colors, lights, moods, patterns, props, settings, stands, stopWords, surfaces } from "./lexicon.ts";
import { namedThings } from "./named-things.ts";

export interface ThemeWord {
  /** As in the text, in lower case. */
  readonly word: string;
  /** The lexicon's word, or `#rrggbb`. null: unknown, or a stop word. */
  readonly form: string | null;
  readonly isStop: boolean;
  /** Punctuation is before it. */
  readonly startsPhrase: boolean;
}

export interface ThemeText {
  readonly words: readonly ThemeWord[];
  /** Words beyond the limit. */
  readonly ignored: readonly string[];
}

/** Words beyond this number are ignored and reported as unrecognized. */
const wordsMax = 60;
/** Letters of a word beyond this number are left out of the report. */
const wordLettersMax = 40;

/** English phrases with a meaning of their own. */
const phrases: Readonly<Record<string, string>> = {
  "sky blue": "skyblue",
  "baby blue": "babyblue",
  "powder blue": "babyblue",
  "royal blue": "royalblue",
  "midnight blue": "midnightblue",
  "navy blue": "navy",
  "forest green": "forestgreen",
  "mint green": "mint",
  "olive green": "olive",
  "sage green": "sage",
  "emerald green": "emerald",
  "lime green": "lime",
  "lemon yellow": "yellow",
  "hot pink": "hotpink",
  "rose gold": "rosegold",
  "rose petals": "petal",
  "off white": "offwhite",
  "blue hour": "twilight",
  "sci fi": "scifi",
  "palm leaves": "foliage",
  "olive grove": "olivegrove",
  "olive groves": "olivegrove",
  "olive tree": "olivegrove",
  "olive trees": "olivegrove",
  "olive garden": "olivegrove",
  "olive orchard": "olivegrove",
  "lavender sprigs": "lavenderbunch",
  "bunch of lavender": "lavenderbunch",
  "lavender bunch": "lavenderbunch",
  "lavender flowers": "lavenderbunch",
  "lavender field": "lavenderfield",
  "lavender fields": "lavenderfield",
  "coral reef": "coralreef",
  "under water": "underwater",
  "winter garden": "greenhouse",
  "christmas market": "christmasmarket",
  "falling snow": "snowfall",
  "cherry blossom": "cherryblossom",
  "cherry blossoms": "cherryblossom",
  "cherry tree": "cherryblossom",
  "cherry trees": "cherryblossom",
  "fruit bowl": "fruitbowl",
  "bowl of fruit": "fruitbowl",
  "hot air balloon": "hotairballoon",
  "hot air balloons": "hotairballoon",
  "ice cream": "icecream",
  "disco ball": "discoball",
  "beach chair": "beachchair",
  "beach chairs": "beachchair",
  "deck chair": "deckchair",
  "deck chairs": "deckchair",
  "watering can": "wateringcan",
  "rocking horse": "rockinghorse",
  "teddy bear": "teddy",
  "teddy bears": "teddy",
  "eiffel tower": "eiffel",
  "picture frame": "pictureframe",
  "picture frames": "pictureframe",
  "hay bale": "haybale",
  "hay bales": "haybale",
  "straw bales": "haybale",
  "new year": "newyear",
  "new york": "newyork",
  "flower shop": "florist",
  "wine glass": "wineglass",
  "wine glasses": "wineglass",
  "glass of wine": "wineglass",
  "wine bottle": "winebottle",
  "table lamp": "tablelamp",
  "bedside lamp": "tablelamp",
  "pendant lamp": "pendant",
  "pendant lamps": "pendant",
  "wall clock": "clock",
  "coffee cup": "cup",
  "coffee cups": "cup",
  "cup of coffee": "cup",
  "cup of tea": "cup",
  "tea cup": "cup",
  "tea cups": "cup",
  "log cabin": "logcabin",
  "ski lodge": "skilodge",
  "mountain lodge": "lodge",
  "tree stump": "stump",
  "tree trunk": "log",
  "tree trunks": "log",
  "fire wood": "firewood",
  "camper van": "campervan",
  "picket fence": "picketfence",
  "wooden fence": "fence",
  "wagon wheel": "wagonwheel",
  "blue sky": "clearsky",
  "clear sky": "clearsky",
  "hard shadow": "hardshadow",
  "hard shadows": "hardshadow",
  "hard light": "hardlight",
  "picnic blanket": "picnicblanket",
  "tulip field": "tulip",
  "tulip fields": "tulip",
  "running track": "racetrack",
  "race track": "racetrack",
  "coffee bean": "coffeebean",
  "coffee beans": "coffeebean",
  "herb pots": "herbpot",
  "potted herbs": "herbpot",
  "pots of herbs": "herbpot",
  "copper pan": "copperpan",
  "copper pans": "copperpan",
  "copper pot": "copperpot",
  "copper pots": "copperpot",
  "pots and pans": "pan",
  "pine cone": "pinecone",
  "pine cones": "pinecone",
  "fir cones": "fircone",
  "pine tree": "pinetree",
  "pine trees": "pinetree",
  "fir tree": "firtree",
  "fir trees": "firtree",
  "lemon slice": "lemonslice",
  "lemon slices": "lemonslice",
  "slices of lemon": "lemonslice",
  "citrus slices": "citrusslice",
  "orange slices": "citrusslice",
  "olive oil": "oliveoil",
  "bamboo forest": "zen",
  "bamboo garden": "zen",
  "mint leaves": "mintleaf",
  "fresh mint": "mintleaf",
  "aloe vera": "aloevera",
  "rolled towels": "rolledtowel",
  "rolled towel": "rolledtowel",
  "bistro table": "bistrotable",
  "cafe table": "bistrotable",
  "kitchen sink": "kitchensink",
  "yoga mat": "yogamat",
  "gym mat": "gymmat",
  "tennis ball": "tennisball",
  "tennis balls": "tennisball",
  "tennis racket": "racket",
  "golf ball": "golfball",
  "golf balls": "golfball",
  "clothes rack": "clothesrack",
  "shopping bag": "shoppingbag",
  "shopping bags": "shoppingbag",
  "sewing machine": "sewingmachine",
  "paint brushes": "paintbrush",
  "toy train": "toytrain",
  "doll house": "dollhouse",
  "bird cage": "birdcage",
  "fish tank": "fishtank",
  "tool box": "toolbox",
  "traffic cone": "trafficcone",
  "street lamp": "streetlamp",
  "street lamps": "streetlamp",
  "street light": "streetlight",
  "street lights": "streetlight",
  "neon sign": "neonsign",
  "neon signs": "neonsign",
  "rain boots": "rainboot",
  "rubber boots": "rainboot",
  "rubber duck": "rubberduck",
  "rubber ducks": "rubberduck",
  "desk lamp": "desklamp",
  "record player": "recordplayer",
  "boxing gloves": "boxinggloves",
  "boxing ring": "boxing",
  "jack o lantern": "jackolantern",
  "jack o lanterns": "jackolantern",
  "carved pumpkin": "jackolantern",
  "carved pumpkins": "jackolantern",
  "shop front": "shopfront",
  "market stall": "marketstall",
  "market stalls": "marketstall",
  "rowing boat": "rowingboat",
  "water lily": "waterlily",
  "water lilies": "waterlily",
  "lotus flower": "lotus",
  "lotus flowers": "lotus",
  "spider web": "spiderweb",
  "spider webs": "spiderweb",
  "witch hat": "witchhat",
  "snow globe": "snowglobe",
  "candy cane": "candycane",
  "candy canes": "candycane",
  "christmas stockings": "stockings",
  "advent wreath": "adventwreath",
  "christmas ornaments": "ornament",
  "christmas baubles": "bauble",
  "easter bunny": "easterbunny",
  "easter basket": "easterbasket",
  "paper fan": "paperfan",
  "paper lantern": "paperlantern",
  "paper lanterns": "paperlantern",
  "water drops": "drop",
  "polka dots": "polkadot",
  "polka dot": "polkadot",
  "water droplets": "drop",
  "pampas grass": "pampas",
  "dried flowers": "pampas",
  "dry flowers": "pampas",
  "leather books": "book",
  "living room": "livingroom",
  "home office": "homeoffice",
  "pool party": "poolside",
  "rose garden": "flower",
  "flower garden": "flower",
  "flower field": "flower",
  "autumn leaves": "autumn",
  "autumn leaf": "autumn",
  "fall leaves": "autumn",
  "fallen leaves": "autumn",
  "dry leaves": "autumn",
  "stacked stones": "cairn",
  "hot stones": "cairn",
  "zen stones": "cairn",
  "birthday party": "birthday",
  "toy block": "toyblock",
  "toy blocks": "toyblock",
  "building blocks": "toyblock",
  "wooden blocks": "toyblock",
  "beach umbrella": "parasol",
  "sun umbrella": "parasol",
  "gift box": "gift",
  "gift boxes": "gift",
  "full moon": "moon",
  "leaf shadow": "leafshade",
  "leaf shadows": "leafshade",
  "shadows of leaves": "leafshade",
  "shadow of leaves": "leafshade",
  "palm shadow": "leafshade",
  "palm shadows": "leafshade",
  "palm leaf shadow": "leafshade",
  "palm leaf shadows": "leafshade",
  "palm leaves shadow": "leafshade",
  "shadow of palm leaves": "leafshade",
  "window shadow": "sunlit",
  "window shadows": "sunlit",
  "window light": "sunlit",
  "shadow of a window": "sunlit",
  "light from a window": "sunlit",
  "plant shadow": "leafshade",
  "plant shadows": "leafshade",
  "terracotta pot": "flowerpot",
  "terracotta pots": "flowerpot",
  "clay pot": "flowerpot",
  "clay pots": "flowerpot",
  "fairy lights": "lights",
  "string lights": "lights",
};

/** Words that join a wall to its material: "wall of brick", "mur en brique". */
const joints: ReadonlySet<string> = new Set("of de d en di in aus van z".split(" "));
const wallWords: ReadonlySet<string> = new Set(["wall", "backdrop", "background"]);

export function isWallWord(form: string | null | undefined): boolean {
  return form !== null && form !== undefined && wallWords.has(form);
}

interface Words {
  has(word: string): boolean;
}

/** @param others words with a meaning beside the lexicon's. */
export function readThemeText(text: string, others: Words = new Set<string>()): ThemeText {
  const lookUpEnglish = createLookUp(others);
  const found = [
    ...text
      .toLowerCase()
      .normalize("NFKC")
      .matchAll(/#[0-9a-f]{6}\b|[\p{L}\p{N}\p{M}]+/gu),
  ].map((match) => ({ word: match[0].slice(0, wordLettersMax), at: match.index, end: match.index + match[0].length }));
  const considered = found.slice(0, wordsMax);
  const source = text.toLowerCase().normalize("NFKC");
  const breaks = considered.map(
    ({ at }, index) => index > 0 && /[^\s\p{M}'’-]/u.test(source.slice(considered[index - 1]!.end, at)),
  );
  const normalized = considered.map(({ word }) => normalizeWord(word));
  const language = languageOf(normalized, lookUpEnglish);
  const tokens: ThemeWord[] = [];
  for (let index = 0; index < considered.length; ) {
    const { forms, length } = formsAt(normalized, breaks, index, language, lookUpEnglish);
    const words = considered.slice(index, index + length).map(({ word }) => word);
    const word = words.join(" ");
    const startsPhrase = breaks[index]!;
    const isKnown = (form: string) => form.startsWith("#") || isLexiconWord(form) || others.has(form);
    const meant = forms?.filter(isKnown) ?? [];
    const isStop = forms?.includes(stopMark) ?? false;
    if (meant.length === 0) tokens.push({ word, form: null, isStop, startsPhrase });
    for (const form of meant) tokens.push({ word, form, isStop: false, startsPhrase });
    index += length;
  }
  const ordered = putsColorsBehind(language) ? colorsFirst(tokens) : tokens;
  return { words: materialsBeforeWalls(ordered), ignored: found.slice(wordsMax).map(({ word }) => word) };
}

function formsAt(
  words: readonly string[],
  breaks: readonly boolean[],
  index: number,
  language: Language,
  lookUpEnglish: LookUpEnglish,
) {
  for (let length = phraseWordsMax; length > 1; length--) {
    const isPhrase = index + length <= words.length && !breaks.slice(index + 1, index + length).some(Boolean);
    if (!isPhrase) continue;
    const phrase = words.slice(index, index + length).join(" ");
    const form = translatePhrase(phrase, language) ?? (Object.hasOwn(phrases, phrase) ? phrases[phrase] : undefined);
    if (form !== undefined) return { forms: [form], length };
  }
  const forms = translate(words[index]!, language, lookUpEnglish);
  return { forms: forms === null ? null : headOfCompound(forms), length: 1 };
}

const seasons: ReadonlySet<string> = new Set("spring summer autumn winter christmas easter".split(" "));

/** The last part of a compound is the thing: "Landhausküche" is a kitchen, and "blaugrün" is green; "Herbstwald" is both. */
function headOfCompound(forms: readonly string[]): readonly string[] {
  return forms.filter((form, at) => {
    const isReplacedIn = (table: { has(word: string): boolean }) =>
      table.has(form) && forms.slice(at + 1).some((later) => table.has(later));
    return seasons.has(form) || !(isReplacedIn(colors) || isReplacedIn(settings));
  });
}

/** Reverses each run of words with a meaning, so that "mármol negro" reads as "black marble". */
function colorsFirst(tokens: readonly ThemeWord[]): ThemeWord[] {
  const ordered: ThemeWord[] = [];
  let run: ThemeWord[] = [];
  for (const token of tokens) {
    if (token.form === null || token.startsPhrase) {
      ordered.push(...run.reverse());
      run = [];
    }
    if (token.form === null) ordered.push(token);
    else run.push(token);
  }
  return [...ordered, ...run.reverse()];
}

/** A wall, a curtain, an arch or a stand. */
function isMadeOf(form: string | null): boolean {
  return form !== null && (isWallWord(form) || props.has(form) || stands.has(form));
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
  props,
  patterns,
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
      word.replace(/es$/, ""),
      word.replace(/ies$/, "y"),
      word.replace(/ves$/, "f"),
    ];
    const form = forms.find((one) => isLexiconWord(one) || others.has(one));
    if (form !== undefined) return [form];
    return stopWords.has(word) || /^[a-z]$/.test(word) ? [stopMark] : null;
  };
}
