import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { createNoise } from "../canvas/noise.ts";
import { betweenVerges, sand, snow, water } from "./outdoor.ts";

/** Sand at so many points of a square whose side is as long as the product: the mean of RGB. */
function sandOf(side: number, towardLamp: readonly [number, number] = [0.6, 0.8], isWindblown = false): Float32Array {
  return inKernelMemory(() => {
    const random = createRandom(11);
    const noise = createNoise(random);
    const material = sand({ color: [0.6, 0.5, 0.35], noise, random, towardLamp, isWindblown });
    const out = new Float32Array(4);
    return Float32Array.from({ length: side * side }, (_, i) => {
      material((i % side) / side, Math.floor(i / side) / side, 1 / side, out);
      return (out[0]! + out[1]! + out[2]!) / 3;
    });
  });
}

/** Root of the mean square of the differences of what lies so many points apart, over the mean. */
function contrastOver(plane: Float32Array, side: number, apart: number): number {
  let sum = 0;
  let mean = 0;
  const count = side * (side - apart);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side - apart; x++) {
      sum += (plane[y * side + x]! - plane[y * side + x + apart]!) ** 2 / count;
      mean += plane[y * side + x]! / count;
    }
  return Math.sqrt(sum) / mean;
}

it("shows sand grain by grain: points beside each other differ half as much as those in other clumps", () => {
  const near = sandOf(400);
  expect(contrastOver(near, 400, 1) / contrastOver(near, 400, 10)).toBeGreaterThan(0.5);
});

it("has no bright bits of shells where wind has drawn it", () => {
  const brightest = (isWindblown: boolean) => Math.max(...sandOf(300, [0.6, 0.8], isWindblown));
  expect(brightest(true)).toBeLessThan(0.95 * brightest(false));
});

it("lights the hollows of trodden sand from the lamp's side", () => {
  const side = 100;
  const left = sandOf(side, [-1, 0]);
  const right = sandOf(side, [1, 0]);
  const mean = left.reduce((sum, value) => sum + value, 0) / left.length;
  const differing = left.filter((value, i) => Math.abs(value - right[i]!) > 0.1 * mean).length;
  expect(differing / left.length).toBeGreaterThan(0.3);
});

it("spreads rings in water from what stands in it", () => {
  const blueOnCircle = inKernelMemory(() => {
    const random = createRandom(11);
    const material = water({ color: [0.1, 0.3, 0.4], noise: createNoise(random), random, towardLamp: [0.6, 0.8] });
    const out = new Float32Array(4);
    const turns = 180;
    return Array.from({ length: 60 }, (_, i) => {
      let sum = 0;
      for (let turn = 0; turn < turns; turn++) {
        const angle = (2 * Math.PI * turn) / turns;
        const radius = 0.3 + 0.02 * i;
        material(radius * Math.cos(angle), radius * Math.sin(angle), 0.004, out);
        sum += out[2]! / turns;
      }
      return sum;
    });
  });
  const mean = blueOnCircle.reduce((sum, value) => sum + value, 0) / blueOnCircle.length;
  const spread = Math.sqrt(blueOnCircle.reduce((sum, value) => sum + (value - mean) ** 2, 0) / blueOnCircle.length);
  expect(spread / mean).toBeGreaterThan(0.12);
});

it("leads a trail away from where the product stands, with grass at both of its sides, and winds", () => {
  const isBare = inKernelMemory(() => {
    const random = createRandom(11);
    const input = { color: [0.1, 0.4, 0.05], noise: createNoise(random), random, towardLamp: [0.6, 0.8] } as const;
    const soil = (_u: number, _v: number, _footprint: number, out: Float32Array) => out.set([0.4, 0.2, 0.1, 0]);
    const trail = betweenVerges(soil, input);
    const out = new Float32Array(4);
    return (u: number, v: number) => {
      trail(u, v, 0.004, out);
      return out[0]! > out[1]!;
    };
  });
  const across = Array.from({ length: 121 }, (_, i) => 0.1 * (i - 60));
  const bareAt = (v: number) => across.filter((u) => inKernelMemory(() => isBare(u, v)));
  const middleAt = (v: number) => bareAt(v).reduce((sum, u) => sum + u, 0) / bareAt(v).length;
  expect(isBare(0, 0)).toBe(true);
  expect([-5, 5].map((u) => isBare(u, 0))).toEqual([false, false]);
  for (const v of [0, 2, 5, 8]) expect(bareAt(v).length).toBeGreaterThan(10);
  expect(Math.abs(middleAt(5) - middleAt(0))).toBeGreaterThan(0.5);
});

it("shows drifts of snow that are seen from above, and less blue in it", () => {
  const side = 96;
  const snowOf = (isFromAbove: boolean) =>
    inKernelMemory(() => {
      const random = createRandom(11);
      const noise = createNoise(random);
      const material = snow({ color: [0.86, 0.89, 0.93], noise, random, towardLamp: [0.6, 0.8], isFromAbove });
      const out = new Float32Array(4);
      let blue = 0;
      const plane = Float32Array.from({ length: side * side }, (_, i) => {
        material((2 * (i % side)) / side, (2 * Math.floor(i / side)) / side, 2 / side, out);
        blue += out[2]! / out[0]!;
        return out[1]!;
      });
      return { contrast: contrastOver(plane, side, 12), blue: blue / plane.length };
    });
  const [above, level] = [true, false].map(snowOf);
  expect(above!.contrast).toBeGreaterThan(1.6 * level!.contrast);
  expect(above!.blue).toBeLessThan(0.97 * level!.blue);
});
