import { describe, expect, it } from "vitest";
import { expectedOverlap } from "./expected-overlap.ts";

const side = 100;
const size = { width: side, height: side };

function plane(valueAt: (x: number, y: number) => number): Uint8Array {
  return Uint8Array.from({ length: side * side }, (_, i) => valueAt(i % side, Math.floor(i / side)));
}

const isIn = (x: number, y: number, from: number, to: number) => x >= from && x < to && y >= from && y < to;
const square = plane((x, y) => (isIn(x, y, 20, 80) ? 255 : 0));
const prior = (alpha: Uint8Array) => ({ ...size, alpha, networkPixel: 1 });

describe("the overlap that the network expects", () => {
  it("is whole where it is sure of the matte, at any size of the photo", () => {
    expect(expectedOverlap(square, size, prior(square))).toBe(1);
    const doubled = Uint8Array.from({ length: 4 * side * side }, (_, i) => {
      const x = i % (2 * side);
      const y = Math.floor(i / (2 * side));
      return square[(y >> 1) * side + (x >> 1)]!;
    });
    expect(expectedOverlap(doubled, { width: 2 * side, height: 2 * side }, prior(square))).toBe(1);
  });

  it("falls by what the matte keeps without the network, and by what it leaves out against it", () => {
    const half = plane((x, y) => (isIn(x, y, 20, 80) ? (y < 50 ? 255 : 51) : 0));
    expect(expectedOverlap(square, size, prior(half))).toBeCloseTo(0.6, 5);
    const twice = plane((x, y) => (isIn(x, y, 20, 80) ? 255 : y >= 20 && y < 80 ? 51 : 0));
    // 60 × 60 cells of product, and 40 × 60 cells of which a fifth is expected to be product.
    expect(expectedOverlap(square, size, prior(twice))).toBeCloseTo(3600 / (3600 + 480), 5);
  });

  it("does not fall by a print that the network encloses, but by a gap that is open to the outside", () => {
    const print = plane((x, y) => (isIn(x, y, 20, 80) && !isIn(x, y, 40, 60) ? 255 : 0));
    expect(expectedOverlap(square, size, prior(print))).toBe(1);
    const notch = plane((x, y) => (isIn(x, y, 20, 80) && !(x >= 40 && x < 60 && y < 60) ? 255 : 0));
    expect(expectedOverlap(square, size, prior(notch))).toBeCloseTo((3600 - 800) / 3600, 5);
  });

  it("counts a gap as filled as far as its rim is product", () => {
    const faintRim = plane((x, y) => (isIn(x, y, 40, 60) ? 0 : isIn(x, y, 20, 80) ? 204 : 0));
    expect(expectedOverlap(square, size, prior(faintRim))).toBeCloseTo(0.8, 5);
  });

  it("is 0 of an empty matte", () => {
    expect(
      expectedOverlap(
        plane(() => 0),
        size,
        prior(square),
      ),
    ).toBe(0);
  });
});
