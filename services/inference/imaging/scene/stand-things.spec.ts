import { expect, it } from "vitest";
import { fitCamera } from "./camera.ts";
import { drawThings } from "./draw-thing.ts";
import { renderScene } from "./render-scene.ts";
import { planScene, type ScenePlan } from "./scene-plan.ts";
import { standThings } from "./stand-things.ts";
import { parseTheme } from "./words/theme.ts";

const camera = fitCamera(null, 360, 270, 1, 0.29);
const planned = planScene(parseTheme("white wall, cactus"), "one text", 7);

/** Shares of light that stay on the ground below the feet of what stands there, by their column. */
async function shadedGround(directionDeg: number, softness: number): Promise<readonly (readonly [number, number])[]> {
  const lamp = { ...planned.lighting.lamp, directionDeg, elevationDeg: 35, softness };
  const plan: ScenePlan = { ...planned, lighting: { ...planned.lighting, lamp } };
  const things = await drawThings(plan.things);
  const scene = renderScene(plan, camera, null, null, things);
  const bare = scene.light.slice();
  standThings(scene, plan, camera, null, things);
  const kept: (readonly [number, number])[] = [];
  for (let i = 0; i < camera.width * camera.height; i++) {
    const shares = [0, 1, 2].map((c) => scene.light[3 * i + c]! / bare[3 * i + c]!);
    // A shadow takes the same of each color; what stands there has its own.
    if (shares[0]! < 0.97 && Math.max(...shares) - Math.min(...shares) < 1e-4)
      kept.push([i % camera.width, shares[0]!]);
  }
  return kept;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

it("throws shadows away from the lamp", async () => {
  const fromRight = await shadedGround(60, 0.2);
  const fromLeft = await shadedGround(300, 0.2);
  expect(fromRight.length).toBeGreaterThan(200);
  const columns = (shadow: typeof fromRight) => mean(shadow.map(([x]) => x));
  expect(columns(fromLeft) - columns(fromRight)).toBeGreaterThan(0.14 * camera.width);
});

it("throws a darker shadow in a hard light than in a soft one", async () => {
  const darkest = (shadow: Awaited<ReturnType<typeof shadedGround>>) => {
    const shares = shadow.map(([, share]) => share).toSorted((a, b) => a - b);
    return mean(shares.slice(0, 100));
  };
  expect(darkest(await shadedGround(60, 0.1))).toBeLessThan(darkest(await shadedGround(60, 1)) - 0.03);
});
