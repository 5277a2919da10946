import fc from "fast-check";
import { expect, it } from "vitest";
import {
  alphaStatistics,
  coversAtLeast,
  endOfOpaqueRun,
  endOfVisible,
  findSoftRuns,
  nextSoftPixel,
  nextVisiblePixel,
  viewAsWords,
  visibleBox,
} from "./alpha-scan.ts";

/** Runs of transparent, opaque and soft pixels that begin anywhere in memory. */
const mattes = fc
  .tuple(
    fc.nat(3),
    fc.array(fc.tuple(fc.constantFrom(0, 255, 1, 8, 9, 127, 246, 247, 254), fc.nat(11)), { maxLength: 30 }),
  )
  .map(([offset, runs]) => {
    const alpha = runs.flatMap(([value, length]) => new Array<number>(length).fill(value));
    const memory = new Uint8Array(offset + alpha.length);
    memory.set(alpha, offset);
    return memory.subarray(offset);
  });

it("finds each soft pixel, and no other", () => {
  fc.assert(
    fc.property(mattes, (alpha) => {
      const found: number[] = [];
      const matte = viewAsWords(alpha);
      for (let i = nextSoftPixel(matte, 0); i < alpha.length; i = nextSoftPixel(matte, i + 1)) found.push(i);
      expect(found).toEqual([...alpha.keys()].filter((i) => alpha[i] !== 0 && alpha[i] !== 255));
    }),
  );
});

it("counts as a loop over every pixel does", () => {
  fc.assert(
    fc.property(mattes, (alpha) => {
      const sum = alpha.reduce((a, b) => a + b, 0);
      const soft = alpha.filter((a) => a > 8 && a < 247).length;
      expect(alphaStatistics(alpha)).toEqual({ sum, soft });
    }),
  );
});

it("finds each row's runs of soft pixels", () => {
  fc.assert(
    fc.property(mattes, fc.integer({ min: 1, max: 70 }), (alpha, width) => {
      const height = Math.floor(alpha.length / width);
      const seen = new Uint8Array(width * height);
      const runs = findSoftRuns(alpha.subarray(0, width * height), { width, height });
      for (let at = 0; at < runs.length; at += 3) {
        const [x, y, length] = [...runs.subarray(at, at + 3)] as [number, number, number];
        expect(x + length).toBeLessThanOrEqual(width);
        const isSoft = (column: number) =>
          column >= 0 && column < width && ![0, 255].includes(alpha[y * width + column]!);
        expect([isSoft(x - 1), isSoft(x + length)]).toEqual([false, false]);
        seen.fill(1, y * width + x, y * width + x + length);
      }
      expect(seen).toEqual(alpha.slice(0, width * height).map((a) => (a === 0 || a === 255 ? 0 : 1)));
    }),
  );
});

it("counts and finds in as many pixels as are not looked at at once", () => {
  const alpha = Uint8Array.from({ length: 300 * 170 }, (_, i) => (i % 7 === 0 ? 0 : i % 11 === 0 ? 130 : 255));
  const soft = alpha.filter((a) => a === 130).length;
  expect(alphaStatistics(alpha)).toEqual({ sum: alpha.reduce((a, b) => a + b, 0), soft });
  const runs = findSoftRuns(alpha, { width: 300, height: 170 });
  expect(runs.filter((_, at) => at % 3 === 2).reduce((a, b) => a + b, 0)).toBe(soft);
  expect(runs.at(-2)).toBe(169);
});

it("skips transparent pixels up to a row's end", () => {
  fc.assert(
    fc.property(mattes, fc.nat(), fc.nat(), (alpha, a, b) => {
      const [from, end] = [a % (alpha.length + 1), b % (alpha.length + 1)].toSorted((x, y) => x - y) as [
        number,
        number,
      ];
      const visible = alpha.subarray(from, end).findIndex((value) => value !== 0);
      expect(nextVisiblePixel(viewAsWords(alpha), from, end)).toBe(visible < 0 ? end : from + visible);
    }),
  );
});

it("skips transparent pixels back from a row's end", () => {
  fc.assert(
    fc.property(mattes, fc.nat(), fc.nat(), (alpha, a, b) => {
      const [from, end] = [a % (alpha.length + 1), b % (alpha.length + 1)].toSorted((x, y) => x - y) as [
        number,
        number,
      ];
      const visible = alpha.subarray(from, end).findLastIndex((value) => value !== 0);
      expect(endOfVisible(viewAsWords(alpha), from, end)).toBe(visible < 0 ? from : from + visible + 1);
    }),
  );
});

it("skips opaque pixels", () => {
  fc.assert(
    fc.property(mattes, fc.nat(), (alpha, a) => {
      const from = a % (alpha.length + 1);
      const end = alpha.subarray(from).findIndex((value) => value !== 255);
      expect(endOfOpaqueRun(viewAsWords(alpha), from)).toBe(end < 0 ? alpha.length : from + end);
    }),
  );
});

it("tells whether mean alpha reaches a share", () => {
  fc.assert(
    fc.property(mattes, fc.constantFrom(0.0005, 0.1, 0.5), (alpha, share) => {
      const sum = alpha.reduce((a, b) => a + b, 0);
      expect(coversAtLeast(alpha, share)).toBe(sum >= share * 255 * alpha.length);
    }),
  );
});

it("finds the box around what is visible, as a look at every pixel does", () => {
  fc.assert(
    fc.property(mattes, fc.integer({ min: 1, max: 9 }), fc.constantFrom(1, 9, 128), (alpha, width, threshold) => {
      const height = Math.floor(alpha.length / width);
      const visible = Array.from({ length: width * height }, (_, i) => i).filter((i) => alpha[i]! >= threshold);
      const columns = visible.map((i) => i % width);
      const rows = visible.map((i) => Math.floor(i / width));
      const left = Math.min(...columns);
      const top = Math.min(...rows);
      const box = { left, top, width: Math.max(...columns) - left + 1, height: Math.max(...rows) - top + 1 };
      const found = visibleBox(alpha.subarray(0, width * height), { width, height }, threshold);
      expect(found).toEqual(visible.length === 0 ? undefined : box);
    }),
  );
});
