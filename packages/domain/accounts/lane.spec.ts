import fc from "fast-check";
import { expect, test } from "vitest";
import {
  firstLaneTurns,
  type LaneTurns,
  type LiveLane,
  laneForDepth,
  laneOrder,
  liveLanes,
  turnsAfter,
} from "./lane.ts";

test("the lane depends on the unfinished jobs: below 2, below 16, below 128, and more", () => {
  expect([0, 1, 2, 15, 16, 127, 128, 100_000].map(laneForDepth)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  fc.assert(fc.property(fc.nat(200_000), (depth) => laneForDepth(depth) <= laneForDepth(depth + 1)));
});

/** Which lanes have jobs, and the lane that gives one: the first of the order that has any. */
function give(turns: LaneTurns, busy: readonly LiveLane[]): { readonly lane: LiveLane; readonly turns: LaneTurns } {
  const lane = laneOrder(turns).find((each) => busy.includes(each))!;
  return { lane, turns: turnsAfter(turns, lane) };
}

function giveMany(turns: LaneTurns, busy: readonly LiveLane[], count: number) {
  const given: LiveLane[] = [];
  for (let n = 0; n < count; n++) {
    const next = give(turns, busy);
    given.push(next.lane);
    turns = next.turns;
  }
  return { given, turns };
}

const part = fc.integer({ min: 0, max: 99 }).map((percent) => percent / 100);
const randomTurns = fc.tuple(part, part, part).map((parts) => {
  const drawn = parts.values();
  return firstLaneTurns(() => drawn.next().value!);
});
/** What a worker has met before: in each step other lanes had jobs. */
const history = fc.array(fc.subarray([...liveLanes], { minLength: 1 }), { maxLength: 60 });
const turnsThen = fc
  .tuple(randomTurns, history)
  .map(([turns, steps]) => steps.reduce((before, busy) => give(before, busy).turns, turns));

test("every order has each lane once", () => {
  fc.assert(
    fc.property(turnsThen, (turns) => {
      expect(laneOrder(turns).toSorted()).toEqual([...liveLanes]);
    }),
  );
});

test("lanes that all have jobs give 8, 4, 2 and 1 of fifteen, whatever was before", () => {
  fc.assert(
    fc.property(turnsThen, (turns) => {
      // At first a lane that gave much before may have to wait for the others.
      const { given } = giveMany(giveMany(turns, liveLanes, 15).turns, liveLanes, 150);
      for (const [lane, weight] of [8, 4, 2, 1].entries()) {
        const count = given.filter((each) => each === lane).length;
        expect(Math.abs(count - 10 * weight)).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test("a job in lane 0, which had none for a while, is the next, whatever the other lanes hold", () => {
  fc.assert(
    fc.property(
      turnsThen,
      fc.subarray([1, 2, 3] as const, { minLength: 1 }),
      fc.integer({ min: 8, max: 60 }),
      (turns, busy, count) => {
        const { turns: later } = giveMany(turns, busy, count);
        expect(give(later, liveLanes).lane).toBe(0);
      },
    ),
  );
});

test("until a new worker has given a job of lane 0, the next such job goes first, whatever it has given meanwhile", () => {
  const bulk = fc.subarray([1, 2, 3] as const, { minLength: 1 });
  fc.assert(
    fc.property(randomTurns, fc.array(bulk, { maxLength: 60 }), (turns, steps) => {
      const later = steps.reduce((before, busy) => give(before, busy).turns, turns);
      expect(give(later, liveLanes).lane).toBe(0);
    }),
  );
});

test("a lane that had no jobs has saved nothing up", () => {
  fc.assert(
    fc.property(turnsThen, (turns) => {
      const { turns: later } = giveMany(turns, [3], 1_000);
      const { given } = giveMany(later, liveLanes, 15);
      expect(given.filter((lane) => lane === 0).length).toBeLessThanOrEqual(9);
    }),
  );
});
