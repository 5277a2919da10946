import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { createCanvas, lensBlur } from "./canvas.ts";

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
