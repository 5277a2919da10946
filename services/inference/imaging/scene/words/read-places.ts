/** The place of a theme, as its words are read: rooms and what their windows show, two places that are one, seasons. */

import { cities, otherOldCities } from "./cities.ts";
import { hasStreetsOf, joinPlaces, losesJoined } from "./joined-places.ts";
import {
  counterWords,
  createLeftPlaces,
  hasCounter,
  impliedWords,
  isAnyRoom,
  isPartOf,
  isSame,
  isTiled,
  mildSeasons,
  pavementWords,
  tellsMood,
} from "./left-places.ts";
import {
  type BackdropKind,
  colors,
  type Decor,
  hintedWords,
  isView,
  type NamedWall,
  outdoorBackdrops,
  patterns,
  type Setting,
  type Surface,
  settings,
  styleWords,
  surfaces,
} from "./lexicon.ts";
import { namedThings } from "./named-things.ts";
import { isOfOldWorld, streetWords } from "./old-world.ts";
import { furnitureWords, upon } from "./read-surfaces.ts";
import { createWallReader } from "./room-walls.ts";
import type { PendingColor } from "./theme-colors.ts";
import { isWallWord, type ThemeWord } from "./theme-words.ts";
import { wordSet } from "./word-set.ts";

/** The part of a theme that its place decides. */
interface PlaceDraft {
  setting?: Setting;
  /** The lexicon's word for a place that two named ones are. */
  joined?: string;
  settingColor?: string;
  roomWall?: NamedWall;
  view?: Setting;
  readonly surface?: Surface;
  surfaceColor?: string;
  isSnowy: boolean;
}

function joinAs(word: string, theme: PlaceDraft): void {
  theme.setting = settings.get(word)!;
  theme.joined = word;
}

/** Places before trees, whose color is that of their ground. */
const pavedDecor: ReadonlySet<string> = new Set<Decor>(["terrace", "porch", "pool", "greenhouse"]);

/** Words for looking out of a window. */
const viewWords = wordSet(
  "view views overlooking outside window windows blick ausblick aussicht fenster vue vues fenêtre fenêtres vista vistas ventana ventanas " +
    "finestra finestre uitzicht raam ramen widok widokiem okno oknem",
);

/** Seasons are places where no other is named, and are seen through the windows of a room. */
const seasonWords = wordSet("winter spring summer autumn fall");

const feastWords = wordSet("christmas xmas halloween thanksgiving birthday easter sinterklaas hanukkah ramadan diwali");

const snowyBackdrops: ReadonlySet<BackdropKind> = new Set<BackdropKind>(["mountains", "skyline", "sea", "foliage"]);
/** Woods in winter are a place of their own. */
const woods = wordSet("forest woods woodland tree nature");

/** Firs stand behind a snowfield. */
const hasWoods = ({ backdrop }: Setting, word: string) => backdrop === "snowfield" && woods.has(word);

const isUnsnowed = ({ backdrop }: Setting, word: string) => !snowyBackdrops.has(backdrop) || woods.has(word);

/** They are seen where no other place is named: "a café in Lisbon". */
const regionWords: ReadonlySet<string> = new Set([
  ...cities,
  ...otherOldCities,
  ...wordSet(
    "paris parisian london newyork brooklyn manhattan tokyo lasvegas mediterranean japan japanese kyoto tuscany " +
      "tuscan provence provencal norway norwegian iceland icelandic hawaii hawaiian greece greek mexico mexican morocco moroccan andalusia " +
      "andalusian bali balinese amalfi",
  ),
]);

const beachWords = wordSet("beach shore seaside coast");

const roadWords = wordSet("road highway roadside");

/** Where a product was bought is not where it is: "a supermarket bag in a kitchen". */
const shopWords = wordSet("supermarket grocery hypermarket florist flowershop");

/** What is for them is not in their room: "kids bike on a street". */
const kidWords = wordSet("kid kids child children toy toys");

/** Coffee on a beach is on the beach, unless that is seen through a window. */
const isForThere = (word: string, hasView: boolean) => (impliedWords.has(word) || kidWords.has(word)) && !hasView;

/** What any room is: a boutique has one, and "interior of a boutique" is that. */
const interiorWords = wordSet("interior home");

/** Places that any other one in the theme replaces. */
const yieldingWords = [
  interiorWords,
  impliedWords,
  mildSeasons,
  pavementWords,
  hintedWords,
  regionWords,
  furnitureWords,
  styleWords,
  counterWords,
];

/** A shop has its counter, and a kitchen its style. */
const isOfAnyPlace = (word: string, place: string) =>
  (counterWords.has(word) || styleWords.has(word)) && !styleWords.has(place);

/** Where a thing from a shop is; shelves, walls and a season are the shop's own, and a market hall is in a city. */
function isElsewhere(shop: string, word: string, { backdrop, decor }: Setting): boolean {
  if (seasonWords.has(word) || feastWords.has(word) || hintedWords.has(word)) return false;
  const isRoom = backdrop === "interior" || backdrop === "shelves" || decor === "bathroom";
  return (isRoom && decor !== undefined) || (outdoorBackdrops.has(backdrop) && shop !== "grocery");
}

const mealWords = wordSet("dining dinner brunch breakfast");
const hasHearth = ({ decor }: Setting) => decor === "living-room" || decor === "fireplace";
/** A sofa before a wall brings no room. */
const isFurniture = (word: string) =>
  furnitureWords.has(word) || counterWords.has(word) || (namedThings.has(word) && word !== "kitchen");

/** What all words of a theme say about its place before they are read one by one. */
export interface PlaceHints {
  /** Something is seen through a window. */
  readonly hasView: boolean;
  /** It names a room, and be it beside a feast. */
  readonly namesRoom: boolean;
  /** The backdrop has a color, which a season does not take from it: "summer fruit, yellow background". */
  readonly hasColoredBackdrop: boolean;
  /** Its streets have old houses, and no towers. */
  readonly isOldWorld: boolean;
  /** It names a beach, and has the product upon no water. */
  readonly isAtBeach: boolean;
  /** Cities that are there by their streets: "calle de Barcelona". */
  readonly cities: ReadonlySet<string>;
  /** Behind flowers it names another place, in which they are cut: "flowers in a living room". A garden has them. */
  readonly hasPlaceForFlowers: boolean;
  /** It names a room, or a wall with a color, in which the door of a barn is one of the things. */
  readonly hasRoomForDoor: boolean;
}

/** Behind one of them the product is in the water: "standing in shallow water". */
const within = wordSet("in into inside im ins dans en nel nella nell w we floating shallow splash splashing");

/** "On turquoise water", "in the water": a color and an article may be between them. */
function isUponWater({ form }: ThemeWord, at: number, words: readonly ThemeWord[]): boolean {
  if (form === null || surfaces.get(form)?.kind !== "water") return false;
  for (let i = at; i >= 0 && i >= at - 3; i--) {
    const { word, startsPhrase } = words[i]!;
    if (i < at && (upon.has(word) || within.has(word))) return true;
    if (startsPhrase) return false;
  }
  return false;
}

/** "Barn door in a bedroom", "barn door, white wall". What furnishes any room names none. */
function isRoomForDoor({ form, startsPhrase }: ThemeWord, at: number, words: readonly ThemeWord[]): boolean {
  const place = settings.get(form ?? "");
  if (form === null || form === "barndoor" || place === undefined) return false;
  if (isWallWord(form)) {
    const before = startsPhrase ? undefined : words[at - 1];
    const next = words[at + 1]?.startsPhrase ? undefined : words[at + 1];
    return [before, next].some((one) => colors.has(one?.form ?? ""));
  }
  const isVague = isFurniture(form) || impliedWords.has(form) || styleWords.has(form) || hintedWords.has(form);
  return !isVague && (place.backdrop === "interior" || isClosedRoom(place) || place.decor === "bathroom");
}

const flowerWords = wordSet("flower blossom cherryblossom sakura");
const fieldWords =
  /(field|meadow|garden)s?$|wiese|feld|garten|champ|jardin|prado|campo|prato|giardino|veld|tuin|pole|łąk|ogród/;

const isVague = (form: string) =>
  form === "coffee" ||
  [seasonWords, feastWords, styleWords, hintedWords, counterWords, furnitureWords].some((words) => words.has(form));

/**
 * Whether behind flowers a wall, a room or a place outdoors is named that has no green land, and no place before them: "flowers in a living
 * room". A "flower wall" is of flowers, and so is a "flower market".
 */
function hasPlaceBehindFlowers(words: readonly ThemeWord[]): boolean {
  const isPlace = ({ form }: ThemeWord): boolean => form !== null && settings.has(form) && !isVague(form);
  // "Marble table with white flowers": no field has one.
  const isStone = ({ form }: ThemeWord) => ["marble", "silk", "velvet"].includes(surfaces.get(form ?? "")?.kind ?? "");
  if (words.some(isStone) && words.every((word) => !isPlace(word) || word.form === "flower")) return true;
  const first = words.findIndex(isPlace);
  if (first < 0 || !flowerWords.has(words[first]!.form!)) return false;
  // "Flower field with mountains".
  const behind = words.slice(first, first + 2);
  if (behind.some(({ word, startsPhrase }, at) => (at === 0 || !startsPhrase) && fieldWords.test(word))) return false;
  return words.some((word, at) => {
    const { form, startsPhrase } = word;
    if (at <= first || form === null || !isPlace(word) || joinPlaces(words[first]!.form!, form) !== undefined)
      return false;
    if (isWallWord(form)) return startsPhrase || !flowerWords.has(words[at - 1]!.form ?? "");
    const { backdrop, decor } = settings.get(form)!;
    const isGreen = (backdrop === "foliage" || backdrop === "hills") && decor === undefined;
    return !isGreen && !flowerWords.has(form) && decor !== "flowers" && decor !== "flower-shop";
  });
}

/** Toys and feasts may be outside. */
const isRoomWord = (form: string) =>
  settings.get(form)?.backdrop === "interior" && !feastWords.has(form) && !kidWords.has(form);

export function placeHintsOf(words: readonly ThemeWord[]): PlaceHints {
  const isBackdrop = ({ form }: ThemeWord) => form === "background" || form === "backdrop";
  const isColor = (word: ThemeWord | undefined) => word?.form != null && colors.has(word.form);
  const forms = new Set(words.map(({ form }) => form));
  return {
    cities: new Set([...forms].filter((form) => form !== null).filter((form) => hasStreetsOf(form, forms))),
    isOldWorld: words.some(isOfOldWorld),
    hasRoomForDoor: words.some(isRoomForDoor),
    hasPlaceForFlowers: hasPlaceBehindFlowers(words),
    isAtBeach: words.some(({ form }) => beachWords.has(form ?? "")) && !words.some(isUponWater),
    hasView: words.some(({ word }) => viewWords.has(word)),
    namesRoom: words.some(({ form }) => form !== null && isRoomWord(form)),
    hasColoredBackdrop: words.some(
      (word, at) => isBackdrop(word) && (isColor(words[at - 1]) || isColor(words[at + 1])),
    ),
  };
}

/** The lexicon's word just before a place's word, and the word behind that. */
type Beside = readonly [before: string | null, next: ThemeWord | undefined];

/**
 * Whether it names a place and nothing else by it, as "forest wallpaper", "waves pattern", "sea salt", "garden chairs" and "fruit garden" do.
 *
 * @param hasView the theme names a view, whose adjective may be unknown
 */
function isWholePlace([before, next]: Beside, hasView: boolean): boolean {
  if (before !== null && namedThings.get(before)?.place === "beside") return false;
  if (next === undefined || next.startsPhrase || next.isStop || viewWords.has(next.word)) return true;
  if (next.form === null) return hasView;
  return !isWallWord(next.form) && ![surfaces, colors, patterns, namedThings].some((nouns) => nouns.has(next.form!));
}

/** Whether a kitchen or a bathroom shows a place; a counter alone is a board to stand on, on a beach or in a garden. */
const isSeen = (room: string, word: string, beside: Beside, hasView: boolean) =>
  !counterWords.has(room) && !regionWords.has(word) && isWholePlace(beside, hasView);

/** Whether a word for flowers names no field of them, but what is cut or in bloom somewhere else. */
export function areFlowersElsewhere(form: string, isCut: boolean, { hasPlaceForFlowers }: PlaceHints): boolean {
  return (isCut && settings.get(form)?.decor === "flowers") || (hasPlaceForFlowers && flowerWords.has(form));
}

/** The place of a theme, as its words are read. */
export function createPlaceReader(
  theme: PlaceDraft,
  color: PendingColor,
  takeColor: () => string | undefined,
  { hasView, hasColoredBackdrop, isOldWorld }: PlaceHints,
) {
  /** A thing that is a place only where no other is named, "plants in a kitchen", or one that is not painted. */
  let weakSetting = false;
  let placeWord = "";
  const left = createLeftPlaces(theme, () => placeWord);
  let isOnRoad = false;

  const walls = createWallReader({ theme, takeColor, moveTo, placeWord: () => placeWord, isOfThing: isFurniture });

  /** Whether the scene has it. */
  function readSetting(word: string, setting: Setting, isProp: boolean, beside: Beside): boolean {
    isOnRoad ||= roadWords.has(word);
    if (isOldWorld && streetWords.has(word)) return readSetting("oldtown", settings.get("oldtown")!, isProp, beside);
    // "Bookshelf background": it is the background.
    if (isWallWord(word) && word !== "wall" && theme.setting !== undefined) {
      if (hasColoredBackdrop && isBareSeason(placeWord, theme.setting)) moveTo(word, setting);
      return true;
    }
    if (theme.setting !== undefined && (word === "windowsill" || placeWord === "windowsill")) {
      const own = placeWord === "windowsill" ? theme.settingColor : undefined;
      const other = word === "windowsill" ? theme.setting : setting;
      lookOut(other);
      if (word === "windowsill" && !isAnyRoom(other)) left.leave();
      moveTo("windowsill", settings.get("windowsill")!);
      if (own !== undefined) theme.surfaceColor ??= own;
      return word === "windowsill" || theme.view === other || isAnyRoom(other) || other === theme.setting;
    }
    // The tree of a feast is in its room.
    if (word === "tree" && feastWords.has(placeWord)) return true;
    // "Wall with graffiti": it is a street's, and no room's.
    if (word === "graffiti" && placeWord === "wall") return moveTo(word, setting);
    if (theme.setting !== undefined && walls.readPlain(theme.setting, word, setting)) return true;
    const asWall = theme.setting === undefined ? null : walls.readMaterial(theme.setting, word, setting);
    if (asWall !== null) return asWall;
    const joined = joinPlaces(placeWord, word);
    if (joined !== undefined) {
      if (losesJoined(placeWord, joined)) left.leave();
      joinAs(joined, theme);
      if (losesJoined(word, joined)) return false;
    }
    // A yoga studio is no bare one.
    if (joined !== undefined || (word === "studio" && hintedWords.has(placeWord))) return true;
    if (theme.setting !== undefined && !isProp) {
      if (readWinter(theme.setting, word, setting) || readView(theme.setting, word, setting, beside)) return true;
    }
    if (theme.setting !== undefined && isOfAnyPlace(word, placeWord)) {
      return counterWords.has(word) ? hasCounter(theme.setting) : tellsMood(word);
    }
    if (theme.setting !== undefined && impliedWords.has(word)) return true;
    const isWeak = givesWay(placeWord, weakSetting, word, setting);
    if (theme.setting !== undefined && !(isWeak && !isProp && !regionWords.has(word))) {
      showIn(theme, theme.setting, setting);
      colorAir(theme, theme.setting, setting, takeColor);
      // A feast is in a room where one sits together.
      const isOfFeast = feastWords.has(placeWord) && (mealWords.has(word) || hasHearth(setting));
      return isOfFeast || isPartOf(theme.setting, setting);
    }
    // White clouds are in a blue sky.
    if (word === "cloud" && color.peek() === colors.get("white")) takeColor();
    left.leaveFor(setting);
    theme.setting = setting;
    placeWord = word;
    weakSetting = (isProp && word !== "playroom") || yieldingWords.some((words) => words.has(word));
    const own = ownColor(setting, takeColor(), color);
    if (own !== undefined && setting.decor !== undefined && pavedDecor.has(setting.decor)) theme.surfaceColor ??= own;
    // Beside black velvet, gold glitters; it does not paint the wall.
    else if (own === colors.get("gold") && theme.surface !== undefined) color.keep(own!);
    else if (own !== undefined) theme.settingColor = own;
    return true;
  }

  /** A place outdoors is seen from a room, and "hotel beach" is a beach. */
  function readView(place: Setting, word: string, other: Setting, beside: Beside): boolean {
    // A feast on a porch keeps its light, and autumn its leaves.
    if (other.decor !== undefined && pavedDecor.has(other.decor)) {
      const isFeast = feastWords.has(placeWord);
      if (isFeast || placeWord === "autumn" || placeWord === "fall") {
        const light = isFeast && place.light === "candle" ? "night" : other.light;
        moveTo(word, { ...other, light, color: isFeast ? other.color : place.color });
        return true;
      }
    }
    // "Warm autumn kitchen" is a kitchen; "autumn background" is one of leaves.
    if (seasonWords.has(placeWord) && !isWallWord(word) && isClosedRoom(other)) return replaceBy(word, other);
    if (isOutOf(place, other)) {
      if (isTiled(place) && !isSeen(placeWord, word, beside, hasView)) return false;
      const isThere = !isTiled(place) && (beside[0] === placeWord || isForThere(placeWord, hasView));
      // "Kids boots, autumn": nothing is in their room.
      const isOfRoom = seasonWords.has(word) && !kidWords.has(placeWord);
      if (isThere && !feastWords.has(placeWord) && !isOfRoom) return replaceBy(word, other);
      theme.view ??= other;
      return isSame(theme.view, other) || mildSeasons.has(word);
    }
    if (!isOutOf(other, place) || !(hasView || seasonWords.has(placeWord))) return false;
    theme.view = place;
    moveTo(word, other);
    return true;
  }

  /** Snow lies in a town, on a coast and on mountains in winter. */
  function readWinter(place: Setting, word: string, other: Setting): boolean {
    const [season, outside] = word === "winter" ? [word, place] : [placeWord, other];
    if (season !== "winter" || isUnsnowed(outside, word)) return season === "winter" && hasWoods(place, word);
    if (outside === other) moveTo(word, other);
    theme.isSnowy = true;
    return true;
  }

  /** A windowsill shows what is outside. */
  function lookOut(place: Setting): void {
    if (isView(place.backdrop)) theme.view ??= place;
  }

  function replaceBy(word: string, other: Setting): true {
    left.leaveFor(other);
    return moveTo(word, other);
  }

  function moveTo(word: string, setting: Setting): true {
    theme.setting = setting;
    placeWord = word;
    delete theme.settingColor;
    return true;
  }

  const isRoom = () => theme.setting !== undefined && !outdoorBackdrops.has(theme.setting.backdrop);
  /** Whether a place that a thing implies is the theme's. */
  const mayYield = (implied: Setting) => theme.setting === undefined || yields(placeWord, theme.setting, implied);

  /** A window in a season, in the mountains or in the snow is seen from inside; one of a house in a village is not. */
  const readWindow = (isRaining: boolean): void => {
    const backdrop = theme.setting?.backdrop;
    const isAnyRoom = backdrop === undefined || (backdrop === "interior" && theme.setting?.decor === undefined);
    if (isRaining && isAnyRoom) moveTo("windowsill", settings.get("windowsill")!);
    const isCold = backdrop === "mountains" || backdrop === "snowfield";
    if (theme.setting === undefined || isRoom() || !(isCold || seasonWords.has(placeWord))) return;
    lookOut(theme.setting);
    moveTo("windowsill", settings.get("windowsill")!);
  };

  /** A road through a landscape is what the product stands on. */
  const hasRoad = (): boolean => isOnRoad && theme.setting !== undefined && isLandscape(theme.setting);

  return { readSetting, isRoom, mayYield, readWindow, hasRoad, partsShown: left.partsShown };
}

/** A garden with flowers shows them, and a living room its sofa or its fire. */
function showIn(theme: PlaceDraft, place: Setting, { backdrop, decor, color: own, surface }: Setting): void {
  // A drawn fire leaves a living room its sofa.
  if (decor === undefined || decor === "fireplace" || isFurnished(place) || place.backdrop !== backdrop) return;
  const hasOwnColor = decor === "flowers" || decor === "autumn";
  const hasOwnGround = decor === "autumn" || decor === "trail" || decor === "porch";
  theme.setting = { ...place, decor, ...(hasOwnColor && { color: own }), ...(hasOwnGround && { surface }) };
}

/** "Clouds in a pink sky", "beach with a turquoise sea". */
function colorAir(theme: PlaceDraft, { backdrop }: Setting, other: Setting, takeColor: () => string | undefined): void {
  const isAir = backdrop === other.backdrop && (backdrop === "sky" || backdrop === "sea");
  const own = isAir && theme.settingColor === undefined ? takeColor() : undefined;
  if (own !== undefined) theme.settingColor = own;
}

/** What furnishes an interior leaves it one, and what is from a shop is elsewhere. */
function givesWay(place: string, isWeak: boolean, word: string, other: Setting): boolean {
  // "Interior of a studio apartment": a sweep is no room.
  if (interiorWords.has(place)) return !isFurniture(word) && other.backdrop !== "sweep";
  return isWeak || (shopWords.has(place) && isElsewhere(place, word, other));
}

/** "Black and gold background": it is black, and the gold shines before it. */
function ownColor({ backdrop }: Setting, own: string | undefined, color: PendingColor): string | undefined {
  const gold = colors.get("gold")!;
  const black = colors.get("black")!;
  return backdrop === "sweep" && own === gold && color.replaceLast(black, gold) ? black : own;
}

/** A field of tulips in spring is a field, and Paris in autumn a street. */
function yields(word: string, setting: Setting, implied: Setting): boolean {
  // "Big Ben, gray sky": it stands in its city, below that sky.
  if (setting.backdrop === "sky") return implied.backdrop === "skyline" || implied.backdrop === "hills";
  // A salon's counter is in the salon.
  if (counterWords.has(word)) return setting === settings.get(word) && !outdoorBackdrops.has(implied.backdrop);
  if (implied.backdrop === "skyline") return seasonWords.has(word);
  return word !== "winter" && isBareSeason(word, setting);
}

/** Whether the place is a season's alone, and shows no leaves of autumn, which the theme may name. */
function isBareSeason(word: string, { decor }: Setting): boolean {
  return seasonWords.has(word) && decor !== "autumn";
}

function isLandscape({ backdrop, decor, surface }: Setting): boolean {
  const isPaved = decor !== undefined && pavedDecor.has(decor);
  return outdoorBackdrops.has(backdrop) && backdrop !== "skyline" && !isPaved && surface.kind !== "fabric";
}

function isOutOf(room: Setting, { backdrop, decor }: Setting): boolean {
  return (room.backdrop === "interior" || isTiled(room)) && decor !== "flowers" && isView(backdrop);
}

/** Rooms whose back shows no window. */
function isClosedRoom({ backdrop }: Setting): boolean {
  return backdrop === "shelves" || backdrop === "tiled-wall";
}

/** A living room may still get its fire, and a trail the leaves of autumn. */
function isFurnished({ decor }: Setting): boolean {
  return decor !== undefined && decor !== "living-room" && decor !== "trail";
}
