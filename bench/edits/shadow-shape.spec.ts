import { describe, expect, it } from "vitest";
import { angleBetween, type GroundView, measureShadow } from "./shadow-shape.ts";

const view: GroundView = { width: 200, height: 120, footX: 100, footY: 60, size: 50, foreshortening: 0.5 };

/** A bar on the ground from the foot on, of a direction and a length in sizes of the product. */
function bar(directionDeg: number, long: number): Float32Array {
  const dark = new Float32Array(view.width * view.height);
  const angle = (directionDeg * Math.PI) / 180;
  for (let at = 0; at < dark.length; at++) {
    const u = ((at % view.width) + 0.5 - view.footX) / view.size;
    const v = (view.footY - Math.floor(at / view.width) - 0.5) / (view.size * view.foreshortening);
    const along = u * Math.sin(angle) + v * Math.cos(angle);
    const across = u * Math.cos(angle) - v * Math.sin(angle);
    if (along >= 0 && along <= long && Math.abs(across) < 0.12) dark[at] = 0.4;
  }
  return dark;
}

const everywhere = new Uint8Array(view.width * view.height).fill(1);

describe("a drawn shadow", () => {
  it.each([
    [90, 1],
    [135, 0.9],
    [180, 0.8],
    [225, 1.2],
    [270, 1.5],
  ])("of %i degrees and length %d is read off its picture", (directionDeg, long) => {
    const shape = measureShadow(bar(directionDeg, long), everywhere, view)!;
    expect(angleBetween(shape.directionDeg, directionDeg)).toBeLessThan(2);
    // From 0.25 on, 90 % of an even bar.
    expect(shape.length).toBeCloseTo(0.25 + 0.9 * (long - 0.25), 1);
  });

  it("is none where nothing is dark away from the foot, or nothing counts", () => {
    expect(measureShadow(bar(90, 0.2), everywhere, view)).toBeNull();
    expect(measureShadow(bar(90, 1), new Uint8Array(everywhere.length), view)).toBeNull();
  });
});

describe("angleBetween", () => {
  it("goes the short way round", () => {
    expect(angleBetween(350, 10)).toBe(20);
    expect(angleBetween(90, 270)).toBe(180);
  });
});
