import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boxMean } from "./box-filter.ts";
import { dilate, erode, inverted, regionsOf, signedDistance } from "./regions.ts";

const sizes = fc.record({ width: fc.integer({ min: 1, max: 17 }), height: fc.integer({ min: 1, max: 13 }) });
const masks = sizes.chain((size) =>
  fc
    .array(fc.constantFrom(0, 0, 1), { minLength: size.width * size.height, maxLength: size.width * size.height })
    .map((cells) => ({ size, mask: Uint8Array.from(cells) })),
);

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
      fc.property(masks, fc.integer({ min: 0, max: 4 }), ({ size, mask }, radius) => {
        expect(dilate(mask, size, radius)).toEqual(anyNear(mask, size, radius, 1));
        expect(erode(mask, size, radius)).toEqual(anyNear(mask, size, radius, 0));
      }),
    );
  });

  it("fall into regions that tell their size and whether they reach the border", () => {
    const mask = Uint8Array.from([1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    const { labels, sizes: cells, atBorder } = regionsOf(mask, { width: 5, height: 3 });
    expect(cells).toEqual([0, 2, 1]);
    expect(atBorder).toEqual([false, true, false]);
    expect(labels[7]).toBe(2);
  });

  it("know how deep a cell lies, and no deeper than asked", () => {
    const size = { width: 7, height: 7 };
    const mask = new Uint8Array(49).fill(1);
    mask[0] = 0;
    const depth = signedDistance(mask, size, 3);
    expect(depth[0]).toBe(-0.5);
    expect(depth[1]).toBe(0.5);
    expect(depth[8]).toBeCloseTo(Math.SQRT2 - 0.5, 5);
    expect(depth[48]).toBe(2.5);
    const height = signedDistance(inverted(mask), size, 3);
    expect([...height]).toEqual([...depth].map((d) => -d));
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
