/** Small values that may be lost: shared between processes with Redis, else each process has its own. */
import { Keyv } from "keyv";
import { ExpiringMap } from "../flow/expiring-map.ts";
import type { Redis } from "../redis/redis.ts";

export interface KeyvOptions {
  readonly redis: Redis | undefined;
  readonly namespace: string;
  /** Entries that a process has of its own at most: the oldest make room for new ones. Absent: none is removed before it expires. */
  readonly entriesMax?: number;
}

/** What is set while Redis is away stays in this process, which then finds only that. Neither waits for Redis for long. */
export async function createKeyv({ redis, namespace, entriesMax }: KeyvOptions): Promise<Keyv> {
  if (redis === undefined) return new Keyv({ store: ownValues(entriesMax), namespace });
  // A process without Redis need not load its client.
  const { BoundedKeyvRedis } = await import("./keyv-redis.ts");
  const store = new BoundedKeyvRedis(redis, ownValues(entriesMax));
  return new Keyv({ store, namespace, useKeyPrefix: false });
}

/** Keyv removes an expired entry only when it is read. */
function ownValues(entriesMax?: number): ExpiringMap<string> {
  const isExpired = (text: string) => {
    const { expires } = JSON.parse(text) as { expires?: number };
    return expires !== undefined && expires < Date.now();
  };
  return new ExpiringMap(isExpired, entriesMax);
}
