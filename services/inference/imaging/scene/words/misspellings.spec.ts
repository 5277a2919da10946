import { expect, it } from "vitest";
import { surfaces } from "./lexicon.ts";
import { meaningOfMisspelled } from "./misspellings.ts";
import { parseTheme } from "./theme.ts";
import { readThemeText } from "./theme-words.ts";

it.each([
  ["marbel tabel", ["marble", "stop"]],
  ["wodden", ["wooden"]],
  ["kichen counter", ["kitchen", "counter"]],
  ["woden crate", ["wooden", "crate"]],
  ["maarble wall", ["marble", "wall"]],
  ["chrismas", ["christmas"]],
  ["kitchn", ["kitchen"]],
  ["lemmons", ["lemon"]],
  ["strawberrys", ["strawberry"]],
  ["autum coffe", ["autumn", "coffee"]],
  ["Badezimer mit Holz", ["bathroom", "stop", "wood"]],
  ["biblioteque en bois", ["library", "stop", "wood"]],
])("reads a word that is wrong by one letter: %s", (text, forms) => {
  expect(readThemeText(text).words.map(({ form, isStop }) => (isStop ? "stop" : form))).toEqual(forms);
});

it.each([
  "dessert",
  "coats",
  "widow",
  "closer",
  "walter",
  "steep",
  "pairs",
  "though5",
  "cost",
  "topical",
  "lather",
  "gardened",
  "selves",
  "armories",
  "galley",
  "besides",
])("takes no other word for a misspelled one: %s", (word) =>
  expect(parseTheme(`${word} on marble`).recognized).toEqual(["marble"]),
);

it.each([
  ["anello d'oro su marmo", ["marmo"]],
  ["bolso de cuero sobre madera", ["madera"]],
  ["Becher auf einem Holztisch", ["holztisch"]],
  ["Nachtisch auf Marmor", ["marmor"]],
  ["goede kwaliteit op marmer", ["marmer"]],
  ["schepen op zee", ["zee"]],
  ["dishwasher in kitchen", ["kitchen"]],
  ["perfume discovery set on marble", ["marble"]],
])("takes no unknown word for another one: %s", (text, recognized) =>
  expect(parseTheme(text).recognized).toEqual(recognized),
);

it("corrects nothing that is near to two words of different meanings", () => {
  const meanings = new Map([["carrot", "vegetable"]]);
  const meaningOf = (word: string) => meanings.get(word) ?? null;
  expect(meaningOfMisspelled("carott", meaningOf)).toBeNull();
  expect(meaningOfMisspelled("carrto", meaningOf)).toBe("vegetable");
  expect(meaningOfMisspelled("carort", meaningOf)).toBe("vegetable");
  meanings.set("caroort", "other");
  expect(meaningOfMisspelled("carort", meaningOf)).toBeNull();
});

it("gives the misspelled surface", () => {
  const { surface, recognized, unrecognized } = parseTheme("marbel");
  expect({ surface, recognized, unrecognized }).toEqual({
    surface: surfaces.get("marble"),
    recognized: ["marbel"],
    unrecognized: [],
  });
});
