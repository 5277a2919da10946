import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { parseTheme } from "../words/theme.ts";

const camera = fitCamera(null, 420, 420, 1, 0.29);

/** How slanted the edges of a scene's lights are: 0 where all are level or upright, 2/π where they are round. */
function roundness(theme: string): number {
  const { light } = renderScene(planScene(parseTheme(theme), "one text", 7), camera, null);
  let slanted = 0;
  let all = 0;
  for (let y = 60; y < camera.horizonY; y++) {
    for (let x = 1; x < camera.width - 1; x++) {
      const at = 3 * (y * camera.width + x);
      const dx = light[at + 3]! - light[at - 3]!;
      const dy = light[at + 3 * camera.width]! - light[at - 3 * camera.width]!;
      slanted += 2 * Math.abs(dx * dy);
      all += dx * dx + dy * dy;
    }
  }
  return slanted / all;
}

it("makes rounds of a city's lights at night", () => {
  expect(roundness("city at night")).toBeGreaterThan(0.58);
});
