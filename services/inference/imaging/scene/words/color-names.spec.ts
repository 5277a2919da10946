import { expect, it } from "vitest";
import { colors } from "./lexicon.ts";
import { parseTheme } from "./theme.ts";

it.each([
  ["moosgrüne Wand", "olive"],
  ["bosgroene muur", "forestgreen"],
  ["steingraue Wand", "gray"],
  ["rosafarbener Hintergrund", "pink"],
  ["sandfarbener Hintergrund", "beige"],
  ["zandkleurige achtergrond", "beige"],
  ["vert sapin, fond", "forestgreen"],
  ["fond vert d'eau", "mint"],
  ["mur vieux rose", "blush"],
  ["fondo verde botella", "forestgreen"],
  ["fondo oro rosa", "rosegold"],
  ["fondo amarillo", "yellow"],
  ["pared color crema", "cream"],
  ["sfondo rosa antico", "blush"],
  ["sfondo color sabbia", "beige"],
  ["butelkowa zieleń, tło", "forestgreen"],
  ["moss green wall", "olive"],
  ["cherry red background", "red"],
  ["burnt orange wall", "burntorange"],
])("%s is a color, and no material of that name", (text, color) => {
  const { settingColor, surface, things, props, accents, unrecognized } = parseTheme(text);
  const isAccent = settingColor === undefined && accents.length === 1;
  expect({ color: isAccent ? accents[0] : settingColor, surface, things, props, unrecognized }).toEqual({
    color: colors.get(color),
    things: [],
    props: [],
    unrecognized: [],
  });
});

it("reads a color between a noun's own word for it: silk in the color of ivory", () => {
  expect(parseTheme("seta color avorio, perle")).toMatchObject({
    surface: { kind: "silk" },
    surfaceColor: colors.get("ivory"),
  });
});

it("splits Polish compounds of colors", () => {
  expect(parseTheme("ciemnozielony aksamit").surfaceColor).toBe(parseTheme("dark green velvet").surfaceColor);
  expect(parseTheme("jasnoniebieskie tło").settingColor).toBe(parseTheme("light blue backdrop").settingColor);
  expect(parseTheme("jasnoróżowa ściana").settingColor).toBe(parseTheme("light pink wall").settingColor);
  expect(parseTheme("wodoodporny").recognized).toEqual([]);
});

it("colors a thing that the theme has already, where its word follows", () => {
  const [garland] = parseTheme("Koningsdag met oranje slingers").things;
  expect(garland).toMatchObject({ name: "garland", color: colors.get("orange") });
  expect(parseTheme("white tulips, red tulips").things[0]).toMatchObject({ color: colors.get("white") });
});
