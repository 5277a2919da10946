import { expect, it } from "vitest";
import { parseTheme } from "./theme.ts";

it.each([
  ["product shot of a perfume on black glass", "gloss"],
  ["professional product photography of a mug on a wooden table, studio lighting, 8k, highly detailed", "wood"],
  ["a photorealistic image of a bottle standing on a mossy rock, cinematic lighting, ultra realistic, 35mm", "stone"],
  ["professional photography of red leather shoes standing on grass, shallow depth of field", "grass"],
  ["studio shot of a candle on a linen cloth", "fabric"],
  ["Produktfoto einer Tasse auf Holztisch", "wood"],
  ["photo d'une tasse rose sur marbre blanc", "marble"],
  ["foto de producto de una taza sobre madera", "wood"],
  ["foto di una tazza su marmo", "marble"],
  ["productfoto van een mok op marmer", "marble"],
  ["zdjęcie produktowe kubka na drewnianym stole", "wood"],
])("%s: the product's name is no part of the scene", (text, kind) => {
  const { surface, things, unrecognized, accents } = parseTheme(text);
  expect({ kind: surface?.kind, things, unrecognized, accents }).toEqual({
    kind,
    things: [],
    unrecognized: [],
    accents: [],
  });
});

it.each([
  ["photo of a beach on a sunny day", { setting: { backdrop: "sea" } }],
  ["photo of roses in a garden", { things: [{ name: "rose" }] }],
  ["picture of white marble on a table", { surface: { kind: "marble" } }],
  ["image of a desk, books on a shelf", { things: [{ name: "books" }], setting: { decor: "desk" } }],
  ["perfumes on black glass", { things: [{ name: "perfume" }] }],
  ["product photo, lemons on blue", { things: [{ name: "lemon" }] }],
  ["photo of a perfume with roses on white marble", { things: [{ name: "rose" }], surface: { kind: "marble" } }],
  ["photo of a perfume in a bathroom with candles, on marble", { setting: { decor: "bathroom" } }],
  ["Foto eines Parfums mit Rosen auf Marmor", { things: [{ name: "rose" }], surface: { kind: "marble" } }],
  ["photo de parfum avec des roses sur marbre", { things: [{ name: "rose" }], surface: { kind: "marble" } }],
  [
    "photo of sunscreen with seashells on the beach",
    { setting: { backdrop: "sea" }, recognized: ["seashells", "beach"] },
  ],
])("%s: what is no product's name is read", (text, found) => expect(parseTheme(text)).toMatchObject(found));

it.each([
  ["red sneakers in a forest", { setting: { color: "#3f5c2c" } }],
  ["bottle in water on marble", { surface: { kind: "marble" } }],
  ["sneakers in ice blue on concrete", { surface: { kind: "concrete" } }],
  ["sneakers in red on concrete", { surface: { kind: "concrete" } }],
  ["rose gold earrings on white silk", { surface: { kind: "silk" }, surfaceColor: "#f2f1ef" }],
  ["sandstone coaster set on walnut", { surface: { kind: "wood" } }],
  ["apple sleeve on a wooden table", { surface: { kind: "wood" }, things: [] }],
  ["rote Turnschuhe auf Beton", { surface: { kind: "concrete" } }],
  ["chaussures en cuir marron sur béton", { surface: { kind: "concrete" } }],
  ["bolso de cuero negro sobre madera", { surface: { kind: "wood" } }],
  ["buty z czarnej skóry na betonie", { surface: { kind: "concrete" } }],
  ["sac à main en cuir sur marbre", { surface: { kind: "marble" } }],
  ["Ledertasche, Holzboden", { surface: { kind: "wood" } }],
  ["torebka skórzana, marmur", { surface: { kind: "marble" } }],
  ["torebka skórzana na marmurze", { surface: { kind: "marble" } }],
  ["aperol bottle, marble", { things: [], surface: { kind: "marble" } }],
])("%s: what describes a product at the theme's start colors no ground and no wall", (text, found) => {
  const theme = parseTheme(text);
  expect(theme).toMatchObject(found);
  expect(theme.settingColor).toBeUndefined();
  expect(theme.accents).toEqual([]);
  expect(theme.unrecognized).not.toEqual([]);
});

it.each([
  ["scratched wooden table on grass", { surface: { kind: "wood" } }],
  ["kitchen knife on a board", { setting: { backdrop: "shelves" } }],
  ["red suitcases on a beach", { setting: { backdrop: "sea" }, things: [{ name: "suitcase" }] }],
  ["backpack and tent in a forest", { things: [{ name: "backpack" }] }],
  ["beach, backpack", { things: [{ name: "backpack" }] }],
  ["lemons on a kitchen counter", { things: [{ name: "lemon" }] }],
  ["desk with a laptop", { things: [{ name: "laptop" }] }],
])("%s: a place, a material of the scene and a drawn thing stay", (text, found) =>
  expect(parseTheme(text)).toMatchObject(found),
);

it.each([
  ["sunglasses by the pool", { setting: { decor: "pool" } }],
  ["red toaster on a kitchen counter", { setting: { decor: "kitchen" } }],
  ["laptop on a cafe table", { setting: { decor: "cafe" } }],
  ["baby stroller in a park", { setting: { backdrop: "foliage" } }],
  ["Kaffeemaschine in moderner Küche", { setting: { decor: "kitchen" } }],
  ["Rucksack auf Moos im Wald", { setting: { backdrop: "foliage" } }],
  ["parfum sur marbre blanc", { surface: { kind: "marble" } }],
  ["bicicleta en una calle", { setting: { backdrop: "skyline" } }],
  ["profumo su velluto rosso", { surface: { kind: "velvet" } }],
  ["leather backpack in a forest", { setting: { backdrop: "foliage" } }],
  ["Lederrucksack im Wald", { setting: { backdrop: "foliage" } }],
  ["zaino di pelle in un bosco", { setting: { backdrop: "foliage" } }],
  ["plecak w górach", { setting: { backdrop: "mountains" } }],
  ["leather armchair in a loft", { setting: { decor: "loft" } }],
  ["lounge chair on a wooden deck by the lake", { setting: { backdrop: "sea" } }],
  ["sofa in front of a green wall", { setting: { backdrop: "wall" } }],
  ["Sessel vor dunkelgrüner Wand", { setting: { backdrop: "wall" } }],
  ["Bluetooth-Lautsprecher am Strand", { setting: { backdrop: "sea" } }],
  ["divano in salotto", { setting: { decor: "living-room" } }],
  ["bank in een woonkamer", { setting: { decor: "living-room" } }],
  ["piłka na trawie stadionu", { setting: { decor: "stadium" } }],
  ["garden chair on a terrace", { setting: { decor: "terrace" } }],
  ["Parfüm zwischen weißen Blüten", { setting: { decor: "flowers" } }],
  ["surfboard leaning on a rock, beach", { setting: { backdrop: "sea" } }],
])("%s: a second one of the product is not drawn", (text, found) => {
  const theme = parseTheme(text);
  expect(theme).toMatchObject(found);
  expect(theme.things).toEqual([]);
});

it.each([
  ["Babyschuhe auf weißer Decke", "nursery"],
  ["armchair on a rug", "living-room"],
])("%s: where the product is named alone, it is where such a thing is", (text, decor) =>
  expect(parseTheme(text)).toMatchObject({ things: [], setting: { decor } }),
);

it("a place in a product's name stays where no other one is named, and a compound is told once", () => {
  expect(parseTheme("school backpack on a wooden floor")).toMatchObject({ setting: { decor: "classroom" } });
  expect(parseTheme("mountain bike on a beach")).toMatchObject({ setting: { backdrop: "sea" } });
  expect(parseTheme("Gartenstuhl auf dem Rasen").unrecognized).toEqual(["gartenstuhl"]);
});

it.each(["lawn mower in the garden", "Fahrrad im Garten", "fauteuil dans un jardin"])(
  "%s: a large product is on no table",
  (text) => expect(parseTheme(text).surface).toMatchObject({ kind: "grass" }),
);

it.each([
  ["vintage charm in a kitchen", { moods: ["vintage"] }],
  ["moody darkness in a cave", { moods: ["dark"] }],
  ["dark fantasy in a forest", { moods: ["dark"] }],
  ["warm glow in a cabin", { moods: expect.arrayContaining(["warm"]) }],
  ["elegant flair on black marble", { moods: expect.arrayContaining(["luxury"]) }],
  ["minimal elegance on marble", { moods: ["minimal"] }],
  ["bold statement on concrete", { moods: ["vivid"] }],
  ["luxury lifestyle in a villa", { moods: ["luxury"] }],
  ["vintage objects on wood", { moods: ["vintage"] }],
  ["vintage leather bag on wood", { moods: ["vintage"], surface: { kind: "wood" } }],
  ["red powder on black", { recognized: ["red", "black"] }],
  ["red brick building in a city", { recognized: ["red", "brick", "city"] }],
  ["gold frames on a green wall", { recognized: expect.arrayContaining(["gold", "green", "wall"]) }],
  ["pink tulle behind", { recognized: ["pink"] }],
  ["rosa Tüll hinter der Flasche", { recognized: expect.arrayContaining(["rosa"]) }],
])("%s: a mood stays, as does the color of what is in a scene", (text, found) =>
  expect(parseTheme(text)).toMatchObject(found),
);

it.each([
  ["rose gold earrings on white silk", ["rose gold", "earrings"]],
  ["dark brown belt on marble", ["dark", "brown", "belt"]],
  ["chaussures en cuir marron sur béton", expect.arrayContaining(["cuir", "marron"])],
])("%s: words that are taken as the product's are reported", (text, unrecognized) =>
  expect(parseTheme(text).unrecognized).toEqual(unrecognized),
);

it.each([
  ["leather wallet, city street", "skyline"],
  ["wooden watch, forest", "foliage"],
  ["borsa in pelle, piazza italiana", "skyline"],
  ["borsa in pelle nera, piazza", "skyline"],
  ["negroni bottle", undefined],
  ["leather bag", undefined],
  ["sac en cuir noir", undefined],
  ["ring in gold", undefined],
  ["dress in pink satin", undefined],
  ["torebka skórzana", undefined],
])("%s: what is worn or carried is a product before a comma, too", (text, backdrop) => {
  const { surface, setting, things, accents } = parseTheme(text);
  expect([surface, things, accents]).toEqual([undefined, [], []]);
  expect(setting?.backdrop).toBe(backdrop);
});

it.each([
  ["bottle in water", "water"],
  ["Flasche in Wasser", "water"],
  ["botella en agua", "water"],
  ["bottiglia in acqua", "water"],
  ["fles in water", "water"],
  ["butelka w wodzie", "water"],
  ["red shoes in sand", "sand"],
  ["scarpe in sabbia", "sand"],
  ["Stiefel in Schnee", "snow"],
  ["beer cans in ice", "gloss"],
  ["bottle in crushed ice", "ice"],
  ["bottle in black sand in sunlight", "sand"],
  ["sandals in grass", "grass"],
  ["mug in moss", "grass"],
  ["watch in stone", "stone"],
  ["reloj en mármol", "marble"],
  ["perfume bottle in pink satin", "silk"],
  ["anillo en terciopelo negro", "velvet"],
  ["ring in velvet box", "velvet"],
])("%s: a product lies in what is no part of it", (text, kind) => expect(parseTheme(text).surface?.kind).toBe(kind));

it("sand in which a product lies is a place's", () =>
  expect(parseTheme("bottle in sand, sunset")).toMatchObject({ surface: { kind: "sand" }, light: "sunset" }));

it.each([
  ["bottle marble", "marble"],
  ["bottle marble, sunset", "marble"],
  ["bottle moss in sunlight", "grass"],
  ["handbag black velvet", "velvet"],
  ["Schuhe Beton", "concrete"],
  ["fles marmer", "marble"],
  ["torebka marmur", "marble"],
  ["bouteille bois", "wood"],
  ["sac marbre", "marble"],
])("%s: a material behind a product's noun alone is the ground", (text, kind) =>
  expect(parseTheme(text).surface?.kind).toBe(kind),
);

it("a ring of fire burns", () => expect(parseTheme("ring of fire").things.map(({ name }) => name)).toEqual(["flames"]));

it.each([
  ['candle "Midnight in Paris" on oak', "midnight in paris", undefined],
  ['soap "Lavender Fields", bathroom', "lavender fields", "bathroom"],
  ["Seife „Sommerwiese“ auf Holz", "sommerwiese", undefined],
  ["parfum « Nuit de Noël » sur marbre", "nuit de noël", undefined],
])("%s: a quoted title behind a noun is told, and no scene", (text, title, decor) => {
  const { setting, light, unrecognized } = parseTheme(text);
  expect([setting?.decor, light]).toEqual([decor, undefined]);
  expect(unrecognized).toContain(title);
});

it.each([
  ['"rustic kitchen" with lemons', "kitchen"],
  ['a "cozy" cafe', "cafe"],
  ['wall with "graffiti"', "graffiti"],
  ['theme "cozy kitchen"', "kitchen"],
  ["décor « salle de bain »", "bathroom"],
  ['chalkboard "menu" in cafe', "cafe"],
])("%s: other quoted words are read", (text, decor) => expect(parseTheme(text).setting?.decor).toBe(decor));

it.each([
  ['background "marble"', { surface: { kind: "marble" } }],
  ['wall "brick"', { recognized: ["wall", "brick"] }],
  ['wallpaper "tropical leaves"', { recognized: ["wallpaper", "tropical leaves"] }],
  ['perfume on a background "black marble"', { surface: { kind: "marble" } }],
  ["Motiv „Weihnachten“", { recognized: ["weihnachten"] }],
  ['light "golden hour"', { light: "golden" }],
  ['room "kitchen"', { things: [{ name: "stove" }], unrecognized: [] }],
  ['beach "sunset"', { light: "sunset", setting: { backdrop: "sea" } }],
  ['chalkboard "menu" in cafe', { things: [{ name: "blackboard" }] }],
])("%s: what is quoted behind a scene's word is of the scene", (text, found) =>
  expect(parseTheme(text)).toMatchObject(found),
);

it.each([
  ["kitchen with a stone island", "kitchen stone"],
  ["rocks with ocean spray", "rocks ocean"],
  ["night sky with all stars", "stars"],
  ["sea moss on rocks", "moss"],
])("%s: no brand's name hides what is in the scene", (text, words) =>
  expect(parseTheme(text).recognized.join(" ").split(" ")).toEqual(expect.arrayContaining(words.split(" "))),
);

it.each(["coffee colored background", "coffee color wall"])("%s: has no cup", (text) => {
  const { things, settingColor } = parseTheme(text);
  expect(things).toEqual([]);
  expect(settingColor).toBe(parseTheme("espresso wall").settingColor);
});
