import { describe, expect, it } from "vitest";
import type { Backdrop } from "../evidence/backdrop.ts";
import {
  cropPixels,
  flipHorizontally,
  mergePredictions,
  needsSecondPrediction,
  regionOfInterest,
} from "./test-time-augmentation.ts";

const small = { width: 100, height: 50 };
const grid = { width: 400, height: 400 };

/** A prediction with one rectangle of this alpha. */
function prediction(left: number, top: number, width: number, height: number, alpha = 255) {
  const plane = new Uint8Array(small.width * small.height);
  for (let y = top; y < top + height; y++) plane.fill(alpha, y * small.width + left, y * small.width + left + width);
  return { ...small, alpha: plane, networkPixel: 1 };
}

describe("regionOfInterest", () => {
  it("has a margin of a twentieth and two of the network's pixels, in pixels of the image", () => {
    const box = regionOfInterest(prediction(30, 20, 40, 20), grid);
    expect(box).toEqual({ left: 104, top: 136, width: 192, height: 208 });
  });

  it("ends at the image's border", () => {
    expect(regionOfInterest(prediction(0, 0, 100, 50), grid)).toEqual({ left: 0, top: 0, ...grid });
  });

  it("includes pixels of which the network is half sure, and not those of which it is hardly sure", () => {
    expect(regionOfInterest(prediction(30, 20, 40, 20, 80), grid)).toBeDefined();
    expect(regionOfInterest(prediction(30, 20, 40, 20, 60), grid)).toBeUndefined();
  });
});

describe("needsSecondPrediction", () => {
  const backdrop = (residual: number): Backdrop => ({
    side: 1,
    coefficients: new Float64Array(18),
    residual,
    agreement: 1,
    channel: new Uint8Array(1),
  });
  const plain = backdrop(0.2);
  const scene = backdrop(3);
  /** A prediction of which `cells` cells in the middle are neither product nor background. */
  function unsureIn(cells: number) {
    const whole = prediction(20, 5, 60, 40);
    whole.alpha.fill(128, 25 * small.width + 40, 25 * small.width + 40 + cells);
    return whole;
  }
  const needed = (cells: number, on: Backdrop) => {
    const whole = unsureIn(cells);
    return needsSecondPrediction(whole, regionOfInterest(whole, grid)!, grid, on);
  };

  it("is needed where the first prediction is not certain, and elsewhere not", () => {
    expect([needed(0, plain), needed(0, scene)]).toEqual([false, false]);
    expect([needed(30, plain), needed(30, scene)]).toEqual([true, true]);
  });

  it("is needed sooner in a scene than on a plain backdrop, whose distance shows the outline too", () => {
    expect([needed(8, plain), needed(8, scene)]).toEqual([false, true]);
  });

  it("is needed for a product that takes less than half of either side, however certain the first is", () => {
    const whole = prediction(30, 15, 30, 15);
    expect(needsSecondPrediction(whole, regionOfInterest(whole, grid)!, grid, plain)).toBe(true);
  });
});

describe("mergePredictions", () => {
  const box = { left: 100, top: 100, width: 200, height: 200 };
  const second = (alpha: number) => ({
    width: 50,
    height: 50,
    alpha: new Uint8Array(2500).fill(alpha),
    networkPixel: 1,
  });
  const first = (alpha: number) => ({ ...small, alpha: new Uint8Array(5000).fill(alpha), networkPixel: 1 });
  const inside = 200 * 400 + 200;

  it("keeps the whole photo's prediction outside the box", () => {
    const joined = mergePredictions(first(90), second(255), box, grid);
    expect(joined.alpha[0]).toBe(90);
    expect(joined.alpha[99 + 200 * 400]).toBe(90);
    expect(joined.alpha[100 + 100 * 400]).toBeGreaterThan(200);
  });

  it("keeps what both predictions say", () => {
    for (const alpha of [0, 1, 100, 128, 200, 255]) {
      expect(mergePredictions(first(alpha), second(alpha), box, grid).alpha[inside]).toBe(alpha);
    }
  });

  it("lets the surer prediction outweigh the other", () => {
    expect(mergePredictions(first(100), second(254), box, grid).alpha[inside]).toBeGreaterThan(220);
    expect(mergePredictions(first(156), second(2), box, grid).alpha[inside]).toBeLessThan(35);
    expect(mergePredictions(first(0), second(255), box, grid).alpha[inside]).toBe(128);
  });

  it("gives the size of one pixel of the region's prediction", () => {
    expect(mergePredictions(first(0), second(0), box, grid).networkPixel).toBe(4);
  });
});

it("crops a box from an image", () => {
  const rgb = Uint8Array.from({ length: 4 * 3 * 3 }, (_, i) => i);
  const cut = cropPixels(rgb, { width: 4, height: 3 }, { left: 1, top: 1, width: 2, height: 2 });
  expect([...cut]).toEqual([15, 16, 17, 18, 19, 20, 27, 28, 29, 30, 31, 32]);
});

it("mirrors whole pixels", () => {
  const tensor = { shape: [1, 1, 3, 2], data: Uint8Array.of(1, 2, 3, 4, 5, 6) };
  expect([...flipHorizontally(tensor).data]).toEqual([5, 6, 3, 4, 1, 2]);
  expect(flipHorizontally(flipHorizontally(tensor))).toEqual(tensor);
});
