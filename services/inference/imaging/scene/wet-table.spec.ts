import { expect, it } from "vitest";
import { groundReflectance } from "./ground/ground-mirror.ts";
import { hasFilm, hasPuddles, planScene } from "./plan/scene-plan.ts";
import { parseTheme } from "./words/theme.ts";

const planOf = (theme: string) => planScene(parseTheme(theme), "one text", 7);

it.each(["cosmetics on wet black stone", "wet slate, dark wall", "nasser schwarzer Stein"])(
  "%s mirrors the product more than when it is dry",
  (theme) => {
    const dry = planOf("black stone");
    expect(hasFilm(planOf(theme))).toBe(true);
    expect(groundReflectance(planOf(theme))).toBeGreaterThan(2 * groundReflectance(dry));
  },
);

it("has puddles outdoors, and nothing of either on sand, on cloth and on a stand", () => {
  expect(hasPuddles(planOf("wet street in a city"))).toBe(true);
  for (const theme of ["wet street in a city", "wet sand", "wet linen", "wet stone podium"])
    expect(hasFilm(planOf(theme)), theme).toBe(false);
});
