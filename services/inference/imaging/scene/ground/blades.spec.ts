import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { parseTheme } from "../words/theme.ts";
import { growBlades } from "./blades.ts";

const camera = fitCamera(null, 600, 450, 1, 0.29);

/** How much more the light of the ground near the product changes across than down. */
function uprightness(theme: string): number {
  const { light } = renderScene(planScene(parseTheme(theme), "one text", 7), camera, null);
  let across = 0;
  let down = 0;
  for (let y = Math.floor(camera.baseY - 20); y < camera.baseY + 20; y++) {
    for (let x = 0; x + 1 < camera.width; x++) {
      const at = 3 * (y * camera.width + x) + 1;
      across += Math.abs(light[at + 3]! - light[at]!);
      down += Math.abs(light[at + 3 * camera.width]! - light[at]!);
    }
  }
  return across / down;
}

it("blades stand upright on a lawn, and lower on moss", () => {
  const lawn = uprightness("lawn, sunny garden");
  expect(lawn).toBeGreaterThan(1.3);
  expect(uprightness("forest moss")).toBeLessThan(0.9 * lawn);
});

it("blades on a black ground in the dark are black", () => {
  const plan = { ...planScene(parseTheme("meadow"), "one text", 7), floorColor: [0, 0, 0] as const };
  const light = new Float32Array(3 * camera.width * camera.height);
  growBlades(light, plan, camera, createRandom(7));
  expect(light.some((value) => Number.isNaN(value) || value === Number.POSITIVE_INFINITY)).toBe(false);
});
