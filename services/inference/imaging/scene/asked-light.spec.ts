/** The hour, the lamp's color and the land that a theme asks for are those of its picture. */

import { expect, it } from "vitest";
import { fitCamera } from "./canvas/camera.ts";
import { planScene, type ScenePlan } from "./plan/scene-plan.ts";
import { renderScene } from "./render-scene.ts";
import { parseTheme } from "./words/theme.ts";

const planOf = (theme: string) => planScene(parseTheme(theme), "one text", 7);

/** Mean linear red, green and blue of the scene. */
function meanOf(plan: ScenePlan): readonly number[] {
  const { light } = renderScene(plan, fitCamera(null, 120, 90, 1, 0.29), null, undefined, []);
  const channels = light.length / (120 * 90);
  const sums = [0, 0, 0];
  for (let i = 0; i < light.length; i += channels) for (let c = 0; c < 3; c++) sums[c]! += light[i + c]!;
  return sums.map((sum) => sum / (120 * 90));
}

it.each(["game night with popcorn", "movie night", "Spieleabend", "soirée film", "noche de juegos", "serata film"])(
  "%s is a living room by lamps",
  (theme) => {
    expect(planOf(theme)).toMatchObject({ decor: "living-room", lightKind: "lamps" });
  },
);

it.each(["bar italiano al mattino", "Bar am Morgen"])("daylight falls into a bar in the morning: %s", (theme) => {
  const [, morning] = meanOf(planOf(theme));
  const [, evening] = meanOf(planOf("bar"));
  expect(morning!).toBeGreaterThan(2 * evening!);
});

it("golden light tints what stands before a bare wall", () => {
  const [red, , blue] = meanOf(planOf("gray wall, golden light"));
  const [redAtNoon, , blueAtNoon] = meanOf(planOf("gray wall, soft light"));
  expect(red! / blue!).toBeGreaterThan((1.5 * redAtNoon!) / blueAtNoon!);
});

it("palms shade a pool with their fronds", () => {
  expect(planOf("poolside with palm shadows").lighting.gobo).toBe("fronds");
});

it("windmills stand in flat land, and on hills where the theme has them", () => {
  expect(planOf("tulpenveld met windmolen").isFlat).toBe(true);
  expect(planOf("windmill on a hill").isFlat).toBe(false);
  expect(planOf("tulip field").isFlat).toBe(false);
});

it.each(["garden", "park", "street", "terrace"])("a low sun warms all of a %s", (place) => {
  const [red, , blue] = meanOf(planOf(`${place}, golden hour`));
  const [redAtNoon, , blueAtNoon] = meanOf(planOf(`${place}, noon`));
  expect(red! / blue!).toBeGreaterThan((1.25 * redAtNoon!) / blueAtNoon!);
  expect(planOf(`${place}, golden hour`).grade.tint[2]).toBeLessThan(planOf(`${place}, noon`).grade.tint[2]);
});

it.each([
  ["golden hour", "sky", "golden"],
  ["sunset", "sky", "sunset"],
  ["dusk", "sky", "sunset"],
  ["Abenddämmerung", "sky", "sunset"],
  ["overcast", "sweep", "overcast"],
  ["night", "skyline", "night"],
  ["blue hour", "skyline", "blue-hour"],
  ["l'heure bleue", "skyline", "blue-hour"],
  ["zur blauen Stunde", "skyline", "blue-hour"],
  ["xyzzy at blue hour", "skyline", "blue-hour"],
  ["xyzzy at sunset", "sky", "sunset"],
])("an hour alone names no beach and no forest: %s", (theme, backdrop, lightKind) => {
  expect(planOf(theme)).toMatchObject({ backdrop, lightKind });
});

it.each(["beach", "rooftop", "white wall", "garden"])("the blue hour is blue: %s", (place) => {
  const [red, , blue] = meanOf(planOf(`${place}, blue hour`));
  const [redAtNoon, , blueAtNoon] = meanOf(planOf(`${place}, soft light`));
  expect(blue! / red!).toBeGreaterThan((1.15 * blueAtNoon!) / redAtNoon!);
});

it("a city's park is a park", () => {
  expect(planOf("golden hour in a city park")).toMatchObject({ backdrop: "foliage", surface: "grass" });
});

it.each(["snowy mountain village at dusk", "winter forest at sunset"])("snow does not turn to sand: %s", (theme) => {
  expect(planOf(theme).grade.tint).toEqual([1, 1, 1]);
});
