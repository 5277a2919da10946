/**
 * Requests per hour and account, live and test keys apart, in windows of the clock's hour: exact across processes with
 * Redis, else per process.
 */
import type { ServerResponse } from "node:http";
import type { Account } from "@packshot/domain/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { RedisClient } from "@packshot/platform/keyv/redis-client.ts";
import { RateLimiterMemory, RateLimiterRedis, RLWrapperTimeouts } from "rate-limiter-flexible";

const hourMs = 3_600_000;
const redisTimeoutMs = 500;
/** The limiters only count: quotas differ between accounts and change, so they are compared here. */
const counting = { points: Number.MAX_SAFE_INTEGER, duration: hourMs / 1000 };

export interface CountedBy {
  readonly account: Account;
  /** false: a test key, whose requests count apart, so that they never use up those of live keys. */
  readonly live: boolean;
}

export interface RateCount {
  readonly headers: Record<string, string>;
  /** How many of the requests that were counted the plan allows. */
  readonly allowed: number;
  /** Set when it allows none of them. */
  readonly refused: PackshotError | undefined;
}

/** Counts one request, or one that causes as much work as so many. */
export type RateLimit = (by: CountedBy, requests?: number) => Promise<RateCount>;

interface RateLimitDeps {
  readonly redis: RedisClient | undefined;
  readonly nowMs: () => number;
}

export function createRateLimit({ redis, nowMs }: RateLimitDeps): RateLimit {
  const memory = new RateLimiterMemory(counting);
  const count = redis === undefined ? countIn(memory) : countInRedis(sharedLimiter(redis, memory), memory);

  return async ({ account: { accountId, limits }, live }, requests = 1) => {
    const quota = limits.rateLimitPerHour;
    const now = nowMs();
    const window = Math.floor(now / hourMs);
    const restSeconds = Math.ceil(((window + 1) * hourMs - now) / 1000);
    const used = await count(`${accountId}:${live ? "" : "test:"}${window}`, requests, restSeconds);
    const allowed = Math.max(0, Math.min(requests, requests - (used - quota)));
    const headers: Record<string, string> = {
      "RateLimit-Policy": `"requests";q=${quota};w=3600`,
      RateLimit: `"requests";r=${Math.max(0, quota - used)};t=${restSeconds}`,
    };
    if (allowed === requests) return { headers, allowed, refused: undefined };
    headers["Retry-After"] = String(restSeconds);
    if (allowed > 0) return { headers, allowed, refused: undefined };
    const refused = new PackshotError(
      "rate_limit_exceeded",
      `The plan allows ${quota} requests an hour; try again in ${restSeconds} s.`,
    );
    return { headers, allowed, refused };
  };
}

/** Counts further requests of the key, in a window that ends in `restSeconds`, and tells how many there are. */
type Count = (key: string, requests: number, restSeconds: number) => Promise<number>;

function countIn(limiter: RateLimiterMemory | RLWrapperTimeouts): Count {
  return async (key, requests, restSeconds) =>
    (await limiter.consume(key, requests, { customDuration: restSeconds })).consumedPoints;
}

/**
 * The memory limiter keeps the highest known count. When Redis goes away, counting continues from there, and a Redis
 * that comes back empty does not lower the count.
 */
function countInRedis(limiter: RLWrapperTimeouts, memory: RateLimiterMemory): Count {
  const countShared = countIn(limiter);
  const known = async (key: string) => (await memory.get(key))?.consumedPoints ?? 0;
  return async (key, requests, restSeconds) => {
    const countMin = (await known(key)) + requests;
    const total = Math.max(await countShared(key, requests, restSeconds), countMin);
    if (total > (await known(key))) await memory.set(key, total, restSeconds);
    return total;
  };
}

/** Counts a request and shows in its response's headers what is left. Throws `rate_limit_exceeded`. */
export async function countRequest(rateLimit: RateLimit, by: CountedBy, response: ServerResponse): Promise<void> {
  const { headers, refused } = await rateLimit(by);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (refused !== undefined) throw refused;
}

/** Only the outer limiter has the insurance: a request that times out and then fails must not count twice. */
function sharedLimiter(redis: RedisClient, memory: RateLimiterMemory): RLWrapperTimeouts {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: "rates",
    ...counting,
  });
  return new RLWrapperTimeouts({ limiter, insuranceLimiter: memory, timeoutMs: redisTimeoutMs });
}
