/** A wall whose color is named has it, whatever the color of what is before it. */

import { expect, it } from "vitest";
import { fromHex } from "../canvas/color.ts";
import { planScene } from "../plan/scene-plan.ts";
import { colors } from "./lexicon.ts";
import { parseTheme } from "./theme.ts";

const planOf = (theme: string) => planScene(parseTheme(theme), theme, 7);

it.each([
  ["gold background with black stars", "gold"],
  ["goldener Hintergrund mit schwarzen Sternen", "gold"],
  ["fond doré avec étoiles noires", "gold"],
  ["gold background, black podium", "gold"],
  ["white background, black podium", "white"],
  ["black podium on a white background", "white"],
  ["weißer Hintergrund, schwarzes Podest", "white"],
  ["pink wall, black shelf", "pink"],
])("%s: it is %s", (theme, color) => {
  const own = fromHex(colors.get(color)!);
  const wall = planOf(theme).backdropColor;
  for (let c = 0; c < 3; c++) expect(Math.abs(wall[c]! - own[c]!)).toBeLessThan(0.04);
});

it.each(["black and gold background", "black podium", "black background, gold stars", "black wall, gold tray"])(
  "a black one is dark: %s",
  (theme) => expect(Math.max(...planOf(theme).backdropColor)).toBeLessThan(0.06),
);

it.each([
  "white stars on black",
  "gold stars on black",
  "white flowers on black",
  "black and white flowers",
  "white winter night, black trees",
  "white city, black night",
  "weiße Blumen auf Schwarz",
  "fleurs blanches sur noir",
])("black behind what is outdoors stays dark: %s", (theme) => expect(parseTheme(theme).moods).toContain("dark"));

it.each(["white room, black table", "white bedroom, black chair", "white studio, black podium"])(
  "a room's own color is that of its walls: %s",
  (theme) => expect(parseTheme(theme).moods).not.toContain("dark"),
);

it.each(["soft black shadow, gold light", "black shadows", "ombre noire", "ombra nera"])(
  "the color of light and of shadows is none: %s",
  (theme) => {
    expect(parseTheme(theme)).toMatchObject({ accents: [], moods: [] });
    expect(Math.min(...planOf(theme).backdropColor)).toBeGreaterThan(0.5);
  },
);

it.each([
  ["gold light", "golden"],
  ["black, shadows of leaves", "dappled"],
])("%s: the light is %s", (theme, light) => expect(parseTheme(theme).light).toBe(light));

it.each([
  ["black, gold light", "sweep"],
  ["gold light, black", "sweep"],
  ["elegant, gold light", "sweep"],
  ["luxury gold light", "sweep"],
  ["gold lighting, podium", "sweep"],
  ["gold light, pink", "sweep"],
  ["gold glow", "sweep"],
  ["beach, gold light", "sea"],
  ["golden hour", "sky"],
  ["gold light, golden hour", "sky"],
])("gold light implies no place: %s", (theme, backdrop) =>
  expect(planOf(theme)).toMatchObject({ backdrop, lightKind: "golden" }),
);

it("gold lights are of gold, and black before a comma is no shadow's", () => {
  expect(parseTheme("gold lights").accents).toEqual([colors.get("gold")]);
  expect(parseTheme("black, shadows").accents).toEqual([colors.get("black")]);
});

it("a backdrop in the light of a golden hour is none of gold", () =>
  expect(parseTheme("golden hour background").settingColor).toBeUndefined());
