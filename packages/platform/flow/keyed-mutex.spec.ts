import { expect, it } from "vitest";
import { createKeyedMutex } from "./keyed-mutex.ts";

it("runs the acts of one key one after another, also when one fails, and those of other keys meanwhile", async () => {
  const mutex = createKeyedMutex();
  const begun: string[] = [];
  const first = Promise.withResolvers<void>();
  const failing = mutex.runExclusive("a", async () => {
    begun.push("a1");
    await first.promise;
    throw new Error("no");
  });
  const second = mutex.runExclusive("a", async () => begun.push("a2"));
  await mutex.runExclusive("b", async () => begun.push("b1"));
  expect(begun).toEqual(["a1", "b1"]);
  first.resolve();
  await expect(failing).rejects.toThrow("no");
  await second;
  expect(begun).toEqual(["a1", "b1", "a2"]);
});

it("is unlocked when the last act of the key has ended", async () => {
  const mutex = createKeyedMutex();
  const acts = [mutex.runExclusive("a", async () => 1), mutex.runExclusive("a", async () => 2)];
  expect([mutex.isLocked("a"), mutex.isLocked("b")]).toEqual([true, false]);
  expect(await Promise.all(acts)).toEqual([1, 2]);
  expect(mutex.isLocked("a")).toBe(false);
});
