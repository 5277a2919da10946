import { describe, expect, it } from "vitest";
import { traceGround } from "./ground.ts";
import { extrudeSilhouette, joinSlabs } from "./occlusion.ts";
import { createSilhouette } from "./silhouette.ts";

function outlineOf(pitch: number) {
  const alpha = new Uint8Array(100 * 120);
  for (let y = 20; y < 110; y++) alpha.fill(255, y * 100 + 30, y * 100 + 70);
  const silhouette = createSilhouette(alpha, 100, 120)!;
  return { silhouette, ground: traceGround(silhouette, pitch), cells: 1 };
}

const tallest = (pitch: number) => Math.max(...extrudeSilhouette(outlineOf(pitch), pitch).height);

describe("extrudeSilhouette", () => {
  it("takes a product for higher that was photographed from above: the image shows its height shortened", () => {
    expect(tallest(0.6) / tallest(0.1)).toBeCloseTo(Math.sqrt(1 - 0.1 ** 2) / 0.8, 2);
  });
});

describe("the depth of what is extruded", () => {
  /** A cable that leads away from a body, to the right of it. */
  const alpha = new Uint8Array(200 * 120);
  for (let y = 20; y < 110; y++) alpha.fill(255, y * 200 + 20, y * 200 + (y < 106 ? 80 : 180));
  const silhouette = createSilhouette(alpha, 200, 120)!;

  const deepest = (pitch: number, from: number, to: number) => {
    const slabs = extrudeSilhouette({ silhouette, ground: traceGround(silhouette, pitch), cells: 1 }, pitch);
    const depths = Array.from(slabs.far.subarray(0, slabs.count), (far, i) => far - slabs.near[i]!);
    return Math.max(...depths.filter((_, i) => slabs.column[i]! >= from && slabs.column[i]! < to));
  };

  it("is no more than the image shows of what is low and long", () => {
    expect(deepest(0.5, 90, 110)).toBeCloseTo(4 / 0.5, 0);
    expect(deepest(0.5, 20, 80)).toBeCloseTo(0.35 * 90, 0);
  });

  it("is not bounded by the image of what is seen from the side", () => {
    expect(deepest(0.1, 90, 110)).toBeCloseTo(0.35 * 90, 0);
  });
});

it("takes what is above a disc's side for its upper face, and the disc for as deep as it is wide", () => {
  const outline = outlineOf(0.5);
  const { height, near, far, count } = extrudeSilhouette({ ...outline, discTall: 10 }, 0.5);
  expect(Math.max(...height.subarray(0, count))).toBeCloseTo(10 / Math.sqrt(0.75), 4);
  const { left, right } = outline.silhouette;
  expect(Math.max(...far.subarray(0, count).map((end, i) => end - near[i]!))).toBeCloseTo(right - left, 0);
});

describe("joinSlabs", () => {
  it("has the slabs of each outline, in turn", () => {
    const one = extrudeSilhouette(outlineOf(0.3), 0.3);
    const two = extrudeSilhouette(outlineOf(0.3), 0.3, 20);
    const joined = joinSlabs([one, two]);
    expect(joined.count).toBe(one.count + two.count);
    for (const plane of ["column", "height", "near", "far"] as const) {
      expect(joined[plane].subarray(0, one.count)).toEqual(one[plane].subarray(0, one.count));
      expect(joined[plane].subarray(one.count)).toEqual(two[plane].subarray(0, two.count));
    }
  });
});
