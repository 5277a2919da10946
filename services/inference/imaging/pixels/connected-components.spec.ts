import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boxMean } from "./box-filter.ts";
import { labelComponents } from "./connected-components.ts";
import { dilate, erode, invertMask } from "./morphology.ts";
import { signedDistance } from "./signed-distance.ts";

const sizes = fc.record({ width: fc.integer({ min: 1, max: 17 }), height: fc.integer({ min: 1, max: 13 }) });
const [dense, sparse] = [
  [0, 0, 1],
  [...new Array<number>(40).fill(0), 1],
];

function masksOf(cells: readonly number[], ofSizes = sizes) {
  return ofSizes.chain((size) =>
    fc
      .array(fc.constantFrom(...cells), { minLength: size.width * size.height, maxLength: size.width * size.height })
      .map((cells) => ({ size, mask: Uint8Array.from(cells) })),
  );
}

/** The plain definition, cell by cell. */
function anyNear(
  mask: Uint8Array,
  { width, height }: { width: number; height: number },
  radius: number,
  value: number,
) {
  return mask.map((_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++) {
      for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++) {
        if (mask[v * width + u] === value) return value;
      }
    }
    return 1 - value;
  });
}

describe("masks on a grid", () => {
  it("grow and shrink by the definition", () => {
    fc.assert(
      fc.property(masksOf(dense), fc.integer({ min: 0, max: 4 }), ({ size, mask }, radius) => {
        expect(dilate(mask, size, radius)).toEqual(anyNear(mask, size, radius, 1));
        expect(erode(mask, size, radius)).toEqual(anyNear(mask, size, radius, 0));
      }),
    );
  });

  it("grow and shrink by whole words, in the middle of rows too", () => {
    const wide = fc.record({ width: fc.integer({ min: 30, max: 60 }), height: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(masksOf(sparse, wide), fc.integer({ min: 5, max: 16 }), ({ size, mask }, radius) => {
        expect(dilate(mask, size, radius)).toEqual(anyNear(mask, size, radius, 1));
        const full = invertMask(mask);
        expect(erode(full, size, radius)).toEqual(anyNear(full, size, radius, 0));
      }),
    );
  });

  it("fall into regions that tell their size and whether they reach the border", () => {
    const mask = Uint8Array.from([1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    const { runs, sizes: cells, atBorder } = labelComponents(mask, { width: 5, height: 3 });
    expect(cells).toEqual([0, 2, 1]);
    expect(atBorder).toEqual([false, true, false]);
    expect([...runs]).toEqual([0, 2, 1, 7, 8, 2]);
  });

  it("know how far each cell lies from the edge, and no farther than asked", () => {
    fc.assert(
      fc.property(masksOf(sparse), fc.integer({ min: 1, max: 6 }), ({ size, mask }, limit) => {
        const found = signedDistance(mask, size, limit);
        for (let i = 0; i < mask.length; i++) {
          const steps = [...mask.keys()].filter((to) => mask[to] !== mask[i]).map((to) => chamfer(i, to, size.width));
          const wanted = Math.min(limit, ...steps) - 0.5;
          expect(found[i]).toBeCloseTo(mask[i] === 1 ? wanted : -wanted, 5);
        }
      }),
    );
  });
});

it("box means are means over the window, cut at the border", () => {
  const planes = sizes.chain((size) => {
    const count = size.width * size.height;
    return fc
      .array(fc.integer({ min: 0, max: 255 }), { minLength: count, maxLength: count })
      .map((values) => ({ size, plane: Float32Array.from(values) }));
  });
  fc.assert(
    fc.property(planes, fc.integer({ min: 0, max: 20 }), ({ size, plane }, radius) => {
      const { width, height } = size;
      const found = boxMean(plane, size, radius);
      for (let i = 0; i < plane.length; i++) {
        const [x, y] = [i % width, Math.floor(i / width)];
        let [sum, count] = [0, 0];
        for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++) {
          for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++, count++) {
            sum += plane[v * width + u]!;
          }
        }
        expect(found[i]).toBeCloseTo(sum / count, 2);
      }
    }),
  );
});

/** The shortest way between two cells by steps of 1 along rows and columns and of √2 across. */
function chamfer(from: number, to: number, width: number): number {
  const across = Math.abs((from % width) - (to % width));
  const down = Math.abs(Math.floor(from / width) - Math.floor(to / width));
  return Math.max(across, down) + (Math.SQRT2 - 1) * Math.min(across, down);
}
