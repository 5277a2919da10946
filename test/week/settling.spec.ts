import { expect, test } from "vitest";
import { createSettling } from "./settling.ts";

test("a process has settled after three hundred jobs of its own, whenever it began", () => {
  const { hasSettled } = createSettling();
  expect(hasSettled("worker 1", 2, 0)).toBe(false);
  expect(hasSettled("worker 1", 2, 599)).toBe(false);
  expect(hasSettled("worker 1", 2, 600)).toBe(true);
  expect(hasSettled("worker 2", 2, 600)).toBe(false);
  expect(hasSettled("worker 2", 2, 1_000)).toBe(false);
  expect(hasSettled("worker 2", 2, 1_200)).toBe(true);
});
