import { afterEach, expect, test, vi } from "vitest";
import { removeFiles } from "./jobs.ts";

afterEach(() => {
  vi.useRealTimers();
});

const prefix = "accounts/a/jobs/b/";

function removing(deletePrefix: (prefix: string) => Promise<void>) {
  const warn = vi.fn();
  return { warn, removed: removeFiles({ storage: { deletePrefix }, logger: { warn } }, prefix) };
}

test("the files of a deleted job that storage does not remove are named for the operator, and the client is answered", async () => {
  const { warn, removed } = removing(() => Promise.reject(new Error("no bucket")));
  await removed;
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ prefix }), expect.any(String));
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
