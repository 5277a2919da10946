import { describe, expect, it } from "vitest";
import { box } from "../../../../testing/images/drawn-cut-out.ts";
import { fitLength } from "./fit-length.ts";
import type { Light } from "./light.ts";
import { estimatePose } from "./pose.ts";

const side = 200;
const light: Light = { directionDeg: 270, elevationDeg: 45, softness: 0.5, opacity: 0.9, keyShare: 0.5 };

const poseOf = (left: number, right: number, bottom = 150) => standing(box(left, 50, right, bottom));

function standing(isInside: (x: number, y: number) => boolean) {
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

  it("asks for no more room than each column is high: the shadow of a low heel ends beside it", () => {
    const heel = box(50, 120, 125, 150);
    const shaft = box(125, 50, 150, 150);
    const boot = standing((x, y) => heel(x, y) || shaft(x, y));
    const toHeel = { ...light, directionDeg: 90 };
    expect(fitLength(boot, toHeel)).toBe(toHeel);
    // What is as high all over has less room.
    expect(lengthOf(fitLength(poseOf(50, 150), toHeel))).toBeLessThan(0.5);
  });

  it("asks for the room of a disc's side, above which its face lies", () => {
    const rim = (x: number, y: number, row: number) => ((x - 99.5) / 60) ** 2 + ((y - row) / 33) ** 2 < 1;
    const band = box(40, 90, 160, 110);
    const disc = standing((x, y) => rim(x, y, 90) || rim(x, y, 110) || band(x, y));
    const toLeft = { ...light, directionDeg: 90 };
    expect(fitLength(disc, toLeft)).toBe(toLeft);
    expect(lengthOf(fitLength(poseOf(40, 160, 143), toLeft))).toBeLessThan(0.4);
  });
});
