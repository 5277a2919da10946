import { describe, expect, it } from "vitest";
import { box } from "../../../../testing/images/drawn-cut-out.ts";
import { frontTips } from "./front-tips.ts";
import { traceGround } from "./ground.ts";
import { createSilhouette, type Silhouette } from "./silhouette.ts";
import { standingParts } from "./standing-parts.ts";

const side = 168;
const pitch = 0.45;

type Shape = (x: number, y: number) => boolean;

function drawn(isInside: Shape): Silhouette {
  const alpha = Uint8Array.from({ length: side * side }, (_, i) =>
    isInside(i % side, Math.floor(i / side)) ? 255 : 0,
  );
  return createSilhouette(alpha, side, side)!;
}

const rim: Shape = (x, y) => ((x - 84) / 80) ** 2 + ((y - 70) / 34) ** 2 < 1;
const disc: Shape = (x, y) => rim(x, y) || rim(x, y - 18) || (Math.abs(x - 84) < 80 && y > 70 && y < 88);
const brush = box(110, 100, 122, 132);

describe("tips in front of a round base", () => {
  it("stand on a ground of their own, and the base touches its ground at both sides of them", () => {
    const silhouette = drawn((x, y) => disc(x, y) || brush(x, y));
    const [tip, ...others] = frontTips(silhouette);
    expect(others).toEqual([]);
    expect(tip).toMatchObject({ left: 110, right: 122, bottom: 132 });
    const parts = standingParts(silhouette, traceGround(silhouette, pitch), pitch);
    expect(parts).toHaveLength(2);
    for (const column of [40, 84, 104, 128, 140])
      expect(parts[0]!.ground.contact[column], `${column}`).toBeGreaterThan(0.5);
    expect(parts[1]!.ground.contact[116]).toBeGreaterThan(0.5);
    expect(parts.map(({ ground }) => ground.baseRow)).toEqual([132, 132]);
  });

  it.each<[string, Shape]>([
    ["a round base alone", disc],
    ["a tripod's legs, which carry it", (x, y) => disc(x, y) || box(110, 100, 122, 160)(x, y)],
    ["the feet of a sofa", (x, y) => box(4, 60, 164, 110)(x, y) || box(12, 110, 24, 122)(x, y)],
    [
      "the foot at the corner of a box",
      (x, y) => (y > 30 && y < 120 - 0.5 * Math.abs(x - 84)) || box(79, 110, 89, 128)(x, y),
    ],
  ])("are none: %s", (_, shape) => {
    expect(frontTips(drawn(shape))).toEqual([]);
  });
});
