import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { drawThings } from "../motifs/draw-thing.ts";
import { planScene, type ScenePlan } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { parseTheme } from "../words/theme.ts";
import { standThings } from "./stand-things.ts";

const camera = fitCamera(null, 360, 270, 1, 0.29);
const planned = planScene(parseTheme("white wall, cactus"), "one text", 7);

/** Shares of light that stay at each pixel of the ground around what stands there; 1 where the thing itself is. */
async function shadedGround(directionDeg: number, softness: number): Promise<Float32Array> {
  const lamp = { ...planned.lighting.lamp, directionDeg, elevationDeg: 35, softness };
  const plan: ScenePlan = { ...planned, lighting: { ...planned.lighting, lamp } };
  const things = await drawThings(plan.things);
  const scene = renderScene(plan, camera, null, null, things);
  const bare = scene.light.slice();
  standThings(scene, plan, camera, null, things);
  return Float32Array.from({ length: camera.width * camera.height }, (_, i) => {
    const shares = [0, 1, 2].map((c) => scene.light[3 * i + c]! / bare[3 * i + c]!);
    // A shadow takes the same of each color; what stands there has its own.
    return Math.max(...shares) - Math.min(...shares) < 1e-4 ? shares[0]! : 1;
  });
}

/** The mean column of what is darker in `shaded` than in `other`: what both have, as the line of contact, does not count. */
function columnDarkened(shaded: Float32Array, other: Float32Array): number {
  const darker = shaded.map((share, i) => Math.max(0, other[i]! - share));
  const sum = darker.reduce((total, value) => total + value, 0);
  expect(sum).toBeGreaterThan(200);
  return darker.reduce((total, value, i) => total + value * (i % camera.width), 0) / sum;
}

it("throws shadows away from the lamp", async () => {
  const fromRight = await shadedGround(60, 0.2);
  const fromLeft = await shadedGround(300, 0.2);
  const apart = columnDarkened(fromLeft, fromRight) - columnDarkened(fromRight, fromLeft);
  expect(apart).toBeGreaterThan(0.05 * camera.width);
});

it("throws a darker shadow in a hard light than in a soft one", async () => {
  const hard = await shadedGround(60, 0.1);
  const soft = await shadedGround(60, 1);
  const compared = hard.map((share, i) => share / soft[i]!).toSorted();
  expect(compared[100]).toBeLessThan(0.85);
});

/** The rows of the image's left and right third that a lone kind of things covers. */
async function rowsCovered(text: string) {
  const plan = planScene(parseTheme(text), "one text", 7);
  const things = await drawThings(plan.things);
  const scene = renderScene(plan, camera, null, null, things);
  const bare = scene.light.slice();
  standThings(scene, plan, camera, null, things);
  const third = Math.floor(camera.width / 3);
  const isGreen = (i: number) =>
    scene.light[3 * i + 1]! > 1.3 * scene.light[3 * i]! && scene.light[3 * i] !== bare[3 * i];
  const rowsFrom = (from: number) =>
    Array.from({ length: camera.height }, (_, y) => y).filter((y) =>
      Array.from({ length: third }, (_, x) => y * camera.width + from + x).some(isGreen),
    ).length;
  return { left: rowsFrom(0), right: rowsFrom(camera.width - third) };
}

it("draws no two cacti of one size left and right of the product", async () => {
  const { left, right } = await rowsCovered("white wall, cactus");
  expect(Math.min(left, right)).toBeGreaterThan(10);
  expect(Math.min(left, right)).toBeLessThan(0.8 * Math.max(left, right));
});
