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

/**
 * What two processes hold in a week of quarters, as a run's memory is: what differs from the line does so in the next quarter, too,
 * by 0.7 of it.
 */
function week(seed: number, { level, noise, perDay }: { level: number; noise: number; perDay: number }): Point[] {
  const { next } = createRandom(seed);
  return ["first", "second"].flatMap((series) => {
    let off = 0;
    return Array.from({ length: 24 }, (_, n): Point => {
      off = 0.7 * off + noise * (next() + next() + next() - 1.5);
      return { series, day: 1 + n / 4, value: level + off + (perDay * n) / 4 };
    });
  });
}

const growing = (kind: Parameters<typeof week>[1]) =>
  Array.from({ length: 200 }, (_, seed) => judgeSlope(commonSlope(week(seed, kind)))).filter(
    (verdict) => verdict === "grows",
  ).length;

test("memory that goes up and down for hours is hardly ever taken for growth", () => {
  // Independent points would say so in a fortieth of the 200 weeks.
  expect(growing({ level: 180, noise: 12, perDay: 0 })).toBeLessThan(12);
});

test("a leak of .4 KB an edit grows in what heaps hold, in whichever week", () => {
  const editsOfDay = 12_000 / 7 / 2;
  expect(growing({ level: 45, noise: 0.2, perDay: 0.0004 * editsOfDay })).toBe(200);
  expect(growing({ level: 45, noise: 0.2, perDay: 0 })).toBe(0);
});
