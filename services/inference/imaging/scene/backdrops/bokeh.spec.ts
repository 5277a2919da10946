import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { type LinearRgb, luminance, scale } from "../canvas/color.ts";
import { nothingLaid } from "../from-above/flat-lay.ts";
import { notShown } from "../not-shown.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import type { LeftOut } from "../words/named-things.ts";
import { parseTheme } from "../words/theme.ts";

const width = 120;
const height = 90;

/** Mean linear red, green and blue of the picture's upper half. */
function meanAbove(text: string, without = new Set<LeftOut>()): LinearRgb {
  const plan = planScene(parseTheme(text), "one text", 7, { without });
  const { light } = renderScene(plan, fitCamera(null, width, height, 1, 0.29), null);
  const sums: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < (width * height * 3) / 2; i++) sums[i % 3]! += light[i]!;
  return scale(sums, 2 / (width * height));
}

it.each([
  ["green bokeh background", 1],
  ["blue bokeh, white marble", 2],
  ["red bokeh lights, wooden table", 0],
])("%s: lights in the color that is asked for", (theme, channel) => {
  const mean = meanAbove(theme);
  expect(mean[channel]!).toBe(Math.max(...mean));
  expect(mean[channel]!).toBeGreaterThan(1.3 * Math.min(...mean));
});

it("leaves a black wall dark, with bright disks before it", () => {
  expect(luminance(meanAbove("gold bokeh, black background"))).toBeLessThan(0.05);
  expect(luminance(meanAbove("black bokeh"))).toBeLessThan(0.05);
});

it.each(["white background", "pastel pink background", "light gray background"])(
  "%s: the wall keeps its color and its brightness",
  (wall) => {
    const [red, green, blue] = meanAbove(wall);
    const lit = meanAbove(`${wall}, bokeh`);
    expect(luminance(lit)).toBeGreaterThan(0.8 * luminance([red, green, blue]));
    expect(lit[1] / lit[0]).toBeCloseTo(green / red, 1);
    expect(lit[2] / lit[0]).toBeCloseTo(blue / red, 1);
  },
);

it.each(["beach", "garden", "bright airy"])("%s: it is still day", (place) => {
  expect(luminance(meanAbove(`${place}, bokeh`))).toBeGreaterThan(0.8 * luminance(meanAbove(place)));
});

it("has none where lights are to be avoided", () => {
  const withLights = meanAbove("jewelry store, gold bokeh");
  const dark = meanAbove("jewelry store, gold bokeh", new Set<LeftOut>(["lights"]));
  expect(withLights[0]!).toBeGreaterThan(1.2 * dark[0]!);
});

it("says that a picture from above does not show them", () => {
  const theme = parseTheme("red bokeh, wooden table");
  const plan = planScene(theme, "one text", 7);
  expect(notShown(theme, plan, "level", nothingLaid)).not.toContain("bokeh");
  expect(notShown(theme, plan, "above", nothingLaid)).toContain("bokeh");
});
