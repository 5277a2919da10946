import fc from "fast-check";
import { expect, test } from "vitest";
import { laneOrder, laneForDepth, lanes } from "./lane.ts";

test("the lane is the depth at which a job enters: 2, 16, 128, beyond", () => {
  expect([0, 1, 2, 15, 16, 127, 128, 100_000].map(laneForDepth)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  fc.assert(fc.property(fc.nat(200_000), (depth) => laneForDepth(depth) <= laneForDepth(depth + 1)));
});

test("every draw tries every lane once", () => {
  fc.assert(
    fc.property(fc.nat(), (turn) => {
      expect([...laneOrder(turn)].sort()).toEqual([...lanes]);
    }),
  );
});

test("of 15 draws in a row the lanes come first 8, 4, 2 and 1 times, and lane 0 in one of any two", () => {
  fc.assert(
    fc.property(fc.nat(1_000), (turn) => {
      const firsts = Array.from({ length: 15 }, (_, i) => laneOrder(turn + i)[0]!);
      expect(lanes.map((lane) => firsts.filter((first) => first === lane).length)).toEqual([8, 4, 2, 1]);
      expect(firsts.slice(0, 2)).toContain(0);
    }),
  );
});
