import { expect, it } from "vitest";
import { modelForm, type Raster } from "./model-form.ts";

const side = 80;

/** A drawing of one flat color where `isInside` holds. */
function flat(isInside: (x: number, y: number) => boolean): Raster {
  const rgba = new Float32Array(side * side * 4);
  for (let i = 0; i < side * side; i++)
    if (isInside((i % side) + 0.5, Math.floor(i / side) + 0.5)) rgba.set([0.4, 0.4, 0.4, 1], 4 * i);
  return { width: side, height: side, rgba };
}

const disc = () => flat((x, y) => Math.hypot(x - 40, y - 40) < 32);

/** Mean of the red of a square of 9 pixels. */
function meanAt({ rgba }: Raster, x: number, y: number): number {
  let sum = 0;
  for (let dy = -4; dy <= 4; dy++) for (let dx = -4; dx <= 4; dx++) sum += rgba[4 * ((y + dy) * side + x + dx)]! / 81;
  return sum;
}

it("lights the upper left of what is drawn flat, and shades its lower right", () => {
  const ball = disc();
  modelForm(ball, 1);
  const middle = meanAt(ball, 40, 40);
  expect(meanAt(ball, 22, 22)).toBeGreaterThan(1.03 * middle);
  expect(meanAt(ball, 58, 58)).toBeLessThan(0.85 * middle);
  expect(middle).toBeGreaterThan(0.35);
  expect(middle).toBeLessThan(0.45);
});

it("changes no outline, and paints nothing beside it", () => {
  const ball = disc();
  const before = disc();
  modelForm(ball, 1);
  const alpha = ({ rgba }: Raster) => rgba.filter((_, i) => i % 4 === 3);
  expect(alpha(ball)).toEqual(alpha(before));
  expect(ball.rgba.filter((value, i) => before.rgba[i] === 0 && value !== 0).length).toBe(0);
});

it("raises what is lighter above what is darker: the lower rim of a dark disc catches the light", () => {
  const eye = disc();
  for (let i = 0; i < side * side; i++)
    if (Math.hypot((i % side) - 39.5, Math.floor(i / side) - 39.5) < 12) eye.rgba.fill(0.05, 4 * i, 4 * i + 3);
  modelForm(eye, 1);
  const plain = disc();
  modelForm(plain, 1);
  /** Mean of the ring around the dark disc, where it is lower right (1) or upper left (−1). */
  const gain = (way: number) => {
    const ring = Array.from({ length: side * side }, (_, i) => i).filter((i) => {
      const dx = (i % side) - 39.5;
      const dy = Math.floor(i / side) - 39.5;
      const radius = Math.hypot(dx, dy);
      return radius >= 12 && radius < 13.5 && Math.min(way * dx, way * dy) > 5;
    });
    return ring.reduce((sum, i) => sum + eye.rgba[4 * i]! / plain.rgba[4 * i]!, 0) / ring.length;
  };
  expect(gain(1)).toBeGreaterThan(1.02);
  expect(gain(-1)).toBeLessThan(0.98);
});

it("gives the same drawing the same light", () => {
  const one = disc();
  const other = disc();
  modelForm(one, 5);
  modelForm(other, 5);
  expect(one.rgba).toEqual(other.rgba);
});
