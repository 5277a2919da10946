/** Words that are a place, or a light, only where nothing beside them says otherwise. */

import { expect, it } from "vitest";
import { settings } from "./lexicon.ts";
import { parseTheme } from "./theme.ts";

it.each([
  ["old havana", "havana"],
  ["Havana street", "havana"],
  ["Havana nights", "havana"],
  ["La Habana", "havana"],
  ["calle de la Habana", "havana"],
  ["tunnel at night", "tunnel"],
  ["quarry", "quarry"],
  ["fire escape", "fireescape"],
  ["townhouse", "townhouse"],
])("%s is a place", (text, place) => {
  expect(parseTheme(text).setting).toEqual(settings.get(place));
});

it.each([
  "tunnel boots, white background",
  "elevator shoes, white background",
  "larder fridge, white background",
  "graveyard shift mug, white background",
  "fire escape ladder, white background",
  "commercial kitchen mixer, white background",
  "Havana sunglasses, white background",
  "gafas de sol habana, fondo blanco",
])("a product's name is no place: %s", (text) => {
  expect(parseTheme(text).setting?.backdrop).toBe("sweep");
});

it.each([
  ["zoo animals toy, white background", "toy"],
  ["townhouse bathroom", "bathroom"],
  ["townhouse terrace", "terrace"],
  ["townhouse balcony", "balcony"],
  ["townhouse garden", "garden"],
  ["Reihenhaus Küche", "kitchen"],
  ["rijtjeshuis keuken", "kitchen"],
  ["quarry stone countertop", "countertop"],
])("any other place goes before: %s", (text, place) => {
  expect(parseTheme(text).setting).toEqual(settings.get(place));
});

it("a quarry's tile is a material, and a tunnel of roses shows them", () => {
  expect(parseTheme("quarry tile floor")).toMatchObject({ surface: { kind: "tile" }, unrecognized: ["quarry"] });
  expect(parseTheme("tunnel of roses")).toMatchObject({ setting: { backdrop: "foliage" }, unrecognized: ["tunnel"] });
});

it("a cemetery that is no place keeps its stones", () =>
  expect(parseTheme("halloween cemetery")).toMatchObject({
    things: expect.arrayContaining([expect.objectContaining({ name: "tombstone" })]),
    unrecognized: [],
  }));

it("LED light is neon where a color is before it", () => {
  expect(parseTheme("dark shelf, blue led glow")).toMatchObject({ light: "neon", unrecognized: [] });
  expect(parseTheme("sunglasses in havana brown").unrecognized).toEqual(["sunglasses", "havana"]);
});

it.each([
  "white background, led light",
  "black background, red led light",
  "oak table with warm led lights",
  "kitchen with led lighting",
  "led light bulb",
])("other LED light is told: %s", (text) => {
  const { light, unrecognized } = parseTheme(text);
  expect(light).not.toBe("neon");
  expect(unrecognized).toContain("led");
});

it.each(["twilight", "crepúsculo", "Dämmerung", "crépuscule"])("twilight is one light in all languages: %s", (text) =>
  expect(parseTheme(text).light).toBe("sunset"),
);

it.each(["soap bars", "bar of soap on marble", "soap bar, bathroom", "granola bar", "protein bar, gym", "gold bars"])(
  "what is sold in bars has nobody drink: %s",
  (text) => expect(parseTheme(text).setting?.decor).not.toBe("bar"),
);

it.each([
  ["new york", "skyline", "skyscrapers"],
  ["nowy jork", "skyline", "skyscrapers"],
  ["statue of liberty", "sea", "statue-of-liberty"],
  ["Freiheitsstatue", "sea", "statue-of-liberty"],
  ["Kolosseum", "skyline", "colosseum"],
])("%s is somewhere: before %s with %s", (text, backdrop, thing) => {
  const { setting, things, unrecognized } = parseTheme(text);
  expect([setting?.backdrop, things.map(({ name }) => name), unrecognized]).toEqual([backdrop, [thing], []]);
});

it.each(["Los Angeles", "Miami", "Toronto", "Florence", "Neapel", "Köln", "Zürich", "genève", "Turín", "Gdańsk"])(
  "a city is a town or towers, and told: %s",
  (text) => {
    const { setting, notShown } = parseTheme(text);
    expect([setting?.backdrop, notShown]).toEqual(["skyline", [text.toLowerCase()]]);
  },
);

it.each([
  ["seoul skincare shelf", "seoul"],
  ["paris vanity", "paris"],
  ["boston bag, white background", "boston"],
  ["melbourne bag", "melbourne"],
  ["oslo chair", "oslo"],
  ["oslo chair, living room", "oslo"],
  ["verona tiles", "verona"],
  ["naples pizza", "naples"],
  ["boston fern", "boston"],
  ["dresden porcelain on a table", "dresden"],
  ["malaga wine on oak", "malaga"],
  ["antwerp diamond, velvet", "antwerp"],
  ["chair oslo", "oslo"],
  ["sofa verona on oak", "verona"],
  ["Tasche Florenz, weißer Hintergrund", "florenz"],
  ["bolso Sevilla", "sevilla"],
  ["chaussures lyon sur béton", "lyon"],
])("no city is behind furniture and products of its name: %s", (text, city) => {
  const { setting, unrecognized } = parseTheme(text);
  expect(setting?.backdrop).not.toBe("skyline");
  expect(unrecognized).toContain(city);
});

it.each([
  "boston brick street",
  "prague castle",
  "oslo snow",
  "miami palms",
  "Lisbon tiles",
  "vienna, coffee",
  "dubai at night",
  "chair in oslo",
  "bag, florence",
])("%s is in a city", (text) => expect(parseTheme(text).setting?.backdrop).toBe("skyline"));

it.each([
  "aceite virgen extra",
  "olio extravergine",
  "extra virgin oil, kitchen",
  "huile vierge sur marbre",
  "olio extra vergine, cucina",
])("virgin oil is of olives: %s", (text) =>
  expect(parseTheme(text).things.map(({ name }) => name)).toContain("olive-oil"),
);

it.each(["essential oil on marble", "huile essentielle", "motor oil, garage", "virgin motor oil"])(
  "other oil is of none: %s",
  (text) => expect(parseTheme(text).things.map(({ name }) => name)).not.toContain("olive-oil"),
);

it("men's cologne is no city", () => expect(parseTheme("men's cologne on marble").setting).toBeUndefined());

it.each(["mediterranean stone ledge", "santorini shelf", "santorini white ledge"])(
  "a ledge is on its terrace: %s",
  (theme) => expect(parseTheme(theme).setting?.decor).toBe("terrace"),
);

it.each(["ginebra sobre mármol", "roman bust on marble", "roman glass", "tovaglia a riga", "gents watch"])(
  "names no city: %s",
  (theme) => expect(parseTheme(theme).setting?.decor).not.toBe("town"),
);

it.each(["flower field with mountains", "flower garden with mountains", "flower meadow by the sea"])(
  "a field of flowers stays one beside another place: %s",
  (theme) => expect(parseTheme(theme).setting?.decor).toBe("flowers"),
);
