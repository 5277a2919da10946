import { expect, test } from "vitest";
import { createSettling } from "./settling.ts";

test("a process has settled after a thousand jobs of its own, whenever it began", () => {
  const { hasSettled } = createSettling();
  expect(hasSettled("worker 1", 2, 0)).toBe(false);
  expect(hasSettled("worker 1", 2, 1_999)).toBe(false);
  expect(hasSettled("worker 1", 2, 2_000)).toBe(true);
  expect(hasSettled("worker 2", 2, 2_000)).toBe(false);
  expect(hasSettled("worker 2", 2, 3_999)).toBe(false);
  expect(hasSettled("worker 2", 2, 4_000)).toBe(true);
});
