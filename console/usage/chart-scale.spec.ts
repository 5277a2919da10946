import fc from "fast-check";
import { expect, test } from "vitest";
import { axisTicks } from "./days.ts";

test("an axis has a few lines at whole numbers, and holds the largest value", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (max) => {
      const ticks = axisTicks(max);
      expect(ticks[0]).toBe(0);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.every(Number.isInteger)).toBe(true);
    }),
  );
  expect(axisTicks(0)).toEqual([0, 1]);
  expect(axisTicks(97)).toEqual([0, 25, 50, 75, 100]);
});
