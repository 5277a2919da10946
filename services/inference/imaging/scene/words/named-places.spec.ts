import { expect, it } from "vitest";
import { colors, settings } from "./lexicon.ts";
import { parseTheme } from "./theme.ts";

it.each([
  ["forest creek", { setting: { decor: "stream", backdrop: "foliage" } }],
  ["Gebirgsbach", { setting: { decor: "stream" } }],
  ["by a mountain stream, mossy stones", { setting: { decor: "stream", backdrop: "mountains" }, notShown: [] }],
  ["by a river", { setting: { decor: "lake" } }],
  ["porte de grange rustique", { setting: { decor: "barn-door" } }],
  ["barn", { setting: { backdrop: "hills" } }],
  ["potager ensoleillé", { setting: { decor: "kitchen-garden" } }],
  ["raised bed in a garden", { things: [{ name: "raised-bed" }] }],
  ["Badezimmer mit Meerblick", { setting: { decor: "bathroom" }, view: { backdrop: "sea" } }],
  ["beach bathroom", { setting: { decor: "bathroom" }, view: { backdrop: "sea" } }],
  ["marble counter in a garden", { setting: { backdrop: "foliage" } }],
  ["farmhouse kitchen, fresh bread", { setting: { decor: "kitchen", surface: { kind: "wood" } }, notShown: [] }],
  ["Bauernküche mit Brot", { setting: settings.get("farmhousekitchen")! }],
  ["cucina di campagna", { setting: settings.get("farmhousekitchen")! }],
  ["office lobby with columns", { setting: { decor: "lobby" } }],
  ["laundry room with wooden shelves", { setting: { decor: "laundry" }, notShown: [] }],
  ["Easter eggs", { setting: settings.get("easter")! }],
  ["Easter egg hunt", { setting: settings.get("easter")!, props: ["eggs"] }],
])("%s is a place of its own", (text, found) => expect(parseTheme(text)).toMatchObject(found));

it.each(["farmhouse kitchen island", "country kitchen island", "white tuscan kitchen island"])(
  "%s is furniture, and no land in the sea",
  (text) => {
    const { setting, view, things } = parseTheme(text);
    expect({ decor: setting?.decor, view }).toEqual({ decor: "kitchen", view: undefined });
    expect(things.map(({ name }) => name)).toContain("kitchen-island");
  },
);

it.each([
  ["sliding barn door in a living room", { setting: { decor: "living-room" } }],
  ["kitchen with barn door", { setting: { decor: "kitchen" } }],
  ["white barn door, farmhouse kitchen", { setting: { decor: "kitchen" } }],
  ["barn door with wreath, christmas", { setting: { decor: "christmas" } }],
  ["porte de grange, mur blanc", { setting: { backdrop: "wall" }, settingColor: colors.get("white")! }],
])("the barn door of %s is a thing in it", (text, found) => {
  const { things, notShown, ...theme } = parseTheme(text);
  expect(theme).toMatchObject(found);
  expect(things.map(({ name }) => name)).toContain("front-door");
  expect(notShown.join()).not.toMatch(/door|porte/);
});

it.each([
  ["bathroom jungle", "bathroom", "foliage"],
  ["bathroom beach", "bathroom", "sea"],
  ["kitchen jungle", "kitchen", "foliage"],
  ["bagno con vista mare spettacolare", "bathroom", "sea"],
] as const)("%s is a room with a view", (text, decor, backdrop) => {
  expect(parseTheme(text)).toMatchObject({ setting: { decor }, view: { backdrop } });
});

it.each([
  ["kitchen desert sand color", "desert"],
  ["bathroom with forest wallpaper", "forest"],
  ["bathroom with waves pattern", "waves"],
  ["kitchen with sea salt", "sea"],
  ["kitchen with fruit garden", "garden"],
  ["bathroom in Paris", "paris"],
])("%s is a room without a view, and says so", (text, missing) => {
  const { view, notShown } = parseTheme(text);
  expect({ view, notShown }).toEqual({ view: undefined, notShown: [missing] });
});

it.each(["stream of light", "light streams through the forest", "live stream, gaming desk"])(
  "%s has no brook",
  (text) => expect(parseTheme(text).setting?.decor).not.toBe("stream"),
);

it.each(["barn door wall", "red barn door background", "barn door, farm", "barn door and hay bale"])(
  "the barn door of %s is the place",
  (text) => expect(parseTheme(text).setting?.decor).toBe("barn-door"),
);

it.each([
  "lumière naturelle",
  "luz natural",
  "naturalne światło",
  "socle rond",
  "verse kruiden",
  "hardwood floor",
  "French street",
  "rue italienne",
])("%s has no word that is unknown", (text) => expect(parseTheme(text).unrecognized).toEqual([]));

it("a light in another phrase makes no color paler", () => {
  expect(parseTheme("green light, black background").settingColor).toBe(parseTheme("black background").settingColor);
  expect(parseTheme("Eichenholztisch, dunkelgrüne Wand").settingColor).toBe(
    parseTheme("dunkelgrüne Wand").settingColor,
  );
});

it("takes lavender for the plant before another phrase, and for a color in a list", () => {
  expect(parseTheme("Gartentisch mit Lavendel, Morgenlicht").things.map(({ name }) => name)).toEqual(["lavender"]);
  expect(parseTheme("podium with coral, lime and lavender shapes").things).toEqual([]);
});

it("takes coral for a color before a light", () => {
  expect(parseTheme("with coral, soft shadow").things).toEqual([]);
  expect(parseTheme("with coral, fish").things.map(({ name }) => name)).toContain("coral");
});

it.each(["hardwood forest", "hardwood tree"])("%s has no wooden floor", (text) =>
  expect(parseTheme(text).surface).toBeUndefined(),
);

it.each(["universe", "metaverse", "converse"])("%s is no Dutch word for fresh", (text) =>
  expect(parseTheme(text)).toMatchObject({ moods: [], unrecognized: [text] }),
);

it.each([
  ["verschneite Berglandschaft im Winter", { setting: { backdrop: "mountains" }, isSnowy: true }],
  ["snowy mountain landscape", { setting: { backdrop: "mountains" }, isSnowy: true }],
  ["paysage de montagne enneigé", { setting: { backdrop: "mountains" }, isSnowy: true }],
  ["Winterlandschaft", { setting: { backdrop: "snowfield" } }],
])("%s is known whole", (text, found) => {
  expect(parseTheme(text)).toMatchObject({ ...found, unrecognized: [], notShown: [] });
});

it.each([
  ["luxury boutique interior", "boutique"],
  ["interior of a boutique", "boutique"],
  ["elegant hotel lobby interior", "lobby"],
])("the interior of %s is the place's", (text, place) => {
  expect(parseTheme(text)).toMatchObject({ setting: settings.get(place)!, notShown: [] });
});

it("has the flowers of a terrace", () => {
  expect(parseTheme("spring garden terrace with flowers").notShown).toEqual([]);
});

it.each(["Mediterranean light, white stucco wall", "pared de estuco blanco, luz mediterránea"])(
  "%s is a plastered wall in the sun between leaves",
  (text) => {
    expect(parseTheme(text)).toMatchObject({ light: "dappled", setting: { decor: "plaster-wall" }, notShown: [] });
  },
);

it("ends a street at one landmark, and says that there is no second", () => {
  const { things, notShown } = parseTheme("old town street with the Eiffel tower and a lighthouse");
  expect(things.filter(({ place }) => place === "far").length).toBeLessThan(2);
  expect(notShown).toEqual(["lighthouse"]);
});

it.each(["modern interior with sofa", "interior with books", "scandinavian interior, armchair"])(
  "what furnishes it leaves %s an interior",
  (text) => expect(parseTheme(text).setting).toMatchObject({ surface: settings.get("interior")!.surface }),
);

it.each(["interior of a studio apartment", "interior, photo studio", "interior design studio"])(
  "%s is a room, and no sweep",
  (text) => expect(parseTheme(text).setting).toMatchObject({ backdrop: "interior" }),
);
