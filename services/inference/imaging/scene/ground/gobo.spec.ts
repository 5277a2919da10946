import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import type { Camera } from "../canvas/camera.ts";
import { createNoise } from "../canvas/noise.ts";
import { createGobo } from "./gobo.ts";

/** Shares of the wall and of the ground near the product on which shadows of fronds lie. */
function shaded(seed: number, lampSide: number, view: Camera["view"] = "level"): readonly [number, number] {
  return inKernelMemory(() => {
    const random = createRandom(seed);
    const gobo = createGobo("fronds", createNoise(random), random, { lampSide, view });
    let onWall = 0;
    let onGround = 0;
    for (let i = 0; i < 40; i++) {
      for (let j = 0; j < 40; j++) {
        if (gobo.wall(i / 40, j / 40) < 0.85) onWall++;
        if (gobo.ground(-1 + i / 20, -0.6 + j / 25) < 0.85) onGround++;
      }
    }
    return [onWall / 1600, onGround / 1600];
  });
}

it("shadows of fronds lie on the wall and on the ground, and leave light between them", () => {
  const all = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => shaded(seed, seed % 2 === 0 ? 0.8 : -0.8));
  expect(Math.min(...all.map(([onWall]) => onWall))).toBeGreaterThan(0.24);
  expect(all.reduce((sum, [, onGround]) => sum + onGround, 0) / all.length).toBeGreaterThan(0.25);
  expect(Math.max(...all.flat())).toBeLessThan(0.75);
});

it("shadows of fronds lie around what is seen from above, too", () => {
  const seeds = Array.from({ length: 24 }, (_, i) => i + 1);
  const onGround = seeds.map((seed) => shaded(seed, seed % 2 === 0 ? 0.8 : -0.8, "above")[1]);
  expect(Math.min(...onGround)).toBeGreaterThan(0.12);
  expect(Math.max(...onGround)).toBeLessThan(0.75);
});
