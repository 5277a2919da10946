import { describe, expect, it } from "vitest";
import { box } from "../../../../testing/images/drawn-cut-out.ts";
import { fitLength } from "./fit-length.ts";
import type { Light } from "./light.ts";
import { estimatePose } from "./pose.ts";

const side = 200;
const light: Light = { directionDeg: 270, elevationDeg: 45, softness: 0.5, opacity: 0.9, keyShare: 0.5 };

function poseOf(left: number, right: number, bottom = 150) {
  const isInside = box(left, 50, right, bottom);
  const alpha = Uint8Array.from({ length: side * side }, (_, i) =>
    isInside(i % side, Math.floor(i / side)) ? 255 : 0,
  );
  return estimatePose(alpha, side, side, { pose: "standing", camera: "level" })!;
}

const lengthOf = ({ elevationDeg }: Light) => 1 / Math.tan((elevationDeg * Math.PI) / 180);

describe("fitLength", () => {
  it("leaves the light of a shadow that has room", () => {
    expect(fitLength(poseOf(20, 60), light)).toBe(light);
  });

  it("raises the lamp until the shadow ends within the picture, to either side", () => {
    // 58 of 100 pixels are left beside the edge's share.
    for (const [pose, directionDeg] of [
      [poseOf(90, 130), 270],
      [poseOf(70, 110), 90],
    ] as const) {
      const fitted = fitLength(pose, { ...light, directionDeg });
      expect(lengthOf(fitted)).toBeCloseTo(0.58, 1);
      expect(fitted).toMatchObject({ directionDeg, softness: 0.5 });
    }
  });

  it("raises it where a shadow falls toward the viewer below the picture, and not where it falls behind the product", () => {
    expect(lengthOf(fitLength(poseOf(80, 120, 184), { ...light, directionDeg: 0 }))).toBeLessThan(0.6);
    const behind = { ...light, directionDeg: 180 };
    expect(fitLength(poseOf(80, 120, 184), behind)).toBe(behind);
  });

  it("keeps a shadow whose direction shows, where there is no room at all, and never lowers the lamp", () => {
    expect(lengthOf(fitLength(poseOf(100, 198), light))).toBeCloseTo(0.35, 2);
    expect(fitLength(poseOf(100, 198), { ...light, elevationDeg: 80 })).toMatchObject({ elevationDeg: 80 });
  });
});
