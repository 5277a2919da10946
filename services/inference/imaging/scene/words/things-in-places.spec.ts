import { expect, it } from "vitest";
import { planScene } from "../plan/scene-plan.ts";
import { settings } from "./lexicon.ts";
import { parseTheme } from "./theme.ts";

const planOf = (text: string) => planScene(parseTheme(text), text, 7);
const potted = [expect.objectContaining({ name: "herb-pots" })];
const namesOf = (text: string) => parseTheme(text).things.map(({ name }) => name);

it.each([
  ["supermarket bag in a kitchen", "kitchen"],
  ["bolsa de supermercado en la cocina", "kitchen"],
  ["grocery bag from the supermarket on a kitchen counter", "kitchen"],
  ["bouquet from the florist in a kitchen", "kitchen"],
  ["supermarket cart on a beach", "beach"],
  ["supermarket parking lot", "parking"],
  ["florist apron in a garden", "garden"],
] as const)("is where the theme says, and not where it was bought: %s", (text, place) => {
  const { setting } = parseTheme(text);
  const { backdrop, decor, surface } = settings.get(place)!;
  expect({ backdrop: setting?.backdrop, decor: setting?.decor, kind: setting?.surface.kind }).toEqual({
    backdrop,
    decor,
    kind: surface.kind,
  });
});

it.each([
  ["supermarket shelves, fruit and vegetables", "supermarket"],
  ["supermarket interior", "supermarket"],
  ["supermarket aisle", "supermarket"],
  ["supermarket, Christmas", "supermarket"],
  ["florist, white wall", "flower-shop"],
  ["flower shop in spring, tulips", "flower-shop"],
  ["flower shop with flowers", "flower-shop"],
  ["flower shop in Paris", "flower-shop"],
])("a shop keeps what is in it: %s", (text, decor) => expect(parseTheme(text).setting?.decor).toBe(decor));

it.each(["school bag in a classroom", "Klassenzimmer Schule", "flower market, florist"])(
  "what tells a place stands there once: %s",
  (text) => {
    const names = namesOf(text);
    expect(names.length).toBeGreaterThan(1);
    expect(names).toEqual([...new Set(names)]);
  },
);

it.each(["terrace with ferns", "balcony with fern", "fern on a rooftop", "potted ferns in a forest"])(
  "a fern is in its pot: %s",
  (text) => {
    expect(namesOf(text)).toContain("fern");
    expect(namesOf(text)).not.toContain("fern-clump");
  },
);

it.each(["forest with ferns", "jungle with ferns", "forest with ferns and wild ferns", "snowy forest with ferns"])(
  "a fern grows in the ground: %s",
  (text) => expect(namesOf(text)).toEqual(["fern-clump"]),
);

it.each([
  "hautes herbes",
  "prairie aux hautes herbes",
  "champ d'herbes hautes",
  "mauvaises herbes",
  "malas hierbas",
  "erbe alte",
])("wild grass is the ground, and in no pots: %s", (text) => {
  expect(planOf(text)).toMatchObject({ surface: "grass", things: expect.not.arrayContaining(potted) });
});

it.each([
  ["prato con erbe", []],
  ["bosco con erbe", []],
  ["campo con hierbas", []],
  ["forest with herbs", ["plants"]],
])("herbs of the open land are in no pots: %s", (text, props) => {
  expect(namesOf(text)).not.toContain("herb-pots");
  expect(parseTheme(text)).toMatchObject({ props, notShown: [] });
});

it.each(["garden with herbs", "terrace with herbs", "pots of herbs in a forest"])("but some are: %s", (text) =>
  expect(namesOf(text)).toContain("herb-pots"),
);

it.each([
  ["leather, armchair", "leather armchair"],
  ["velvet, sofa", "velvet sofa"],
  ["glass, vase", "glass vase"],
  ["copper, kettle", "copper kettle"],
  ["brick, oven", "brick oven"],
])("a comma leaves the material to its thing: %s", (text, together) => {
  const { things, surface } = parseTheme(text);
  expect({ things: things.map(({ name, color }) => ({ name, color })), surface }).toEqual({
    things: parseTheme(together).things.map(({ name, color }) => ({ name, color })),
    surface: parseTheme(together).surface,
  });
});

it("but what a product stands on is of the material named before it", () => {
  expect(parseTheme("a shop of leather, workbench").surface).toMatchObject({ color: "#6b4429" });
});

it.each([
  ["sausage on a grill", "garden"],
  ["chorizo, tapas", "bar"],
  ["sausages", "kitchen"],
])("sausages are where their grill is: %s", (text, place) => {
  expect(parseTheme(text).setting).toBe(settings.get(place));
});

it.each([
  ["outdoor barbecue, summer garden party", "garland"],
  ["beach party", "garland"],
  ["party", "disco-ball"],
  ["beach party with disco ball", "disco-ball"],
])("%s: hangs a party's flags outdoors, and its ball of mirrors where it is named or indoors: %s", (text, name) => {
  const hung = parseTheme(text).things.filter(({ place }) => place === "above");
  expect(hung.map((thing) => thing.name)).toEqual([name]);
});

it("has grass below a party that is outdoors in a garden", () => {
  expect(parseTheme("outdoor barbecue, summer garden party").setting?.surface.kind).toBe("grass");
});

it.each([
  ["kitchen", false],
  ["kitchen island", false],
  ["cuisine blanche", false],
  ["kitchen with an oven", true],
  ["cocina rústica, horno", true],
  ["oak table, stove", true],
  ["brick wall kitchen", true],
])(
  "a kitchen is painted with its hood, and a stove is drawn where it is named or tells the place: %s",
  (text, isDrawn) => {
    expect(namesOf(text).includes("stove")).toBe(isDrawn);
  },
);

it.each([
  ["cactus in the desert", "cactus-tall"],
  ["Kaktus in der Wüste", "cactus-tall"],
  ["cactus in a pot, desert", "cactus"],
  ["cactus on a shelf", "cactus"],
])("a cactus of a desert is in no pot: %s", (text, name) =>
  expect(parseTheme(text).things.map((thing) => thing.name)).toContain(name),
);

it.each([
  "perfume on red rock",
  "roter Fels",
  "roche rouge",
  "roca roja",
  "roccia rossa",
  "rode rots",
  "czerwona skała",
])("red rock has the color of rock: %s", (text) => {
  const { surface, surfaceColor } = parseTheme(text);
  expect(surface).toEqual({ kind: "stone", color: "#a5583c" });
  expect(surfaceColor).toBeUndefined();
});

it.each(["kitchen with a marble island", "Küche mit Marmorinsel", "cucina con isola in marmo"])(
  "an island of stone is a kitchen's, and none in the sea: %s",
  (text) => expect(parseTheme(text).view).toBeUndefined(),
);

it("an island without a material is still seen from a kitchen, and a carpet is no sofa's cloth", () => {
  expect(parseTheme("kitchen on a greek island").view).toMatchObject({ backdrop: "sea" });
  expect(parseTheme("living room carpet, sofa behind").surface).toMatchObject({ kind: "fabric" });
});
