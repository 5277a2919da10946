import { expect, it } from "vitest";
import { labelComponents, sumOverSome, sumPerComponent } from "./connected-components.ts";

it("labels components with their size and whether they touch the border", () => {
  const mask = Uint8Array.from([1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
  const { runs, sizes: cells, atBorder } = labelComponents(mask, { width: 5, height: 3 });
  expect(cells).toEqual([0, 2, 1]);
  expect(atBorder).toEqual([false, true, false]);
  expect([...runs]).toEqual([0, 2, 1, 7, 8, 2]);
});

it("sums a plane over each component, or over those that are asked for", () => {
  const components = labelComponents(Uint8Array.from([1, 1, 0, 1]), { width: 4, height: 1 });
  const plane = Uint8Array.from([2, 3, 5, 7]);
  expect([...sumPerComponent(components, plane)]).toEqual([0, 5, 7]);
  expect([...sumOverSome(components, plane, (label) => label === 2)]).toEqual([0, 0, 7]);
});
