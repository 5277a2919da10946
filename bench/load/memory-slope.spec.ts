import { expect, test } from "vitest";
import { grows, memorySlope } from "./memory-slope.ts";

const MiB = 2 ** 20;
/** Half an hour, a sample each second. */
const samples = (bytesAt: (minute: number, n: number) => number) =>
  Array.from({ length: 1_800 }, (_, n) => ({ atMs: n * 1_000, bytes: bytesAt(n / 60, n) }));
/** As a heap that fills for a minute and is then collected. */
const sawtooth = (n: number) => (n % 60) * MiB;

test("a leak below the teeth of garbage collection is found", () => {
  const slope = memorySlope(samples((minute, n) => 200 * MiB + minute * MiB + sawtooth(n)));
  expect(slope.bytesPerMinute / MiB).toBeCloseTo(1, 1);
  expect(slope.uncertainty).toBeLessThan(0.2 * MiB);
  expect(grows(slope)).toBe(true);
});

test("teeth alone are no growth", () => {
  const slope = memorySlope(samples((_, n) => 200 * MiB + sawtooth(n)));
  expect(Math.abs(slope.bytesPerMinute)).toBeLessThan(0.2 * MiB);
  expect(grows(slope)).toBe(false);
});

test("what fills up in the first third is no growth", () => {
  const slope = memorySlope(samples((minute, n) => (100 + 20 * Math.min(minute, 9)) * MiB + sawtooth(n)));
  expect(grows(slope)).toBe(false);
});

test("a slope that is sure but tiny is no growth", () => {
  expect(grows(memorySlope(samples((minute) => 200 * MiB + minute * 1024)))).toBe(false);
});

test("too few samples tell nothing", () => {
  const slope = memorySlope([{ atMs: 0, bytes: MiB }]);
  expect(slope.bytesPerMinute).toBeNaN();
  expect(grows(slope)).toBe(false);
});
