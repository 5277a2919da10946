/** Words that shops use for a place or a look, which have or had another meaning. */

import { expect, it } from "vitest";
import { planScene } from "../scene-plan.ts";
import { parseTheme } from "./theme.ts";

it.each(["sidewalk", "pavement by day", "Gehweg", "trottoir", "acera", "marciapiede", "stoep", "chodnik"])(
  "a town's pavement is one: %s",
  (theme) => {
    expect(parseTheme(theme)).toMatchObject({ setting: { decor: "town", surface: { kind: "concrete" } } });
  },
);

it.each([
  ["espresso bar", "cafe"],
  ["bar espresso italiano", "cafe"],
  ["Espressobar", "cafe"],
  ["smoothie bar", "kitchen"],
  ["bar de zumos", "kitchen"],
  ["bar à jus", "kitchen"],
  ["cocktail bar", "bar"],
])("a bar without liquor is none: %s", (theme, decor) => {
  expect(parseTheme(theme).setting?.decor).toBe(decor);
});

it.each(["brow bar", "nail bar"])("is a salon: %s", (theme) => {
  expect(parseTheme(theme).setting).toEqual(parseTheme("salon").setting);
});

it.each([
  ["tropical hotel lobby", "lobby"],
  ["tropical villa", "villa"],
])("is no pool: %s", (theme, place) => {
  expect(parseTheme(theme).setting).toEqual(parseTheme(place).setting);
});

it.each(["black and gold", "matte black and gold", "gold and black background", "fond noir et or", "zwart en goud"])(
  "gold shines before black: %s",
  (theme) => {
    const plan = planScene(parseTheme(theme), theme, 7);
    const [red, , blue] = plan.accent;
    expect(plan.hasAccentLights).toBe(true);
    // Lights glow before walls, and not in a sweep.
    expect(plan.backdrop).toBe("wall");
    expect(red).toBeGreaterThan(3 * blue);
    expect(Math.max(...plan.backdropColor)).toBeLessThan(0.06);
    expect(plan.things).toEqual([]);
  },
);

it("herbs are no grass", () => {
  expect(parseTheme("cuisine avec herbes")).toMatchObject({
    props: ["plants"],
    setting: { surface: { kind: "marble" } },
  });
});
