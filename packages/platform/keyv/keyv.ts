/** Small values that may be lost: shared between processes with Redis, else each process has its own. */
import KeyvRedis from "@keyv/redis";
import { Keyv } from "keyv";
import type { Redis } from "../redis/redis.ts";

/** What is set while Redis is away stays in this process, which then finds only that. Neither waits for Redis for long. */
export function createKeyv({ redis, namespace }: { redis: Redis | undefined; namespace: string }): Keyv {
  if (redis === undefined) return new Keyv({ store: new ExpiringMap(), namespace });
  const store = new BoundedKeyvRedis(redis);
  return new Keyv({ store, namespace, useKeyPrefix: false });
}

class BoundedKeyvRedis extends KeyvRedis<string> {
  readonly redis: Redis;
  readonly own = new ExpiringMap();

  constructor(redis: Redis) {
    super(redis.client, { throwOnConnectError: false, throwOnErrors: true });
    this.redis = redis;
  }

  override async get<T = string>(key: string): Promise<T | undefined> {
    const found = await this.redis.call(() => super.get<T>(key)).catch(() => undefined);
    return found ?? (this.own.get(key) as T | undefined);
  }

  override async set(key: string, value: string, ttlMs?: number): Promise<void> {
    try {
      await this.redis.call(() => super.set(key, value, ttlMs));
      this.own.delete(key);
    } catch {
      this.own.set(key, value);
    }
  }
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
