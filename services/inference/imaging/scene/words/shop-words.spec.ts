/** Words that shops use for a place or a look, which have or had another meaning. */

import { expect, it } from "vitest";
import { planScene } from "../plan/scene-plan.ts";
import { parseTheme } from "./theme.ts";

it.each(["sidewalk", "pavement by day", "Gehweg", "trottoir", "acera", "marciapiede", "stoep", "chodnik"])(
  "a town's pavement is one: %s",
  (theme) => {
    expect(parseTheme(theme)).toMatchObject({ setting: { decor: "town", surface: { kind: "concrete" } } });
  },
);

it.each([
  ["espresso bar", "cafe"],
  ["bar espresso italiano", "cafe"],
  ["Espressobar", "cafe"],
  ["smoothie bar", "kitchen"],
  ["bar de zumos", "kitchen"],
  ["bar à jus", "kitchen"],
  ["cocktail bar", "bar"],
])("a bar without liquor is none: %s", (theme, decor) => {
  expect(parseTheme(theme).setting?.decor).toBe(decor);
});

it.each(["boardwalk", "beach boardwalk summer", "wooden boardwalk by the sea"])(
  "a boardwalk is planks by the sea: %s",
  (theme) => {
    const setting = { backdrop: "sea", surface: { kind: "wood" } };
    expect(parseTheme(theme)).toMatchObject({ setting, notShown: theme.includes("summer") ? ["summer"] : [] });
  },
);

it.each(["brow bar", "nail bar"])("is a salon: %s", (theme) => {
  expect(parseTheme(theme).setting).toEqual(parseTheme("salon").setting);
});

it.each([
  ["pavement cafe", "cafe terrace"],
  ["sidewalk terrace", "terrace"],
  ["sidewalk with autumn leaves", "autumn leaves"],
  ["on the pavement in front of a brick wall", "brick wall"],
  ["coffee bar, oak counter", "coffee bar, oak"],
  ["espresso bar counter", "espresso bar"],
  ["hotel tropical", "tropical pool"],
  ["tropical luxury villa", "tropical pool"],
  ["bali hotel", "tropical pool"],
  ["tropical hotel lobby", "lobby"],
])("%s is the place of %s", (theme, place) => {
  const { backdrop, decor } = parseTheme(place).setting!;
  expect(parseTheme(theme).setting).toMatchObject({ backdrop, decor });
});

it.each(["white background, black and gold", "red background, black and gold", "black, gold and emerald"])(
  "a third color keeps black and gold from the wall: %s",
  (theme) => {
    expect(planScene(parseTheme(theme), theme, 7).hasAccentLights).toBe(false);
  },
);

it.each(["futuristisch", "asiatisch", "praktisch", "Nachtisch"])("%s is no table, and is reported", (word) => {
  expect(parseTheme(`${word} auf Marmor`).unrecognized).toEqual([word.toLowerCase()]);
});

it.each(["black and gold", "matte black and gold", "gold and black background", "fond noir et or", "zwart en goud"])(
  "gold shines before black: %s",
  (theme) => {
    const plan = planScene(parseTheme(theme), theme, 7);
    const [red, , blue] = plan.accent;
    expect(plan.hasAccentLights).toBe(true);
    // Lights glow before walls, and not in a sweep.
    expect(plan.backdrop).toBe("wall");
    expect(red).toBeGreaterThan(3 * blue);
    expect(Math.max(...plan.backdropColor)).toBeLessThan(0.06);
    expect(plan.things).toEqual([]);
  },
);

it.each([
  "kitchen with herbs",
  "Küche mit Kräutern",
  "cuisine avec herbes",
  "cocina con hierbas",
  "cucina con erbe",
  "keuken met kruiden",
  "kuchnia z ziołami",
])("herbs are no grass, and grow in pots: %s", (text) => {
  const { things, setting } = parseTheme(text);
  expect(things.map(({ name }) => name)).toContain("herb-pots");
  expect(setting).toMatchObject({ surface: { kind: "marble" } });
});

it.each(["smoothie bar on the beach", "juice bar by the sea", "bar à jus sur la plage"])(
  "sells its drinks from a hut: %s",
  (theme) => expect(parseTheme(theme).things.map(({ name }) => name)).toEqual(["juice-glass", "palm-hut"]),
);

it.each(["baño con toallas", "salle de bain avec serviettes", "bagno con asciugamani", "Bad mit Handtüchern"])(
  "towels in a bathroom are not its floor: %s",
  (theme) => {
    const { surface, setting, things } = parseTheme(theme);
    expect({ surface, decor: setting?.decor }).toEqual({ surface: undefined, decor: "bathroom" });
    expect(things.map(({ name }) => name)).toContain("towels");
  },
);

it.each(["on white towels", "sobre toallas blancas", "auf weißen Handtüchern"])("lies on cloth: %s", (theme) =>
  expect(parseTheme(theme)).toMatchObject({ surface: { kind: "fabric" }, things: [] }),
);

it.each(["soirée", "soirée chic", "evening", "elegant evening, gold light"])("an evening is no beach: %s", (theme) =>
  expect(parseTheme(theme)).toMatchObject({ setting: { backdrop: "interior" }, light: "lamps" }),
);

it.each([
  "evening sun",
  "evening sunlight",
  "warm evening sunshine",
  "evening rays",
  "evening shadows",
  "evening light",
  "evening, golden hour",
  "soirée au coucher du soleil",
  "Abendsonne",
])("an evening's sun is low: %s", (theme) => {
  const { setting, light } = parseTheme(theme);
  expect({ setting, light }).toEqual({ setting: undefined, light: "sunset" });
});

it.each([
  "auf einer blauen Matte",
  "auf der Matte im Yogastudio",
  "Yogastudio mit Matte",
  "Flasche auf blauer Matte, Morgenlicht",
  "Matten",
  "Matten und Handtücher",
  "Fußmatte",
  "Strandmatte",
  "Turnmatten",
])("a mat is drawn: %s", (theme) => expect(parseTheme(theme).things.map(({ name }) => name)).toContain("yoga-mat"));

it.each([
  "matte Oberfläche",
  "eine matte Oberfläche",
  "auf einer matten schwarzen Wand",
  "mattes Schwarz",
  "matte Farben",
  "matte",
  "matte black",
  "papier matte",
  "papier matte",
  "noir matte",
])("nothing matte is a mat: %s", (theme) => expect(parseTheme(theme)).toMatchObject({ things: [], unrecognized: [] }));

it.each([
  ["Arztpraxis", "doctor"],
  ["gabinet lekarski", "doctor"],
  ["acantilado", "cliff"],
  ["Wellnessbereich", "spa"],
  ["espace bien-être", "spa"],
  ["salon kosmetyczny", "salon"],
  ["choinka", "christmas"],
  ["birrificio", "brewery"],
  ["vergaderruimte", "meeting room"],
  ["speisekammer", "shelves"],
])("common words of shops stand for a place: %s", (theme, english) => {
  const { setting, unrecognized } = parseTheme(theme);
  expect(setting).toBeDefined();
  expect([setting, unrecognized]).toEqual([parseTheme(english).setting, []]);
});

it.each(["Gegenlicht", "contre-jour", "contraluz", "controluce", "pod światło"])(
  "%s is low light, as backlit",
  (theme) => {
    expect(parseTheme(theme)).toMatchObject({ light: "golden", unrecognized: [] });
  },
);
