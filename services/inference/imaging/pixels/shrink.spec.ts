import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as plain from "../../../../testing/imaging-oracles/shrink.ts";
import { coveredBy, shrinkPixels } from "./shrink.ts";

const side = fc.integer({ min: 1, max: 90 });

describe("shrinkPixels", () => {
  it("computes what the same loop in plain TypeScript computes, to the byte", () => {
    const sizes = fc.tuple(side, side, side, side).map(([a, b, c, d]) => ({
      from: { width: Math.max(a, c), height: Math.max(b, d) },
      to: { width: Math.min(a, c), height: Math.min(b, d) },
    }));
    fc.assert(
      fc.property(sizes, fc.constantFrom(1 as const, 3 as const), fc.nat(), ({ from, to }, channels, seed) => {
        const pixels = Uint8Array.from({ length: channels * from.width * from.height }, (_, i) =>
          (i * (seed | 1)) % 97 > 60 ? 255 : (i * 7 + seed) & 255,
        );
        expect(shrinkPixels(pixels, from, channels, to)).toEqual(plain.shrinkPixels(pixels, from, channels, to));
      }),
      { numRuns: 200 },
    );
  });

  it("gives the mean of what each pixel covers", () => {
    const pixels = Uint8Array.of(0, 100, 50, 200, 60, 40);
    expect([...shrinkPixels(pixels, { width: 6, height: 1 }, 1, { width: 3, height: 1 })]).toEqual([50, 125, 50]);
    const means = shrinkPixels(pixels, { width: 1, height: 6 }, 1, { width: 1, height: 4 });
    for (const [i, mean] of [100 / 3, 200 / 3, 460 / 3, 140 / 3].entries())
      expect(Math.abs(means[i]! - mean)).toBeLessThan(1);
    expect([...shrinkPixels(pixels, { width: 2, height: 1 }, 3, { width: 1, height: 1 })]).toEqual([100, 80, 45]);
  });

  it("leaves what is all alike as it is, also where a pixel covers thousands", () => {
    for (const value of [0, 1, 128, 255]) {
      const line = new Uint8Array(40_000).fill(value);
      expect(new Set(shrinkPixels(line, { width: 1, height: 40_000 }, 1, { width: 1, height: 7 }))).toEqual(
        new Set([value]),
      );
      expect(new Set(shrinkPixels(line, { width: 40_000, height: 1 }, 1, { width: 7, height: 1 }))).toEqual(
        new Set([value]),
      );
    }
  });

  it("gives every source pixel the same weight in sum", () => {
    const { count, stride, firstOf, weights } = coveredBy(10, 4, 16_384);
    const sums = new Float64Array(10);
    for (let i = 0; i < 4; i++) for (let k = 0; k < count; k++) sums[firstOf[i]! + k]! += weights[i * stride + k]!;
    for (const sum of sums) expect(Math.abs(sum - (16_384 * 4) / 10)).toBeLessThanOrEqual(1);
  });
});
