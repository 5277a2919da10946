import { expect, it } from "vitest";
import { readAvoid } from "./avoid.ts";
import { parseTheme } from "./theme.ts";

const black = "#1c1b1d";
const white = "#f2f1ef";

it.each([
  ["black table, white wall", black, white],
  ["schwarzer Tisch vor weißer Wand", black, white],
  ["table noire devant un mur blanc", black, white],
  ["mesa negra, pared blanca", black, white],
  ["tavolo nero, muro bianco", black, white],
  ["zwarte tafel voor een witte muur", black, white],
  ["czarny stół przed białą ścianą", black, white],
  ["white table in a garden", white, undefined],
  ["biały stolik, bukiet tulipanów, wiosna", white, undefined],
  ["weißes Tischchen, Tulpenstrauß", white, undefined],
  ["mesita blanca con flores", white, undefined],
  ["wit tafeltje in de tuin", white, undefined],
])("%s: the table has its color, and the wall its own", (text, table, wall) => {
  const { surface, surfaceColor, settingColor } = parseTheme(text);
  expect({ kind: surface?.kind, surfaceColor, settingColor }).toEqual({
    kind: "wood",
    surfaceColor: table,
    settingColor: wall,
  });
});

it.each([
  ["white table with marble top", "marble", white],
  ["black table with a white tablecloth", "fabric", white],
  ["black table in a room with wooden floor", "wood", black],
  ["glossy black table", "gloss", black],
  ["black glossy acrylic", "gloss", black],
  ["black glossy marble", "marble", black],
])("%s: what the table is made of, or what lies on it, is the ground", (text, kind, color) => {
  const { surface, surfaceColor } = parseTheme(text);
  expect({ kind: surface?.kind, surfaceColor }).toEqual({ kind, surfaceColor: color });
});

it.each([
  ["blue kitchen", "#4577b5"],
  ["cocina azul", "#4577b5"],
  ["pink bakery", "#eaa6b8"],
])("%s: the place has the color, and not what stands in it", (text, color) =>
  expect(parseTheme(text).settingColor).toBe(color),
);

it.each([
  ["oak table", "wood"],
  ["Tisch in der Küche", "kitchen"],
  ["mesa de madera", "wood"],
])("%s: whoever avoids %s gets no other wooden table", (text, avoid) => {
  const { surface, setting } = parseTheme(text, readAvoid(avoid, text));
  expect([surface, setting]).toEqual([undefined, undefined]);
});

it("leaves a lone table its wood where something else is avoided", () => {
  expect(parseTheme("table", readAvoid("plants", "table")).surface?.kind).toBe("wood");
});
