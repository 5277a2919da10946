import type { CompletedJob } from "@packshot/domain/jobs/job.ts";
import { afterEach, expect, test, vi } from "vitest";
import { removeFiles } from "./remove-files.ts";

afterEach(() => {
  vi.useRealTimers();
});

const row = { id: "c", row: 7, try: 1, ref: "K-7", fingerprint: "same" };
const completed = { accountId: "a", id: "b", status: "completed" } as CompletedJob;

function removing(deletePrefix: (prefix: string) => Promise<void>, made: Partial<CompletedJob> = { batch: row }) {
  const warn = vi.fn();
  return { warn, removed: removeFiles({ storage: { deletePrefix }, logger: { warn } }, { ...completed, ...made }) };
}

test.each([
  ["job", { batch: row }, "7"],
  ["free repeat", { mends: row }, "7-b"],
])("a batch's copy of the result of a deleted %s goes with it", async (_, made, copy) => {
  const gone: string[] = [];
  await removing((prefix) => Promise.resolve(void gone.push(prefix)), made as Partial<CompletedJob>).removed;
  expect(gone).toEqual(["api/a/b/", `batches/a/c/results/0000/${copy}`]);
});

test("the files of a deleted job that storage does not remove are named for the operator, and the client is answered", async () => {
  const { warn, removed } = removing(() => Promise.reject(new Error("no bucket")));
  await removed;
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ jobId: "b" }), expect.any(String));
});

test("a storage that does not answer holds the answer to a deletion up for five seconds", async () => {
  vi.useFakeTimers();
  const { warn, removed } = removing(() => new Promise(() => {}));
  let isAnswered = false;
  void removed.then(() => {
    isAnswered = true;
  });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(isAnswered).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isAnswered).toBe(true);
  expect(warn).not.toHaveBeenCalled();
});
