import fc from "fast-check";
import { expect, test } from "vitest";
import type { ValidRow } from "./row.ts";
import { createRowSample } from "./row-sample.ts";

function sampleOf(rows: number, photos: number, seed = 0): number[] {
  const sample = createRowSample({ photos, seed });
  for (let row = 0; row < rows; row++) sample.add({ row } as ValidRow);
  return sample.rows().map(({ row }) => row);
}

test("a sample has as many rows as are wanted, each once and in order, or all that there are", () => {
  const property = fc.property(fc.nat(700), fc.nat(50), fc.nat(4_294_967_295), (rows, photos, seed) => {
    const sample = sampleOf(rows, photos, seed);
    expect(sample).toHaveLength(Math.min(rows, photos));
    expect(sample).toEqual([...new Set(sample)].sort((a, b) => a - b));
    expect(sampleOf(rows, photos, seed)).toEqual(sample);
  });
  fc.assert(property, { numRuns: 300 });
});

test("it is spread over the batch: no tenth of it is left out, and other seeds choose others", () => {
  for (const rows of [100, 1_237, 100_000]) {
    const sample = sampleOf(rows, 40);
    const tenths = new Set(sample.map((row) => Math.floor((10 * row) / rows)));
    expect(tenths.size, `of ${rows}`).toBe(10);
    expect(sampleOf(rows, 40, 1)).not.toEqual(sample);
  }
});

test("each row may be chosen", () => {
  const chosen = new Set<number>();
  for (let seed = 0; seed < 200; seed++) for (const row of sampleOf(50, 5, seed)) chosen.add(row);
  expect(chosen.size).toBe(50);
});
