import { expect, it } from "vitest";
import { planScene } from "../plan/scene-plan.ts";
import { readAvoid, splitNegations } from "./avoid.ts";
import { settings } from "./lexicon.ts";
import { parseTheme } from "./theme.ts";

/** What a theme may lack. */
const absent = { setting: undefined, settingColor: undefined, surface: undefined, stand: undefined };

it.each([
  "Stelle mein Produkt auf einen rustikalen Holztisch in einer sonnigen Küche mit Zitronen",
  "placer mon produit sur une table rustique dans une cuisine ensoleillée avec des citrons",
  "pon mi producto sobre una mesa rústica en una cocina soleada con limones",
  "metti il mio prodotto su un tavolo rustico in una cucina soleggiata con limoni",
  "zet mijn product op een rustieke tafel in een zonnige keuken met citroenen",
  "postaw mój produkt na rustykalnym stole w słonecznej kuchni z cytrynami",
  "place my product on a rustic table in a sunny kitchen with lemons",
])("%s: a request's verb is no star and no place", (text) =>
  expect(parseTheme(text)).toMatchObject({
    setting: { decor: "kitchen" },
    light: "noon",
    props: ["lemons"],
    moods: ["vintage"],
    unrecognized: [],
  }),
);

it.each([
  ["white wall in a loft", { setting: { decor: "loft" }, settingColor: "#f2f1ef" }],
  ["living room with green wall", { setting: { decor: "living-room" }, settingColor: "#5b8f4c" }],
  ["mur blanc dans une cuisine", { setting: { decor: "kitchen" }, settingColor: "#f2f1ef" }],
  ["sofa in front of a green wall", { setting: { backdrop: "wall" }, settingColor: "#5b8f4c" }],
  ["floating in the clouds with soft pink sky", { setting: { backdrop: "sky" }, settingColor: "#eaa6b8" }],
  ["beach with turquoise sea", { setting: { backdrop: "sea" }, settingColor: "#48b5b0" }],
  ["smaragdgroen fluweel", { surface: { kind: "velvet" }, surfaceColor: "#1f7a5a" }],
])("%s: the color is of what it stands before", (text, found) => expect(parseTheme(text)).toMatchObject(found));

it.each([
  ["soft beige background with window shadow", "window"],
  ["fondo negro con luz dorada", "golden"],
  ["zwarte achtergrond met gouden licht", "golden"],
  ["deep powder snow, blue sky", "noon"],
])("%s: the light is %s", (text, light) => {
  const { moods, ...theme } = parseTheme(text);
  expect(theme.light).toBe(light);
  expect(moods).not.toContain("luxury");
});

it("white clouds leave the sky blue", () => expect(parseTheme("white clouds").settingColor).toBeUndefined());

it.each([
  ["tesla on a mountain road", { setting: { backdrop: "mountains" }, surface: { kind: "asphalt" } }],
  ["dirt road through a field", { setting: { backdrop: "hills" }, surface: { kind: "soil" } }],
  ["side table in a bedroom", { setting: { decor: "bedroom" }, surface: { kind: "wood" } }],
  ["coffee table in a loft", { setting: { decor: "loft" }, surface: { kind: "wood" } }],
  ["living room with coffee table", { setting: { decor: "living-room" }, things: [] }],
  ["coffee on a desk", { setting: { decor: "desk" }, things: [{ name: "cup" }] }],
  [
    "coffee on a table in a desert",
    { setting: { backdrop: "dunes" }, surface: { kind: "wood" }, things: [{ name: "cup" }] },
  ],
  ["white market", { setting: { backdrop: "skyline" }, settingColor: undefined }],
  ["hair salon counter", { setting: { backdrop: "interior" }, things: [{ name: "hair-dryer-hood" }] }],
  ["dining table in a farmhouse kitchen", { setting: { decor: "kitchen" }, surface: { kind: "wood" } }],
  ["table with cake and balloons", { setting: { backdrop: "interior" }, surface: { kind: "wood" } }],
  ["blue plate on a marble table", { stand: undefined, surface: { kind: "marble" }, settingColor: undefined }],
  ["whiskey glass by the fireplace", { surface: undefined, things: [{ name: "decanter" }, { name: "fireplace" }] }],
  ["Honigglas auf einem Gartentisch", { surface: { kind: "wood" }, things: [{ name: "honey" }] }],
  ["checkerboard floor", { surface: { kind: "tile" }, pattern: "checks" }],
  ["silk fabric waves in champagne", { setting: { decor: "cloth-wall" }, surface: { kind: "silk" }, pattern: "folds" }],
  ["hotel bar", { setting: { decor: "bar" } }],
  ["industrial kitchen with steel counter", { setting: { decor: "kitchen" }, surface: { kind: "metal" } }],
  ["Kinderzimmer mit Sternen", { setting: { decor: "playroom" } }],
  ["moon surface with stars in the sky", { setting: { backdrop: "stars" } }],
  ["wallet on marble next to an espresso", { things: [{ name: "cup" }], accents: [] }],
  ["Labor Day backyard party", { setting: { backdrop: "foliage" } }],
  ["Schwarzwald mit Nebel", { setting: { color: "#3f5c2c" }, settingColor: undefined }],
  ["Hamburger Hafen bei Nacht", { setting: { backdrop: "sea" }, things: [{ name: "sailboat" }, {}, {}] }],
  ["tasse de café sur une table près de la fenêtre", { setting: { backdrop: "interior" }, things: [{ name: "cup" }] }],
  ["świeca na szafce nocnej", { setting: { decor: "bedroom" } }],
  ["samsung galaxy on a desk", { setting: { decor: "desk" } }],
  ["baskets sur béton", { surface: { kind: "concrete" }, things: [] }],
  ["Reyes Magos", { setting: { decor: "christmas" }, things: [] }],
  ["walentynki z różami", { setting: { backdrop: "sweep" }, things: [{ name: "rose" }] }],
  ["restaurant avec serviettes", { things: [{ name: "cutlery" }] }],
  ["salle de bain avec serviettes", { things: [{ name: "towels" }, { name: "soap" }] }],
])("%s: has its ground, its place and what belongs there", (text, found) =>
  expect({ ...absent, ...parseTheme(text) }).toMatchObject(found),
);

it.each([
  ["street", "city traffic"],
  ["calle", "tráfico de la ciudad"],
])("%s, avoid %s: a thing of a place that is not known leaves the place", (theme, avoid) => {
  const { forms, unrecognized } = readAvoid(avoid, theme);
  expect(forms.size).toBe(0);
  expect(unrecognized).toHaveLength(1);
});

it("denies a place's unknown thing whole", () =>
  expect(splitNegations("street without city traffic, evening").wanted.trim()).toBe("street , evening"));

it.each([
  "soft morning light",
  "zacht ochtendlicht",
  "sanftes Morgenlicht",
  "lumière douce du matin",
  "soft light in the morning",
  "soft shadows, morning light",
])("%s is a morning's", (text) => expect(parseTheme(text).light).toBe("morning"));

it.each([
  "soft studio light, morning coffee",
  "soft box light, early morning run",
  "soft candle light, morning",
  "soft light, good morning",
])("%s is soft light, and no morning's", (text) => expect(parseTheme(text).light).toBe("soft"));

it.each([
  ["school gym", { setting: { backdrop: "wall" }, pattern: "court", things: [] }],
  ["sala gimnastyczna, drewniany parkiet", { pattern: "court", things: [] }],
  ["cancha de baloncesto urbana, atardecer", { surface: { kind: "asphalt" }, pattern: "court", light: "sunset" }],
  ["basketball court", { surface: { kind: "wood" }, setting: { backdrop: "wall" }, pattern: "court" }],
  ["outdoor basketball court", { setting: { backdrop: "skyline" }, things: [{ name: "basketball-hoop" }] }],
  ["red spices", { things: [{ name: "spice-mounds", color: "#b8322c" }] }],
  ["loft industriale", { setting: { decor: "loft" }, things: [] }],
  ["jewelry store", { setting: { light: "dramatic" }, things: [{ name: "jewelry" }] }],
  ["plan de travail en zinc, cuisine provençale", { surface: { kind: "metal" }, setting: { decor: "kitchen" } }],
  ["white hallway, stripes of sun", { light: "blinds" }],
  ["parete blu, luce laterale", { light: "window", settingColor: "#4577b5" }],
  ["hard side light, gray wall", { light: "hard" }],
  ["old cobbled street", { setting: { decor: "town" } }],
  ["cobbled streets at dusk", { setting: { decor: "town" } }],
  ["black silk", { setting: { light: "dramatic" } }],
  ["white silk", { setting: { light: "soft" } }],
])("%s is understood as a whole", (text, found) => {
  const theme = parseTheme(text);
  expect(theme.unrecognized).toEqual([]);
  expect(theme).toMatchObject(found);
});

it("puts a bouquet beside the product where flowers grow behind it", () => {
  const { things } = parseTheme("biały stolik, bukiet tulipanów, wiosna");
  expect(things.map(({ name }) => name).toSorted()).toEqual(["tulip", "vase"]);
});

it.each([
  ["striped light pink wallpaper", "light pink wallpaper"],
  ["striped light blue wall", "light blue wall"],
  ["stripes of light pink", "light pink"],
  ["side light gray wall", "light gray wall"],
])("%s: the light is the color's", (text, color) => {
  const theme = parseTheme(text);
  const alone = parseTheme(color);
  expect(theme.light).toBeUndefined();
  expect(theme.settingColor).toBe(alone.settingColor);
  expect(theme.accents).toEqual(alone.accents);
});

it.each(["striped light wood", "other side light wood"])("%s: the light is the wood's", (text) => {
  const { light, surfaceTone } = parseTheme(text);
  expect({ light, surfaceTone }).toEqual({ light: undefined, surfaceTone: 1 });
});

it.each([
  ["stripes of light on a white wall", "blinds"],
  ["striped light, pink wall", "blinds"],
  ["side light, gray wall", "window"],
  ["side light white marble", "window"],
  ["stripes of light at night", "night"],
  ["stripes of light neon", "neon"],
  ["side light at night", "night"],
])("%s: is lit by %s", (text, light) => {
  expect(planScene(parseTheme(text), text, 7).lightKind).toBe(light);
});

it.each([
  "white jewelry store",
  "bright jewelry store",
  "jewelry store bright",
  "jewelry store, white",
  "helles Juweliergeschäft",
  "bijouterie blanche",
])("a bright store keeps its jewelry: %s", (text) => {
  expect(parseTheme(text)).toMatchObject({ setting: settings.get("store"), things: [{ name: "jewelry" }] });
});

it.each(["jewlery store", "jewelery shop", "jewelry store with white flowers"])(
  "a jewelry store is dark: %s",
  (text) => {
    expect(parseTheme(text).setting).toMatchObject({ backdrop: "shelves", light: "dramatic" });
  },
);

it.each([
  ["white silk on dark wood", "soft"],
  ["white silk, black pearls", "soft"],
  ["white silk and black stones", "soft"],
  ["silk with black ribbon", "soft"],
  ["white satin, dark hair", "soft"],
  ["black silk, bright", "soft"],
  ["navy silk", "soft"],
  ["dark silk", "dramatic"],
])("%s: hangs in a light that is %s", (text, light) => {
  expect(parseTheme(text).setting?.light).toBe(light);
});

it.each([
  ["industrial loft bathroom", { backdrop: "tiled-wall", decor: "bathroom" }],
  ["industrial loft kitchen", { decor: "kitchen" }],
  ["loft bedroom", { decor: "bedroom" }],
  ["loft with a bed", { decor: "loft" }],
])("%s: the room is the place", (text, setting) => {
  expect(parseTheme(text).setting).toMatchObject(setting);
});

it.each(["gala apples", "gala apple on wood", "royal gala", "gala melon"])("%s: no gala takes place", (text) => {
  const { things, setting, unrecognized } = parseTheme(text);
  expect(things).toHaveLength(1);
  expect(setting?.decor).toBeUndefined();
  expect(unrecognized).toEqual([]);
});

it.each([
  "essential oil, eucalyptus",
  "hair oil, bathroom",
  "ätherisches Öl mit Lavendel",
  "huile essentielle, lavande",
  "aceite esencial con eucalipto",
])("an oil of another name is none of olives: %s", (text) =>
  expect(parseTheme(text).things.map(({ name }) => name)).not.toContain("olive-oil"),
);

it.each(["olive oil, kitchen", "oil on marble", "aceite de oliva virgen", "natives Olivenöl"])(
  "other oil is that of olives: %s",
  (text) => expect(parseTheme(text).things.map(({ name }) => name)).toContain("olive-oil"),
);

it.each([
  ["kids bike on street", "skyline"],
  ["children's bike, forest", "foliage"],
  ["Kinderrad im Wald", "foliage"],
  ["kids room", "interior"],
])("what is for children is where the theme says: %s", (text, backdrop) =>
  expect(parseTheme(text).setting?.backdrop).toBe(backdrop),
);

it.each([
  ["concrete loft, exposed brick", "concrete"],
  ["living room with oak floor and brick", "wood"],
  ["bedroom, oak floor, white brick", "wood"],
])("bricks beside another ground are the room's wall: %s", (text, kind) => {
  const { roomWall, setting, surface, notShown } = parseTheme(text);
  expect([roomWall?.decor, (surface ?? setting!.surface).kind, notShown]).toEqual(["bricks", kind, []]);
});

it.each(["wooden toys on a rug", "Holzspielzeug auf Teppich", "juguetes de madera sobre alfombra"])(
  "the wood of toys is no ground: %s",
  (text) => expect(parseTheme(text)).toMatchObject({ surface: { kind: "fabric" }, notShown: [] }),
);

it.each([
  ["garden gnome in flower bed", "foliage", undefined],
  ["farmhouse counter", "shelves", "kitchen"],
  ["bougie au coin du feu", "interior", "fireplace"],
  ["city park bench", "foliage", undefined],
  ["bar soap, spa", "wall", "spa"],
  ["bouteille en verre sur la plage", "sea", undefined],
  ["vin blanc, fromage", "interior", "bar"],
  ["vino bianco e formaggio", "interior", "bar"],
])("%s is no bed, no farm, no flames, no white wall and no bar", (text, backdrop, decor) => {
  const { setting } = parseTheme(text);
  expect([setting?.backdrop, setting?.decor]).toEqual([backdrop, decor]);
});

it.each([
  ["na skórze", "stone"],
  ["na aksamicie", "velvet"],
  ["na granicie", "stone"],
  ["na terakocie", "concrete"],
])("%s: where Polish has the product, the ending is another", (text, kind) =>
  expect(parseTheme(text)).toMatchObject({ surface: { kind }, unrecognized: [] }),
);

it.each(["strawberries, gingham", "panier de fruits sur nappe à carreaux"])(
  "fruit lies on its checked cloth: %s",
  (text) => expect(parseTheme(text)).toMatchObject({ pattern: "checks", surface: { kind: "fabric" }, notShown: [] }),
);
