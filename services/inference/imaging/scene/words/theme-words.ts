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
import { colors, flatLays, lights, moods, patterns, props, settings, stands, stopWords, surfaces } from "./lexicon.ts";
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
  "powder blue": "babyblue",
  "navy blue": "navy",
  "mint green": "mint",
  "olive green": "olive",
  "sage green": "sage",
  "emerald green": "emerald",
  "lime green": "lime",
  "lemon yellow": "yellow",
  "rose petals": "petal",
  "blue hour": "twilight",
  "palm leaves": "foliage",
  "olive tree": "olivegrove",
  "olive trees": "olivegrove",
  "olive garden": "olivegrove",
  "olive orchard": "olivegrove",
  "lavender sprigs": "lavenderbunch",
  "bunch of lavender": "lavenderbunch",
  "lavender flowers": "lavenderbunch",
  "winter garden": "greenhouse",
  "falling snow": "snowfall",
  "cherry tree": "cherryblossom",
  "cherry trees": "cherryblossom",
  "bowl of fruit": "fruitbowl",
  "teddy bear": "teddy",
  "teddy bears": "teddy",
  "eiffel tower": "eiffel",
  "straw bales": "haybale",
  "flower shop": "florist",
  "glass of wine": "wineglass",
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
  "mountain lodge": "lodge",
  "tree stump": "stump",
  "tree trunk": "log",
  "tree trunks": "log",
  "wooden fence": "fence",
  "blue sky": "clearsky",
  "tulip field": "tulip",
  "tulip fields": "tulip",
  "running track": "runninglane",
  "athletics track": "runninglane",
  "potted herbs": "herbpot",
  "pots of herbs": "herbpot",
  "pots and pans": "pan",
  "slices of lemon": "lemonslice",
  "orange slices": "citrusslice",
  "bamboo forest": "bamboogrove",
  "bamboo garden": "bamboogrove",
  "fresh mint": "mintleaf",
  "cafe table": "bistrotable",
  "tennis racket": "racket",
  "rubber boots": "rainboot",
  "boxing ring": "boxing",
  "carved pumpkin": "jackolantern",
  "carved pumpkins": "jackolantern",
  "lotus flower": "lotus",
  "lotus flowers": "lotus",
  "christmas stockings": "stockings",
  "christmas ornaments": "ornament",
  "christmas baubles": "bauble",
  "after rain": "puddle",
  "after the rain": "puddle",
  "after a rain": "puddle",
  "park bench": "parkbench",
  "garden bench": "parkbench",
  "artist studio": "atelier",
  "artists studio": "atelier",
  "artist s studio": "atelier",
  "painter s studio": "atelier",
  "art studio": "atelier",
  "mountain trail": "mountaintrail",
  "mountain path": "mountaintrail",
  "narrow street": "lane",
  "old street": "lane",
  "skate park": "skatepark",
  "golf course": "golf",
  "artist s loft": "atelier",
  "potter s workshop": "pottery",
  "potters workshop": "pottery",
  "pottery workshop": "pottery",
  "pottery studio": "pottery",
  "train station platform": "railwaystation",
  "station platform": "railwaystation",
  "red lanterns": "paperlantern",
  "chinese lanterns": "paperlantern",
  "tartan track": "runninglane",
  "tartan running track": "runninglane",
  "tropical fruit": "pineapple",
  "tropical fruits": "pineapple",
  "starry sky": "moonlit",
  "starry night": "moonlit",
  "night sky": "moonlit",
  "under the stars": "moonlit",
  "mountain hut": "lodge",
  "mountain cabin": "lodge",
  "ski hut": "lodge",
  "locker room": "locker",
  "changing room": "locker",
  "shopping mall": "mall",
  "water drops": "drop",
  "water droplets": "drop",
  "pampas grass": "pampas",
  "dried flowers": "pampas",
  "dry flowers": "pampas",
  "leather books": "book",
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
  "building blocks": "toyblock",
  "colorful blocks": "toyblock",
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
  "japanese garden": "zengarden",
  "sidewalk cafe": "cafeterrace",
  "street cafe": "cafeterrace",
  "outdoor cafe": "cafeterrace",
  "ice lake": "frozenlake",
  "skating rink": "icerink",
  "train platform": "railwaystation",
  "railway platform": "railwaystation",
  "train station": "railwaystation",
  "subway station": "subway",
  "subway platform": "subway",
  "metro station": "subway",
  "petrol station": "gasstation",
  "filling station": "gasstation",
  "parking lot": "parking",
  "car park": "parking",
  "salt lake": "saltflat",
  "rice field": "riceterrace",
  "rice paddies": "riceterrace",
  "tea field": "teaplantation",
  "tea fields": "teaplantation",
  "forest trail": "forestpath",
  "hiking trail": "forestpath",
  "hiking path": "forestpath",
  "bike trail": "forestpath",
  "forest floor": "forestpath",
  "town square": "oldtown",
  "market square": "oldtown",
  "city wall": "oldtown",
  "lemon tree": "lemongrove",
  "lemon trees": "lemongrove",
  "lemon orchard": "lemongrove",
  "apple orchard": "orchard",
  "apple trees": "orchard",
  "new years eve": "newyear",
  "new year s eve": "newyear",
  "lunar new year": "chinesenewyear",
  "dia de los muertos": "dayofthedead",
  "dia de muertos": "dayofthedead",
  "fourth of july": "picnic",
  "baby shower": "nursery",
  "bachelorette party": "birthday",
  "hen party": "birthday",
  "kids party": "birthday",
  "graduation party": "graduation",
  "bowling alley": "bowling",
  "reading corner": "livingroom",
  "reading nook": "livingroom",
  "cozy corner": "livingroom",
  "light from above": "noon",
  "lit from above": "noon",
  "christmas tree": "christmas",
  "christmas trees": "christmas",
  "tropical leaves": "tropicalleaf",
  "tropical plants": "tropicalleaf",
  "jungle leaves": "tropicalleaf",
  "rain on a window": "rainywindow",
  "rain on the window": "rainywindow",
  "rain at the window": "rainywindow",
  "sound studio": "musicstudio",
  "northern lights": "aurora",
  "polar lights": "aurora",
  "sports hall": "basketballcourt",
  "gym mats": "gymfloor",
  "rubber floor": "gymfloor",
  "rubber mats": "gymfloor",
  "clay court": "tenniscourt",
  "football pitch": "pitch",
  "soccer field": "pitch",
  "football field": "pitch",
  "swimming pool": "pool",
  "water ripples": "watersurface",
  "rippling water": "watersurface",
  "water from above": "watersurface",
  "lap lane": "swimlane",
  "swimming lane": "swimlane",
  "venetian blinds": "blind",
  "window blinds": "blind",
  "shadow of blinds": "blind",
  "shadows of blinds": "blind",
  "blinds shadow": "blind",
  "blind shadows": "blind",
  "gold dust": "glitter",
  "gold flakes": "glitter",
  "golden dust": "glitter",
  "gold glitter": "glitter",
  "haunted house": "halloween",
  "witch table": "halloween",
  "candy shop": "sweetshop",
  "candy store": "sweetshop",
  "gas fire": "campfire",
  "by the fire": "fireplace",
  "by a fire": "fireplace",
  "open fire": "fireplace",
  "log fire": "fireplace",
  "cafe racer": "garage",
  "motorcycle workshop": "garage",
  "bike workshop": "garage",
  "concert hall": "stage",
  "recording studio": "musicstudio",
  "dj booth": "club",
  "space station": "spaceship",
  "planet mars": "mars",
  "red planet": "mars",
  "ancient ruins": "ruin",
  "roman ruins": "ruin",
  "laundry room": "laundry",
  "dog park": "park",
  "hotel room": "bedroom",
  "hotel suite": "bedroom",
  "bed sheets": "sheet",
  "satin sheets": "satin",
  "persian carpet": "carpet",
  "persian rug": "carpet",
  "knitted blanket": "wool",
  "knitted fabric": "wool",
  "sheepskin rug": "sheepskin",
  "fur rug": "fur",
  "brown paper": "kraftpaper",
  "brushed steel": "steel",
  "brushed metal": "steel",
  "golden foil": "goldfoil",
  "rusty metal": "rusty",
  "straw mat": "rattan",
  "bamboo mat": "rattan",
  "woven mat": "rattan",
  "rubber mat": "gymfloor",
  "board game": "playroom",
  "lava rocks": "rock",
  "lava stone": "rock",
  "volcanic rock": "rock",
  "crushed ice": "ice",
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
    const form =
      translatePhrase(phrase, language) ??
      (Object.hasOwn(phrases, phrase) ? phrases[phrase] : joined(words.slice(index, index + length), lookUpEnglish));
    if (form !== undefined) return { forms: [form], length };
  }
  const forms = translate(words[index]!, language, lookUpEnglish);
  return { forms: forms === null ? null : headOfCompound(forms), length: 1 };
}

/** The lexicon's word that several words are when they are written as one: "washing machines". */
function joined(words: readonly string[], lookUpEnglish: LookUpEnglish): string | undefined {
  const form = lookUpEnglish(words.join(""))?.[0];
  return form === stopMark ? undefined : form;
}

const seasons: ReadonlySet<string> = new Set("spring summer autumn winter christmas easter".split(" "));

/** The last part of a compound is the thing: "Landhausküche" is a kitchen, and "blaugrün" is green; "Herbstwald" is both. */
function headOfCompound(forms: readonly string[]): readonly string[] {
  const last = forms.at(-1);
  // A bathroom's shelf is a shelf in a bathroom.
  if (last === "shelves" && forms.slice(0, -1).some((form) => settings.has(form)))
    return [...forms.slice(0, -1), "shelf"];
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
      word.replace(/es$/, ""),
      word.replace(/ies$/, "y"),
      word.replace(/ves$/, "f"),
    ];
    const form = forms.find((one) => isLexiconWord(one) || others.has(one));
    if (form !== undefined) return [form];
    return stopWords.has(word) || /^[a-z]$/.test(word) ? [stopMark] : null;
  };
}
