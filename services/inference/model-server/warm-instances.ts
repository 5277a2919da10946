/** Warms the instances of a version, which share what fits the device: all of them serve the same buckets. */

import type { WarmedBuckets } from "./bucket-sessions.ts";
import type { Instance, PrepareOptions } from "./instance.ts";

export type WarmableInstance = Pick<Instance, "prepare" | "keep">;

/**
 * One after the other, because a parallel warm-up would falsify the measured costs. Where an instance has no room for its first
 * bucket on a GPU, those before it give up their largest. Throws when that is of no use.
 */
export async function warmInstances(
  instances: readonly WarmableInstance[],
  options: PrepareOptions,
  onGpu: boolean,
): Promise<WarmedBuckets> {
  let { buckets } = options;
  const warmed: WarmedBuckets["warmed"][number][] = [];
  const dropped: WarmedBuckets["dropped"][number][] = [];
  const drop = (gone: WarmedBuckets["dropped"]) => {
    dropped.push(...gone);
    buckets = buckets.filter((bucket) => !gone.some((each) => each.bucket === bucket));
  };

  async function warmWithRoom(instance: WarmableInstance, earlier: readonly WarmableInstance[]) {
    for (;;) {
      try {
        return await instance.prepare({ ...options, buckets });
      } catch (error) {
        if (!onGpu || earlier.length === 0 || buckets.length === 1) throw error;
        drop([{ bucket: buckets.at(-1)!, reason: (error as Error).message }]);
        for (const each of earlier) await each.keep(buckets);
      }
    }
  }

  for (const [position, instance] of instances.entries()) {
    const prepared = await warmWithRoom(instance, instances.slice(0, position));
    warmed.push(...prepared.warmed);
    drop(prepared.dropped);
  }
  return { warmed, dropped };
}
