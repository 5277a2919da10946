import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { gaussianNoise, normalQuantile, philox } from "./noise.ts";

const hex = (words: readonly number[]) => words.map((word) => word.toString(16).padStart(8, "0")).join(" ");
const ones = 0xffffffff;

test("the counter's words are the known answers of Random123", () => {
  expect(hex(philox([0, 0, 0, 0], [0, 0]))).toBe("6627e8d5 e169c58d bc57ac4c 9b00dbd8");
  expect(hex(philox([ones, ones, ones, ones], [ones, ones]))).toBe("408f276d 41c83b0e a20bc7c6 6d5451fd");
  const pi = philox([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0]);
  expect(hex(pi)).toBe("d16cfe09 94fdcceb 5001e420 24126ea1");
});

/** By Python's `statistics.NormalDist().inv_cdf`. */
test.each([
  [0.5, 0],
  [0.9, 1.2815515655446006],
  [0.075, -1.4395314709384563],
  [0.001, -3.0902323061678136],
  [0.9999, 3.719016485455708],
  [1e-9, -5.9978070150076865],
  [0.5 / 2 ** 32, -6.337957754553789],
])("the quantile of %d", (probability, expected) => {
  expect(Math.abs(normalQuantile(probability) - expected)).toBeLessThan(1e-13);
});

test("a seed's noise is the same on every machine, and in parts", () => {
  const noise = gaussianNoise({ seed: 47, stream: 0 }, 4_097);
  expect([...noise.slice(0, 4)]).toEqual([
    0.1672055870294571, 0.5793225169181824, 1.6341428756713867, -0.7197821140289307,
  ]);
  expect(createHash("sha256").update(Buffer.from(noise.buffer)).digest("hex")).toBe(
    "ec37b93c9885a8254e3812310026afcff4517b0defd24772154e4f05fb9d96d2",
  );
  expect(gaussianNoise({ seed: 47, stream: 0 }, 10)).toEqual(noise.slice(0, 10));
});

test("another seed, a seed above 32 bits and another stream are other noise", () => {
  const sources = [47, 48, 47 + 2 ** 32].map((seed) => ({ seed, stream: 0 }));
  const noises = [...sources, { seed: 47, stream: 1 }].map((source) => gaussianNoise(source, 8).join());
  expect(new Set(noises).size).toBe(4);
});

test("the noise is that of a normal distribution", () => {
  const noise = gaussianNoise({ seed: 1, stream: 0 }, 200_000);
  const moment = (power: number) => noise.reduce((sum, value) => sum + value ** power, 0) / noise.length;
  expect(Math.abs(moment(1))).toBeLessThan(0.01);
  expect(Math.abs(moment(2) - 1)).toBeLessThan(0.02);
  expect(Math.abs(moment(3))).toBeLessThan(0.03);
  expect(Math.abs(moment(4) - 3)).toBeLessThan(0.1);
});
