import { expect, it } from "vitest";
import { matteUncertainty } from "./matte-uncertainty.ts";

const size = { width: 256, height: 200 };

/** A disc with a soft edge of 4 pixels; its lower half has alpha `lower`. */
function disc(lower: number) {
  const alpha = Uint8Array.from({ length: size.width * size.height }, (_, i) => {
    const x = i % size.width;
    const y = Math.floor(i / size.width);
    const inside = Math.min(1, Math.max(0, (62 - Math.hypot(x - 128, y - 100)) / 4));
    return Math.round(255 * inside * (y > 100 ? lower : 1));
  });
  return { ...size, alpha, networkPixel: 1 };
}

it("finds no uncertainty in a soft edge", () => {
  expect(matteUncertainty(disc(1))).toBeLessThan(0.001);
});

it("finds a half of which the network is not sure, on either side of 50 %", () => {
  expect(matteUncertainty(disc(0.7))).toBeGreaterThan(0.2);
  expect(matteUncertainty(disc(0.4))).toBeGreaterThan(0.2);
  expect(matteUncertainty(disc(0.9))).toBeLessThan(matteUncertainty(disc(0.7)));
});

it("is 0 or 1 where there is no edge", () => {
  expect(matteUncertainty({ ...size, networkPixel: 1, alpha: new Uint8Array(size.width * size.height) })).toBe(0);
  expect(
    matteUncertainty({ ...size, networkPixel: 1, alpha: new Uint8Array(size.width * size.height).fill(120) }),
  ).toBe(1);
});
