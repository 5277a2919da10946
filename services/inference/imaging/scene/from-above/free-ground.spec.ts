import { describe, expect, it } from "vitest";
import type { Camera } from "../canvas/camera.ts";
import { createFreeGround } from "./free-ground.ts";

/** A product of `size` pixels in the middle of a picture. */
function cameraOf(side: number, size: number): Camera {
  const middle = side / 2;
  return {
    view: "above",
    width: side,
    height: side,
    baseX: middle,
    baseY: middle + size / 2,
    horizonY: -side,
    size,
    distance: 2 * side,
  };
}

describe("the free ground around a product that is seen from above", () => {
  it.each([
    [240, 140],
    [1024, 10],
    // At 48 squares along each, it would have more of them than an array can hold.
    [8192, 2],
    [8192, 0.5],
  ])("of a picture of %i px knows a product of %f px and what lies beside it", (side, size) => {
    const ground = createFreeGround(cameraOf(side, size), null);
    const beside = { x: (0.375 * side) / size, y: 0, reach: 0.15, turn: 0.2 };
    expect(ground.shown({ x: 0, y: 0, reach: 0.1, turn: 0 }, true).share).toBe(0);
    expect(ground.shown(beside, false).share).toBe(1);
    ground.take(beside);
    expect(ground.shown(beside, false).share).toBe(0);
    expect(ground.shown(beside, true).share).toBe(1);
  });
});
