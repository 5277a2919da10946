/** Small values that may be lost: shared between processes with Redis, else each process has its own. */
import { Keyv } from "keyv";
import { ExpiringMap } from "../flow/expiring-map.ts";
import type { Redis } from "../redis/redis.ts";

/** What is set while Redis is away stays in this process, which then finds only that. Neither waits for Redis for long. */
export async function createKeyv({ redis, namespace }: { redis: Redis | undefined; namespace: string }): Promise<Keyv> {
  if (redis === undefined) return new Keyv({ store: ownValues(), namespace });
  // A process without Redis need not load its client.
  const { BoundedKeyvRedis } = await import("./keyv-redis.ts");
  const store = new BoundedKeyvRedis(redis, ownValues());
  return new Keyv({ store, namespace, useKeyPrefix: false });
}

/** Keyv removes an expired entry only when it is read. */
function ownValues(): ExpiringMap<string> {
  return new ExpiringMap((text) => {
    const { expires } = JSON.parse(text) as { expires?: number };
    return expires !== undefined && expires < Date.now();
  });
}
