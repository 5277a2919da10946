import fc from "fast-check";
import { expect, it } from "vitest";
import { denseCells, masksOf, sparseCells } from "../../../../testing/images/random-masks.ts";
import { countMarks, dilate, erode, invertMask, onlyMarks, withoutMarks } from "./morphology.ts";

/** The definition, cell by cell. */
function expected(
  mask: Uint8Array,
  { width, height }: { width: number; height: number },
  radius: number,
  value: number,
) {
  return mask.map((_, i) => {
    const x = i % width;
    const y = Math.floor(i / width);
    for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++) {
      for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++) {
        if (mask[v * width + u] === value) return value;
      }
    }
    return 1 - value;
  });
}

it("dilates and erodes by the definition", () => {
  fc.assert(
    fc.property(masksOf(denseCells), fc.integer({ min: 0, max: 4 }), ({ size, mask }, radius) => {
      expect(dilate(mask, size, radius)).toEqual(expected(mask, size, radius, 1));
      expect(erode(mask, size, radius)).toEqual(expected(mask, size, radius, 0));
    }),
  );
});

it("dilates and erodes by whole words, in the middle of rows too", () => {
  const wide = fc.record({ width: fc.integer({ min: 30, max: 60 }), height: fc.integer({ min: 1, max: 9 }) });
  fc.assert(
    fc.property(masksOf(sparseCells, wide), fc.integer({ min: 5, max: 16 }), ({ size, mask }, radius) => {
      expect(dilate(mask, size, radius)).toEqual(expected(mask, size, radius, 1));
      const full = invertMask(mask);
      expect(erode(full, size, radius)).toEqual(expected(full, size, radius, 0));
    }),
  );
});

it("keeps or takes out what is marked, and counts it, cell by cell", () => {
  fc.assert(
    fc.property(masksOf(denseCells), fc.nat(5), ({ mask }, moved) => {
      const marks = mask.map((_, i) => mask[(i + moved) % mask.length]! ^ (i % 3 === 0 ? 1 : 0));
      expect(onlyMarks(mask, marks)).toEqual(mask.map((cell, i) => cell & marks[i]!));
      expect(withoutMarks(mask, marks)).toEqual(mask.map((cell, i) => cell & ~marks[i]!));
      expect(countMarks(marks)).toBe(marks.filter((cell) => cell === 1).length);
    }),
  );
});
