import { expect, test } from "vitest";
import { type EndedJob, endFaults } from "./ended-job.ts";

const ended = (status: string): EndedJob => ({ status, atMs: 1, resultUrl: null });

test("jobs that ended in any other way than completed are a fault, counted by how they ended", () => {
  const jobs = ["completed", "failed", "completed", "cancelled", "failed"].map(ended);
  expect(endFaults(jobs)).toEqual(["2 jobs ended failed", "1 jobs ended cancelled"]);
});

test("completed jobs are no fault", () => {
  expect(endFaults([])).toEqual([]);
  expect(endFaults([ended("completed")])).toEqual([]);
});
