import { expect, test } from "vitest";
import { countCompleted, countEdit, daysToStore, emptyUsage, usageOfDay } from "./day-usage.ts";

const noonMs = Date.UTC(2026, 10, 20, 12);
const dayMs = 24 * 3600 * 1000;
const edit = { tool: "mask", credits: 1 } as const;

test("a completed job changes the day's latency, and is stored with the next edit", () => {
  const before = countEdit(emptyUsage(noonMs), edit);
  const settled = countCompleted(before, 700, noonMs);
  expect(settled.latency).toMatchObject({ jobs: 1, totalMs: 700 });
  expect(daysToStore(before, settled)).toEqual([]);
  const edited = countEdit(settled, edit);
  expect(daysToStore(settled, edited)).toEqual([edited]);
  expect(edited.latency).toEqual(settled.latency);
});

test("the day after, the finished day is stored with its latency", () => {
  const settled = countCompleted(countEdit(emptyUsage(noonMs), edit), 700, noonMs);
  const nextDay = countEdit(usageOfDay(settled, noonMs + dayMs), edit);
  expect(daysToStore(settled, nextDay)).toEqual([settled, nextDay]);
  const completedNextDay = countCompleted(settled, 900, noonMs + dayMs);
  expect(completedNextDay).toMatchObject({ day: "2026-11-21", edits: {}, latency: { jobs: 1 } });
  expect(daysToStore(settled, completedNextDay)).toEqual([settled, completedNextDay]);
});

test("what did not complete has no latency", () => {
  const usage = emptyUsage(noonMs);
  expect(countCompleted(usage, undefined, noonMs + dayMs)).toBe(usage);
  expect(daysToStore(usage, usage)).toEqual([]);
});
