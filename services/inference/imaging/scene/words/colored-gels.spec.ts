import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { parseTheme } from "./theme.ts";

const red = "#b8322c";

it.each([
  "hard light, colored gels red and blue",
  "red and blue gels",
  "red and blue gel",
  "red and blue gel background",
  "red and blue lighting",
  "red and blue gel light on a podium",
  "rote und blaue Gele",
  "rotes und blaues Licht",
  "gel rouge et bleu",
  "lumière rouge et bleue",
  "luz roja y azul",
  "luce rossa e blu",
  "rood en blauw licht",
  "czerwone i niebieskie światło",
])("two lamps have the colors: %s", (theme) => {
  const { gelColors, accents, things, unrecognized } = parseTheme(theme);
  expect(gelColors).toHaveLength(2);
  expect(gelColors![0]).toBe(red);
  expect([accents, things, unrecognized]).toEqual([[], [], []]);
});

it.each([
  "aloe vera gel on marble",
  "hair gel on a blue background",
  "red and blue gel bottle on white",
  "shower gel, blue and white towels",
  "living room in blue and white, light wood",
  "light blue and pink background",
  "red and green christmas lights",
  "pink and blue neon light",
  "blue and white kitchen, window light",
  "gel nail polish pink and red",
  "red and blue gel pens on a desk",
  "shower gel, red and blue",
  "yellow and orange autumn leaves, morning light",
])("no lamp has a color: %s", (theme) => {
  expect(parseTheme(theme).gelColors).toBeUndefined();
});

it("colors the picture from the left and from the right", () => {
  const theme = "colored gels red and blue";
  const plan = planScene(parseTheme(theme), theme, 7);
  const camera = fitCamera(null, 60, 60, 1, 0.29);
  const { light } = renderScene(plan, camera, null);
  const at = (x: number) => [0, 1, 2].map((c) => light[(50 * 60 + x) * 3 + c]!);
  const left = at(2);
  const right = at(57);
  expect(left[0]).toBeGreaterThan(2 * left[2]!);
  expect(right[2]).toBeGreaterThan(2 * right[0]!);
});

it("takes a gray sky for an overcast one", () => {
  for (const theme of ["big ben and gray sky", "grauer Himmel", "cielo gris", "ciel gris", "cielo grigio"])
    expect(parseTheme(theme).light, theme).toBe("overcast");
});

it("hangs gold leaf behind another material", () => {
  for (const theme of ["gold leaf and black marble", "feuille d'or sur marbre noir", "Blattgold, schwarzer Marmor"]) {
    const { surface, setting, notShown, props } = parseTheme(theme);
    expect([surface?.kind, setting?.decor], theme).toEqual(["marble", "leaf-wall"]);
    expect([notShown, props], theme).toEqual([[], []]);
  }
  expect(parseTheme("gold leaf")).toMatchObject({ surface: { kind: "metal" }, pattern: "leaf" });
  expect(parseTheme("gold leaves in an autumn park").pattern).toBeUndefined();
});
