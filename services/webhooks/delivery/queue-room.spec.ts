import { expect, it } from "vitest";
import { refusalToQueue } from "./postpone.ts";

it.each([
  ["a queue without a limit", 0, "it fails", undefined],
  ["half a queue", 0.5, "it fails", undefined],
  ["more than half, a healthy endpoint", 0.51, undefined, undefined],
  ["nine tenths, a healthy endpoint", 0.9, undefined, undefined],
  ["more than half, a failing endpoint", 0.51, "it fails", "too many deliveries wait, and it fails"],
  ["more than nine tenths, a healthy endpoint", 0.91, undefined, "too many deliveries wait"],
  ["more than nine tenths, a failing endpoint", 0.91, "it fails", "too many deliveries wait"],
])("%s: whether a delivery may wait", (_case, fill, fault, why) => {
  expect(refusalToQueue(fill, fault)).toBe(why);
});
