import { describe, expect, it } from "vitest";
import { createWindowedProcessor, type WindowedProcessorDeps } from "./windowed-processor.ts";

/** A processor whose batches end when the test says so. */
function createControlled(deps: Partial<WindowedProcessorDeps<number>> = {}) {
  const running: { items: readonly number[]; end: PromiseWithResolvers<void> }[] = [];
  const processor = createWindowedProcessor<number>({
    parallelMax: 2,
    batchItemsMax: 1,
    capacity: 100,
    async handle(items) {
      const end = Promise.withResolvers<void>();
      running.push({ items, end });
      await end.promise;
    },
    retryAfterMs: () => 0,
    ...deps,
  });
  const itemsOf = () => running.map(({ items }) => [...items]);
  async function end(item: number, error?: Error): Promise<void> {
    await expect.poll(itemsOf).toContainEqual(expect.arrayContaining([item]));
    const index = running.findIndex(({ items }) => items.includes(item));
    const [batch] = running.splice(index, 1);
    if (error === undefined) batch!.end.resolve();
    else batch!.end.reject(error);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { processor, itemsOf, end };
}

describe("a windowed processor", () => {
  it("moves its low-water mark to the newest item with nothing unfinished before it", async () => {
    const { processor, end } = createControlled({ parallelMax: 3 });
    for (const item of [1, 2, 3]) processor.add(item, String(item));
    processor.skip(4);
    expect(processor.lowWaterMark()).toBeUndefined();
    await end(2);
    expect(processor.lowWaterMark()).toBeUndefined();
    await end(1);
    expect(processor.lowWaterMark()).toBe(2);
    await end(3);
    expect(processor.lowWaterMark()).toBe(4);
  });

  it("handles no more batches at once than it may", async () => {
    const { processor, itemsOf, end } = createControlled();
    for (const item of [1, 2, 3]) processor.add(item, String(item));
    expect(itemsOf()).toEqual([[1], [2]]);
    await end(1);
    expect(itemsOf()).toEqual([[2], [3]]);
  });

  it("handles the items of one group in order, in batches", async () => {
    const { processor, itemsOf, end } = createControlled({ batchItemsMax: 2 });
    for (const item of [1, 2, 3, 4]) processor.add(item, "group");
    expect(itemsOf()).toEqual([[1]]);
    await end(1);
    expect(itemsOf()).toEqual([[2, 3]]);
    await end(2);
    expect(itemsOf()).toEqual([[4]]);
  });

  it("tries a failed batch again while other groups go on", async () => {
    const failures: number[] = [];
    const { processor, end } = createControlled({
      retryAfterMs: (_error, _items, count) => {
        failures.push(count);
        return 0;
      },
    });
    processor.add(1, "failing");
    processor.add(2, "other");
    await end(1, new Error("no"));
    await end(2);
    await end(1, new Error("no"));
    expect(processor.lowWaterMark()).toBeUndefined();
    await end(1);
    expect(failures).toEqual([1, 2]);
    expect(processor.lowWaterMark()).toBe(2);
  });

  it("has capacity again when the low-water mark moves", async () => {
    const { processor, end } = createControlled({ capacity: 2 });
    processor.add(1, "a");
    processor.add(2, "b");
    let hasCapacity = false;
    const waiting = processor.waitForCapacity().then(() => {
      hasCapacity = true;
    });
    await end(2);
    expect(hasCapacity).toBe(false);
    await end(1);
    await waiting;
  });

  it("starts nothing after a stop, and waits for what runs", async () => {
    const { processor, itemsOf, end } = createControlled({ parallelMax: 1 });
    processor.add(1, "a");
    processor.add(2, "b");
    let isStopped = false;
    const stopping = processor.stop().then(() => {
      isStopped = true;
    });
    expect(isStopped).toBe(false);
    await end(1);
    await stopping;
    expect(itemsOf()).toEqual([]);
  });
});
