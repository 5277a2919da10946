import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { parseTheme } from "../words/theme.ts";

const camera = fitCamera(null, 240, 240, 1, 0.29);

/** How much more blue than red light comes from the firs, of which these rows are full. */
function blueness(theme: string): number {
  const { light } = renderScene(planScene(parseTheme(theme), "one text", 7), camera, null);
  let red = 0;
  let blue = 0;
  for (let at = 50 * camera.width; at < 100 * camera.width; at++) {
    red += light[3 * at]!;
    blue += light[3 * at + 2]!;
  }
  return blue / red;
}

it("firs have the color of what lights them: blue at night, red at sunset", () => {
  const byDay = blueness("winter forest");
  expect(blueness("winter forest at night")).toBeGreaterThan(2 * byDay);
  expect(blueness("winter forest, sunset")).toBeLessThan(0.4 * byDay);
});
