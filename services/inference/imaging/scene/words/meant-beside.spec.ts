import { expect, it } from "vitest";
import { planScene } from "../plan/scene-plan.ts";
import { parseTheme } from "./theme.ts";

const planOf = (theme: string) => planScene(parseTheme(theme), theme, 7);
const thingsOf = (theme: string) => planOf(theme).things.map(({ name }) => name);

it.each([
  ["tree stump in a clearing", "stump"],
  ["old wooden barrel in a wine cellar", "barrel"],
  ["haystack and a tree stump", null],
  ["crate of tomatoes", null],
  ["stumps in a forest", null],
  ["forest with a stump", null],
])("%s: the product is on what is named first: %s", (theme, stand) => {
  expect(planOf(theme).stand).toBe(stand);
});

it.each(["sofa with mustard cushions", "bed with mustard velvet pillows"])(
  "%s: they lie there in their color, and are no ground",
  (theme) => {
    const { cushionColor, surfaceColor, stand } = planOf(theme);
    expect(stand).toBeNull();
    expect(cushionColor).toEqual(planOf("mustard wall").backdropColor);
    expect(surfaceColor).not.toEqual(cushionColor);
    expect(parseTheme(theme).unrecognized).toEqual([]);
  },
);

it.each(["on a mustard cushion", "sofa, on a mustard cushion"])("%s: the product is on it", (theme) => {
  expect(planOf(theme).stand).toBe("cushion");
});

it("an alley of trees leads through a landscape", () => {
  expect(planOf("tuscan farmhouse with cypress alley").backdrop).toBe("hills");
  expect(thingsOf("tuscan farmhouse with cypress alley")).toEqual(expect.arrayContaining(["villa", "cypress"]));
  expect(planOf("dark alley").backdrop).toBe("tiled-wall");
});

it.each([
  "oak alley",
  "alley of pines",
  "birch lane",
  "row of oaks",
  "Eichenallee",
  "allée de chênes",
  "alameda de robles",
  "viale di querce",
  "eikenlaan",
  "aleja dębowa",
  "Buchenallee",
  "beukenlaan",
  "allée de hêtres",
  "aleja bukowa",
  "Allee mit Ahorn",
  "laan met eiken",
  "allée avec chênes",
  "viale con querce",
])("%s: no drawing has such an alley, and a path leads between trees", (theme) => {
  const { setting, surface } = parseTheme(theme);
  expect([setting?.decor, surface]).toEqual(["trail", undefined]);
});

it.each([
  ["Zypressenallee", "cypress"],
  ["allée de cyprès", "cypress"],
  ["bamboo alley", "bamboo"],
])("%s: these trees are drawn", (theme, thing) => expect(thingsOf(theme)).toContain(thing));

it.each(["palm alley", "Palmenallee", "row of palm trees"])("%s: palms are a place", (theme) =>
  expect(planOf(theme).decor).toBe("palms"),
);

it("an island whose kitchen nobody names is its counter", () => {
  const { decor, surface } = planOf("white marble kitchen island, white cabinets");
  expect({ decor, surface }).toEqual({ decor: "kitchen", surface: "marble" });
  expect(parseTheme("kitchen island, white cabinets").unrecognized).toEqual([]);
});

it("a room for children that is of space has its planets, and is in none", () => {
  expect(planOf("space themed kids room").decor).toBe("playroom");
  expect(thingsOf("space themed kids room")).toContain("planets");
});

it("a landmark below a sky stands in its city", () => {
  expect(planOf("big ben and gray sky").backdrop).toBe("skyline");
  expect(planOf("blue sky with clouds").backdrop).toBe("sky");
});

it("lamps that hang in a bazaar are lanterns", () => {
  const lamps = planOf("istanbul bazaar with hanging lamps").things.filter(({ place }) => place === "above");
  expect(lamps.map(({ name }) => name)).toEqual(["moroccan-lantern"]);
  expect(thingsOf("kitchen with hanging lamps")).toContain("pendant");
});

it.each([
  ["leather backpack, forest", "backpack"],
  ["Lederrucksack, Wald", "backpack"],
  ["mochila de cuero, bosque", "backpack"],
  ["zaino di pelle, montagna", "backpack"],
  ["leren rugzak, bos", "backpack"],
  ["skórzany plecak, las", "backpack"],
  ["vase en céramique, salon", "vase"],
  ["kosz wiklinowy, łąka", "basket"],
  ["plecak skórzany, las", "backpack"],
  ["tazza in porcellana, salotto", "cup"],
  ["basket in leather, forest", "basket"],
  ["porcelain teapot, garden", "teapot"],
  ["white marble vase, beige wall", "vase"],
  ["vase of glass, white wall", "vase"],
  ["copa de cristal con vino, chimenea", "wine-glass"],
])("%s: a thing's material is no ground", (theme, thing) => {
  const { surface, things, notShown, unrecognized } = parseTheme(theme);
  expect([surface, notShown, unrecognized]).toEqual([undefined, [], []]);
  expect(things.map(({ name }) => name)).toContain(thing);
});

it.each([
  ["on a linen napkin", "fabric"],
  ["cream on cotton towels", "fabric"],
  ["ceramic vase on oak", "wood"],
  ["vase, marble", "marble"],
  ["vase on a marble table", "marble"],
  ["vase marble", "marble"],
  ["Vase Beton", "concrete"],
  ["wazon marmur", "marble"],
  ["jarrón en mármol", "marble"],
  ["taza en piedra", "stone"],
  ["cup in stone", "stone"],
  ["vase marbre blanc", "marble"],
  ["jarrón mármol", "marble"],
  ["bijoux velours", "velvet"],
  ["jar in linen", "fabric"],
  ["jewelry in satin", "silk"],
  ["gioielli in velluto nero", "velvet"],
  ["Schmuck Samt", "velvet"],
  ["towels marble", "marble"],
  ["headphones in concrete", "concrete"],
])("%s: what the product is on is the ground", (theme, kind) => expect(parseTheme(theme).surface?.kind).toBe(kind));

it.each(["row of oak barrels", "row of walnut chairs", "oak row table", "row of maple desks"])(
  "a row of wooden things is no path: %s",
  (theme) => expect(parseTheme(theme).setting?.decor).not.toBe("trail"),
);

it.each(["row of oaks", "row of trees", "oak alley, autumn"])("a row of trees is outdoors: %s", (theme) => {
  expect(parseTheme(theme).setting?.backdrop).toBe("foliage");
});

it("what an alley of trees has in it may be of their wood", () => {
  expect(parseTheme("Allee mit Eiche Tisch").surface?.kind).toBe("wood");
});

it.each([
  ["allée du supermarché", "supermarket"],
  ["allée d'un supermarché", "supermarket"],
  ["allées d’une boulangerie", "bakery"],
  ["allée de chênes", "trail"],
])("an aisle is its place's, and an alley of trees a path: %s", (theme, decor) => {
  expect(parseTheme(theme).setting?.decor).toBe(decor);
});
