import fc from "fast-check";
import { expect, test } from "vitest";
import type { Edit, EditRequest, Parameters } from "./edit.ts";
import {
  boxBetween,
  candidateBox,
  candidatesOf,
  choiceOf,
  choiceParameters,
  contains,
  describeChoice,
  isDrawn,
  pointAt,
  pointIn,
  requestFor,
  type Settings,
  withBox,
  withoutChoice,
  withPoint,
  withRequest,
} from "./product-choice.ts";

const photo = { width: 900, height: 600 };
/** The photo on the screen, at half its size. */
const area = { left: 100, top: 40, width: 450, height: 300 };
const lengthPattern = /^[0-9]{1,5}(\.[0-9]{1,6})?(px|%)$/;
const anywhere = fc.record({ x: fc.integer({ min: 0, max: 700 }), y: fc.integer({ min: -60, max: 440 }) });

test("a pointer's place is a share of the photo in tenths of percents, and beside the photo at its edge", () => {
  expect(pointAt({ x: 100 + 166.5, y: 40 + 156 }, area)).toEqual({ x: 37, y: 52 });
  expect(pointAt({ x: 101, y: 40 }, area)).toEqual({ x: 0.2, y: 0 });
  expect(pointAt({ x: 20, y: 999 }, area)).toEqual({ x: 0, y: 100 });
  fc.assert(
    fc.property(anywhere, (pointer) => {
      const { point } = withPoint({}, pointAt(pointer, area), photo) as { point: Record<string, string> };
      for (const length of Object.values(point)) {
        expect(length).toMatch(lengthPattern);
        expect(Number.parseFloat(length)).toBeLessThanOrEqual(100);
      }
    }),
  );
});

test("a box may be drawn from any corner to beyond the photo, and is never empty", () => {
  expect(boxBetween({ x: 60, y: 10 }, { x: 20, y: 90 })).toEqual({ left: 20, top: 10, right: 60, bottom: 90 });
  fc.assert(
    fc.property(anywhere, anywhere, (from, to) => {
      const box = boxBetween(pointAt(from, area), pointAt(to, area));
      fc.pre(isDrawn(box, area));
      const { region } = withBox({}, box, photo) as { region: Record<string, string> };
      expect(Object.values(region).every((length) => lengthPattern.test(length))).toBe(true);
      const { box: read } = choiceOf({ region }, photo);
      expect(read).toEqual(box);
      expect(Math.min(box.left, box.top)).toBeGreaterThanOrEqual(0);
      expect(Math.max(box.right, box.bottom)).toBeLessThanOrEqual(100);
      expect(box.left < box.right && box.top < box.bottom).toBe(true);
    }),
  );
});

test("a click by a hand that shakes is no box", () => {
  const from = pointAt({ x: 200, y: 100 }, area);
  expect(isDrawn(boxBetween(from, pointAt({ x: 207, y: 107 }, area)), area)).toBe(false);
  expect(isDrawn(boxBetween(from, pointAt({ x: 300, y: 103 }, area)), area)).toBe(false);
  expect(isDrawn(boxBetween(from, pointAt({ x: 210, y: 110 }, area)), area)).toBe(true);
});

test("the newer of a point and a box stays where they exclude each other, and other parameters always do", () => {
  const box = { left: 10, top: 20, right: 60, bottom: 80 };
  const region = { left: "10%", top: "20%", right: "60%", bottom: "80%" };
  const drawn = withBox({ seed: 7 }, box, photo);
  expect(drawn).toEqual({ seed: 7, region });
  const within = withPoint(drawn, { x: 37, y: 52 }, photo);
  expect(within).toEqual({ seed: 7, region, point: { x: "37%", y: "52%" } });
  // A box ends before its right and its lower side, as the service counts.
  expect(withPoint(drawn, { x: 60, y: 52 }, photo)).toEqual({ seed: 7, point: { x: "60%", y: "52%" } });
  expect(withBox(within, { ...box, left: 40 }, photo)).toEqual({ seed: 7, region: { ...region, left: "40%" } });
  expect(withoutChoice(within)).toEqual({ seed: 7 });
});

test("what was typed is read as the service does: pixels, shares, and what is left out", () => {
  expect(choiceOf({}, photo)).toEqual({});
  expect(choiceOf({ point: { x: "90px", y: "52.5%" } }, photo)).toEqual({ point: { x: 10, y: 52.5 } });
  expect(choiceOf({ point: { y: "0%" } }, photo)).toEqual({ point: { x: 50, y: 0 } });
  expect(choiceOf({ region: { left: "450px", bottom: "30%" } }, photo)).toEqual({
    box: { left: 50, top: 0, right: 100, bottom: 30 },
  });
});

test("a thing's box is a share of the photo, and its point is in no other thing's box where that can be", () => {
  const thing = { left: 90, top: 60, width: 450, height: 300, score: 1, chosen: true };
  const box = candidateBox(thing, photo);
  expect(box).toEqual({ left: 10, top: 10, right: 60, bottom: 60 });
  expect(pointIn(box, [])).toEqual({ x: 35, y: 35 });
  const middle = { left: 30, top: 0, right: 40, bottom: 100 };
  const beside = pointIn(box, [middle]);
  expect([contains(box, beside), contains(middle, beside)]).toEqual([true, false]);
  expect(pointIn(box, [box])).toEqual({ x: 35, y: 35 });
});

test("an edit that had a point names no things, and an earlier one's stay", () => {
  const things = [{ left: 0, top: 0, width: 9, height: 9, score: 1, chosen: true }];
  const edit = (state: object) => ({ state }) as Edit;
  const named = edit({ status: "completed", job: { report: { candidates: things } } });
  const pointed = edit({ status: "completed", job: { report: {} } });
  expect(candidatesOf([pointed, named, pointed, edit({ status: "waiting" })])).toBe(things);
  // A store's snapshot must be one and the same while nothing changes.
  expect(candidatesOf([pointed])).toBe(candidatesOf([]));
});

test("only a tool whose schema has the parameters lets choose", () => {
  const length = { type: "string" };
  const point = { type: "object", properties: { x: length, y: length } };
  const region = { type: ["object", "null"], properties: { left: length, top: length, right: length, bottom: length } };
  expect(choiceParameters({ properties: { point, region } })).toEqual({ hasPoint: true, hasRegion: true });
  expect(choiceParameters({ properties: { region } })).toEqual({ hasPoint: false, hasRegion: true });
  expect(choiceParameters({ properties: { point: length, region: { properties: { x: length } } } })).toEqual({
    hasPoint: false,
    hasRegion: false,
  });
});

test("what is chosen on a photo is for that photo alone, whatever else the form gets, and what is typed for all", () => {
  const maskOf = (parameters: Parameters): EditRequest => ({ tool: "mask", parameters });
  const left = { point: { x: "20%" } };
  const right = { point: { x: "80%" } };
  const none: Settings = { request: maskOf({ seed: 7 }), choices: new Map() };
  const one = withRequest(none, maskOf({ seed: 7, ...left }), "a");
  const two = withRequest(one, maskOf({ seed: 7, ...right }), "b");
  const reseeded = withRequest(two, maskOf({ seed: 8 }), undefined);
  expect(["a", "b", "c", undefined].map((id) => requestFor(reseeded, id).parameters)).toEqual([
    { seed: 8, ...left },
    { seed: 8, ...right },
    { seed: 8 },
    { seed: 8 },
  ]);
  expect(withRequest(one, maskOf({ seed: 7 }), "a")).toEqual(none);

  const typed = withRequest(one, maskOf({ seed: 7, ...right }), undefined);
  expect(["a", "b"].map((id) => requestFor(typed, id).parameters)).toEqual([
    { seed: 7, ...left },
    { seed: 7, ...right },
  ]);
  // Cleared on one photo, it stays for the others.
  const cleared = withRequest(typed, maskOf({ seed: 7 }), "b");
  expect(["b", "c"].map((id) => requestFor(cleared, id).parameters)).toEqual([{ seed: 7 }, { seed: 7, ...right }]);
});

test("the choice is said in words", () => {
  expect(describeChoice({})).toBe("Nothing is chosen yet.");
  const box = { left: 10, top: 20, right: 60, bottom: 80 };
  expect(describeChoice({ point: { x: 37, y: 52 }, box })).toBe(
    "Chosen: the point 37 %, 52 % in the box from 10 %, 20 % to 60 %, 80 %.",
  );
});
