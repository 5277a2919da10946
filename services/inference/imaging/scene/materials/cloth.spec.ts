import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { createNoise } from "../canvas/noise.ts";
import { silk, velvet } from "./cloth.ts";
import type { MaterialFactory } from "./material.ts";

const side = 120;
const red = [0.3, 0.05, 0.06] as const;

/** The red of a cloth at points of a square that is three products wide, in ascending order. */
function valuesOf(cloth: MaterialFactory, towardLamp: readonly [number, number] = [0.6, 0.8]): Float32Array {
  return inKernelMemory(() => {
    const random = createRandom(11);
    const material = cloth({ color: red, noise: createNoise(random), random, towardLamp });
    const out = new Float32Array(4);
    return Float32Array.from({ length: side * side }, (_, i) => {
      material((3 * (i % side)) / side, (3 * Math.floor(i / side)) / side, 3 / side, out);
      return out[0]!;
    });
  });
}

it.each([
  ["silk", silk],
  ["velvet", velvet],
] as const)("%s lies in folds that have a light side and a dark one", (_name, cloth) => {
  const values = valuesOf(cloth).toSorted();
  const at = (share: number) => values[Math.floor(share * values.length)]!;
  expect(at(0.95) / at(0.05)).toBeGreaterThan(2.5);
});

it.each([
  ["silk", silk, 0.25],
  // Its folds are softer: a level camera sees deep ones as stripes of paint.
  ["velvet", velvet, 0.1],
] as const)("%s shows other sides of its folds in the light of another lamp", (_name, cloth, shareMin) => {
  const left = valuesOf(cloth, [-0.8, 0.6]);
  const right = valuesOf(cloth, [0.8, 0.6]);
  const mean = left.reduce((sum, value) => sum + value, 0) / left.length;
  const differing = left.filter((value, i) => Math.abs(value - right[i]!) > 0.25 * mean).length;
  expect(differing / left.length).toBeGreaterThan(shareMin);
});

it("silk gleams along its ridges, more than its color throws back", () => {
  const values = valuesOf(silk);
  const gleaming = values.filter((value) => value > 1.5 * red[0]).length / values.length;
  expect(gleaming).toBeGreaterThan(0.01);
  expect(gleaming).toBeLessThan(0.4);
});

it("velvet drawn over a form has no folds", () => {
  const taut: MaterialFactory = (input) => velvet({ ...input, isTaut: true });
  const spread = (cloth: MaterialFactory) => {
    const sorted = valuesOf(cloth).toSorted();
    return sorted[Math.floor(0.95 * sorted.length)]! / sorted[Math.floor(0.05 * sorted.length)]!;
  };
  expect(spread(taut)).toBeLessThan(1.6);
  expect(spread(velvet)).toBeGreaterThan(2.5);
});
