import { expect, it } from "vitest";
import { enlargeToGrid, reducePhoto } from "./work-grid.ts";

async function gridOf(width: number, height: number) {
  const reduced = await reducePhoto(new Uint8Array(3 * width * height).fill(90), { width, height });
  return { reduced, grid: await enlargeToGrid(reduced) };
}

it.each([
  [1000, 1000, 1000, 1000],
  [960, 700, 960, 700],
  [950, 475, 1024, 512],
  [300, 150, 1024, 512],
  [100, 50, 400, 200],
  [3000, 1500, 1024, 512],
])("segments a photo of %i × %i pixels on a grid of %i × %i cells", async (width, height, columns, rows) => {
  const { grid } = await gridOf(width, height);
  expect([grid.width, grid.height, grid.rgb.length]).toEqual([columns, rows, 3 * columns * rows]);
});

it("takes a photo's own pixels where they are nearly enough", async () => {
  const { reduced, grid } = await gridOf(1000, 800);
  expect(grid).toBe(reduced);
});
