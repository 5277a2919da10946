/** English words that stand for others, and what rules make of words beside each other. */

import { expect, it } from "vitest";
import { settings, stopWords, surfaces } from "./lexicon.ts";
import { synonyms } from "./synonyms.ts";
import { parseTheme } from "./theme.ts";
import { isLexiconWord } from "./theme-words.ts";

it("stand for words of the lexicon, and are none themselves", () => {
  const wrong = [...synonyms].filter(
    ([word, meaning]) =>
      !(meaning === "stop" || isLexiconWord(meaning)) || isLexiconWord(word) || stopWords.has(word) || word === meaning,
  );
  expect(wrong).toEqual([]);
});

it.each([
  ["a small eatery", "restaurant"],
  ["clothing store", "boutique"],
  ["mudroom", "hallway"],
  ["kitchenette", "kitchen"],
  ["redwood forest", "forest"],
  ["moorland", "prairie"],
  ["shoreline", "shore"],
  ["Kantine", "cafe"],
  ["salle de musculation", "gym"],
  ["tienda de ropa", "boutique"],
  ["negozio di abbigliamento", "boutique"],
  ["huiskamer", "livingroom"],
  ["pokój hotelowy", "bedroom"],
])("%s is painted as a %s", (text, place) => {
  expect(parseTheme(text).setting).toEqual(settings.get(place));
});

it.each([
  ["window displays", "storefront"],
  ["fitness centers", "gym"],
])("a phrase has a plural: %s", (text, one) =>
  expect(parseTheme(text)).toMatchObject({ setting: parseTheme(one).setting }),
);

it.each([
  ["farmhouse style kitchen", "farmhousekitchen"],
  ["tuscan inspired kitchen", "tuscankitchen"],
])("%s: the word between changes nothing", (text, place) => {
  expect(parseTheme(text)).toMatchObject({ setting: settings.get(place), unrecognized: [], notShown: [] });
});

it.each([
  ["sand with a round stone pedestal", "podium", "stone", "sand"],
  ["oak table with a marble tray", "tray", "marble", "wood"],
])("%s: the stand is of the material before it, on the one named first", (text, stand, surface, floor) => {
  expect(parseTheme(text)).toMatchObject({ stand, surface: { kind: surface }, floor: { kind: floor }, notShown: [] });
});

it("windows of steel are no ground of it", () => {
  expect(parseTheme("loft with steel windows and concrete floor").surface).toEqual(surfaces.get("concrete"));
});

it.each(["calle de Barcelona", "Amsterdam street", "straat in Sevilla", "Dubai skyline"])(
  "a city is there by its streets or its towers: %s",
  (text) => expect(parseTheme(text)).toMatchObject({ setting: { backdrop: "skyline" }, notShown: [] }),
);

it.each(["Barcelona", "Dubai"])("of a city alone a scene has no sight, and says so: %s", (text) =>
  expect(parseTheme(text).notShown).toEqual([text.toLowerCase()]),
);

it.each(["capri pants, white background", "texas hot sauce, white background", "cyprus candle, white background"])(
  "no region is meant by a product's name: %s",
  (text) => expect(parseTheme(text).setting?.backdrop).toBe("sweep"),
);

it.each(["tokyo background", "santorini backdrop"])("but by a backdrop's: %s", (text) =>
  expect(parseTheme(text).setting?.backdrop).not.toBe("sweep"),
);

it.each([
  ["rooftop bar", "skyline", ["cocktail", "bar-stool"]],
  ["garden cafe", "foliage", ["bistro-table", "wicker-chair"]],
  ["shoe store", "shelves", ["shoe-boxes"]],
  ["jungle", "foliage", ["fern-clump"]],
])("%s is told by what is there", (text, backdrop, things) => {
  const theme = parseTheme(text);
  expect(theme).toMatchObject({ setting: { backdrop }, notShown: [] });
  expect(theme.things.map(({ name }) => name)).toEqual(things);
});

it.each(["ballet flats", "lunch box", "snowboard", "resort shirt", "steam iron", "cake tin"])(
  "a product on white stays on white: %s",
  (product) => {
    const { setting, surface } = parseTheme(`${product}, white background`);
    expect({ backdrop: setting?.backdrop, surface }).toEqual({ backdrop: "sweep", surface: undefined });
  },
);
