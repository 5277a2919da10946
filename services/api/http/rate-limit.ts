/**
 * What an account may do in an hour or a day, live and test keys apart, in windows of the clock: exact across processes
 * with Redis, else per process.
 */
import type { ServerResponse } from "node:http";
import type { Account } from "@packshot/domain/accounts/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { WindowCounts } from "@packshot/platform/redis/window-counts.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export interface CountedBy {
  readonly account: Account;
  /** false: a test key, whose requests count apart, so that they never use up those of live keys. */
  readonly live: boolean;
  /** Counts the requests of this key apart. */
  readonly keyId?: string;
}

export interface Quota {
  /** Keeps the counts of several quotas apart. */
  readonly name: string;
  readonly windowMs: number;
  readonly allowedBy: (limits: Account["limits"]) => number;
  /** As in "The plan allows 100 requests an hour". */
  readonly describe: (allowed: number) => string;
}

/**
 * Edits of test keys and Idempotency-Keys cost no credits, and leave records that outlive their request by hours. Without
 * a quota of their own, one account could fill the log, which then takes edits of nobody.
 */
export const quotas = {
  requests: {
    name: "requests",
    windowMs: hourMs,
    allowedBy: ({ rateLimitPerHour }) => rateLimitPerHour,
    describe: (allowed) => `${allowed} requests an hour`,
  },
  testEdits: {
    name: "test-edits",
    windowMs: hourMs,
    allowedBy: ({ rateLimitPerHour }) => Math.max(1_000, Math.ceil(rateLimitPerHour / 10)),
    describe: (allowed) => `${allowed} edits with test keys an hour`,
  },
  idempotencyKeys: {
    name: "idempotency-keys",
    windowMs: dayMs,
    allowedBy: ({ rateLimitPerHour }) => Math.max(10_000, Math.ceil(rateLimitPerHour * 2.4)),
    describe: (allowed) => `${allowed} requests with an Idempotency-Key a day`,
  },
  /** Each costs no credits and takes a worker about as long as an edit. */
  looks: {
    name: "looks",
    windowMs: hourMs,
    allowedBy: ({ rateLimitPerHour }) => Math.max(200, Math.ceil(rateLimitPerHour / 100)),
    describe: (allowed) => `looks at ${allowed} photos of dry runs an hour`,
  },
  /** Counted for each key, beyond the requests of the account: a leaked key must not use up those that revoke it. */
  protection: {
    name: "protection",
    windowMs: hourMs,
    allowedBy: ({ rateLimitPerHour }) => Math.max(1_000, Math.ceil(rateLimitPerHour / 10)),
    describe: (allowed) => `${allowed} requests an hour that protect the account`,
  },
} as const satisfies Record<string, Quota>;

export interface RateCount {
  readonly headers: Record<string, string>;
  /** What the window allows in all, what of it is left, and for how long. */
  readonly window: { readonly max: number; readonly remaining: number; readonly restSeconds: number };
  /** How many of the requests that were counted the plan allows. */
  readonly allowed: number;
  /** Set when it allows none of them. */
  readonly refused: PackshotError | undefined;
}

/** Counts one request, or one that causes as much work as so many. */
export type RateLimit = (by: CountedBy, requests?: number) => Promise<RateCount>;

interface RateLimitDeps {
  readonly counts: WindowCounts;
  readonly nowMs: () => number;
}

export function createRateLimit({ counts, nowMs }: RateLimitDeps, quota: Quota = quotas.requests): RateLimit {
  const { name, windowMs } = quota;
  return async ({ account: { accountId, limits }, live, keyId = "" }, requests = 1) => {
    const max = quota.allowedBy(limits);
    const now = nowMs();
    const window = Math.floor(now / windowMs);
    const restSeconds = Math.ceil(((window + 1) * windowMs - now) / 1000);
    const key = `${name}:${accountId}:${live ? "" : "test:"}${keyId}${keyId && ":"}${window}`;
    const { total: used } = await counts.add(key, requests, restSeconds);
    const allowed = Math.max(0, Math.min(requests, requests - (used - max)));
    const headers: Record<string, string> = quota === quotas.requests ? rateHeaders(max, used, restSeconds) : {};
    const counted = { headers, allowed, window: { max, remaining: Math.max(0, max - used), restSeconds } };
    if (allowed === requests) return { ...counted, refused: undefined };
    headers["Retry-After"] = String(restSeconds);
    if (allowed > 0) return { ...counted, refused: undefined };
    const refused = new PackshotError(
      "rate_limit_exceeded",
      `The plan allows ${quota.describe(max)}; try again in ${restSeconds} s.`,
    );
    return { ...counted, refused };
  };
}

function rateHeaders(max: number, used: number, restSeconds: number): Record<string, string> {
  return {
    "RateLimit-Policy": `"requests";q=${max};w=${hourMs / 1000}`,
    RateLimit: `"requests";r=${Math.max(0, max - used)};t=${restSeconds}`,
  };
}

/** Counts a request and shows in its response's headers what is left. Throws `rate_limit_exceeded`. */
export async function countRequest(rateLimit: RateLimit, by: CountedBy, response: ServerResponse): Promise<void> {
  const refused = await findRefusal(rateLimit, by, response);
  if (refused !== undefined) throw refused;
}

/** As `countRequest`, and returns what that throws. */
export async function findRefusal(
  rateLimit: RateLimit,
  by: CountedBy,
  response: ServerResponse,
): Promise<PackshotError | undefined> {
  const { headers, refused } = await rateLimit(by);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  return refused;
}
