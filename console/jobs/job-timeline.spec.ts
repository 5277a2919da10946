import { expect, test } from "vitest";
import { jobSpans } from "./job-timeline.tsx";

const createdAt = "2026-11-30T12:00:00.000Z";
const startedAt = "2026-11-30T12:00:00.500Z";

test("stages follow each other, and parts lie within their stage and are not counted twice", () => {
  const parts = { "ai-bg.plan": 20, "ai-bg.scene": 300, "ai-bg.compose": 80 };
  const timings = { decode: 40, "ai-bg": 410, ...parts, encode: 100, storeResult: 10, total: 570 };
  const spans = jobSpans({ createdAt, startedAt, timings });
  expect(spans.map(({ name, kind, beginsMs, lastsMs }) => [name, kind, beginsMs, beginsMs + lastsMs])).toEqual([
    ["wait", "wait", 0, 500],
    ["decode", "stage", 500, 540],
    ["ai-bg", "stage", 540, 950],
    ["ai-bg.plan", "part", 540, 560],
    ["ai-bg.scene", "part", 560, 860],
    ["ai-bg.compose", "part", 860, 940],
    ["encode", "stage", 950, 1050],
    ["storeResult", "stage", 1050, 1060],
  ]);
  expect(spans[4]!.label).toBe("Drawing the scene");
});

test("a job that nobody has started has no spans", () => {
  expect(jobSpans({ createdAt, startedAt: null, timings: null })).toEqual([]);
});
