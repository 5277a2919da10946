import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalCodes, codeLengths } from "./huffman.ts";

const counts = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 2, maxLength: 286 });

it("uses every code there is, none longer than the limit, and shorter ones for what is more frequent", () => {
  fc.assert(
    fc.property(counts, fc.constantFrom(9, 14), (counts, max) => {
      fc.pre(counts.filter((count) => count > 0).length > 1);
      const lengths = codeLengths(counts, max);
      const needed = [...lengths.entries()].filter(([symbol]) => counts[symbol]! > 0);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(max);
      expect(needed.reduce((sum, [, length]) => sum + 2 ** -length, 0)).toBe(1);
      expect(lengths.filter((length) => length > 0)).toHaveLength(needed.length);
      const byCount = needed.toSorted(([a], [b]) => counts[b]! - counts[a]!);
      for (const [at, [symbol, length]] of byCount.slice(1).entries()) {
        if (counts[symbol]! < counts[byCount[at]![0]]!) expect(length).toBeGreaterThanOrEqual(byCount[at]![1]);
      }
    }),
    // Two counts that are equal once they were halved.
    { examples: [[[36638, 1, 1, 3, 36637, 7, 11, 18, 29, 4, 1], 9]] },
  );
});

it("limits codes that Fibonacci's numbers make as long as there are symbols", () => {
  const fibonacci = [1, 1];
  while (fibonacci.length < 30) fibonacci.push(fibonacci.at(-1)! + fibonacci.at(-2)!);
  const lengths = codeLengths(fibonacci);
  expect(Math.max(...lengths)).toBe(14);
  expect(lengths.reduce((sum, length) => sum + 2 ** -length, 0)).toBe(1);
});

it("gives the only symbol one bit, and none where there is no symbol", () => {
  expect(codeLengths([0, 7, 0])).toEqual(new Uint8Array([0, 1, 0]));
  expect(codeLengths([0, 0])).toEqual(new Uint8Array(2));
});

it("numbers codes by length and symbol, the first bit lowest (RFC 1951, 3.2.2)", () => {
  const codes = canonicalCodes(new Uint8Array([3, 3, 3, 3, 3, 2, 4, 4]));
  const written = Array.from(codes, (code) => (code & 0xffff).toString(2).padStart(code >> 16, "0"));
  const reversed = written.map((bits) => [...bits].reverse().join(""));
  expect(reversed).toEqual(["010", "011", "100", "101", "110", "00", "1110", "1111"]);
});
