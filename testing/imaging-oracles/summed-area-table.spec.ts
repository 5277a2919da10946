import fc from "fast-check";
import { expect, it } from "vitest";
import { buildSummedAreaTable, sumWindow } from "./summed-area-table.ts";

it("gives each window's sums, though the table's own run over 32 bits", () => {
  const values = fc.constantFrom(0, 1, 7, 2 ** 24);
  const images = fc
    .tuple(fc.integer({ min: 1, max: 14 }), fc.integer({ min: 1, max: 12 }))
    .chain(([width, height]) =>
      fc
        .array(values, { minLength: width * height * 2, maxLength: width * height * 2 })
        .map((cells) => ({ width, height, cells })),
    );
  fc.assert(
    fc.property(
      images,
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 0, max: 4 }),
      ({ width, height, cells }, a, b, radius) => {
        const table = buildSummedAreaTable({ width, height }, 2, (y, line) =>
          line.set(cells.slice(y * width * 2, (y + 1) * width * 2)),
        );
        const x = a % width;
        const y = b % height;
        const inWindow = Array.from({ length: width * height }, (_, i) => i).filter(
          (i) => Math.abs((i % width) - x) <= radius && Math.abs(Math.floor(i / width) - y) <= radius,
        );
        const sums = new Float64Array(2);
        expect(sumWindow(table, x, y, radius, sums)).toBe(inWindow.length);
        const sumOf = (k: number) => inWindow.reduce((sum, i) => sum + cells[i * 2 + k]!, 0);
        // 81 cells of 2^24 stay below 2^31.
        expect([...sums]).toEqual([sumOf(0), sumOf(1)]);
      },
    ),
  );
});
