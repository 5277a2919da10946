/** Where a theme names two places, the head noun's is painted, and the other one shapes it or is told. */

import { expect, it } from "vitest";
import { readAvoid } from "./avoid.ts";
import { settings } from "./lexicon.ts";
import { parseTheme } from "./theme.ts";

it.each([
  ["school library", "library"],
  ["castle library", "library"],
  ["museum cafe", "cafe"],
  ["spa bathroom", "bathroom"],
  ["office kitchen", "kitchen"],
  ["loft kitchen", "kitchen"],
  ["hotel bathroom", "bathroom"],
  ["Hotelbad", "bathroom"],
  ["Loftküche", "kitchen"],
  ["school locker", "locker"],
  ["school hallway", "locker"],
  ["bathroom of a hotel", "bathroom"],
  ["bibliothèque d'école", "library"],
  ["biblioteca de la escuela", "library"],
  ["garage workshop", "garage"],
  ["urban kitchen", "kitchen"],
  ["urban loft apartment", "loft"],
  ["city library", "library"],
  ["city bar", "bar"],
])("%s is a %s", (text, place) => {
  expect(parseTheme(text).setting).toEqual(settings.get(place));
});

it.each([
  "restaurant kitchen",
  "restaurant kitchen, brushed steel counter",
  "kitchen of a restaurant",
  "hotel kitchen",
  "commercial kitchen",
  "Restaurantküche",
  "Großküche",
  "cuisine de restaurant",
  "cocina de restaurante",
  "cucina di ristorante",
  "restaurantkeuken",
  "kuchnia restauracyjna",
])("a restaurant's kitchen is of steel: %s", (text) => {
  const { setting, notShown, unrecognized } = parseTheme(text);
  expect(setting).toEqual(settings.get("restaurantkitchen"));
  expect({ notShown, unrecognized }).toEqual({ notShown: [], unrecognized: [] });
});

it.each([
  ["beach house bedroom", "bedroom", "beach"],
  ["mountain house kitchen", "kitchen", "mountain"],
  ["garden office", "office", "garden"],
  ["lake house bathroom", "bathroom", "lake"],
])("the room of a %s shows it through its window", (text, room, view) => {
  const theme = parseTheme(text);
  expect(theme).toMatchObject({ setting: settings.get(room), view: settings.get(view), notShown: [] });
});

it.each([
  ["rooftop bar", "rooftop"],
  ["beach bar", "beach"],
  ["garden sofa", "garden"],
  ["kitchen counter", "kitchen"],
  ["kids bedroom", "bedroom"],
  ["bakery shop", "bakery"],
  ["library, cafe", "library"],
  ["kitchen with a bathroom", "kitchen"],
])("%s stays a %s", (text, place) => {
  expect(parseTheme(text).setting).toEqual(settings.get(place));
});

it("what a head noun leaves out is told", () => {
  expect(parseTheme("office kitchen").notShown).toEqual(["office"]);
  expect(parseTheme("bedroom with a restaurant").notShown).toEqual(["restaurant"]);
  expect(parseTheme("house kitchen").notShown).toEqual([]);
});

it.each([
  ["Treppenhaus aus Beton", "stairwell"],
  ["cage d'escalier", "stairwell"],
  ["klatka schodowa", "stairwell"],
  ["Geschäftsviertel", "businessdistrict"],
  ["financial district", "businessdistrict"],
])("%s is a place of its own", (text, place) => {
  expect(parseTheme(text).setting).toEqual(settings.get(place));
});

it.each([
  ["townhouse", "townhouse"],
  ["Kreuzgang", "cloister"],
  ["pantry shelf", "pantry"],
  ["calle de La Habana", "havana"],
  ["Havana street", "havana"],
  ["podwórko", "courtyard"],
  ["teenager's room", "bedroom"],
  ["Rolltreppe", "escalator"],
  ["zoológico", "zoo"],
])("%s is known", (text, place) => {
  const { setting, unrecognized } = parseTheme(text);
  expect({ setting, unrecognized }).toEqual({ setting: settings.get(place), unrecognized: [] });
});

it.each([
  ["kitchen bar", "kitchen"],
  ["kitchen diner", "kitchen"],
  ["kitchen, cafe curtains", "kitchen"],
  ["kitchen garage door", "kitchen"],
  ["kitchen laundry basket", "kitchen"],
  ["kitchen office corner", "kitchen"],
  ["keuken industrieel", "kitchen"],
  ["professional kitchen knife", "kitchen"],
  ["professional kitchen scale", "kitchen"],
  ["chef's kitchen apron", "kitchen"],
  ["bathroom bar soap", "bathroom"],
  ["library lounge chair", "library"],
  ["office lab coat", "office"],
  ["Café in der Küche", "cafe"],
  ["hotel apartment kitchen", "hotel"],
  ["airport lobby", "airport"],
  ["airport cafe", "airport"],
  ["airport bar", "airport"],
  ["airport lounge", "airport"],
])("a noun behind the second place, or one that is no head, leaves the first: %s", (text, place) => {
  expect(parseTheme(text).setting).toEqual(settings.get(place));
});

it.each([
  ["restaurant kitchen", "restaurant", "kitchen"],
  ["restaurant kitchen", "kitchen", "restaurant"],
  ["restaurant kitchen", "steel", "kitchen"],
])("%s without %s is a %s", (text, avoided, place) => {
  expect(parseTheme(text, readAvoid(avoided)).setting?.color).toBe(settings.get(place)!.color);
});

it("a commercial kitchen is a kitchen, and avoided as one", () =>
  expect(parseTheme("commercial kitchen", readAvoid("kitchen")).setting).toBeUndefined());
