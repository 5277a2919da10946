import { describe, expect, it } from "vitest";
import { colors, lights, settings, surfaces } from "./lexicon.ts";
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
  });

  it("distinguishes a tree from a board, and knows plurals", () => {
    expect(parseTheme("pine forest").surface).toBeUndefined();
    expect(parseTheme("pine board").surface).toEqual(surfaces.get("pine"));
    expect(parseTheme("dunes, tiles, shelves").recognized).toEqual(["dunes", "tiles", "shelves"]);
  });

  it("lists unknown words and limits the number of words", () => {
    expect(parseTheme("xyzzy on oak").unrecognized).toEqual(["xyzzy"]);
    const long = parseTheme("sand ".repeat(80));
    expect(long.recognized.length + long.unrecognized.length).toBe(80);
    expect(long.recognized.length).toBe(60);
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
