/** Random masks for property tests. */

import fc from "fast-check";

export const maskSizes = fc.record({ width: fc.integer({ min: 1, max: 17 }), height: fc.integer({ min: 1, max: 13 }) });
/** A third of the cells, and one cell in 41. */
export const denseCells = [0, 0, 1];
export const sparseCells = [...new Array<number>(40).fill(0), 1];

/** Masks whose cells are drawn from `cells`. */
export function masksOf(cells: readonly number[], sizes = maskSizes) {
  return sizes.chain((size) =>
    fc
      .array(fc.constantFrom(...cells), { minLength: size.width * size.height, maxLength: size.width * size.height })
      .map((values) => ({ size, mask: Uint8Array.from(values) })),
  );
}
