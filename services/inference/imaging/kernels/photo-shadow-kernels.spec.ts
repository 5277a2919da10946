/** The kernels of a photo's own shadow give what the same loops in plain TypeScript give, on random pictures of random sizes. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { rgbToLab } from "../../../../testing/imaging-oracles/lab.ts";
import * as plain from "../../../../testing/imaging-oracles/natural-shadow.ts";
import { fitBackdrop } from "../matting/evidence/backdrop.ts";
import { measureDarkening } from "../shadow/natural-shadow.ts";
import { addressOf, computeBytes, reserve } from "./kernel-memory.ts";
import { kernels } from "./kernels.ts";

const sizes = fc.record({
  width: fc.integer({ min: 1, max: 70 }),
  height: fc.integer({ min: 1, max: 50 }),
});
const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const runs = { numRuns: 60 };

/** Pseudorandom bytes: fast-check would draw each by itself. */
function randomBytes(length: number, seed: number): Uint8Array {
  let state = seed | 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state >>> 24;
  });
}

it.each([40, 128, 235])("marks what is darker than paper of value %i, in its color", (paper) => {
  fc.assert(
    fc.property(sizes, seeds, fc.integer({ min: 0, max: 40 }), (size, seed, noise) => {
      const count = size.width * size.height;
      const darker = randomBytes(count, seed);
      const colored = randomBytes(3 * count, seed + 2);
      const rgb = colored.map(
        (c, i) => paper * (darker[Math.floor(i / 3)]! < 90 ? darker[Math.floor(i / 3)]! / 90 : 1) + (c * noise) / 1000,
      );
      const alpha = randomBytes(count, seed + 4).map((a) => (a < 12 ? 255 : 0));
      const square = rgb.subarray(0, 3 * Math.min(size.width, size.height) ** 2);
      const backdrop = fitBackdrop(square, Math.min(size.width, size.height));
      const { covered, ...found } = measureDarkening({ ...size, rgb }, backdrop, alpha, size);
      expect(found).toEqual({ ...size, ...plain.darkCells(rgbToLab(rgb), covered, backdrop, size) });
    }),
    runs,
  );
});

it("spreads the largest and the least byte over a square", () => {
  fc.assert(
    fc.property(sizes, seeds, fc.integer({ min: 1, max: 6 }), fc.boolean(), (size, seed, reach, isLargest) => {
      const plane = randomBytes(size.width * size.height, seed);
      const spread = computeBytes(plane.length, (to) => {
        const line = reserve(size.width + 2 * reach + 32);
        const rows = reserve(plane.length);
        kernels.spreadBytes(addressOf(plane), size.width, size.height, reach, Number(isLargest), line, rows, to);
      });
      expect(spread).toEqual(plain.spreadBytes(plane, size, reach, isLargest ? Math.max : Math.min));
    }),
    runs,
  );
});
