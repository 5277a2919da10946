import { describe, expect, it } from "vitest";
import { parseTheme } from "./theme.ts";

const leafy = `
shadow pattern of palm leaves on wall
palm leaf shadow pattern on a beige wall
leaf shadow pattern
floral shadow
tree shadows on a white wall
soft shadow of leaves
Schattenmuster von Palmen
Schattenmuster an weißer Wand
Lichtmuster an der Wand
motif d'ombres de palmier sur un mur
patrón de sombras de hojas en la pared
motivo di ombre a foglie sul muro
patroon van schaduwen van bladeren op muur
wzór cieni liści na ścianie
`;

const slatted = `
stripes of shadow on pink wall
zebra stripes of light on concrete
Lichtstreifen an der Wand
Streifenschatten auf Beton
rayures d'ombre sur un mur
rayas de sombra sobre pared rosa
strisce d'ombra
strepen van licht op muur
paski światła na ścianie
`;

const latticed = `
geometric shadows
checkered shadow on wall
window shadow pattern
`;

describe("a pattern that light and shadow cast", () => {
  const cases = Object.entries({ dappled: leafy, blinds: slatted, window: latticed });
  const rows = cases.flatMap(([light, themes]) =>
    themes
      .trim()
      .split("\n")
      .map((theme) => [theme, light] as const),
  );

  it.each(rows)("is light, and neither a print nor a thing: %s is %s", (theme, light) => {
    const { pattern, wallPattern, props, things, notShown, unrecognized, ...read } = parseTheme(theme);
    expect(read.light).toBe(light);
    expect({ pattern, wallPattern, props, things, notShown, unrecognized }).toEqual({
      pattern: undefined,
      wallPattern: undefined,
      props: [],
      things: [],
      notShown: [],
      unrecognized: [],
    });
  });

  it("is not known where nothing casts it", () => {
    const { wallPattern, unrecognized } = parseTheme("leopard pattern of light");
    expect([wallPattern, unrecognized]).toEqual([undefined, ["leopard pattern"]]);
  });
});

it.each([
  "in the shade of palm trees",
  "im Schatten einer Palme",
  "à l'ombre des palmiers",
  "a la sombra de una palmera",
])("stands below a palm that is there: %s", (theme) => expect(parseTheme(theme).props).toContain("palms"));

it.each([
  ["striped light pink wallpaper", "stripes"],
  ["floral pattern, soft light", "floral"],
  ["stripes and shadows on a wall", "stripes"],
])("is a print beside light: %s", (theme, print) => expect(parseTheme(theme).wallPattern).toBe(print));

it.each([
  ["in the cool shade of trees", "foliage"],
  ["in the soft shade of an olive tree", "hills"],
  ["shade of an olive tree", "hills"],
  ["à l'ombre fraîche des arbres", "foliage"],
  ["in de koele schaduw van bomen", "foliage"],
  ["w chłodnym cieniu drzew", "foliage"],
  ["im Baumschatten", "foliage"],
])("shade is below the trees that give it: %s", (theme, backdrop) => {
  expect(parseTheme(theme).setting?.backdrop).toBe(backdrop);
});

it.each(["palm shade beach", "hammock in palm shade", "palms shade a pool"])(
  "palms that shade are there: %s",
  (theme) => expect(parseTheme(theme).props).toContain("palms"),
);
