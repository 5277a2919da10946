import { describe, expect, it } from "vitest";
import { traceGround } from "./ground.ts";
import { createSilhouette } from "./silhouette.ts";
import { standingParts } from "./standing-parts.ts";

type Box = readonly [left: number, top: number, right: number, bottom: number];

const pitch = 0.4;

function partsOf(...boxes: readonly Box[]) {
  const alpha = new Uint8Array(200 * 160);
  for (const [left, top, right, bottom] of boxes) {
    for (let y = top; y < bottom; y++) alpha.fill(255, y * 200 + left, y * 200 + right);
  }
  const silhouette = createSilhouette(alpha, 200, 160)!;
  return standingParts(silhouette, traceGround(silhouette, pitch), pitch);
}

describe("standingParts", () => {
  it("is one part where all stands on one line", () => {
    expect(partsOf([20, 20, 180, 140])).toHaveLength(1);
    expect(partsOf([20, 60, 90, 140], [110, 40, 180, 138])).toHaveLength(1);
  });

  it("gives what stands farther back a ground line of its own, on the same base", () => {
    const [front, behind, ...rest] = partsOf([20, 100, 130, 150], [140, 60, 180, 110]);
    expect(rest).toEqual([]);
    const { silhouette, ground } = behind!;
    expect(silhouette.bottom * silhouette.cellPx).toBeCloseTo(110, 0);
    const middle = Math.floor((silhouette.left + silhouette.right) / 2);
    expect(ground.contact[middle]).toBeGreaterThan(0.9);
    expect(ground.groundRow[middle]! * silhouette.cellPx).toBeCloseTo(110, -0.5);
    expect(ground.baseRow).toBe(front!.ground.baseRow);
  });

  it("leaves what is on top of another, too high, or cut by the border where it was", () => {
    expect(partsOf([40, 60, 160, 150], [60, 30, 140, 50])).toHaveLength(1);
    expect(partsOf([20, 110, 80, 150], [90, 10, 140, 30])).toHaveLength(1);
    expect(partsOf([20, 20, 90, 160], [110, 40, 180, 160])).toHaveLength(1);
  });
});
