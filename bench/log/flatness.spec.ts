import { expect, it } from "vitest";
import { judgeFlatness } from "./flatness.ts";

const size = { name: "messages", fullFromDay: 3, noise: 10 };

it("compares every day with the first on which what is kept is complete", () => {
  expect(judgeFlatness({ ...size, values: [100, 200, 300, 310, 329] })).toBe("flat");
  expect(judgeFlatness({ ...size, values: [100, 200, 300, 340, 300] })).toBe("grows");
  expect(judgeFlatness({ ...size, values: [100, 200, 300, 320, 340] })).toBe("grows");
});

it("calls nothing flat that has had no day to compare", () => {
  expect(judgeFlatness({ ...size, values: [300, 300, 300] })).toBe("too few days");
});

it("takes small changes for noise", () => {
  expect(judgeFlatness({ ...size, values: [0, 0, 1, 8, 11] })).toBe("flat");
});

it("holds what is emptied in steps to its limit", () => {
  expect(judgeFlatness({ ...size, values: [5, 9, 2, 7, 9], max: 10 })).toBe("flat");
  expect(judgeFlatness({ ...size, values: [5, 9, 11], max: 10 })).toBe("grows");
});
