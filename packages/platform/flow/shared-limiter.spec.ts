import { expect, it } from "vitest";
import { createSharedLimiter } from "./shared-limiter.ts";

/** Acts that run until they are ended, by name. */
function createActs(concurrencyMax: number) {
  const share = createSharedLimiter(concurrencyMax);
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const done = new Map<string, Promise<void>>();
  function add(key: string, count: number): void {
    for (let index = 1; index <= count; index++) {
      const name = `${key}${index}`;
      const ending = Promise.withResolvers<void>();
      ends.set(name, ending);
      done.set(
        name,
        share(key, async () => {
          started.push(name);
          await ending.promise;
        }),
      );
    }
  }
  async function end(name: string): Promise<void> {
    ends.get(name)!.resolve();
    await done.get(name);
    await new Promise(setImmediate);
  }
  return { add, end, started, share };
}

it("leaves half of the rest to whoever comes next", async () => {
  const { add, started } = createActs(8);
  for (const key of ["a", "b", "c", "d", "e"]) add(key, 20);
  await new Promise(setImmediate);
  expect(started).toEqual(["a1", "a2", "a3", "a4", "b1", "b2", "c1", "d1"]);
});

it("gives a place that becomes free to the key with the fewest acts, in turns", async () => {
  const { add, end, started } = createActs(4);
  add("a", 9);
  add("b", 9);
  add("c", 9);
  await new Promise(setImmediate);
  expect(started).toEqual(["a1", "a2", "b1", "c1"]);
  await end("a1");
  expect(started.slice(4)).toEqual([]);
  await end("a2");
  expect(started.slice(4)).toEqual(["a3"]);
  await end("b1");
  await end("c1");
  expect(started.slice(5).toSorted()).toEqual(["b2", "c2"]);
});

it("runs one act at a time if it may, and goes on when one fails", async () => {
  const { share } = createActs(1);
  const failing = share("a", () => Promise.reject(new Error("no")));
  const others = ["a", "b", "a"].map((key) => share(key, async () => key));
  await expect(failing).rejects.toThrow("no");
  expect(await Promise.all(others)).toEqual(["a", "b", "a"]);
});
