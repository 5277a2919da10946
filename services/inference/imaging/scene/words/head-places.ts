/** Which of two places that are named one just behind the other is the theme's. */

import { isRestaurantKitchen, joinPlaces } from "./joined-places.ts";
import {
  carriers,
  colors,
  hintedWords,
  isView,
  lights,
  moods,
  settings,
  stands,
  styleWords,
  surfaces,
} from "./lexicon.ts";
import { namedThings } from "./named-things.ts";
import type { ThemeWord } from "./theme-words.ts";
import { wordSet } from "./word-set.ts";

/** Rooms that a word before them tells more of: "school library", "castle kitchen". */
const rooms = wordSet(
  "kitchen bathroom bedroom livingroom office library loft lobby foyer reception corridor hallway stairwell gym spa sauna classroom " +
    "laboratory lab garage workshop cellar attic nursery playroom laundry locker greenhouse gallery showroom restaurant cafe " +
    "bar pub bistro diner lounge boutique bakery salon cinema theater theatre meetingroom boardroom",
);

/** Rooms at home, whose window shows the place before them: "garden office". */
const homeRooms = wordSet("bathroom bedroom livingroom office loft");
/** They say where any room is: an "urban kitchen" is a kitchen. */
const townWords = wordSet("city urban");
/** Between a place and one of its rooms. */
const houses = wordSet("house home villa apartment hotel lodge");
const roomsOfHouses = wordSet("bathroom bedroom livingroom office loft kitchen hallway corridor");

/** They say of which kind a room is, or when, and are no place beside it. */
const noPlaces = wordSet(
  "room apartment home house interior window living dining dinner breakfast brunch diningtable coffee coffeetable sidetable counter " +
    "countertop desk wall wallpaper paneling backdrop background studio shelves bookcase cupboard bookshelf book sofa couch armchair bed " +
    "nightstand bedside vanity dresser dressing makeup toy toys kid kids child children baby crib cradle plant flower floral industrial " +
    "christmas xmas festive holiday halloween thanksgiving birthday easter valentine wedding tech shop store hall entrance basketballcourt " +
    "airport terminal departure",
);

const isIndoors = (form: string): boolean => {
  const place = settings.get(form);
  if (place === undefined || noPlaces.has(form) || styleWords.has(form) || hintedWords.has(form)) return false;
  return ["interior", "shelves", "tiled-wall", "wall"].includes(place.backdrop);
};

const viewedPlaces = wordSet(
  "beach sea ocean coast island lake mountain alp forest woods garden park city skyline desert meadow field hill vineyard countryside",
);
const isOutdoors = (form: string): boolean => viewedPlaces.has(form) && isView(settings.get(form)!.backdrop);

const follows = (word: ThemeWord | undefined): word is ThemeWord & { readonly form: string } =>
  word !== undefined && word.form !== null && !word.startsPhrase;

/** A bar in one of them is one of soap, of chocolate, for training or on a wall. */
const withoutBar = wordSet(
  "kitchen bathroom bath bedroom livingroom living office gym spa sauna library nursery laundry",
);
const bars = wordSet("bar pub diner");

/** Behind a noun they are no other one: "school library, night". */
const isNoNoun = (form: string) => colors.has(form) || lights.has(form) || moods.has(form);

/** Whether a place is the last noun of its phrase, and no part of a thing's name: "library lounge chair", "kitchen office corner". */
function isLastNoun(words: readonly ThemeWord[], at: number): boolean {
  let next = at + 1;
  while (follows(words[next]) && isNoNoun(words[next]!.form!)) next++;
  const after = words[next];
  return after === undefined || after.startsPhrase || (after.isStop && after.word !== "corner");
}

/** "Restaurant kitchen knife": it is a thing. A kitchen's counter is in the kitchen. */
function isOfThing(next: ThemeWord | undefined): boolean {
  if (next === undefined || next.startsPhrase || next.isStop) return false;
  const { form } = next;
  if (form === null) return true;
  const isGround = [settings, surfaces, stands].some((table) => table.has(form));
  return !isGround && (namedThings.has(form) || carriers.has(form));
}

/** Before the restaurant whose kitchen it is: "kitchen of a restaurant", "cuisine de restaurant". */
const ofWords = wordSet("of de d du des di del della van z im eines einer vom");
const articles = wordSet("a an the un une una uno le la l il een het ein eine");

/** The number of stop words between a kitchen and its restaurant; null: it is none's. */
function jointLength(words: readonly ThemeWord[], at: number): number | null {
  const between = words.slice(at + 1, at + 4).findIndex(({ isStop }) => !isStop);
  const joint = words.slice(at + 1, at + 1 + between);
  const isJoint = joint.length > 0 && joint.every(({ startsPhrase }) => !startsPhrase) && ofWords.has(joint[0]!.word);
  return isJoint && joint.slice(1).every(({ word }) => articles.has(word)) ? joint.length : null;
}

/** A restaurant's kitchen is a place of its own where the two words stand side by side, and no thing's behind them. */
function withRestaurantKitchens(words: readonly ThemeWord[]): ThemeWord[] {
  const joined = [...words];
  const join = (one: number, other: number) => {
    for (const at of [one, other]) joined[at] = { ...joined[at]!, form: "restaurantkitchen" };
  };
  for (const [at, { form, word }] of words.entries()) {
    const next = words[at + 1];
    const isBeside = follows(next) || next?.word === word;
    if (form !== null && isBeside && isRestaurantKitchen(form, next!.form ?? "") && !isOfThing(words[at + 2]))
      join(at, at + 1);
    const length = form === "kitchen" ? jointLength(words, at) : null;
    const eatery = length === null ? undefined : words[at + 1 + length];
    if (follows(eatery) && isRestaurantKitchen(eatery.form, form!)) join(at, at + 1 + length!);
  }
  // A compound is one word.
  return joined.filter(
    ({ form, word }, at) =>
      form !== "restaurantkitchen" || word !== joined[at - 1]?.word || joined[at - 1]!.form !== form,
  );
}

/**
 * English, German, Dutch and Polish put the place last, and `readThemeText` the nouns of other languages so: the first then only tells of
 * which kind it is. "School library", "hotel kitchen"; a bedroom of a beach house has the beach before its window. A noun behind the
 * second is the head of both, and the first stays the place.
 */
export function headPlacesFirst(words: readonly ThemeWord[]): ThemeWord[] {
  const ordered = withRestaurantKitchens(words);
  for (let at = 0; at + 1 < ordered.length; at++) {
    const first = ordered[at]!;
    const [next, after] = ordered.slice(at + 1, at + 3);
    if (first.form === null || !follows(next) || joinPlaces(first.form, next.form) !== undefined) continue;
    const isOfHouse =
      isOutdoors(first.form) && houses.has(next.form) && follows(after) && roomsOfHouses.has(after.form);
    const isBar = bars.has(next.form) && withoutBar.has(first.form);
    const isOfRoom = isIndoors(first.form) && rooms.has(next.form) && first.form !== next.form && !isBar;
    const isInTown = townWords.has(first.form) && (isIndoors(next.form) || houses.has(next.form));
    const isBefore = isOfRoom || isInTown || (isOutdoors(first.form) && homeRooms.has(next.form));
    const isLast = isLastNoun(ordered, isOfHouse ? at + 2 : at + 1) || (isInTown && houses.has(after?.form ?? ""));
    if (!(isOfHouse || isBefore) || !isLast) continue;
    const head = isOfHouse ? [after, next] : [next];
    head[0] = { ...head[0]!, startsPhrase: first.startsPhrase };
    ordered.splice(at, head.length + 1, ...head, { ...first, startsPhrase: true });
    at += head.length;
  }
  return ordered;
}
