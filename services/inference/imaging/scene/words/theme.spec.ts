import { describe, expect, it } from "vitest";
import { colors, hintedWords, lights, ownPlaceWords, settings, surfaces } from "./lexicon.ts";
import { namedThings } from "./named-things.ts";
import { parseTheme } from "./theme.ts";

describe("parseTheme", () => {
  it("finds surface, setting and light in one text", () => {
    const theme = parseTheme("An oak table in a kitchen, morning light");
    expect(theme.surface).toEqual(surfaces.get("oak"));
    expect(theme.setting).toEqual(settings.get("kitchen"));
    expect(theme.light).toBe("morning");
    expect(theme.unrecognized).toEqual([]);
  });

  it("assigns a color to the noun behind it, or keeps it as an accent", () => {
    expect(parseTheme("black marble").surfaceColor).toBe(colors.get("black"));
    expect(parseTheme("pastel pink studio")).toMatchObject({ settingColor: colors.get("pink"), moods: ["pastel"] });
    expect(parseTheme("teal and gold").accents).toEqual([colors.get("teal"), colors.get("gold")]);
    expect(parseTheme("studio in #12AB34").accents).toEqual(["#12ab34"]);
  });

  it("darkens and lightens colors and surfaces, and distinguishes a tone from a light", () => {
    expect(parseTheme("dark green studio")).toMatchObject({ settingColor: "#2e4826", moods: [] });
    expect(parseTheme("dark oak")).toMatchObject({ surfaceTone: -1, moods: ["dark"] });
    expect(parseTheme("morning light").moods).toEqual([]);
  });

  it("uses a material before the word wall for the backdrop", () => {
    const theme = parseTheme("red brick wall, oak table");
    expect(theme.setting).toMatchObject({ backdrop: "tiled-wall" });
    expect(theme).toMatchObject({ settingColor: colors.get("red"), surface: { kind: "wood" } });
    expect(theme.setting?.decor).toBe("bricks");
    expect(parseTheme("green tile wall, oak table").setting?.decor).toBeUndefined();
  });

  it("distinguishes a tree from a board, and knows plurals", () => {
    expect(parseTheme("pine forest").surface).toBeUndefined();
    expect(parseTheme("pine board").surface).toEqual(surfaces.get("pine"));
    expect(parseTheme("dunes, tiles, shelves").recognized).toEqual(["dunes", "tiles", "shelves"]);
  });

  it("yields the surface of an adjective to its noun's, and keeps it without one", () => {
    expect(parseTheme("polished concrete").surface).toEqual(surfaces.get("concrete"));
    expect(parseTheme("black reflective surface")).toMatchObject({
      surface: { kind: "gloss" },
      surfaceColor: colors.get("black"),
      unrecognized: [],
    });
  });

  it("takes a piece of furniture as the surface, and its room unless another is named", () => {
    const nightstand = { surface: surfaces.get("nightstand") };
    expect(parseTheme("nightstand")).toMatchObject({ ...nightstand, setting: settings.get("nightstand") });
    expect(parseTheme("cozy bedroom nightstand")).toMatchObject({ ...nightstand, setting: settings.get("bedroom") });
    expect(parseTheme("nightstand in a hotel")).toMatchObject({ ...nightstand, setting: settings.get("hotel") });
  });

  it("lists unknown words and limits the number of words", () => {
    expect(parseTheme("xyzzy on oak").unrecognized).toEqual(["xyzzy"]);
    const long = parseTheme("sand ".repeat(80));
    expect(long.recognized.length + long.unrecognized.length).toBe(80);
    expect(long.recognized.length).toBe(60);
  });

  it("finds a stand, what it is made of, and what it is on", () => {
    expect(parseTheme("white marble podium")).toMatchObject({ stand: "podium", surface: { kind: "marble" } });
    expect(parseTheme("brass tray on white linen")).toMatchObject({
      stand: "tray",
      surface: surfaces.get("brass"),
      floor: surfaces.get("linen"),
      floorColor: colors.get("white"),
    });
    expect(parseTheme("podium on sand")).toMatchObject({ stand: "podium", floor: surfaces.get("sand") });
    expect(parseTheme("gold podium").surface?.kind).toBe("metal");
    expect(parseTheme("pink podium, sage arch")).toMatchObject({
      standColor: colors.get("pink"),
      propColor: colors.get("sage"),
      props: ["arch"],
    });
  });

  it("gives a thing its material in every order, and a thing yields its place to a named one", () => {
    for (const text of ["red velvet curtain, black podium", "rideau de velours rouge, podium noir"]) {
      expect(parseTheme(text), text).toMatchObject({
        props: ["curtain"],
        propColor: colors.get("red"),
        standColor: colors.get("black"),
      });
    }
    expect(parseTheme("plants in a kitchen")).toMatchObject({ setting: settings.get("kitchen"), props: ["plants"] });
    expect(parseTheme("snowy mountains, oak table").surface).toEqual(surfaces.get("oak"));
  });

  it.each([
    "concrete, hard sunlight",
    "beige wall with harsh shadows",
    "white studio, strong shadow",
    "direct sun on sand",
    "Beton, harte Schatten",
  ])("reads a hard light, which no leaves shade: %s", (text) => {
    expect(parseTheme(text)).toMatchObject({ light: "hard", unrecognized: [] });
  });

  it("takes the first of two contradictory words", () => {
    expect(parseTheme("dark bright").moods).toEqual(["dark"]);
    expect(parseTheme("bright dark studio").moods).toEqual(["bright"]);
    expect(parseTheme("warm cold oak").moods).toEqual(["warm"]);
    expect(parseTheme("red blue").accents).toEqual([colors.get("red"), colors.get("blue")]);
    expect(parseTheme("red blue studio").settingColor).toBe(colors.get("blue"));
    expect(parseTheme("beach kitchen, neon morning")).toMatchObject({ setting: settings.get("beach"), light: "neon" });
  });

  it("takes 10,000 characters, and control characters as spaces", () => {
    const longWord = parseTheme("x".repeat(10_000));
    expect(longWord.unrecognized).toEqual(["x".repeat(40)]);
    const long = parseTheme("oak and ".repeat(1_250));
    expect(long.surface).toEqual(surfaces.get("oak"));
    expect(parseTheme("oak\u0000table\u202e\r\nmorning\u0007")).toEqual(parseTheme("oak table morning"));
  });

  it("says nothing of a text that has only stop words", () => {
    expect(parseTheme("a very nice photo of the product")).toMatchObject({
      recognized: [],
      unrecognized: [],
      accents: [],
    });
  });

  it.each(["", "   ", "!!! ,,,", "\u0000", "#12", "__proto__ constructor"])("accepts %j", (text) => {
    expect(parseTheme(text)).toMatchObject({ moods: [], accents: [] });
  });
});

describe("the lexicon", () => {
  it("has the common settings, surfaces and lights", () => {
    for (const word of [
      "kitchen",
      "beach",
      "forest",
      "studio",
      "street",
      "desert",
      "bathroom",
      "garden",
      "office",
      "sky",
    ]) {
      expect(settings.has(word), word).toBe(true);
    }
    for (const word of [
      "oak",
      "walnut",
      "marble",
      "concrete",
      "stone",
      "sand",
      "grass",
      "linen",
      "tile",
      "metal",
      "water",
    ]) {
      expect(surfaces.has(word), word).toBe(true);
    }
    for (const word of ["morning", "sunset", "golden", "night", "neon", "soft", "dramatic", "window", "overcast"]) {
      expect(lights.has(word), word).toBe(true);
    }
  });
});

it.each([
  ["garden with flowers", "flowers"],
  ["jardín con flores", "flowers"],
  ["living room with sofa", "living-room"],
  ["woonkamer met bank", "living-room"],
  ["loft with sofa", "loft"],
  ["kitchen with sofa", "kitchen"],
])("%s has the decor %s", (theme, decor) => {
  expect(parseTheme(theme).setting?.decor).toBe(decor);
});

it.each([
  ["lemon yellow wall", "yellow wall"],
  ["zitronengelbe Wand", "gelbe Wand"],
  ["mur jaune citron", "mur jaune"],
  ["pared amarillo limón", "pared amarillo"],
  ["parete giallo limone", "parete giallo"],
  ["citroengele muur", "gele muur"],
  ["cytrynowa ściana", "żółta ściana"],
  ["dunkles Holz", "dark wood"],
  ["dunkler Marmor", "dark marble"],
  ["green palms, white curtain", "palms, white curtain"],
  ["emerald green wall", "emerald wall"],
  ["green emerald wall", "emerald wall"],
  ["mur vert émeraude", "mur émeraude"],
  ["golden podium", "gold podium"],
  ["podium doré", "gold podium"],
  ["kürbisse, holz", "pumpkins, wood"],
])("%s is read as %s", (theme, plain) => {
  const { recognized: _, named: __, ...read } = parseTheme(theme);
  expect(parseTheme(plain)).toMatchObject(read);
});

it.each([
  ["święta wielkanocne", "easter"],
  ["fondo amarillo con sombras de hojas", "yellow background, leaf shadows"],
  ["terracotta pots", "plants"],
  ["Zelt am Meer", "tent by the sea"],
  ["green leaves, white marble", "plants, white marble"],
  ["Herbstlaub", "autumn"],
  ["fallen leaves, wood", "autumn, wood"],
  ["terrazza sul mare", "mediterranean"],
  ["atelier de céramique", "pottery"],
  ["gedroogde bloemen", "pampas"],
  ["candlelit velvet", "velvet, candlelight"],
])("the place and the things of %s are those of %s", (theme, plain) => {
  const { recognized: _, named: __, notShown: ___, things, ...read } = parseTheme(theme);
  expect(parseTheme(plain)).toMatchObject(read);
  const names = (all: typeof things) => all.map(({ name, color }) => ({ name, color }));
  expect(names(parseTheme(plain).things)).toEqual(names(things));
});

it.each([
  ["black podium with gold accents", "#1c1b1d", "#c39a45"],
  ["schwarzes Podest mit goldenen Akzenten", "#1c1b1d", "#c39a45"],
  ["podium noir avec détails dorés", "#1c1b1d", "#c39a45"],
  ["podio negro con detalles dorados", "#1c1b1d", "#c39a45"],
])("%s: the second color is the trim's", (theme, standColor, trimColor) => {
  expect(parseTheme(theme)).toMatchObject({ standColor, trimColor, accents: [], unrecognized: [] });
});

it.each([
  ["Halloween porch with pumpkins", { backdrop: "foliage", decor: "porch", light: "night" }],
  ["snowy cabin porch", { decor: "porch", surface: { kind: "wood" } }],
  ["półka w przytulnej sypialni zimą", { backdrop: "interior", decor: "bedroom" }],
  ["mostrador de panadería", { decor: "bakery" }],
  ["campsite in the mountains", { backdrop: "mountains" }],
  ["vicolo di un borgo toscano", { backdrop: "skyline", decor: "town" }],
  ["tulip field in spring", { backdrop: "hills" }],
  ["leather armchair in an old library", { decor: "library" }],
  ["tartan running track", { decor: "stadium" }],
  ["old train station platform", { decor: "station" }],
  ["artist's studio", { backdrop: "interior" }],
  ["autumn porch with pumpkins", { decor: "porch" }],
  ["tropical pool villa", { decor: "pool" }],
  ["jungle leaves, tropical", { backdrop: "foliage" }],
  ["rustic table with bread", { backdrop: "interior" }],
  ["schronisko górskie zimą", { decor: "fireplace" }],
  ["terrasse d'un chalet, montagnes enneigées", { backdrop: "mountains", surface: { kind: "wood" } }],
])("%s is one place", (theme, setting) => {
  expect(parseTheme(theme).setting).toMatchObject(setting);
});

it("draws a pier at a beach, and none before a product that stands on one", () => {
  const names = (theme: string) => parseTheme(theme).things.map(({ name }) => name);
  expect(names("beach with a pier")).toContain("pier");
  expect(names("pier at the lake")).not.toContain("pier");
});

it("lights fireworks by night, unless the theme names another light", () => {
  expect(parseTheme("fireworks over the city").light).toBe("night");
  expect(parseTheme("fireworks at sunset").light).toBe("sunset");
});

it("puts a bathroom's shelf below the product, in the bathroom", () => {
  expect(parseTheme("Badezimmerregal")).toMatchObject({ stand: "shelf", setting: { backdrop: "tiled-wall" } });
});

it("does not read Dutch windows as a bowl of noodles", () => {
  expect(parseTheme("houten vloer bij grote ramen").things.map(({ name }) => name)).not.toContain("ramen");
  expect(parseTheme("Mother's Day flowers").things).toEqual([]);
  expect(parseTheme("bowl of ramen").things.map(({ name }) => name)).toContain("ramen");
});

it("furnishes a place with what tells it, as far as the theme leaves room", () => {
  const names = (theme: string) => parseTheme(theme).things.map(({ name }) => name);
  expect(names("barbershop")).toEqual(["barber-pole", "barber-shelf", "barber-chair"]);
  expect(names("gym with apples and lemons")).toEqual(["apple", "lemon"]);
  expect(names("sailing yacht deck, mediterranean")).toContain("mast");
  expect(parseTheme("barbershop").notShown).not.toContain("mirror");
});

it.each([
  ["olive grove by the sea", ["sea"]],
  ["kitchen with a beach", []],
  ["castle in the mountains", []],
  ["dunes by the sea", []],
  ["mountain meadow", []],
  ["red marble on a podium before a brick wall", []],
  ["oak table, marble counter", ["marble"]],
  ["garden with flowers and a fireplace", []],
  ["castle in a bathroom", ["castle"]],
  ["a sunny sofa", []],
  ["yoga studio", []],
  ["plants in a photo studio", []],
  ["terrace by the lake", []],
  ["kitchen with copper spatulas", ["copper"]],
  ["copper tray with figs", []],
])("%s: names of what is not shown", (theme, notShown) => {
  expect(parseTheme(theme).notShown).toEqual(notShown);
});

const isTold = (word: string) => hintedWords.has(word) && !ownPlaceWords.has(word) && !namedThings.has(word);

it("shows the thing of each place, or says that it does not", () => {
  for (const word of settings.keys()) expect(parseTheme(word).notShown, word).toEqual(isTold(word) ? [word] : []);
});

it.each([
  ["red, white, gold", ["#b8322c", "#f2f1ef", "#c39a45"]],
  ["red white and blue", ["#b8322c", "#f2f1ef", "#4577b5"]],
  ["green, emerald", ["#5b8f4c", "#1f7a5a"]],
  ["emerald green", ["#1f7a5a"]],
  ["purple gray", ["#6f4590", "#8d8d8f"]],
])("%s: keeps each color that is no shade of the one beside it", (theme, accents) => {
  expect(parseTheme(theme).accents).toEqual(accents);
});

it("gives a stand the last of several colors", () => {
  expect(parseTheme("white red podium").standColor).toBe("#b8322c");
  expect(parseTheme("beige pink podium").standColor).toBe("#eaa6b8");
});

it.each([
  ["hotel room overlooking the sea", "interior", "sea"],
  ["sea view from a hotel room", "interior", "sea"],
  ["snow outside the window of a winter living room", "interior", "snowfield"],
  ["Wohnzimmer mit Blick auf die Berge", "interior", "mountains"],
  ["salon avec vue sur la mer", "interior", "sea"],
  ["hotel beach", "sea", undefined],
  ["café terrace", "skyline", undefined],
  ["winter living room", "interior", "snowfield"],
])("%s: a room and what its window shows", (text, place, view) => {
  const { setting, view: seen } = parseTheme(text);
  expect([setting?.backdrop, seen?.backdrop]).toEqual([place, view]);
});

it.each([
  ["a café in Lisbon", "interior"],
  ["Lisbon, a café", "interior"],
  ["New York subway", "tiled-wall"],
  ["Lissabon", "skyline"],
])("%s: a town is the place where no other is named", (text, place) => {
  expect(parseTheme(text).setting?.backdrop).toBe(place);
});

it("reads compounds in one word or in two", () => {
  for (const text of ["washbasin", "rocking horses", "hay bale"]) expect(parseTheme(text).unrecognized).toEqual([]);
  expect(parseTheme("rocking horses").things).toEqual(
    parseTheme("rockinghorse").things.map((one) => ({ ...one, words: ["rocking horses"] })),
  );
});

it.each([
  ["winter street", "skyline"],
  ["mountains in winter", "mountains"],
  ["winter forest", "snowfield"],
])("%s is snowy", (text, place) => {
  const { setting, isSnowy } = parseTheme(text);
  expect(setting?.backdrop).toBe(place);
  expect(isSnowy || place === "snowfield").toBe(true);
});

it.each(["pink podium with flowers", "living room with flowers"])("%s: they stand in a vase", (text) =>
  expect(parseTheme(text).things.map(({ name }) => name)).toEqual(["peony"]),
);

it.each([
  ["mossy rock", { surface: { kind: "stone" }, isMossy: true }],
  ["rock with moss", { surface: { kind: "stone" }, isMossy: true }],
  ["moss", { surface: { kind: "grass" }, isMossy: false }],
  ["red velvet backdrop", { surface: { kind: "velvet" }, surfaceColor: "#b8322c", setting: { decor: "cloth-wall" } }],
  ["fondo de terciopelo rojo", { surface: { kind: "velvet" }, setting: { decor: "cloth-wall" } }],
  ["flat lay on white linen", { surface: { kind: "fabric" }, isFlatLay: true }],
  ["Draufsicht auf Holz", { surface: { kind: "wood" }, isFlatLay: true }],
  ["light from above", { isFlatLay: false }],
  ["terrace in the mountains", { setting: { backdrop: "mountains", surface: { kind: "wood" } } }],
  ["hotel bed", { setting: { decor: "bedroom" } }],
  ["christmas tree with warm lights", { setting: { decor: "christmas" } }],
  ["cocina mediterránea con azulejos", { setting: { backdrop: "tiled-wall" } }],
  ["terraza mediterránea", { setting: { backdrop: "sea", decor: "terrace" } }],
  ["Regen am Fenster, gemütlicher Abend", { setting: { decor: "rainy-window" } }],
  ["running track in a stadium", { setting: { decor: "stadium" }, pattern: "lanes" }],
  ["crumpled linen", { surface: { kind: "fabric" }, pattern: "creases" }],
  ["studio in lavender", { things: [] }],
  ["cozy kitchen, morning light", { light: "morning" }],
  ["cozy room", { light: "candle" }],
  ["wall in the sun, leaf shadows", { light: "dappled" }],
  ["festive party table", { setting: { backdrop: "interior" } }],
  ["table with champagne", { things: [{ name: "champagne" }] }],
  ["champagne wall", { things: [] }],
  ["lemons and ice", { things: [{ name: "lemon" }, { name: "ice-cubes" }] }],
  ["Paris street", { setting: { decor: "town" } }],
  ["music studio", { setting: { decor: "loft" } }],
  ["desk in a kids room", { setting: { decor: "playroom" } }],
])("%s: what it is made of and how it is seen", (text, found) => expect(parseTheme(text)).toMatchObject(found));

it("takes lavender for the plant where it is with something", () => {
  expect(parseTheme("table en bois avec lavande").things.map(({ name }) => name)).toEqual(["lavender"]);
  expect(parseTheme("lavender wall").things).toEqual([]);
});

it("casts no joints in plaster and clay", () => {
  expect(parseTheme("concrete wall").setting?.decor).toBe("concrete-wall");
  for (const wall of ["terracotta wall", "plaster wall", "stucco wall"])
    expect(parseTheme(wall).setting?.decor).toBe("plaster-wall");
});

it.each([
  ["lilac gradient", { props: ["gradient"], accents: ["#c9aed6"] }],
  ["water reflections on a beige wall", { light: "caustics" }],
  ["crushed ice", { surface: { kind: "ice" } }],
  ["holographic background", { surface: { kind: "foil" }, setting: { decor: "foil-wall" } }],
  ["mirror floor", { surface: { kind: "mirror" } }],
  ["soft shadows", { light: "soft" }],
  ["rainy day", { light: "overcast" }],
  ["father's day, workshop", { setting: { decor: "joinery" } }],
  ["japandi interior", { setting: { backdrop: "interior" } }],
  ["bookshelf background", { setting: { decor: "library" } }],
  ["summer beach", { setting: { backdrop: "sea" } }],
  ["picnic blanket on grass", { setting: { backdrop: "foliage" }, surface: { kind: "fabric" }, pattern: "checks" }],
  ["kitchen with tile floor", { surface: { kind: "tile" }, setting: { backdrop: "shelves" } }],
  [
    "exposed brick cafe",
    { roomWall: { decor: "bricks", color: "#96553f" }, setting: { decor: "cafe" }, unrecognized: [] },
  ],
  ["brick wall in a loft", { roomWall: { decor: "bricks", color: "#96553f" }, setting: { decor: "loft" } }],
  ["bedroom with concrete wall", { roomWall: { decor: "concrete-wall" }, setting: { decor: "bedroom" } }],
  ["stone wall in a cafe", { roomWall: { decor: "stone-wall" }, setting: { decor: "cafe" } }],
  ["living room with wood paneling", { roomWall: { decor: "board-wall" }, notShown: [] }],
  ["restaurant with green marble wall", { roomWall: { decor: "marble-wall", color: "#5b8f4c" } }],
  ["Küche mit Fliesenboden", { surface: { kind: "tile" }, setting: { backdrop: "shelves" } }],
  ["living room, brick wall", { roomWall: { decor: "bricks", color: "#96553f" }, setting: { decor: "living-room" } }],
  ["mossy riverbank", { setting: { decor: "lake" } }],
  ["walls in champagne", { accents: ["#f0dfc2"], things: [] }],
  ["burgundy wine background", { things: [] }],
  ["bread and wine", { things: [{ name: "bread" }, { name: "wine-glass" }] }],
  ["ring in box on velvet", { things: [{ name: "ring-box" }], surface: { kind: "velvet" } }],
])("%s: what shops mean by it", (text, found) => expect(parseTheme(text)).toMatchObject(found));

it("hangs tiles that are named before another ground behind it", () => {
  const theme = parseTheme("sage green tiles and terrazzo countertop");
  expect(theme).toMatchObject({ setting: { backdrop: "tiled-wall" }, settingColor: "#a6b59a" });
  expect(theme.surface?.kind).toBe("terrazzo");
});

it.each([
  ["living room with leather armchair", "armchair", undefined],
  ["brass lanterns on tiles", "lantern", "tile"],
])("%s: the material is the thing's", (text, thing, ground) => {
  const { things, surface } = parseTheme(text);
  expect(things.map(({ name }) => name)).toContain(thing);
  expect(surface?.kind).toBe(ground);
});

it.each([
  ["winter window", "snowfield"],
  ["white windowsill, sea view", "sea"],
  ["kitchen windowsill", undefined],
])("%s: the product stands at a window", (text, outside) => {
  const { setting, view, things } = parseTheme(text);
  expect(setting?.decor).toBe("window-sill");
  expect(view?.backdrop).toBe(outside);
  expect(things).toEqual([]);
});

it("lets wooden things stand on another ground", () =>
  expect(parseTheme("wooden crates on marble").surface?.kind).toBe("marble"));

it("draws flowers for a vase in it", () =>
  expect(parseTheme("vase with tulips").things.map(({ name }) => name)).toEqual(["tulip"]));

it.each([
  ["podium in pastel pink with rose petals", { props: ["petals"], accents: ["#eaa6b8"] }],
  ["snowy mountain window", { setting: { decor: "window-sill" }, view: { backdrop: "mountains" } }],
  ["Buchenwald im Herbst", { setting: { decor: "autumn", surface: { kind: "soil" } } }],
  ["parquet of a basketball court", { pattern: "court" }],
  ["Japanese tea house", { things: [{ name: "folding-screen" }, { name: "tatami-lamp" }] }],
  ["living room with white brick wall", { roomWall: { decor: "bricks", color: "#f2f1ef" } }],
  ["white brick wall in a loft", { roomWall: { decor: "bricks", color: "#f2f1ef" } }],
  ["brick bar", { surface: { kind: "tile" } }],
  ["navy and coral", { things: [], accents: ["#1f2f52", "#ee8267"] }],
  ["white marble with mint accents", { things: [] }],
  ["champagne colored silk", { things: [] }],
  ["Santorini white walls and blue windows", { setting: { backdrop: "sea" } }],
  ["camper van window, forest", { setting: { backdrop: "foliage" } }],
  ["ceramic vase on linen", { surface: { kind: "fabric" } }],
  ["coffee grinder", { things: [] }],
  ["stone arcade", { props: ["arch"] }],
  ["perfume on a white cube", { stand: "block" }],
  ["cocina con suelo de baldosas", { surface: { kind: "tile" }, setting: { backdrop: "shelves" } }],
  ["white table with marble top", { surface: { kind: "marble" }, surfaceColor: "#f2f1ef" }],
  ["coin lecture dans un salon", { things: [] }],
  ["fond rose poudré", { things: [] }],
  ["white kitchen counter with tiled wall", { setting: { backdrop: "tiled-wall" } }],
  ["a wooden table by a window on a rainy morning", { setting: { decor: "window-sill" }, props: ["rain"] }],
  ["Chinese New Year", { things: [{ name: "paper-lanterns" }, { name: "coins" }] }],
  ["white windowsill, garden", { setting: { decor: "window-sill" }, surfaceColor: "#f2f1ef" }],
])("%s: what a director or a reviewer missed", (text, found) => expect(parseTheme(text)).toMatchObject(found));
