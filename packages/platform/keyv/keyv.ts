/** Small values that may be lost: shared between processes with Redis, else each process has its own. */
import KeyvRedis from "@keyv/redis";
import { Keyv } from "keyv";
import { ExpiringMap } from "../flow/expiring-map.ts";
import type { Redis } from "../redis/redis.ts";

/** What is set while Redis is away stays in this process, which then finds only that. Neither waits for Redis for long. */
export function createKeyv({ redis, namespace }: { redis: Redis | undefined; namespace: string }): Keyv {
  if (redis === undefined) return new Keyv({ store: ownValues(), namespace });
  const store = new BoundedKeyvRedis(redis);
  return new Keyv({ store, namespace, useKeyPrefix: false });
}

class BoundedKeyvRedis extends KeyvRedis<string> {
  readonly redis: Redis;
  readonly own = ownValues();

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

/** Keyv removes an expired entry only when it is read. */
function ownValues(): ExpiringMap<string> {
  return new ExpiringMap((text) => {
    const { expires } = JSON.parse(text) as { expires?: number };
    return expires !== undefined && expires < Date.now();
  });
}
