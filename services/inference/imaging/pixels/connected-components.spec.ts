import { expect, it } from "vitest";
import { labelComponents } from "./connected-components.ts";

it("labels components with their size and whether they touch the border", () => {
  const mask = Uint8Array.from([1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
  const { runs, sizes: cells, atBorder } = labelComponents(mask, { width: 5, height: 3 });
  expect(cells).toEqual([0, 2, 1]);
  expect(atBorder).toEqual([false, true, false]);
  expect([...runs]).toEqual([0, 2, 1, 7, 8, 2]);
});
