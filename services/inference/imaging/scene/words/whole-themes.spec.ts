import { expect, it } from "vitest";
import { notShown } from "../not-shown.ts";
import { planScene } from "../plan/scene-plan.ts";
import { readAvoid, splitNegations } from "./avoid.ts";
import { settings } from "./lexicon.ts";
import { parseTheme } from "./theme.ts";

const planOf = (text: string) => planScene(parseTheme(text), text, 7);

function planWithout(text: string, avoid: string) {
  const { wanted, unwanted } = splitNegations(text);
  const avoided = readAvoid(`${avoid}, ${unwanted}`, wanted);
  return planScene(parseTheme(wanted, avoided), text, 7, { without: avoided.things });
}

const namesOf = (text: string) => parseTheme(text).things.map(({ name }) => name);

it.each([
  "christmas, snow",
  "Christmas gift in the snow",
  "Weihnachtskugel auf Schnee",
  "bougie de Noël sur la neige",
  "Navidad en la nieve",
  "Natale sulla neve",
  "kerst in de sneeuw",
  "boże narodzenie na śniegu",
  "christmas in a forest",
])("Christmas on snow and in a forest is outside: %s", (text) => {
  expect(planOf(text)).toMatchObject({ backdrop: "snowfield", floor: "snow" });
  expect(namesOf(text)).toContain("string-lights");
});

it.each([
  "christmas, window with snow outside",
  "christmas living room with snow",
  "christmas table with snow",
  "Weihnachten am Kamin, Schnee",
])("Christmas in a room stays there: %s", (text) => expect(planOf(text).backdrop).toBe("interior"));

it("what is for kids is where the theme's season is", () => {
  expect(planOf("kids rain boots in a puddle, autumn")).toMatchObject({ backdrop: "foliage", decor: "autumn" });
  expect(planOf("kids room in autumn").backdrop).toBe("interior");
});

it.each(["toys in a jungle", "giocattoli nel giardino", "Spielzeug auf einer Wiese", "jouet sur la pelouse"])(
  "toys are where the theme says, and need no playroom: %s",
  (text) => expect(planOf(text)).toMatchObject({ backdrop: "foliage", props: ["toys"] }),
);

it.each([
  ["rake on a pile of leaves", "foliage", "autumn"],
  ["Rechen auf Laub", "foliage", "autumn"],
  ["râteau sur un tas de feuilles", "foliage", "autumn"],
  ["flowers in front of a house", "foliage", "flowers"],
  ["Blumen vor einem Haus", "foliage", "flowers"],
] as const)("%s is outside", (text, backdrop, decor) => expect(planOf(text)).toMatchObject({ backdrop, decor }));

it.each([
  "black and gold",
  "schwarz und gold",
  "fond noir doré",
  "fondo negro y oro",
  "sfondo nero dorato",
  "zwart en goud",
  "czerń i złoto",
  "navy and gold",
])("gold beside a color glitters before a bare backdrop: %s", (text) => {
  expect(planOf(text).props).toEqual(["glitter"]);
});

it.each(["gold", "gold background", "black marble with gold", "black podium with gold", "black and gold petals"])(
  "gold that has its own place does not glitter: %s",
  (text) => expect(planOf(text).props).not.toContain("glitter"),
);

it.each([
  ["navy and gold, no glitter", ""],
  ["gold without glitter, navy", ""],
  ["black and gold, no sparkles", ""],
  ["navy and gold", "glitter"],
  ["navy and gold", "sparkles"],
  ["navy and gold", "confetti"],
  ["navy and gold", "objects"],
  ["navy and gold", "decoration"],
  ["navy and gold", "props"],
  ["schwarz und gold", "Requisiten"],
  ["fond noir doré", "paillettes"],
])("gold does not glitter for those who avoid it: %s, avoid %s", (text, avoid) => {
  expect(planWithout(text, avoid).props).toEqual([]);
});

it("gold glitters for those who avoid something else", () => {
  expect(planWithout("navy and gold", "people").props).toEqual(["glitter"]);
});

it.each([
  "golden hour, white background",
  "heure dorée, fond blanc",
  "goldene Stunde, weißer Hintergrund",
  "hora dorada, fondo blanco",
  "ora dorata, sfondo bianco",
  "gouden uur, witte achtergrond",
  "złota godzina, białe tło",
  "golden, white background",
  "golden brown background",
])("a golden hour before a colored backdrop is light: %s", (text) => {
  expect([planOf(text).lightKind, planOf(text).props]).toEqual(["golden", []]);
});

it("golden behind a place's backdrop or a wall is light", () => {
  expect(parseTheme("garden background and golden").light).toBe("golden");
  expect(parseTheme("white wall and golden").light).toBe("golden");
  expect(parseTheme("fond noir et doré").accents).toHaveLength(1);
});

it("a golden hour is light, and no gold", () => {
  expect(parseTheme("white background, golden hour").accents).toEqual([]);
});

it.each([
  "Italian street",
  "italienische Straße",
  "rue française",
  "calle antigua",
  "strada italiana con case antiche",
  "oude Italiaanse straat",
  "włoska ulica",
  "old street",
])("a street of the old world has no towers: %s", (text) => {
  expect(parseTheme(text).setting?.decor).toBe("town");
});

it.each([
  "street",
  "modern city",
  "modern European city",
  "Italian leather bag in a kitchen",
  "French city park",
  "French bag on a Tokyo street at night",
  "Portuguese shoes, downtown street",
  "cyberpunk city street, French perfume",
  "vintage alley wall",
])("but others have: %s", (text) => {
  expect(parseTheme(text).setting?.decor).not.toBe("town");
});

it.each(["snow on a forest", "verschneiter Wald", "forêt enneigée", "bosque nevado", "besneeuwd bos", "ośnieżony las"])(
  "snow on a forest lies on its trees, too: %s",
  (text) => expect(parseTheme(text).setting).toBe(settings.get("winter")),
);

it("leaves the ground of a forest in snow to the table in it", () => {
  expect(parseTheme("snowy forest, wooden table")).toMatchObject({
    surface: { kind: "wood" },
    setting: settings.get("winter"),
  });
});

it.each(["beach with turquoise water", "playa con agua turquesa", "plage avec eau turquoise"])(
  "a beach's water is behind its sand: %s",
  (text) => {
    const { surface, setting, settingColor } = parseTheme(text);
    expect([surface, setting?.surface.kind, settingColor]).toEqual([undefined, "sand", "#48b5b0"]);
  },
);

it.each([
  "on turquoise water at the beach",
  "in shallow turquoise water, beach",
  "on the beach in the water",
  "dans l'eau à la plage",
  "am Strand im Wasser",
  "en el agua en la playa",
  "in het water op het strand",
  "mug floating in water, beach",
])("a product upon water or in it is there, also at a beach: %s", (text) => {
  expect(parseTheme(text).surface?.kind).toBe("water");
});

it.each(["office, white desk", "oficina con escritorio blanco", "weißer Schreibtisch im Büro"])(
  "a desk has its color: %s",
  (text) => expect(parseTheme(text)).toMatchObject({ surface: { kind: "wood" }, surfaceColor: "#f2f1ef" }),
);

it("ferns grow in a forest's ground, and in pots indoors", () => {
  expect(namesOf("forest floor with ferns")).toEqual(["fern-clump"]);
  expect(namesOf("living room with a fern")).toContain("fern");
});

it("a butcher's white tiles are on the wall", () => {
  expect(parseTheme("Metzgerei mit weißen Kacheln")).toMatchObject({
    setting: { backdrop: "tiled-wall" },
    settingColor: "#f2f1ef",
    things: [{ name: "sausages" }],
  });
});

it("snow on a forest's porch leaves it its boards", () => {
  expect(parseTheme("forest porch in the snow").setting).toMatchObject({ decor: "porch", surface: { kind: "wood" } });
});

it.each(["flower market", "Blumenmarkt", "marché aux fleurs", "mercado de flores", "markt met bloemen"])(
  "sells flowers, and no vegetables: %s",
  (text) => {
    expect(parseTheme(text).setting?.decor).toBe("flower-shop");
    expect(namesOf(text)).not.toContain("crate");
  },
);

it.each(["picnic in a lavender field", "pique-nique dans un champ de lavande"])("has both: %s", (text) => {
  expect(parseTheme(text).setting).toMatchObject({ decor: "lavender", surface: { kind: "fabric" } });
});

it("golden light at a wall is light", () => {
  expect(parseTheme("pared de terracota, luz de tarde").accents).toEqual([]);
});

it.each(["Adventskranz", "couronne de l'avent", "adventskrans"])("lies on a table: %s", (text) => {
  expect(namesOf(text)).toContain("advent-wreath");
});

it("says that a camera above a beach does not see its water", () => {
  const text = "beach with turquoise water";
  const nothing = new Set<string>();
  const laid = { props: new Set<never>(), drawings: nothing, items: nothing, tellsPlace: false, hasOwnOfPlace: false };
  expect(notShown(parseTheme(text), planOf(text), "above", laid)).toEqual(["water"]);
  expect(notShown(parseTheme(text), planOf(text), "level", laid)).toEqual([]);
});
