import { createRandom } from "@packshot/domain/random.ts";
import { expect, test } from "vitest";
import { commonSlope, judgeSlope, type Point } from "./slope.ts";

/** Two processes a week, the second of which begins lower. */
function points(levelOn: (day: number) => number): Point[] {
  const { next } = createRandom(7);
  return ["first", "second"].flatMap((series, index) =>
    Array.from({ length: 14 }, (_, n): Point => {
      const day = index * 3.5 + n / 4;
      return { series, day, value: levelOn(day) - index * 80 + next() - 0.5 };
    }),
  );
}

test("a quantity that only varies is flat, although another process began at another level", () => {
  const slope = commonSlope(points(() => 200));
  expect(judgeSlope(slope)).toBe("flat");
  expect(slope.uncertainty).toBeLessThan(0.2);
});

test("growth is found beside the lower start of another process, with its size", () => {
  const slope = commonSlope(points((day) => 200 + 2 * day));
  expect(slope.perDay).toBeCloseTo(2, 0);
  expect(judgeSlope(slope)).toBe("grows");
  expect(judgeSlope(commonSlope(points((day) => 200 - 2 * day)))).toBe("falls");
  expect(judgeSlope(commonSlope(points((day) => 2_000 + 2 * day)))).toBe("below 2 %");
});

test("the interval is Student's, and two points have none", () => {
  const values = [1, -1, 0, 0, -1, 1];
  const six = values.map((value, day): Point => ({ series: "one", day, value }));
  // Slope 0, residual 4 with four degrees of freedom, spread 17.5: 2.776 × √(1 / 17.5).
  expect(commonSlope(six).uncertainty).toBeCloseTo(0.6636, 2);
  expect(judgeSlope(commonSlope(six.slice(0, 2)))).toBe("too few points");
});

test("growth passes below a limit that another week of it would not reach", () => {
  const slope = commonSlope(points((day) => 200 + 2 * day));
  expect(judgeSlope(slope, slope.mean + 22)).toBe("grows to its limit");
  expect(judgeSlope(slope, slope.mean + 20)).toBe("grows");
});
