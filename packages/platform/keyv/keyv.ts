/** Small values that may be lost: shared between processes with Redis, else each process has its own. */
import KeyvRedis from "@keyv/redis";
import { Keyv } from "keyv";
import type { RedisClient } from "./redis-client.ts";

/** While Redis is away `get` finds nothing and `set` resolves to false, both at once. */
export function createKeyv({ redis, namespace }: { redis: RedisClient | undefined; namespace: string }): Keyv {
  if (redis === undefined) return new Keyv({ store: new ExpiringMap(), namespace });
  const store = new KeyvRedis(redis, { throwOnConnectError: false, throwOnErrors: true });
  return new Keyv({ store, namespace, useKeyPrefix: false });
}

const sweepSizeMin = 1_000;

/** Keyv removes an expired entry only when it is read, so entries that nobody reads again would stay. */
class ExpiringMap extends Map<string, string> {
  sweepSize = sweepSizeMin;

  override set(key: string, value: string): this {
    super.set(key, value);
    if (this.size >= this.sweepSize) {
      const now = Date.now();
      for (const [name, text] of this) {
        const { expires } = JSON.parse(text) as { expires?: number };
        if (expires !== undefined && expires < now) this.delete(name);
      }
      // Doubling keeps the cost of sweeps per entry constant, however many entries there are.
      this.sweepSize = Math.max(sweepSizeMin, 2 * this.size);
    }
    return this;
  }
}
