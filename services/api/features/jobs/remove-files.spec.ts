import type { CompletedJob } from "@packshot/domain/jobs/job.ts";
import { afterEach, expect, test, vi } from "vitest";
import { removeFiles } from "./remove-files.ts";

afterEach(() => {
  vi.useRealTimers();
});

const batch = { id: "c", row: 7, fingerprint: "same" };
const job = { accountId: "a", id: "b", status: "completed", batch, finishedAt: "2026-01-01T00:00:00Z" } as CompletedJob;

function removing(deletePrefix: (prefix: string) => Promise<void>) {
  const warn = vi.fn();
  const note = vi.fn(() => Promise.resolve());
  const nowMs = () => Date.parse("2026-01-02T00:00:00Z");
  return {
    warn,
    note,
    removed: removeFiles({ storage: { deletePrefix }, doneRows: { note }, logger: { warn }, nowMs }, job),
  };
}

test("a batch's copy of a deleted job's result goes with it, and the same row is edited anew", async () => {
  const gone: string[] = [];
  const { note, removed } = removing((prefix) => Promise.resolve(void gone.push(prefix)));
  await removed;
  expect(gone).toEqual(["api/a/b/", "batches/a/c/results/0000/7"]);
  const row = { fingerprint: "same", batch, at: "2026-01-02T00:00:00.000Z", isRejected: true };
  expect(note).toHaveBeenCalledWith("a", "deleted-b", [row]);
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
