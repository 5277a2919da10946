import { expect, test } from "vitest";
import { colorDifference } from "./color-difference.ts";

/** From Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula", table 1. */
const published = [
  [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
  [[50, -1.3802, -84.2814], [50, 0, -82.7485], 1],
  [[50, 0, 0], [50, -1, 2], 2.3669],
  [[50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792],
  [[50, 2.49, -0.001], [50, -2.49, 0.0011], 7.2195],
  [[50, 2.5, 0], [50, 0, -2.5], 4.3065],
  [[50, 2.5, 0], [73, 25, -18], 27.1492],
  [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  [[22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619], 2.0373],
  [[90.8027, -2.0831, 1.441], [91.1528, -1.6435, 0.0447], 1.4441],
  [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
] as const;

test("the differences are those that the formula's authors published, whichever color comes first", () => {
  for (const [first, second, difference] of published) {
    expect(colorDifference(first, second)).toBeCloseTo(difference, 4);
    expect(colorDifference(second, first)).toBeCloseTo(difference, 4);
  }
});

test("a color may lie anywhere in a plane", () => {
  expect(colorDifference([0, 50, 2.5, 0], [9, 9, 50, 0, -2.5], 1, 2)).toBeCloseTo(4.3065, 4);
});
