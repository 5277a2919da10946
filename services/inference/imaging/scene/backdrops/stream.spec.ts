import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { parseTheme } from "../words/theme.ts";

const camera = fitCamera(null, 360, 360, 1, 0.29);

/** Share of the pixels behind the ground that are green by far. */
function greenShare(theme: string): number {
  const { light } = renderScene(planScene(parseTheme(theme), "one text", 7), camera, null);
  const rows = Math.floor(0.6 * camera.height);
  let green = 0;
  for (let i = 0; i < rows * camera.width; i++)
    if (light[3 * i + 1]! > 1.25 * Math.max(light[3 * i]!, light[3 * i + 2]!)) green++;
  return green / (rows * camera.width);
}

it.each([
  ["forest stream", "snowy forest stream"],
  ["stream", "winter stream, snow"],
  ["kitchen garden", "kitchen garden, snow"],
])("%s is green, and %s is not", (green, snowy) => {
  expect(greenShare(green)).toBeGreaterThan(0.2);
  expect(greenShare(snowy)).toBeLessThan(0.05);
});
