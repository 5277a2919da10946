/**
 * The product's own name in a theme: "product photo of a perfume bottle on marble" asks for marble, and for no bottle beside the product,
 * and "sandstone coasters on walnut" for no ground of sandstone.
 */

import { normalizeWord } from "./languages.ts";
import {
  carriers,
  colors,
  lights,
  moods,
  patterns,
  props,
  type SurfaceKind,
  settings,
  stands,
  surfaces,
} from "./lexicon.ts";
import { namedThings } from "./named-things.ts";
import { cloths, drawnGoods, hardGoods, isMaterialAdjective, isProductNoun, worn } from "./product-nouns.ts";
import { floorWords, type ThemeWord } from "./theme-words.ts";
import { wordSet } from "./word-set.ts";

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
export const placingWords = wordSet(
  "on upon atop hanging standing sitting leaning placed resting lying against auf vor stehend sur devant posé posée sobre ante su sul sulla davanti op voor na przed",
);
/** What is behind one of these is beside the product: "photo of a perfume with roses on marble". */
const besideWords = wordSet("with featuring plus mit avec con met z ze");
/** What is before one of these may be in the scene: "photo of roses in a garden". */
const scenicWords = wordSet(
  "and beside next near by behind under in inside among between surrounded und neben bei beim an am hinter unter zwischen im umgeben et près dans parmi derrière sous entouré " +
    "y junto cerca en entre detrás bajo e ed accanto vicino dietro sotto in nel nello nella nei tra fra naast aan bij tussen achter i obok przy między w",
);
/** A color or a material behind one of them is the product's: "bolso de cuero". */
const materialJoints = wordSet("de d en di in aus z");
/** Behind one of them it may also be where the product is: "bottle in sand", "reloj en mármol". */
const doubtfulJoints = wordSet("en in");
/** Two things are joined by them. */
const joiners = wordSet("and und et y e ed i");
/** Between the nouns of a name: "sac à main", "borsa da viaggio". */
const nameJoints = wordSet("à a da per pour para do");
/** Words of a product's name, at most. */
const nameWordsMax = 6;
/** Words of one that a theme begins with, at most. */
const leadingWordsMax = 4;

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

/**
 * Unknown nouns of what is seen in a scene or felt in it. A theme that begins with one is about no product: "red powder on black",
 * "golden glow in a cabin".
 */
const scenicNouns = wordSet(
  "building buildings house houses facade tower towers roof roofs sky skies cloud clouds horizon landscape landscapes scenery scene scenes " +
    "smoke fog mist haze dust powder powders glitter confetti sparkle sparkles paint paints ink splash splashes drop drops frame frames " +
    "tulle chiffon gauze drapes drapery cloth fabric lights glow hue hues tint tints gradient shape shapes line lines pattern patterns " +
    "texture textures stripes dots object objects prop props decor decoration decorations accents details element elements surface " +
    "surfaces scheme energy atmosphere ambience ambiance vibe vibes mood moods feel feeling feelings aesthetic aesthetics look style " +
    "theme charm darkness fantasy flair elegance statement lifestyle mystery romance magic dream dreams nostalgia serenity calm " +
    "gebaude haus hauser pulver staub nebel rauch rahmen tull wolken himmel atmosphare stimmung eleganz charme stil " +
    "batiment maison poudre fumee brume cadre cadres tulle nuages ciel ambiance elegance style " +
    "edificio casa polvo humo niebla marco marcos tul nubes cielo ambiente elegancia estilo " +
    "palazzo polvere fumo nebbia cornice cornici nuvole atmosfera eleganza stile " +
    "gebouw huis poeder rook mist lijst lijsten wolken lucht sfeer elegantie stijl " +
    "budynek dom proszek dym mgla rama ramy tiul chmury niebo atmosfera elegancja styl",
);

/** A color, a material or a thing beside a noun: "apple watch", "coffee grinder". What is a place is no part of a name: "kitchen knife". */
function mayDescribe({ form }: ThemeWord): boolean {
  if (form === "coffee") return true;
  if (form === null || settings.has(form) || props.has(form) || stands.has(form)) return false;
  return [colors, surfaces, patterns, namedThings].some((table) => table.has(form)) || form.startsWith("#");
}

const tones = wordSet("dark deep light pale");
/** They carry a product where it is on them, and are one where they are on something. */
const dishes = wordSet("plate dish saucer");
const isBeforePlace = (word: string) => placingWords.has(word) || (scenicWords.has(word) && !joiners.has(word));
/** A mood before a product is the scene's, too: "vintage leather bag". */
const isMood = ({ form }: ThemeWord) => form !== null && moods.has(form);
const isMaterial = (form: string | null | undefined) => form != null && (colors.has(form) || surfaces.has(form));
const looseGrounds: ReadonlySet<SurfaceKind | undefined> = new Set<SurfaceKind>([
  "water",
  "snow",
  "ice",
  "sand",
  "grass",
  "soil",
  "pebble",
]);
/** What no product is made of. */
const isLoose = (form: string | undefined) => form === "ice" || looseGrounds.has(surfaces.get(form ?? "")?.kind);
const isGoods = (one: ThemeWord | undefined) => one?.form === null && isProductNoun(normalizeWord(one.word));

/** Several are the scene's: "perfumes on a shelf". */
const isDrawnGood = ({ word, form }: ThemeWord) =>
  form !== null && drawnGoods.has(form) && word !== `${form}s` && word !== `${form}es`;

/** The color or the material behind a joint, which others may describe: "in black velvet". */
function materialBehind(words: readonly ThemeWord[], joint: number): string | undefined {
  const behind = words.slice(joint + 1);
  const end = behind.findIndex(({ form, startsPhrase }) => !isMaterial(form) || startsPhrase);
  return behind.slice(0, end < 0 ? behind.length : end).at(-1)?.form ?? undefined;
}

/** Whether the color or the material behind "in" is the product's: "in red", and "in velvet" where it is one of cloth. */
function isWornIn(words: readonly ThemeWord[], joint: number): boolean {
  const form = materialBehind(words, joint);
  if (form === undefined) return false;
  const isOfCloth = !hardGoods.has(normalizeWord(words[joint - 1]!.word));
  const isColor = colors.has(form) && !settings.has(form) && !namedThings.has(form);
  return isColor || worn.has(form) || (isOfCloth && cloths.has(form));
}

/**
 * Whether words that say not on what it is are a product for sure: what is worn or carried, as their noun. A material behind that noun is
 * the ground, "bottle marble", except as an adjective.
 */
function isLoneProduct(named: readonly ThemeWord[], isNounFirst: boolean): boolean {
  const behind = named.slice(1);
  if (isNounFirst) return isGoods(named[0]) && !behind.some(({ form }) => surfaces.has(form ?? ""));
  const isAdjective = ({ word, form }: ThemeWord) => isMaterial(form) && isMaterialAdjective(word);
  return isGoods(named.at(-1)) || (isGoods(named[0]) && behind.every(isAdjective));
}

/**
 * The words without those that say of what kind or color the product is, where the theme begins with it: a noun that is not known, up to a
 * word that says where the product is. Its unknown words stay, as do moods, and "dark" before a color goes with it.
 *
 * @param isNounFirst the language puts adjectives behind nouns
 */
function withoutLeadingName(words: readonly ThemeWord[], isNounFirst: boolean): readonly ThemeWord[] {
  // "Shoes in red on concrete", "chaussures en cuir noir sur béton".
  const isMadeOf = ({ word }: ThemeWord, at: number) =>
    materialJoints.has(word) && at > 0 && words[at - 1]!.form === null && isMaterial(words[at + 1]?.form);
  const endOf = (isJoint: typeof isMadeOf) => {
    const end = words.findIndex(
      (one, at) => (at > 0 && one.startsPhrase) || (isBeforePlace(one.word) && !isJoint(one, at)),
    );
    return end < 0 ? words.length : end;
  };
  const placed = words[endOf(isMadeOf)];
  const isPlaced = placed !== undefined && !placed.startsPhrase;
  const isUpon = isPlaced && placingWords.has(placed.word);
  // Where no word says on what the product is, "in" may.
  const isJoint: typeof isMadeOf = (one, at) =>
    isMadeOf(one, at) &&
    (isUpon ||
      !doubtfulJoints.has(one.word) ||
      isWornIn(words, at) ||
      (isPlaced && !isLoose(materialBehind(words, at))));
  const until = endOf(isJoint);
  const all = words.slice(0, until);
  const joint = all.findIndex(isJoint);
  const named = all.slice(0, joint < 0 ? until : joint).filter(({ word }) => !joiningWords.has(word));
  const noun = isNounFirst ? named[0] : named.at(-1);
  const isProduct =
    isLoneProduct(named, isNounFirst) ||
    (isUpon && (isGoods(named[0]) || isGoods(named.at(-1)))) ||
    (isPlaced && noun !== undefined && (noun.form === null || dishes.has(noun.form) || isDrawnGood(noun)));
  if (noun === undefined || noun.isStop || !isProduct || named.length > leadingWordsMax) return words;
  if (scenicNouns.has(normalizeWord(noun.word))) return words;
  // "School backpack in a classroom", "mountain bike at a fence".
  const isPlaceOfGood = ({ form }: ThemeWord, at: number) =>
    settings.has(form ?? "") && at + 1 < until && isDrawnGood(words[at + 1]!);
  const namesPlace = words.slice(until).some(({ form }) => settings.has(form ?? "") || isLoose(form ?? undefined));
  const isOfName = (one: ThemeWord, at: number) =>
    mayDescribe(one) ||
    isPlaceOfGood(one, at) ||
    one.isOfThing === true ||
    isDrawnGood(one) ||
    isMood(one) ||
    dishes.has(one.form ?? "") ||
    (one.form === null && !one.isStop && !floorWords.has(one.word)) ||
    one.word === "t" || // "T-shirt".
    (nameJoints.has(one.word) && at > 0 && words[at - 1]!.form === null) ||
    isJoint(one, at);
  if (!all.every((one, at) => joiningWords.has(one.word) || isOfName(one, at))) return words;
  const isShade = (at: number) => tones.has(words[at]!.form ?? "") && colors.has(words[at + 1]?.form ?? "");
  const isKept = (one: ThemeWord, at: number) => isMood(one) && !mayDescribe(one) && !isShade(at);
  const isStill = (one: ThemeWord, at: number) => isKept(one, at) || (isPlaceOfGood(one, at) && !namesPlace);
  return words.filter((one, at) => at >= until || one.form === null || isStill(one, at));
}

/**
 * The words without the product's name, which a joining word leads to from a word for the picture, up to one that says where the product
 * is or what is with it.
 * @param isNounFirst the language puts adjectives behind nouns
 * @returns also those left out of a theme that begins with the product, where they may have been meant for the scene
 */
export function withoutProductName(words: readonly ThemeWord[], isNounFirst: boolean): WithoutName {
  if (words.some(({ word }) => pictureWords.has(word))) return { words: withoutPicturedName(words), ofProduct: [] };
  const left = withoutLeadingName(words, isNounFirst);
  return { words: left, ofProduct: words.filter((one) => !left.includes(one)) };
}

interface WithoutName {
  readonly words: readonly ThemeWord[];
  readonly ofProduct: readonly ThemeWord[];
}

function withoutPicturedName(words: readonly ThemeWord[]): readonly ThemeWord[] {
  const at = words.findIndex(({ word }) => pictureWords.has(word));
  let from = at + 1;
  const isJoining = (one: ThemeWord | undefined) => joiningWords.has(one?.word ?? "") && !one!.startsPhrase;
  while (isJoining(words[from]) || pictureWords.has(words[from]?.word ?? "")) from++;
  const isEnd = ({ word, startsPhrase }: ThemeWord) =>
    startsPhrase || placingWords.has(word) || besideWords.has(word) || scenicWords.has(word);
  const until = words.findIndex((word, index) => index >= from && isEnd(word));
  const name = words.slice(from, until);
  const end = words[until];
  if (end === undefined || !(placingWords.has(end.word) || (besideWords.has(end.word) && !end.startsPhrase)))
    return words;
  if (!isJoining(words[from - 1]) || name.length > nameWordsMax || isScene(name)) return words;
  return [...words.slice(0, from), ...words.slice(until)];
}
