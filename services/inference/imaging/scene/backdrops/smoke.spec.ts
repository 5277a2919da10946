import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { drawThings } from "../motifs/draw-thing.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { parseTheme } from "../words/theme.ts";

const camera = fitCamera(null, 240, 240, 1, 0.29);

/** Light of the wall, with the theme's smoke less without it: red, green and blue of its left and right half. */
async function smokeOf(theme: string): Promise<readonly (readonly number[])[]> {
  const plan = planScene(parseTheme(theme), "one text", 7);
  const bare = renderScene(plan, camera, null).light.slice();
  const { light } = renderScene(plan, camera, null, null, await drawThings(plan.things));
  return [0, 1].map((half) => {
    const sum = [0, 0, 0];
    for (let y = 0; y < camera.horizonY; y++)
      for (let x = 120 * half; x < 120 * (half + 1); x++)
        for (let c = 0; c < 3; c++) {
          const at = 3 * (y * camera.width + x) + c;
          sum[c]! += light[at]! - bare[at]!;
        }
    return sum;
  });
}

it("is brighter than a dark wall, at both sides, and no copy of one drawing", async () => {
  const [left, right] = await smokeOf("smoke on a dark background");
  expect(Math.min(...left!, ...right!)).toBeGreaterThan(40);
  expect(Math.abs(left![0]! / right![0]! - 1)).toBeGreaterThan(0.01);
});

it("is darker than a white wall", async () => {
  for (const half of await smokeOf("smoke, white background")) expect(Math.max(...half)).toBeLessThan(0);
});

it("has the color that the theme gives it", async () => {
  for (const [red, green, blue] of await smokeOf("blue smoke, black background"))
    expect(blue).toBeGreaterThan(1.5 * Math.max(red!, green!));
});
