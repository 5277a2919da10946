import { expect, test } from "vitest";
import {
  countCompleted,
  countEdit,
  type DayUsage,
  daysToStore,
  emptyUsage,
  summarizeDay,
  usageOfDay,
} from "./day-usage.ts";

const noonMs = Date.UTC(2026, 10, 20, 12);
const dayMs = 24 * 3600 * 1000;
const edit = { tool: "mask", credits: 1 } as const;
const job = { tool: "mask", queueMs: 100, workMs: 600 } as const;

test("a completed job changes the day's latency, and is stored with the next edit", () => {
  const before = countEdit(emptyUsage(noonMs), edit);
  const settled = countCompleted(before, job, noonMs);
  expect(settled.latency).toMatchObject({ jobs: 1, totalMs: 700 });
  expect(daysToStore(before, settled)).toEqual([]);
  const edited = countEdit(settled, edit);
  expect(daysToStore(settled, edited)).toEqual([edited]);
  expect(edited.latency).toEqual(settled.latency);
});

test("the day after, the finished day is stored with its latency", () => {
  const settled = countCompleted(countEdit(emptyUsage(noonMs), edit), job, noonMs);
  const nextDay = countEdit(usageOfDay(settled, noonMs + dayMs), edit);
  expect(daysToStore(settled, nextDay)).toEqual([settled, nextDay]);
  const completedNextDay = countCompleted(settled, job, noonMs + dayMs);
  expect(completedNextDay).toMatchObject({ day: "2026-11-21", edits: {}, latency: { jobs: 1 } });
  expect(daysToStore(settled, completedNextDay)).toEqual([settled, completedNextDay]);
});

test("what did not complete has no latency", () => {
  const usage = emptyUsage(noonMs);
  expect(countCompleted(usage, undefined, noonMs + dayMs)).toBe(usage);
  expect(daysToStore(usage, usage)).toEqual([]);
});

test("a day tells queue and work apart, by tool and of all tools together", () => {
  const jobs = [
    { tool: "mask", queueMs: 50, workMs: 400 },
    { tool: "mask", queueMs: 4_000, workMs: 500 },
    { tool: "ai-bg", queueMs: 20, workMs: 3_000 },
  ] as const;
  const usage = jobs.reduce((before, one) => countCompleted(before, one, noonMs), emptyUsage(noonMs));
  const day = summarizeDay(usage)!;
  expect(day).toMatchObject({ jobs: 3, queue: { jobs: 3, meanMs: 1_357 }, work: { jobs: 3, meanMs: 1_300 } });
  expect(day.byTool?.mask).toMatchObject({ jobs: 2, meanMs: 2_475, queue: { meanMs: 2_025 }, work: { meanMs: 450 } });
  expect(day.byTool?.["ai-bg"]).toMatchObject({ jobs: 1, queue: { meanMs: 20 }, work: { meanMs: 3_000 } });
  expect(day.byTool).not.toHaveProperty("ai-shadows");
  expect(day.byTool!.mask!.queue.p99Ms).toBeGreaterThan(2_800);
});

test("a day with jobs that were not counted by tool has the whole latency alone", () => {
  const before: DayUsage = { ...emptyUsage(noonMs), latency: { jobs: 1, totalMs: 900, byRange: { 7: 1 } } };
  expect(summarizeDay(before)).toMatchObject({ jobs: 1, meanMs: 900 });
  const after = summarizeDay(countCompleted(before, job, noonMs));
  expect([after?.jobs, after?.byTool, after?.queue]).toEqual([2, undefined, undefined]);
  expect(summarizeDay(emptyUsage(noonMs))).toBeUndefined();
});
