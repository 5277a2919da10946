import { expect, it } from "vitest";
import { discOf } from "./round-base.ts";
import { createSilhouette } from "./silhouette.ts";

type Shape = (x: number, y: number) => boolean;

function discIn(isInside: Shape) {
  const side = 200;
  const alpha = Uint8Array.from({ length: side * side }, (_, i) =>
    isInside(i % side, Math.floor(i / side)) ? 255 : 0,
  );
  return discOf(createSilhouette(alpha, side, side)!);
}

const ellipse =
  (flat: number, middle: number): Shape =>
  (x, y) =>
    ((x - 99.5) / 80) ** 2 + ((y - middle) / (80 * flat)) ** 2 < 1;

/** A cylinder whose rims are so flat, and which is so tall. */
const cylinder =
  (flat: number, tall: number): Shape =>
  (x, y) =>
    ellipse(flat, 90)(x, y) || ellipse(flat, 90 + tall)(x, y) || (Math.abs(x - 99.5) < 80 && y >= 90 && y <= 90 + tall);

const brush: Shape = (x, y) => x >= 92 && x < 106 && y >= 90 && y < 176;

it("is a disc where an upright side is below a round face", () => {
  for (const tall of [16, 30, 50]) {
    const { pitch, tall: found } = discIn(cylinder(0.5, tall))!;
    expect(pitch).toBeCloseTo(0.5, 1);
    // Cells of a product whose longer side, 160 pixels, has 160 of them.
    expect(Math.abs(found - tall)).toBeLessThan(4);
  }
});

it("is as tall as without what reaches out before its base", () => {
  const bare = discIn(cylinder(0.5, 20))!;
  const swept = discIn((x, y) => cylinder(0.5, 20)(x, y) || brush(x, y))!;
  expect(Math.abs(swept.tall - bare.tall)).toBeLessThan(3);
});

it.each([0.45, 0.57, 0.66, 0.73])("is no disc where an egg or a lemon lies on its side, %f as high as long", (flat) => {
  expect(discIn(ellipse(flat, 100))).toBeUndefined();
});

it("is no disc where a pot is nearly as tall as wide", () => {
  expect(discIn(cylinder(0.45, 90))).toBeUndefined();
});
