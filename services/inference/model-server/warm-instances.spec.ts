import { expect, it } from "vitest";
import type { PrepareOptions } from "./instance.ts";
import { type WarmableInstance, warmInstances } from "./warm-instances.ts";

const options: PrepareOptions = { inputs: [], outputs: [], buckets: [1, 4, 16], hasBatch: true, warmupRounds: 1 };

/** Instances on a device with room for so many rows in all. */
function createInstances(count: number, room: number) {
  const held = Array.from({ length: count }, (): number[] => []);
  const sum = () => held.flat().reduce((rows, bucket) => rows + bucket, 0);
  const instances = held.map(
    (_, at): WarmableInstance => ({
      async prepare({ buckets }) {
        const dropped: { bucket: number; reason: string }[] = [];
        for (const bucket of buckets) {
          if (sum() + bucket <= room) held[at]!.push(bucket);
          else if (bucket === buckets[0]) throw new Error("out of memory");
          else dropped.push({ bucket, reason: "out of memory" });
        }
        return { kind: "prepared", warmed: held[at]!.map((bucket) => ({ bucket, ms: [bucket] })), dropped };
      },
      async keep(buckets) {
        held[at] = held[at]!.filter((bucket) => buckets.includes(bucket));
      },
    }),
  );
  return { instances, held };
}

it("takes the largest bucket from earlier instances where a further one has no room for its first", async () => {
  const { instances, held } = createInstances(2, 21);
  const { dropped } = await warmInstances(instances, options, true);
  expect(dropped).toEqual([{ bucket: 16, reason: "out of memory" }]);
  expect(held).toEqual([
    [1, 4],
    [1, 4],
  ]);
});

it("plans no bucket that an earlier instance has dropped, and fails where even the smallest do not fit", async () => {
  const { instances, held } = createInstances(2, 10);
  const { dropped } = await warmInstances(instances, options, true);
  expect(dropped.map(({ bucket }) => bucket)).toEqual([16]);
  expect(held[1]).toEqual([1, 4]);
  await expect(warmInstances(createInstances(3, 2).instances, options, true)).rejects.toThrow("out of memory");
  await expect(warmInstances(createInstances(2, 21).instances, options, false)).rejects.toThrow("out of memory");
});
