import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { fitCamera } from "../canvas/camera.ts";
import { createNoise } from "../canvas/noise.ts";
import { nothingLaid } from "../from-above/flat-lay.ts";
import { groundReflectance, isPavedWithSetts } from "../ground/ground-mirror.ts";
import { notShown } from "../not-shown.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { parseTheme } from "../words/theme.ts";
import { setts } from "./street.ts";

/** The red of a street's stones along a line away from the viewer, in hundredths of the product's size. */
function lineOf(towardLamp: readonly [number, number]): Float32Array {
  return inKernelMemory(() => {
    const random = createRandom(3);
    const material = setts({ color: [0.4, 0.36, 0.3], noise: createNoise(random), random, towardLamp });
    const out = new Float32Array(4);
    return Float32Array.from({ length: 300 }, (_, i) => {
      material(0.1, i / 100, 0.004, out);
      return out[0]!;
    });
  });
}

it("lays stones in rows with dark joints between them", () => {
  const line = lineOf([0, 1]);
  const isJoint = Array.from(line, (value) => value < 0.17);
  const joints = isJoint.filter((joint, i) => joint && !isJoint[i - 1]).length;
  expect(joints).toBeGreaterThanOrEqual(8);
  expect(isJoint.filter(Boolean).length / line.length).toBeLessThan(0.35);
});

it("lights the sides of the stones that face the lamp", () => {
  const far = lineOf([0, 1]);
  const near = lineOf([0, -1]);
  const differing = far.filter((value, i) => Math.abs(value - near[i]!) > 0.06).length;
  expect(differing / far.length).toBeGreaterThan(0.3);
});

it.each(["cobblestone street", "piazza", "calle adoquinada"])(
  "paves %s with them, which mirror hardly anything",
  (theme) => {
    const plan = planScene(parseTheme(theme), "one text", 7);
    expect(isPavedWithSetts(plan)).toBe(true);
    expect(groundReflectance(plan)).toBeLessThan(0.1);
    const missing = notShown(parseTheme(theme), plan, "above", nothingLaid);
    expect(missing.filter((word) => word !== "street")).toEqual([]);
    const camera = fitCamera(null, 160, 120, 1, 0.29);
    const light = renderScene(plan, camera, null).light.slice();
    // Tiles of the same town: their pattern of checks is that of tiles alone.
    const tiled = renderScene({ ...plan, pattern: "painted" }, camera, null).light;
    const below = 3 * 160 * 100;
    expect(light.subarray(below)).not.toEqual(tiled.subarray(below));
  },
);
