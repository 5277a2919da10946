import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { createCanvas, defocus, fillCushion, fillPanel, lensBlur, shadeAround } from "./canvas.ts";

it.each([
  [40, 30, 0.1],
  [9, 30, 0.3],
  [30, 7, 0.9],
])("blurs each point of %d × %d to a disc, and counts nothing beyond the edges", (width, height, radius) => {
  const canvas = createCanvas(width, height);
  const random = createRandom(3);
  for (const plane of canvas.planes) for (let i = 0; i < plane.length; i++) plane[i] = random.next();
  const [red] = canvas.planes.map((plane) => plane.slice());
  lensBlur(canvas, radius);
  const reach = radius * height;
  const expected = Array.from({ length: width * height }, (_, i) => {
    const near = Array.from(red!).filter((__, j) => {
      const dy = Math.floor(j / width) - Math.floor(i / width);
      return Math.abs(dy) <= reach && Math.abs((j % width) - (i % width)) <= Math.sqrt(reach ** 2 - dy ** 2);
    });
    return near.reduce((sum, value) => sum + value, 0) / near.length;
  });
  expected.forEach((value, i) => {
    expect(canvas.planes[0][i]).toBeCloseTo(value, 5);
  });
});

it("blurs on half the pixels what the whole canvas shows alike", () => {
  const whole = createCanvas(121, 90);
  const half = createCanvas(121, 90);
  for (const { planes } of [whole, half]) for (let i = 0; i < 121 * 90; i++) planes[0][i] = i % 121 < 50 ? 0 : 1;
  lensBlur(whole, 0.07);
  defocus(half, 0.07, 0);
  whole.planes[0].forEach((value, i) => {
    expect(Math.abs(half.planes[0][i]! - value)).toBeLessThan(0.08);
  });
  const [left, right] = [49, 50].map((x) => half.planes[0][45 * 121 + x]!);
  expect((left! + right!) / 2).toBeCloseTo(0.5, 1);
});

const gray = [0.5, 0.5, 0.5] as const;

it("lights a panel from the lamp's side and from above", () => {
  const canvas = createCanvas(20, 20);
  fillPanel(canvas, [0, 0, 1, 1], gray, 1);
  const at = (x: number, y: number) => canvas.planes[0][y * 20 + x]!;
  expect(at(19, 10)).toBeGreaterThan(1.15 * at(0, 10));
  expect(at(10, 0)).toBeGreaterThan(1.15 * at(10, 19));
});

it("turns a cushion's sides away from the light", () => {
  const canvas = createCanvas(40, 40);
  fillCushion(canvas, 0.5, 0.5, 0.5, 0.5, gray, 4, 0.3);
  expect(canvas.planes[0][20 * 40 + 1]).toBeLessThan(0.85 * canvas.planes[0][20 * 40 + 20]!);
});

it("shades the wall around a box, the more the nearer", () => {
  const canvas = createCanvas(40, 40);
  canvas.planes[0].fill(1);
  shadeAround(canvas, [0.4, 0.4, 0.6, 0.6], 0.25);
  const [inside, near, far] = [20, 25, 32].map((x) => canvas.planes[0][20 * 40 + x]!);
  expect(inside).toBeLessThan(near!);
  expect(near).toBeLessThan(far!);
  expect(canvas.planes[0][0]).toBe(1);
});
