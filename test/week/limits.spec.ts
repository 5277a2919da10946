import { expect, test } from "vitest";
import { limitOf } from "./limits.ts";
import { judgeSlope } from "./slope.ts";

const stored = { logs: 12, log: 26 };

function judge(name: string, mean: number, perDay: number) {
  return judgeSlope({ mean, perDay, uncertainty: perDay / 2, points: 36 }, limitOf(name, stored)?.megabytes);
}

test("a process may fill what every process of its kind fills, and no more", () => {
  expect(judge("memory of worker, MB", 811, 7.6)).toBe("grows to its limit");
  // As much as 27 KB an edit.
  expect(judge("memory of worker, MB", 811, 23)).toBe("grows");
  expect(judge("memory of webhooks, MB", 130, 0.7)).toBe("grows to its limit");
  expect(judge("memory of webhooks, MB", 130, 9)).toBe("grows");
});

test("the log's disk may fill its blocks", () => {
  expect(judge("disk of the nats-servers, MB", 159, 7.1)).toBe("grows to its limit");
  expect(judge("disk of the nats-servers, MB", 159, 45)).toBe("grows");
});

test("heaps, streams and files have no limit: they must be flat", () => {
  for (const name of ["held by heaps of worker, MB", "streams of the log, MB", "files of jobs"])
    expect(limitOf(name, stored)).toBeUndefined();
});
