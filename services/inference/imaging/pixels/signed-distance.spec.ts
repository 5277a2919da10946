import fc from "fast-check";
import { expect, it } from "vitest";
import { masksOf, sparseCells } from "../../../../testing/images/random-masks.ts";
import { signedDistance } from "./signed-distance.ts";

it("gives each cell its distance to the edge, up to the limit", () => {
  fc.assert(
    fc.property(masksOf(sparseCells), fc.integer({ min: 1, max: 6 }), ({ size, mask }, limit) => {
      const distances = signedDistance(mask, size, limit);
      for (let i = 0; i < mask.length; i++) {
        const steps = [...mask.keys()].filter((to) => mask[to] !== mask[i]).map((to) => chamfer(i, to, size.width));
        const expectedDistance = Math.min(limit, ...steps) - 0.5;
        expect(distances[i]).toBeCloseTo(mask[i] === 1 ? expectedDistance : -expectedDistance, 5);
      }
    }),
  );
});

/** The shortest path between two cells by steps of 1 along rows and columns and of √2 diagonally. */
function chamfer(from: number, to: number, width: number): number {
  const across = Math.abs((from % width) - (to % width));
  const down = Math.abs(Math.floor(from / width) - Math.floor(to / width));
  return Math.max(across, down) + (Math.SQRT2 - 1) * Math.min(across, down);
}
