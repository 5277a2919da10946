import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import { castShadow } from "./cast-shadow.ts";
import { composeOverShadow } from "./compose-over-shadow.ts";
import type { Light } from "./light.ts";
import { estimatePose } from "./pose.ts";
import { aimLight, photoShadowBearing, shadowBearing } from "./shadow-bearing.ts";

const light: Light = { directionDeg: 0, elevationDeg: 50, softness: 0.3, opacity: 1, keyShare: 0.5 };
/** High at its left only: the middle of its shadow is not opposite of the light. */
const bench = drawnCutOut(360, 300, (x, y) => box(100, 80, 140, 180)(x, y) || box(100, 150, 260, 180)(x, y));
const pose = estimatePose(bench.alpha, bench.width, bench.height, { pose: "standing", camera: "above" })!;

/** Where the shadow falls that the bench casts, as a photo has it. */
function bearingIn(cast: Light): number {
  const bare = { ...bench, alpha: new Uint8Array(bench.alpha.length) };
  const shadow = composeOverShadow(bare, castShadow(pose, cast, bench));
  return photoShadowBearing(pose, {
    alpha: bench.alpha.map((own, at) => (own > 0 ? 0 : shadow[4 * at + 3]!)),
    width: 360,
  })!;
}

/** A light of these boxes was turned by more than 360° at once for the bearing. */
const turnedTooFar: [[number, number, number, number][], number] = [
  [
    [10, 10, 5, 10],
    [48, 10, 5, 18],
  ],
  235,
];

const apart = (a: number, b: number) => Math.abs(((a - b + 540) % 360) - 180);

describe("shadowBearing", () => {
  it.each([
    ["to the right", 90, (x: number) => x > 0],
    ["to the left", 270, (x: number) => x < 0],
    ["toward the viewer", 180, (_: number, z: number) => z < 0],
  ] as const)("is %s for what is dark there", (_name, bearing, isDark) => {
    const { silhouette, ground } = pose;
    const middle = (silhouette.left + silhouette.right) / 2;
    const found = shadowBearing(pose, (x, y) =>
      isDark(x + 0.5 - middle, ground.baseRow - y - 0.5) && Math.abs(ground.baseRow - y) < 90 ? 0.5 : 0,
    );
    expect(apart(found!, bearing)).toBeLessThan(20);
  });

  it("is unknown where nothing is dark away from the foot", () => {
    expect(shadowBearing(pose, () => 0)).toBeUndefined();
  });
});

describe("aimLight", () => {
  const softer = { ...light, elevationDeg: 56, softness: 0.5 };

  it.each([60, 100, 300])("lets the shadow fall where that of a photo in light from %d° does", (directionDeg) => {
    const bearing = bearingIn({ ...light, directionDeg });
    const aimed = aimLight(pose, softer, bearing);
    expect(apart(bearingIn(aimed), bearing)).toBeLessThan(6);
    expect(aimed).toMatchObject({ elevationDeg: 56, softness: 0.5 });
  });

  it("does more than put the light opposite of where the shadow falls", () => {
    const bearing = bearingIn({ ...light, directionDeg: 60 });
    expect(apart(bearingIn({ ...softer, directionDeg: (bearing + 180) % 360 }), bearing)).toBeGreaterThan(12);
  });

  it.each([
    [90, 138],
    [20, 170],
  ])(
    "comes near to the nearest that any light has, where boxes stand at %d rows of each other: %d°",
    (back, bearing) => {
      const boxes = [box(260, 300 - back, 330, 400 - back), box(320, 260, 360, 400)];
      const size = { width: 640, height: 600 };
      const { alpha } = drawnCutOut(size.width, size.height, (x, y) => boxes.some((inside) => inside(x, y)));
      const drawn = estimatePose(alpha, size.width, size.height, { pose: "standing", camera: "above" })!;
      const offOf = (directionDeg: number) => {
        const { darkness, width, stepPx } = castShadow(drawn, { ...softer, directionDeg }, size);
        const at = (cell: number) => Math.round(((cell + 0.5) * drawn.silhouette.cellPx) / stepPx);
        return apart(shadowBearing(drawn, (x, y) => darkness[at(y) * width + at(x)]!)!, bearing);
      };
      const least = Math.min(...Array.from({ length: 12 }, (_, i) => offOf(30 * i)));
      expect(offOf(aimLight(drawn, softer, bearing).directionDeg)).toBeLessThan(least + 12);
    },
  );

  const boxArgs = fc.tuple(
    fc.integer({ min: 10, max: 55 }),
    fc.integer({ min: 10, max: 40 }),
    fc.integer({ min: 5, max: 30 }),
    fc.integer({ min: 10, max: 45 }),
  );

  it("gives a direction of 0 to below 360°, also where most of the shadow is the sky's and hardly turns", () => {
    const size = { width: 90, height: 90 };
    const skyLit = { ...softer, elevationDeg: 50, softness: 0.8, keyShare: 0.05 };
    fc.assert(
      fc.property(fc.array(boxArgs, { minLength: 1, maxLength: 3 }), fc.integer({ min: 0, max: 359 }), (boxes, to) => {
        const { alpha } = drawnCutOut(size.width, size.height, (x, y) =>
          boxes.some(([left, top, width, height]) => box(left, top, left + width, top + height)(x, y)),
        );
        const drawn = estimatePose(alpha, size.width, size.height, { pose: "standing", camera: "above" })!;
        const { directionDeg } = aimLight(drawn, skyLit, to);
        expect(directionDeg).toBeGreaterThanOrEqual(0);
        expect(directionDeg).toBeLessThan(360);
      }),
      { numRuns: 12, examples: [turnedTooFar] },
    );
  });
});
