/**
 * Words that are a place, or a light, only where nothing beside them says otherwise: "tunnel" is one, "tunnel boots" and "quarry tile" are
 * none. Where they are not meant they stay unknown, and are told as such.
 */

import { cities, otherOldCities } from "./cities.ts";
import { normalizeWord } from "./languages.ts";
import { colors, moods, type SurfaceKind, settings, surfaces } from "./lexicon.ts";
import { namedThings } from "./named-things.ts";
import { placingWords } from "./product-names.ts";
import { isProductNoun } from "./product-nouns.ts";
import { synonyms } from "./synonyms.ts";
import { isColorForm, lumaOf } from "./theme-colors.ts";
import type { ThemeWord } from "./theme-words.ts";
import { wordSet } from "./word-set.ts";

/** They give way to any other place, material or thing. */
const leastPlaces = wordSet("tunnel underpass quarry elevator escalator zoo larder fireescape cemetery graveyard");
/** A room of one is painted, and its garden. */
const townhouses = wordSet("townhouse brownstone");
/** Products are named after them. */
const namesakes = wordSet("pantry courtroom postoffice veterinary houseboat chinatown cloister");
const backgrounds = wordSet("background backdrop studio");
/** Products are named after them, too: "Capri pants, white background". */
const regions: ReadonlySet<string> = new Set([
  ...cities,
  ...otherOldCities,
  ...wordSet(
    "amalfi andalusia arizona bali brooklyn capri caribbean cuba egypt hawaii hawaiian india japan japanese kyoto lasvegas london malibu " +
      "maldives mallorca manhattan marrakech mediterranean mexico morocco newyork norway norwegian paris phuket provence ranch riviera " +
      "santorini seychelles timessquare tokyo tuscany village",
  ),
]);
/** A piece of a room's furniture: "Paris shelf". No city is behind one. */
const furnishings = wordSet("shelf ledge mantel vanity dresser nightstand");
const placing = wordSet("in at of with by near and or from for to inside");
/** Beside any place they tell when it is. */
const times = wordSet(
  "winter spring summer autumn fall christmas xmas festive holiday halloween thanksgiving easter wedding birthday",
);

/** Words with which the capital of Cuba is meant, and not the brown of tortoiseshell and cigars. */
const ofHavana = wordSet("street city lane alley oldtown old vintage night nights car cars");
const oldOrNight = wordSet("vieja viejo vieille vecchia velha alte altes alten oude stara starej nights noches");
const namesHavana = wordSet("havana cuba cartagena");

const ledLights = wordSet("light lights glow strip strips lighting");
/** LED light beside one of these is a lamp's, or a product's. */
const plainWords = wordSet("white warm background backdrop studio bulb bulbs");

/** Elsewhere their things stay. */
const things: ReadonlyMap<string, string> = new Map([
  ["cemetery", "tombstone"],
  ["graveyard", "tombstone"],
]);

const isUnknown = ({ form, isStop }: ThemeWord) => form === null && !isStop;
const follows = (word: ThemeWord | undefined): word is ThemeWord => word !== undefined && !word.startsPhrase;

/** The words just before and behind one, in its phrase; `isOf`: a joint is between it and the one behind. */
function besideOf(words: readonly ThemeWord[], at: number) {
  const before = words[at]!.startsPhrase ? undefined : words[at - 1];
  let next = at + 1;
  while (follows(words[next]) && words[next]!.isStop) next++;
  return { before, next: follows(words[next]) ? words[next] : undefined, isOf: next > at + 1 };
}

function isLeast(words: readonly ThemeWord[], at: number): boolean {
  const { before, next, isOf } = besideOf(words, at);
  const isOther = ({ form }: ThemeWord, other: number) =>
    other !== at && form !== null && !times.has(form) && (settings.has(form) || surfaces.has(form));
  const isThing = (word: ThemeWord | undefined) => namedThings.has(word?.form ?? "");
  if (words.some(isOther) || isThing(before) || isThing(next)) return true;
  return (next !== undefined && !isOf && isUnknown(next)) || before?.word === "wind";
}

function isHavana(words: readonly ThemeWord[], at: number): boolean {
  const { before, next } = besideOf(words, at);
  if (words.length === 1) return true;
  // "La Habana", "la Havane".
  if (words[at]!.word.includes(" ") && next === undefined) return true;
  const near = words[at - 1];
  const beyond = words[at - 2];
  // "Calle de la Habana", "street in Havana".
  const isIn = near?.isStop === true && !words[at]!.startsPhrase && ofHavana.has(beyond?.form ?? "");
  const named = [before, next].some((one) => ofHavana.has(one?.form ?? "") || oldOrNight.has(one?.word ?? ""));
  return isIn || named;
}

const isBackground = (form: string) => backgrounds.has(form);

/** "Seoul skincare shelf": it is of that city's kind, and in a room. */
function isOfFurnishing(words: readonly ThemeWord[], at: number): boolean {
  const { form } = words[at]!;
  // A Mediterranean shelf is on a terrace.
  if (!regions.has(form!) || settings.get(form!)?.backdrop !== "skyline") return false;
  const behind = words.slice(at + 1);
  const end = behind.findIndex(({ word, startsPhrase }) => startsPhrase || placing.has(word) || placingWords.has(word));
  const head = behind.slice(0, end < 0 ? behind.length : end).findLast(({ isStop }) => !isStop);
  return furnishings.has(head?.form ?? "");
}

/**
 * A place's word before another noun names a product, where the theme then says on what that is: "Tuscany soap on slate", and before a
 * backdrop: "car wash soap, white background".
 */
function namesProduct(words: readonly ThemeWord[], at: number): boolean {
  const { word, form } = words[at]!;
  if (!regions.has(form!) && !(synonyms.has(word) && settings.has(form!))) return false;
  const behind = words.slice(at + 1);
  const end = behind.findIndex((one) => one.startsPhrase || placingWords.has(one.word));
  const name = behind.slice(0, end < 0 ? behind.length : end);
  const head = name.at(-1);
  const isProduct = head !== undefined && !name.some(({ isStop }) => isStop) && (isUnknown(head) || isOnlyThing(head));
  const isPlaced = behind.some((one) => placingWords.has(one.word) || backgrounds.has(one.form ?? ""));
  return isProduct && isPlaced;
}

/** They also name where they are drunk or sold. */
const fares = wordSet("wine coffee tea beer chocolate");
/** They are of a place, and of no product. */
const openGrounds: ReadonlySet<SurfaceKind | undefined> = new Set<SurfaceKind>([
  "water",
  "snow",
  "sand",
  "grass",
  "soil",
  "pebble",
  "asphalt",
]);

const isFurniture = ({ form }: ThemeWord) => namedThings.get(form ?? "")?.kind === "furniture";

/** Whether a word names what is sold, or what that is made of, and nothing that a city has. */
function isMadeOrSold({ form, word }: ThemeWord): boolean {
  if (form === null) return isProductNoun(normalizeWord(word));
  if (fares.has(form)) return true;
  const thing = namedThings.get(form);
  if (thing === undefined) return surfaces.has(form) && !openGrounds.has(surfaces.get(form)!.kind);
  return thing.kind === "furniture" || (thing.place === "beside" && thing.kind !== "lights");
}

/** "Chair Oslo", "Tasche Florenz": a product's name is behind what it is, and no noun behind it. */
function isNameBehind(words: readonly ThemeWord[], at: number): boolean {
  const product = words[at - 1];
  const city = words[at]!;
  const next = words[at + 1];
  if (product === undefined || city.startsPhrase || (follows(next) && !next.isStop)) return false;
  const isGoods =
    product.form === null
      ? isProductNoun(normalizeWord(product.word))
      : isFurniture(product) && !fares.has(product.form);
  return isGoods && !product.isStop;
}

/** "Oslo chair", "Verona tiles", "Boston fern": a city that has no sight of its own names a kind of what is behind it. */
function isKindOf(words: readonly ThemeWord[], at: number): boolean {
  const { form: city } = words[at]!;
  if (!cities.has(city!) || namedThings.has(city!)) return false;
  if (isNameBehind(words, at)) return true;
  const behind = words.slice(at + 1);
  const end = behind.findIndex(({ isStop, startsPhrase }) => isStop || startsPhrase);
  const name = behind.slice(0, end < 0 ? behind.length : end);
  const head = name.at(-1);
  const isPlace = ({ form }: ThemeWord) => form !== null && settings.has(form) && !fares.has(form);
  return head !== undefined && !name.some(isPlace) && isMadeOrSold(head);
}

const isOnlyThing = ({ form }: ThemeWord) => form !== null && namedThings.has(form) && !settings.has(form);

/** Solids that are sold in bars. */
const solids = wordSet("soap muesli chocolate chocolatebar nuts honey candy candies");
const solidWords = wordSet(
  "granola protein energy cereal shampoo conditioner lotion candy oat nut fruit snack cleansing butter",
);

/** "Soap bars", "granola bar", "bar of soap": nobody drinks there. */
function isSolid(words: readonly ThemeWord[], at: number): boolean {
  if (words[at]!.word === "bars") return true;
  const isOfSolid = (word: ThemeWord | undefined) =>
    word !== undefined && (solids.has(word.form ?? "") || solidWords.has(word.word));
  const { before, next, isOf } = besideOf(words, at);
  const isOfSoap = !isOf && next?.form === "soap";
  return isOfSolid(before) || isOfSoap || (isOf && words[at + 1]!.word === "of" && isOfSolid(next));
}

const oils = wordSet("oil oliveoil");
/** Oil that is called so is of olives. */
const virgin = wordSet("virgin virgen vergine extravergine vierge extra");

/** "Essential oil", "huile essentielle": an oil of which the next word is not known is none of olives. */
function isOtherOil(words: readonly ThemeWord[], at: number): boolean {
  const { word, startsPhrase } = words[at]!;
  if (/oli[vw]/.test(word)) return false;
  const before = startsPhrase ? undefined : words[at - 1];
  const next = words[at + 1];
  const beside = [before, follows(next) ? next : undefined];
  return beside.some((one) => one !== undefined && isUnknown(one) && !virgin.has(one.word));
}

const styles = wordSet("style styled like inspired esque stil stijl stile estilo");

/** "Apple style white studio": a brand's name, and no fruit. */
function isOfStyle(words: readonly ThemeWord[], at: number): boolean {
  const next = words[at + 1];
  return (
    follows(next) &&
    styles.has(next.word) &&
    isOnlyThing(words[at]!) &&
    namedThings.get(words[at]!.form!)!.place === "beside"
  );
}

function isMeant(words: readonly ThemeWord[], at: number): boolean {
  const { form } = words[at]!;
  if (form === null) return true;
  if ((form === "bar" && isSolid(words, at)) || (oils.has(form) && isOtherOil(words, at))) return false;
  if (isOfStyle(words, at)) return false;
  if (namesProduct(words, at) || isKindOf(words, at) || isOfFurnishing(words, at)) return false;
  if (namesHavana.has(form)) return isHavana(words, at);
  if (leastPlaces.has(form)) return !isLeast(words, at);
  const others = words.filter((_, other) => other !== at).flatMap(({ form: other }) => other ?? []);
  if (townhouses.has(form)) return !others.some((other) => settings.has(other) && !times.has(other));
  if (regions.has(form)) return backgrounds.has(words[at + 1]?.form ?? "") || !others.some(isBackground);
  return !namesakes.has(form) || !others.some(isBackground);
}

/** "Blue LED glow": it is neon's. */
function withLed(words: readonly ThemeWord[]): ThemeWord[] {
  if (words.some(({ word, form }) => plainWords.has(word) || plainWords.has(form ?? ""))) return [...words];
  const isLed = (at: number) => {
    const [color, led, light] = words.slice(at - 1, at + 2);
    const hasColor = isColorForm(color?.form);
    return led?.word === "led" && hasColor && !led.startsPhrase && follows(light) && ledLights.has(light.word);
  };
  return words.flatMap((word, at) => {
    if (at > 0 && isLed(at)) return [{ ...word, word: `led ${words[at + 1]!.word}`, form: "neon" }];
    return at > 1 && isLed(at - 1) ? [] : [word];
  });
}

/** They stream without water. */
const flowing = wordSet("light sunlight live data video");

/** "Stream of light", "light streams through the forest" and "live stream" name no brook. */
function withoutDryStreams(words: readonly ThemeWord[]): ThemeWord[] {
  const isDry = (at: number) =>
    (!words[at]!.startsPhrase && flowing.has(words[at - 1]?.word ?? "")) ||
    (words[at + 1]?.word === "of" && flowing.has(words[at + 2]?.word ?? ""));
  return words.map((word, at) => (word.form === "stream" && isDry(at) ? { ...word, form: null } : word));
}

/** A shop is bright where its color is lighter than this. */
const brightMin = 0.67;

function isLightColor({ form }: Pick<ThemeWord, "form"> = { form: null }): boolean {
  const color = form?.startsWith("#") ? form : colors.get(form ?? "");
  return color !== undefined && lumaOf(color) > brightMin;
}

/** A jewelry store is dark, but a white or bright one is a store with jewelry. */
function brightJewelryStores(words: readonly ThemeWord[]): ThemeWord[] {
  const isBright = words.some(({ form }) => form !== "light" && moods.get(form ?? "") === "bright");
  return words.flatMap((word, at) => {
    if (word.form !== "jewelrystore") return [word];
    const before = word.startsPhrase ? undefined : words[at - 1];
    const [next, after] = words.slice(at + 1, at + 3);
    // "Jewelry store, white": the color is no other noun's.
    const isLast = after === undefined || after.startsPhrase;
    const isLight = before?.form === "light" || isLightColor(before) || (isLast && isLightColor(next));
    if (!isBright && !isLight) return [word];
    return [
      { ...word, form: "jewelry" },
      { ...word, form: "store", startsPhrase: false },
    ];
  });
}

/** At a window, what is outside is seen through it: "Tasse am Fenster, Regen draußen". */
function withoutOutside(words: readonly ThemeWord[]): readonly ThemeWord[] {
  const hasWindow = words.some(({ form }) => form === "window" || form === "windowsill");
  const isOutside = ({ form, word }: ThemeWord) => form === "outdoor" && !word.startsWith("outdoor");
  if (!hasWindow) return words;
  return words.map((word) => (isOutside(word) ? { ...word, form: null, isStop: true } : word));
}

/** The words with the meanings that those beside them leave. */
export function wordsAsMeant(words: readonly ThemeWord[]): ThemeWord[] {
  const read = brightJewelryStores(withoutDryStreams(withoutOutside(words)));
  return withLed(
    read.map((word, at) => (isMeant(read, at) ? word : { ...word, form: things.get(word.form!) ?? null })),
  );
}
