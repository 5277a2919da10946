import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { nothingLaid } from "../from-above/flat-lay.ts";
import { notShown } from "../not-shown.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import type { LeftOut } from "../words/named-things.ts";
import { parseTheme } from "../words/theme.ts";

const width = 120;
const height = 90;

/** Mean linear red, green and blue of the picture's upper half. */
function meanAbove(text: string, without = new Set<LeftOut>()): readonly number[] {
  const plan = planScene(parseTheme(text), "one text", 7, { without });
  const { light } = renderScene(plan, fitCamera(null, width, height, 1, 0.29), null);
  const sums = [0, 0, 0];
  for (let i = 0; i < (width * height * 3) / 2; i++) sums[i % 3]! += light[i]!;
  return sums.map((sum) => sum / ((width * height) / 2));
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
