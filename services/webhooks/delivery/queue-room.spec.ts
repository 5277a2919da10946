import { expect, it } from "vitest";
import { refusalToQueue } from "./deliver.ts";

it.each([
  ["a queue without a limit", 0, true, undefined],
  ["half a queue", 0.5, true, undefined],
  ["more than half, a healthy endpoint", 0.51, false, undefined],
  ["nine tenths, a healthy endpoint", 0.9, false, undefined],
  ["more than half, a failing endpoint", 0.51, true, "too many deliveries wait, and the endpoint is failing"],
  ["more than nine tenths, a healthy endpoint", 0.91, false, "too many deliveries wait"],
  ["more than nine tenths, a failing endpoint", 0.91, true, "too many deliveries wait"],
])("%s: whether a delivery may wait", (_case, fill, isFailing, why) => {
  expect(refusalToQueue(fill, isFailing)).toBe(why);
});
