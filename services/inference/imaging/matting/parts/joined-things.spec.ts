import { expect, it } from "vitest";
import { mayBeTwoThings } from "./joined-things.ts";

const size = { width: 480, height: 320 };
type Shape = (x: number, y: number) => boolean;

const draw = (...shapes: readonly Shape[]) =>
  Uint8Array.from({ length: size.width * size.height }, (_, i) =>
    shapes.some((has) => has(i % size.width, Math.floor(i / size.width))) ? 255 : 0,
  );
const box =
  (left: number, top: number, right: number, bottom: number): Shape =>
  (x, y) =>
    x >= left && x < right && y >= top && y < bottom;
const ring =
  (x0: number, y0: number, outer: number): Shape =>
  (x, y) =>
    Math.abs(Math.hypot(x - x0, y - y0) - outer) < 8;
const mug = [box(60, 100, 180, 260), ring(190, 180, 45)];

it.each([
  ["two mugs, one's handle before the other", draw(...mug, box(215, 90, 340, 260)), true],
  ["two boxes whose corners overlap", draw(box(60, 60, 200, 200), box(190, 190, 330, 300)), true],
  ["a mug with its handle", draw(...mug), false],
  ["a bottle", draw(box(180, 120, 280, 300), box(210, 30, 250, 125)), false],
  [
    "a lamp with a pole and a small foot",
    draw(box(150, 20, 330, 150), box(236, 140, 244, 290), box(210, 285, 270, 300)),
    false,
  ],
  ["a vase with a wide waist", draw(box(180, 20, 290, 140), box(207, 130, 263, 190), box(180, 180, 290, 300)), false],
  ["nothing", draw(), false],
])("%s", (_what, alpha, expected) => {
  expect(mayBeTwoThings(alpha, size)).toBe(expected);
});
