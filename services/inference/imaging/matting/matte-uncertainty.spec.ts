import { expect, it } from "vitest";
import { matteUncertainty } from "./matte-uncertainty.ts";

const size = { width: 256, height: 200 };

/** A disc whose edge is soft over 4 pixels and whose lower half is known by so much. */
function disc(known: number) {
  const alpha = Uint8Array.from({ length: size.width * size.height }, (_, i) => {
    const [x, y] = [i % size.width, Math.floor(i / size.width)];
    const inside = Math.min(1, Math.max(0, (62 - Math.hypot(x - 128, y - 100)) / 4));
    return Math.round(255 * inside * (y > 100 ? known : 1));
  });
  return { ...size, alpha, networkPixel: 1 };
}

it("finds no doubt in a soft edge", () => {
  expect(matteUncertainty(disc(1))).toBeLessThan(0.001);
});

it("finds a half that the network is not sure of, on either side of its own threshold", () => {
  expect(matteUncertainty(disc(0.7))).toBeGreaterThan(0.2);
  expect(matteUncertainty(disc(0.4))).toBeGreaterThan(0.2);
  expect(matteUncertainty(disc(0.9))).toBeLessThan(matteUncertainty(disc(0.7)));
});

it("stays in 0 to 1 where nothing was found", () => {
  expect(matteUncertainty({ ...size, networkPixel: 1, alpha: new Uint8Array(size.width * size.height) })).toBe(0);
  expect(
    matteUncertainty({ ...size, networkPixel: 1, alpha: new Uint8Array(size.width * size.height).fill(120) }),
  ).toBe(1);
});
