import fc from "fast-check";
import { expect, it } from "vitest";
import { maskSizes } from "../images/random-masks.ts";
import { boxMean } from "./box-filter.ts";

it("gives means over the window, cut at the border", () => {
  const planes = maskSizes.chain((size) => {
    const count = size.width * size.height;
    return fc
      .array(fc.integer({ min: 0, max: 255 }), { minLength: count, maxLength: count })
      .map((values) => ({ size, plane: Float32Array.from(values) }));
  });
  fc.assert(
    fc.property(planes, fc.integer({ min: 0, max: 20 }), ({ size, plane }, radius) => {
      const { width, height } = size;
      const means = boxMean(plane, size, radius);
      for (let i = 0; i < plane.length; i++) {
        const x = i % width;
        const y = Math.floor(i / width);
        let sum = 0;
        let count = 0;
        for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++) {
          for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++, count++) {
            sum += plane[v * width + u]!;
          }
        }
        expect(means[i]).toBeCloseTo(sum / count, 2);
      }
    }),
  );
});
