import { describe, expect, it } from "vitest";
import { filledGaps } from "./filled-gaps.ts";

const side = 200;
const size = { width: side, height: side };

function plane(valueAt: (x: number, y: number) => number, of = side): Uint8Array {
  const scale = side / of;
  return Uint8Array.from({ length: of * of }, (_, i) => valueAt((i % of) * scale, Math.floor(i / of) * scale));
}

const isIn = (x: number, y: number, from: number, to: number) => x >= from && x < to && y >= from && y < to;
const square = (x: number, y: number) => (isIn(x, y, 40, 160) ? 255 : 0);
/** A quarter of the square. */
const isGap = (x: number, y: number) => isIn(x, y, 60, 120);
const ring = (x: number, y: number) => (isGap(x, y) ? 51 : square(x, y));
const priorOf = (valueAt: (x: number, y: number) => number) => ({ ...size, alpha: plane(valueAt), networkPixel: 1 });

describe("the share of a matte that the network takes for gaps", () => {
  it("is none where it takes all of it for product, and where the matte shows nothing", () => {
    expect(filledGaps(plane(square), size, priorOf(square))).toBe(0);
    expect(
      filledGaps(
        plane(() => 0),
        size,
        priorOf(ring),
      ),
    ).toBe(0);
  });

  it("is what is filled of a gap that its product encloses, as far as it takes it for one", () => {
    expect(filledGaps(plane(square), size, priorOf(ring))).toBeCloseTo(0.25 * 0.8, 5);
    expect(
      filledGaps(
        plane((x, y) => (isGap(x, y) ? 0 : square(x, y))),
        size,
        priorOf(ring),
      ),
    ).toBe(0);
  });

  it("leaves out a bay that is open to the outside", () => {
    const bay = (x: number, y: number) => (x >= 60 && x < 120 && y < 120 ? 0 : square(x, y));
    expect(filledGaps(plane(square), size, priorOf(bay))).toBe(0);
  });

  it("takes a gap that either of two predictions sees, the second one in its box", () => {
    const box = { left: 40, top: 40, width: 120, height: 120 };
    const detail = plane((x, y) => ring(40 + 0.6 * x, 40 + 0.6 * y), 100);
    const views = {
      whole: { ...priorOf(square), networkPixel: 1 },
      detail: { width: 100, height: 100, alpha: detail, networkPixel: 1 },
      box,
    };
    expect(filledGaps(plane(square), size, { ...priorOf(square), views })).toBeCloseTo(0.25 * 0.8, 2);
    const wholeSees = { ...views, whole: priorOf(ring), detail: { ...views.detail, alpha: detail.map(() => 255) } };
    expect(filledGaps(plane(square), size, { ...priorOf(square), views: wholeSees })).toBeCloseTo(0.25 * 0.8, 2);
  });
});
