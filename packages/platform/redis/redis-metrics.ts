import { Counter, Gauge, type Registry } from "prom-client";

export const fallbackReasons = ["away", "timeout", "refused"] as const;
export type FallbackReason = (typeof fallbackReasons)[number];

export interface RedisMetrics {
  setAway(isAway: boolean): void;
  onFallback(reason: FallbackReason): void;
}

/** Also without Redis, which is never away then. */
export function createRedisMetrics(registry: Registry): RedisMetrics {
  const away = new Gauge({
    name: "packshot_redis_away",
    help: "1 while a configured Redis does not answer and the process counts rates alone, else 0.",
    registers: [registry],
  });
  const fallbacks = new Counter({
    name: "packshot_redis_fallbacks_total",
    help: "Uses of memory in place of Redis, by reason: away (it was not asked), timeout, refused (it answered with an error).",
    labelNames: ["reason"],
    registers: [registry],
  });
  away.set(0);
  for (const reason of fallbackReasons) fallbacks.inc({ reason }, 0);
  return {
    setAway: (isAway) => away.set(isAway ? 1 : 0),
    onFallback: (reason) => fallbacks.inc({ reason }),
  };
}

/** What a call rejects with while Redis cannot be used. It is apart from the client, so that a process without Redis loads none. */
export class RedisAway extends Error {
  override readonly name = "RedisAway";
  readonly reason: FallbackReason;
  /** The command may have run, or may still: there is no answer. */
  readonly mayHaveRun: boolean;

  constructor(reason: FallbackReason, mayHaveRun: boolean, cause?: unknown) {
    super("Redis did not answer", { cause });
    this.reason = reason;
    this.mayHaveRun = mayHaveRun;
  }
}
