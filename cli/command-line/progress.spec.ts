import { expect, test } from "vitest";
import { createPace, durationText, progressLine } from "./progress.ts";

test("a line has the bar, the counts, the rate and the time left, and is no longer than the terminal", () => {
  const counts = { ended: 31, failed: 2, total: 100 };
  const line = "[██████░░░░░░░░░░░░░░] 31 of 100 · 2 failed · 3.4 a second · 21 s left";
  expect(progressLine(counts, 3.4, 100)).toBe(line);
  expect(progressLine(counts, 0.05, 100)).toContain("3.0 a minute · 23 min left");
  expect(progressLine(counts, 3.4, 60)).toBe("31 of 100 · 2 failed · 3.4 a second · 21 s left");
  expect(progressLine(counts, 3.4, 20)).toHaveLength(19);
  expect(progressLine({ ended: 3, failed: 0, total: undefined }, undefined, 80)).toBe("3 photos");
});

test("the pace is that of the last half minute, and of the run while it is shorter", () => {
  const pace = createPace(0);
  expect(pace.perSecond(1_000)).toBeUndefined();
  for (let atMs = 1_000; atMs <= 10_000; atMs += 1_000) pace.mark(atMs);
  expect(pace.perSecond(10_000)).toBeCloseTo(1);
  expect(pace.perSecond(35_000)).toBeCloseTo(6 / 30);
  expect(pace.perSecond(60_000)).toBeUndefined();
});

test("times are as long as they need to be", () => {
  expect([0.2, 59, 60, 3_540, 7_500].map(durationText)).toEqual(["1 s", "59 s", "1 min", "59 min", "2 h 5 min"]);
});
