/** Things that a theme puts the product on. */
import { expect, it } from "vitest";
import { planScene } from "../plan/scene-plan.ts";
import { carriers, colors, settings, surfaces } from "./lexicon.ts";
import { parseTheme } from "./theme.ts";

it.each([
  ["on a log in the forest", { stand: "log", surface: { kind: "wood" }, setting: settings.get("forest"), things: [] }],
  ["auf einem Baumstumpf", { stand: "stump", setting: settings.get("forest"), things: [] }],
  ["sur un tonneau dans une cave", { stand: "barrel" }],
  ["on top of a stack of books", { stand: "books", setting: settings.get("library") }],
  ["on a mossy log", { stand: "log", surface: { kind: "wood" }, isMossy: true }],
  ["on a green wooden crate, garage", { stand: "crate", surface: { kind: "wood" }, surfaceColor: colors.get("green") }],
  ["grass, on a crate", { stand: "crate", surface: { kind: "wood" }, floor: surfaces.get("grass") }],
  ["on a rock by the sea", { stand: "rock", surface: { kind: "stone" }, setting: { backdrop: "sea" } }],
  ["on a park bench in autumn", { stand: "bench", setting: { decor: "autumn" } }],
])("%s: the product stands on it", (text, expected) => expect(parseTheme(text)).toMatchObject(expected));

it.each(["forest with a log", "on moss beside a log", "on marble, books", "on a table with a stool"])(
  "%s: the thing is beside the product",
  (text) => {
    const { stand, things } = parseTheme(text);
    expect([stand, things.length]).toEqual([undefined, 1]);
  },
);

it.each([...carriers.keys()])("on a red %s: it has the color", (thing) => {
  const colorOf = (color: string) => planScene(parseTheme(`on a ${color} ${thing}, white studio`), "", 1).surfaceColor;
  const [red, , ofRed] = colorOf("red");
  const [blue, , ofBlue] = colorOf("blue");
  expect(red - ofRed).toBeGreaterThan(blue - ofBlue + 0.02);
});

it.each([
  ["su un cuscino di seta", "cushion", "silk"],
  ["auf einer alten Holzkiste", "crate", "wood"],
  ["na drewnianej skrzyni w ogrodzie", "crate", "wood"],
  ["en un banco de parque, otoño", "bench", "wood"],
  ["auf alten Büchern", "books", "plain"],
  ["sur une pile de livres", "books", "plain"],
  ["op oude boeken", "books", "plain"],
  ["na starych książkach", "books", "plain"],
  ["su casse di legno", "crate", "wood"],
  ["op houten kratten", "crate", "wood"],
  ["auf einem Hocker", "stool", "wood"],
  ["na krześle", "chair", "wood"],
  ["auf einer Bank", "bench", "wood"],
  ["sur un fauteuil", "armchair", "fabric"],
  ["auf einem Buch", "books", "plain"],
  ["auf Ziegelsteinen", "bricks", "concrete"],
  ["on a hexagonal podium", "hexagon", "plain"],
  ["on a brick wall", undefined, "wood"],
  ["on a velvet sofa", "sofa", "velvet"],
  ["on a red velvet armchair", "armchair", "velvet"],
  ["on a stone bench", "bench", "stone"],
  ["auf einem Samtsofa", "sofa", "velvet"],
  ["on a brick floor", undefined, "tile"],
  ["auf Ziegelboden", undefined, "tile"],
  ["on stacked vintage books", "books", "plain"],
  ["on two boulders", "rock", "stone"],
  ["auf alten Koffern", "suitcase", "fabric"],
  ["auf Holzscheiben", "stump", "wood"],
  ["auf einer alten Holztruhe", "suitcase", "fabric"],
  ["sur des bottes de paille", "bale", "grass"],
  ["sur un tronc d'arbre", "log", "wood"],
  ["sobre palets", "crate", "wood"],
  ["su rocce", "rock", "stone"],
  ["op een stapel oude boeken", "books", "plain"],
  ["na stosie starych książek", "books", "plain"],
  ["na pniu drzewa", "stump", "wood"],
  ["na desce do krojenia", "board", "wood"],
  ["strand en rots", undefined, "stone"],
])("%s", (text, stand, surface) => {
  const theme = parseTheme(text);
  expect([theme.stand, planScene(theme, text, 1).surface, theme.notShown]).toEqual([stand, surface, []]);
});

it.each([
  ["on a rock, lighthouse", "sea", "lighthouse"],
  ["on a wooden crate, tractor", "hills", "tractor"],
])("%s: the thing beside it has its place", (text, backdrop, name) => {
  const { setting, things } = parseTheme(text);
  expect([setting?.backdrop, things.map((thing) => thing.name)]).toEqual([backdrop, [name]]);
});

it.each([
  "Sandbank am Meer",
  "Wolkenbank",
  "Tisch aus Buche",
  "Buchenholz",
  "Rollstuhl",
  "banc de sable",
  "bubble wrap",
])("%s: neither a bench, nor books, a chair or bubbles are shown", (text) => {
  const { stand, things } = parseTheme(text);
  expect([stand, things.map(({ name }) => name)]).toEqual([undefined, []]);
});

it("builds hexagons of hexagonal podiums only", () => {
  expect(parseTheme("bathroom with hexagonal tiles").stand).toBeUndefined();
  expect(parseTheme("log cabin in the snow").setting?.backdrop).toBe("snowfield");
});
