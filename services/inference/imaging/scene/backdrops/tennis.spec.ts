import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { luminance } from "../canvas/color.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { parseTheme } from "../words/theme.ts";

const camera = fitCamera(null, 240, 240, 1, 0.29);

/** The mean light of each row of a theme's picture, the product left out. */
function rowsOf(theme: string): number[] {
  const { light } = renderScene(planScene(parseTheme(theme), "one text", 7), camera, null);
  return Array.from({ length: camera.height }, (_, y) => {
    let sum = 0;
    for (let x = 0; x < camera.width; x++) {
      const at = 3 * (y * camera.width + x);
      sum += luminance([light[at]!, light[at + 1]!, light[at + 2]!]);
    }
    return sum / camera.width;
  });
}

it("has a white tape across it, above the darker cords of the net and below the dark cloth of the fence", () => {
  const rows = rowsOf("tennis court");
  const upper = rows.slice(Math.floor(0.2 * camera.height), Math.floor(0.7 * camera.height));
  const tape = upper.indexOf(Math.max(...upper.slice(Math.floor(upper.length / 3))));
  expect(upper[tape]!).toBeGreaterThan(1.6 * Math.min(...upper.slice(0, tape)));
  expect(upper[tape]!).toBeGreaterThan(1.25 * Math.min(...upper.slice(tape, tape + 20)));
});

it.each([
  "cancha de tenis al aire libre",
  "terrain de tennis",
  "Tennisplatz im Sommer",
  "campo tennis",
  "kort tenisowy",
])("%s is a court", (theme) => {
  const { setting, notShown, unrecognized } = parseTheme(theme);
  expect({ decor: setting?.decor, notShown, unrecognized }).toEqual({
    decor: "tennis-court",
    notShown: [],
    unrecognized: [],
  });
});
