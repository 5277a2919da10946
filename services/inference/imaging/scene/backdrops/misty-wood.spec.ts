import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { parseTheme } from "../words/theme.ts";

const camera = fitCamera(null, 240, 240, 1, 0.29);

/** How much more the green light changes from column to column than from row to row, in the upper half. */
function uprightness(theme: string): number {
  const { light } = renderScene(planScene(parseTheme(theme), "one text", 7), camera, null);
  let across = 0;
  let down = 0;
  for (let y = 20; y < 0.45 * camera.height; y++)
    for (let x = 4; x < camera.width; x++) {
      const at = 3 * (y * camera.width + x) + 1;
      across += Math.abs(light[at]! - light[at - 12]!);
      down += Math.abs(light[at]! - light[at - 12 * camera.width]!);
    }
  return across / down;
}

it("shows trunks, where a wood without mist shows leaves", () => {
  expect(uprightness("misty forest")).toBeGreaterThan(1.5 * uprightness("forest"));
});

it.each(["misty garden terrace", "jungle in the mist", "misty forest in autumn, fallen leaves"])(
  "%s keeps what tells it",
  (theme) => expect(uprightness(theme)).toBeLessThan(uprightness("misty forest")),
);
