import { expect, it } from "vitest";
import { createInstanceUsage } from "./inference-metrics.ts";

it("counts runs that ended and what has passed of those that run", () => {
  let nowMs = 0;
  const usage = createInstanceUsage(() => nowMs);
  const endFirst = usage.begin();
  nowMs = 100;
  const endSecond = usage.begin();
  nowMs = 150;
  expect(usage.busyMs()).toBe(200);
  endFirst();
  nowMs = 250;
  expect(usage.busyMs()).toBe(300);
  endSecond();
  endSecond();
  nowMs = 1_000;
  expect(usage.busyMs()).toBe(300);
});
