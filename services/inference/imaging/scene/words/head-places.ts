/** Which of two places that are named one just behind the other is the theme's. */

import { joinPlaces } from "./joined-places.ts";
import { hintedWords, isView, settings, styleWords } from "./lexicon.ts";
import type { ThemeWord } from "./theme-words.ts";

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Rooms that a word before them tells more of: "school library", "castle kitchen". */
const rooms = wordSet(
  "kitchen bathroom bedroom livingroom office library loft lobby foyer reception corridor hallway stairwell gym spa sauna classroom " +
    "laboratory lab garage workshop warehouse cellar attic nursery playroom laundry locker greenhouse gallery showroom restaurant cafe " +
    "bar pub bistro diner lounge boutique bakery salon cinema theater theatre meetingroom boardroom",
);

/** Rooms at home, whose window shows the place before them: "garden office". */
const homeRooms = wordSet("bathroom bedroom livingroom office loft");
/** Between a place and one of its rooms. */
const houses = wordSet("house home villa apartment hotel lodge");
const roomsOfHouses = wordSet("bathroom bedroom livingroom office loft kitchen hallway corridor");

/** They say of which kind a room is, or when, and are no place beside it. */
const noPlaces = wordSet(
  "room apartment home house interior window living dining dinner breakfast brunch diningtable coffee coffeetable sidetable counter " +
    "countertop desk wall wallpaper paneling backdrop background studio shelves bookcase cupboard bookshelf book sofa couch armchair bed " +
    "nightstand bedside vanity dresser dressing makeup toy toys kid kids child children baby crib cradle plant flower floral industrial " +
    "christmas xmas festive holiday halloween thanksgiving birthday easter valentine wedding tech shop store hall entrance basketballcourt",
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

/**
 * English, German, Dutch and Polish put the place last, and `readThemeText` the nouns of other languages so: the first then only tells of
 * which kind it is. "School library", "hotel kitchen"; a bedroom of a beach house has the beach before its window.
 */
export function headPlacesFirst(words: readonly ThemeWord[]): ThemeWord[] {
  const ordered = [...words];
  for (let at = 0; at + 1 < ordered.length; at++) {
    const first = ordered[at]!;
    const [next, after] = ordered.slice(at + 1, at + 3);
    if (first.form === null || !follows(next) || joinPlaces(first.form, next.form) !== undefined) continue;
    const isOfHouse =
      isOutdoors(first.form) && houses.has(next.form) && follows(after) && roomsOfHouses.has(after.form);
    const isOfRoom = isIndoors(first.form) && rooms.has(next.form) && first.form !== next.form;
    const isBefore = isOfRoom || (isOutdoors(first.form) && homeRooms.has(next.form));
    if (!isOfHouse && !isBefore) continue;
    const head = isOfHouse ? [after, next] : [next];
    head[0] = { ...head[0]!, startsPhrase: first.startsPhrase };
    ordered.splice(at, head.length + 1, ...head, { ...first, startsPhrase: true });
    at += head.length;
  }
  return ordered;
}
