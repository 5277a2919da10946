import fc from "fast-check";
import { expect, test } from "vitest";
import { laneOrder, laneForDepth, liveLanes } from "./lane.ts";

test("the lane depends on the unfinished jobs: below 2, below 16, below 128, and more", () => {
  expect([0, 1, 2, 15, 16, 127, 128, 100_000].map(laneForDepth)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  fc.assert(fc.property(fc.nat(200_000), (depth) => laneForDepth(depth) <= laneForDepth(depth + 1)));
});

test("every turn tries each lane once", () => {
  fc.assert(
    fc.property(fc.nat(), (turn) => {
      expect([...laneOrder(turn)].sort()).toEqual([...liveLanes]);
    }),
  );
});

test("in 15 turns the lanes are first 8, 4, 2 and 1 times, and lane 0 is first in one of any two turns", () => {
  fc.assert(
    fc.property(fc.nat(1_000), (turn) => {
      const firsts = Array.from({ length: 15 }, (_, i) => laneOrder(turn + i)[0]!);
      expect(liveLanes.map((lane) => firsts.filter((first) => first === lane).length)).toEqual([8, 4, 2, 1]);
      expect(firsts.slice(0, 2)).toContain(0);
    }),
  );
});
