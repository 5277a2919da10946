import { describe, expect, it } from "vitest";
import { drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import type { CutOut } from "../pixels/cut-out.ts";
import { photoLightOf } from "./light-side.ts";
import { estimatePose } from "./pose.ts";

type Color = readonly [number, number, number];
const clay: Color = [190, 150, 120];

/** A jar of one color, 100 wide, on an image of 260 × 220; `shade` says how bright it is at −1 (left) to 1. */
function jar(
  shade: (aside: number, y: number) => number,
  colorAt: (aside: number, y: number) => Color = () => clay,
): CutOut {
  const shape = drawnCutOut(260, 220, (x, y) => x >= 80 && x < 180 && y >= 40 && y < 180);
  const rgb = Uint8Array.from(shape.rgb, (_, at) => {
    const x = Math.floor(at / 3) % 260;
    const y = Math.floor(at / 780);
    const aside = (x - 130) / 50;
    return Math.min(255, colorAt(aside, y)[at % 3]! * shade(aside, y));
  });
  return { ...shape, rgb };
}

/** The photo's shadow: so dark within the columns, beside the jar's foot. */
function shadowIn(columns: readonly (readonly [number, number])[]) {
  const alpha = new Uint8Array(260 * 220);
  for (const [from, to] of columns) for (let y = 168; y < 186; y++) alpha.fill(80, y * 260 + from, y * 260 + to);
  return { alpha, width: 260 };
}

const sideOf = (cut: CutOut, shadow?: ReturnType<typeof shadowIn>) =>
  photoLightOf(cut, estimatePose(cut.alpha, cut.width, cut.height, { pose: "standing" })!, shadow)?.side;
const even = () => 0.8;
const fromRight = (aside: number) => 0.7 + 0.25 * aside;

describe("the side from which a photo's light comes", () => {
  it("is the one that its shadow points away from, whatever the product looks like", () => {
    expect(sideOf(jar(even), shadowIn([[20, 80]]))).toBe("right");
    expect(sideOf(jar(even), shadowIn([[180, 240]]))).toBe("left");
    expect(sideOf(jar(fromRight), shadowIn([[180, 240]]))).toBe("left");
  });

  it("is not told by a shadow on both sides, or one that is hardly there", () => {
    expect(
      sideOf(
        jar(even),
        shadowIn([
          [40, 80],
          [180, 215],
        ]),
      ),
    ).toBeUndefined();
    expect(sideOf(jar(even), shadowIn([[79, 80]]))).toBeUndefined();
  });

  it("is the brighter one of a product without a shadow", () => {
    expect(sideOf(jar(fromRight))).toBe("right");
    expect(sideOf(jar((aside) => fromRight(-aside)))).toBe("left");
    expect(
      sideOf(
        jar(fromRight),
        shadowIn([
          [40, 80],
          [180, 215],
        ]),
      ),
      "nor with one that does not tell",
    ).toBe("right");
  });

  it("is unknown where the light is even, and where only a part of the product is brighter", () => {
    expect(sideOf(jar(even))).toBeUndefined();
    expect(sideOf(jar((aside, y) => (y < 120 ? fromRight(aside) : fromRight(-aside))))).toBeUndefined();
  });

  it("is not taken from two colors, which differ under any light", () => {
    const half = (aside: number): Color => (aside < 0 ? [60, 70, 160] : [230, 190, 90]);
    expect(sideOf(jar(even, half))).toBeUndefined();
  });

  it("is not taken from a few rows that can be compared", () => {
    const label = (aside: number, y: number): Color => (y < 160 && aside < 0 ? [60, 70, 160] : clay);
    expect(sideOf(jar(fromRight, label))).toBeUndefined();
  });
});
