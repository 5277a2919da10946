import { expect, it } from "vitest";
import { fromHex, luminance } from "./color.ts";
import { isDarkMarble } from "./create-material.ts";
import { planScene } from "./scene-plan.ts";
import { parseTheme } from "./words/theme.ts";

const marbleOf = (theme: string) => planScene(parseTheme(theme), theme, 7).surfaceColor;

it.each(["pink marble", "pink marble vanity", "rosa Marmor", "peach marble"])("%s is pale", (theme) => {
  expect(isDarkMarble(marbleOf(theme))).toBe(false);
  expect(luminance(marbleOf(theme))).toBeGreaterThan(0.3);
});

it.each(["green marble", "blue marble", "red marble"])("%s is dark", (theme) => {
  expect(isDarkMarble(marbleOf(theme))).toBe(true);
});

it("white marble has no tint that darkens it", () => {
  expect(isDarkMarble(fromHex("#ece9e4"))).toBe(false);
});
