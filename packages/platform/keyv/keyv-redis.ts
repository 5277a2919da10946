/** Keyv's store in Redis, which waits no longer than `Redis` does, and keeps what Redis does not take meanwhile. */
import KeyvRedis from "@keyv/redis";
import type { Redis } from "../redis/redis.ts";

export class BoundedKeyvRedis extends KeyvRedis<string> {
  readonly redis: Redis;
  readonly own: Map<string, string>;

  constructor(redis: Redis, own: Map<string, string>) {
    super(redis.client, { throwOnConnectError: false, throwOnErrors: true });
    this.redis = redis;
    this.own = own;
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
