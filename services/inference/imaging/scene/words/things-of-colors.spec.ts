import { expect, it } from "vitest";
import { planScene } from "../plan/scene-plan.ts";
import { parseTheme } from "./theme.ts";

it.each([
  "an orange and white wall",
  "an orange and pink background",
  "a peach and cream studio",
  "a rose and gold backdrop",
  "on a lime and yellow background",
  "an olive and beige interior",
  "an orange and black halloween background",
  "een roze en een olive en beige muur",
])("%s: colors behind an article are no fruit and no flowers", (text) =>
  expect(parseTheme(text).things.filter(({ name }) => /orange|peach|rose|lime|olive/.test(name))).toEqual([]),
);

it.each([
  ["a lemon and an orange", ["lemon", "orange"]],
  ["with a peach and an olive", ["peach", "olives"]],
])("%s: names fruit and flowers", (text, names) =>
  expect(parseTheme(text).things.map(({ name }) => name)).toEqual(names),
);

it.each([
  ["Neonschild blau", "#4577b5"],
  ["neonreclame roze", "#eaa6b8"],
  ["neon sign in blue", "#4577b5"],
  ["pink neon sign", "#eaa6b8"],
])("%s: the sign has the color, and hangs in a street", (text, color) => {
  const theme = parseTheme(text);
  expect(theme).toMatchObject({ things: [{ name: "neon", color }], neonColors: [color], accents: [] });
  expect(planScene(theme, text, 7).backdrop).toBe("skyline");
});

it("a sign takes no color of a wall", () => {
  expect(parseTheme("neon sign, blue wall")).toMatchObject({ settingColor: "#4577b5", neonColors: [] });
  expect(parseTheme("neon sign blue wall")).toMatchObject({ settingColor: "#4577b5", neonColors: [] });
});
