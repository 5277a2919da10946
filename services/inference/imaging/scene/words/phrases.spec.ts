import { expect, it } from "vitest";
import { settings } from "./lexicon.ts";
import { parseTheme } from "./theme.ts";

it.each(["kids' room", "children's room", "childrens room with a rug", "Kinderzimmer"])(
  "%s is a playroom and no bare room",
  (theme) => {
    expect(parseTheme(theme).setting).toEqual(settings.get("playroom"));
  },
);

it.each([
  "sunlight through leaves",
  "stone podium with sunlight through the leaves",
  "white wall, light through leaves",
])("%s is a light, and names no plants", (theme) => {
  expect(parseTheme(theme)).toMatchObject({ light: "dappled", props: [] });
});

it.each([
  ["splash of milk", "#f4efe6"],
  ["chocolate splash", "#4a2414"],
  ["Milchspritzer", "#f4efe6"],
  ["water splash", undefined],
])("%s has the color of the liquid", (theme, color) => {
  const { props, propColor, things } = parseTheme(theme);
  expect({ props, propColor, things }).toEqual({ props: ["splash"], propColor: color, things: [] });
});

it.each([
  "urban street graffiti wall",
  "graffiti",
  "wall with street art",
  "Graffitiwand in der Stadt",
  "mur de graffitis dans la rue",
  "pared con grafiti en la calle",
  "muro con graffiti in strada",
  "muur met graffiti in de stad",
  "ściana z graffiti na ulicy",
])("%s is a painted wall above concrete, and no skyline", (theme) => {
  expect(parseTheme(theme)).toMatchObject({
    setting: { decor: "graffiti", surface: { kind: "concrete" } },
    things: [],
    notShown: [],
    unrecognized: [],
  });
});

it("has ice in an ice splash, and berries beside it", () => {
  const { props, things } = parseTheme("berries and ice splash");
  expect(props).toEqual(["splash"]);
  expect(things.map(({ name }) => name)).toEqual(["blueberry", "ice-cubes"]);
});

it.each(["Tuscan kitchen", "toskanische Küche", "cuisine toscane", "cucina toscana"])(
  "%s has terracotta tiles and copper pans, and is no kitchen on a hill",
  (theme) => {
    const { setting, things, unrecognized } = parseTheme(theme);
    expect(setting).toMatchObject({ backdrop: "shelves", decor: "kitchen", surface: { kind: "tile" } });
    expect(things.map(({ name }) => name)).toContain("pans");
    expect(unrecognized).toEqual([]);
  },
);

it.each([
  ["🏖️ beach", { setting: settings.get("beach") }],
  ["glossy black table, red smoke", { surface: { kind: "gloss" }, surfaceColor: "#1c1b1d" }],
  ["warm autumn kitchen", { setting: settings.get("kitchen") }],
  ["lemon slices and ice on blue", { setting: undefined, accents: ["#4577b5"] }],
  ["lemon slices and ice", { setting: settings.get("bar") }],
  ["rooftop terrace", { setting: settings.get("rooftop"), notShown: [] }],
  ["table de jardin sous un olivier", { setting: settings.get("olivegrove"), surface: { kind: "wood" } }],
  ["Terrassentisch mit Sonnenblumen", { surface: { kind: "wood" } }],
  ["fluffy towels in a bathroom", { setting: settings.get("bathroom"), surface: undefined }],
  ["habitación infantil con peluches", { setting: settings.get("playroom") }],
  ["cheminée et plaid en laine", { pattern: undefined }],
  ["sui ciottoli vicino al fiume", { surface: { kind: "pebble" } }],
  ["rozpalony kominek i wełniany koc", { surface: { kind: "fabric" } }],
  ["on ice cubes", { surface: { kind: "ice" }, things: [] }],
  ["auf Eiswürfeln", { surface: { kind: "ice" }, things: [] }],
  ["nursery with a fluffy rug", { surface: { kind: "fabric" }, pattern: "fur" }],
  ["cream silk fabric with pearls", { surface: { kind: "silk" }, setting: { decor: "cloth-wall" }, notShown: [] }],
  ["bunte Eier", { props: ["eggs"], things: [] }],
  ["dyed eggs on grass", { props: ["eggs"], things: [] }],
  ["gekleurde eieren", { props: ["eggs"], things: [] }],
  ["panier de pâques avec des oeufs", { props: ["eggs"] }],
  ["desk with a controller", { things: [{ name: "gamepad" }] }],
  ["desk with old maps", { things: [{ name: "map-scroll" }] }],
  ["butcher block with herbs", { surface: { kind: "wood" }, things: [{ name: "herb-pots" }] }],
  ["Paris street in autumn", { setting: { backdrop: "skyline" } }],
  ["cozy autumn cafe table", { setting: { backdrop: "interior", decor: "cafe" } }],
  ["strawberry jam on wood", { things: [{ name: "strawberry" }, { name: "jam" }] }],
  ["#palmtrees #beach", { props: ["palms"], setting: { backdrop: "sea" } }],
  ["#marbletable", { surface: { kind: "marble" } }],
  ["photo d'une table en marbre", { setting: undefined, surface: { kind: "marble" } }],
  ["concrete floor, harsh sunlight, palm shadow", { light: "dappled" }],
  ["harsh sunlight with shadows", { light: "hard" }],
  ["auf Kisten vor einer Ziegelwand", { stand: "crate", setting: { decor: "bricks" } }],
  ["białe tło z cieniami liści", { light: "dappled", props: [] }],
  ["Navidad con luces", { setting: settings.get("christmas") }],
  ["piaskowe wydmy i ośnieżone góry", { isSnowy: true }],
])("%s", (text, found) => {
  const theme = parseTheme(text);
  const { setting = undefined, surface = undefined, pattern = undefined, ...others } = theme;
  expect({ setting, surface, pattern, ...others }).toMatchObject(found);
  expect(theme.unrecognized).toEqual([]);
});

it.each([
  ["frutas de verano, fondo amarillo", { setting: { backdrop: "sweep" }, accents: ["#efc94a"] }],
  ["summer fruit, yellow background", { setting: { backdrop: "sweep" }, accents: ["#efc94a"] }],
  ["summer, blurred background", { setting: { backdrop: "foliage" } }],
  ["forest, hiking trail", { setting: { decor: "trail", surface: { kind: "soil" } } }],
  ["Waldweg im Herbst", { setting: { decor: "autumn", surface: { kind: "soil" } } }],
])("%s: trails, and a backdrop's color before a season", (text, found) =>
  expect(parseTheme(text)).toMatchObject(found),
);
