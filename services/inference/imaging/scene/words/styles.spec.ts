import { expect, it } from "vitest";
import { settings, styleWords } from "./lexicon.ts";
import { parseTheme } from "./theme.ts";

it.each([
  ["Y2K", "sweep", "vivid"],
  ["cottagecore", "foliage", "vintage"],
  ["old money aesthetic", "interior", "luxury"],
  ["dark academia", "shelves", "dark"],
  ["coastal grandmother", "interior", "bright"],
  ["Hamptons", "sea", "bright"],
])("%s alone is a place and a mood", (text, backdrop, mood) => {
  expect(parseTheme(text)).toMatchObject({ setting: { backdrop }, moods: [mood], unrecognized: [], notShown: [] });
});

it.each([...styleWords])("%s gives its mood to the place beside it, before or behind it", (style) => {
  for (const text of [`${style} kitchen`, `kitchen, ${style}`]) {
    const { setting, unrecognized } = parseTheme(text);
    expect({ setting, unrecognized }, text).toEqual({ setting: settings.get("kitchen"), unrecognized: [] });
  }
});

it("a style is told as not shown where all it says is that the place is bright", () => {
  expect(parseTheme("kitchen, dark academia").notShown).toEqual([]);
  expect(parseTheme("kitchen, light academia").notShown).toEqual(["light academia"]);
});

it.each([
  ["shabby chic bedroom", "vintage"],
  ["wabi sabi shelf", "warm"],
  ["quiet luxury", "luxury"],
  ["chambre bohème", "warm"],
  ["landelijke keuken", "vintage"],
  ["ländliche Küche", "vintage"],
  ["salon haussmannien", "luxury"],
])("%s has the mood %s", (text, mood) => {
  expect(parseTheme(text)).toMatchObject({ moods: [mood], unrecognized: [] });
});

it.each([
  ["marble counter in a boutique", "boutique"],
  ["flower shop counter", "florist"],
  ["hotel counter", "hotel"],
  ["Balinese villa", "poolside"],
])("%s is that place, and no kitchen or hall", (text, place) => {
  expect(parseTheme(text).setting).toEqual(settings.get(place));
});
