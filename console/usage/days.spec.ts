import { expect, test } from "vitest";
import { daysUntil, firstDayOf } from "./days.ts";

test("days without edits stand between those with some", () => {
  const nowMs = Date.UTC(2026, 2, 2, 23, 59);
  expect(firstDayOf(4, nowMs)).toBe("2026-02-27");
  const used = [{ day: "2026-02-28", edits: { mask: 3 }, creditsDebited: 3, creditsRefunded: 1 }];
  const days = daysUntil(used, 4, nowMs);
  expect(days.map(({ day }) => day)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"]);
  expect(days.map(({ creditsDebited }) => creditsDebited)).toEqual([0, 3, 0, 0]);
});
