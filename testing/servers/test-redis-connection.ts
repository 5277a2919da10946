/** A process's connection to a Redis, for tests. */
import { createRedis, type Redis } from "@packshot/platform/redis/redis.ts";
import { createRedisMetrics, type FallbackReason } from "@packshot/platform/redis/redis-metrics.ts";
import type { RedisSettings } from "@packshot/platform/redis/redis-settings.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";

export interface TestRedisConnection extends Redis {
  isAway(): Promise<boolean>;
  fallbacks(reason: FallbackReason): Promise<number>;
}

/** So long that only a Redis that hangs exceeds it, however busy the machine is. */
export const patientMs = 10_000;

export async function connectTestRedis(settings: RedisSettings, timeoutMs = patientMs): Promise<TestRedisConnection> {
  const { registry } = createMetrics("test");
  const metrics = createRedisMetrics(registry);
  const logger = createLogger({ name: "test", level: "silent" });
  const redis = createRedis({ settings, timeoutMs, metrics, logger });
  await redis.start();
  const readValue = async (name: string, labels: object = {}) => {
    const { values } = await registry.getSingleMetric(name)!.get();
    return values.find((each) => Object.entries(labels).every(([label, text]) => each.labels[label] === text))!.value;
  };
  return {
    ...redis,
    isAway: async () => (await readValue("packshot_redis_away")) === 1,
    fallbacks: (reason) => readValue("packshot_redis_fallbacks_total", { reason }),
  };
}
