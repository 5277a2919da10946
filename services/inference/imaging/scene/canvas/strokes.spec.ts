import { expect, it } from "vitest";
import { createCanvas } from "./canvas.ts";
import { fillStrokes, type Leaf } from "./strokes.ts";

const leaf: Leaf = { kind: "leaf", x: 0.1, y: 0.5, angle: 0, long: 0.8, wide: 0.3, color: [0.2, 0.4, 0.1] };

it("a leaf is bent along its rib: the half that faces the sky is lighter, and its foot is darker than its tip", () => {
  const canvas = createCanvas(80, 80);
  fillStrokes(canvas, [leaf]);
  const green = (x: number, y: number) => canvas.planes[1][y * 80 + x]!;
  expect(green(40, 32)).toBeGreaterThan(1.3 * green(40, 48));
  expect(green(56, 34)).toBeGreaterThan(1.05 * green(24, 34));
});

it("covers all of what it covers alike, where its light does not count", () => {
  const mask = createCanvas(80, 80);
  fillStrokes(mask, [leaf], () => [1, 1, 1]);
  expect(new Set(mask.planes[0])).toEqual(new Set([0, 1]));
});
