/** @module-tag redis-server */
import type { Account } from "@packshot/domain/accounts/account.ts";
import { createWindowCounts, type WindowCounts } from "@packshot/platform/redis/window-counts.ts";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startRedis, type TestRedis } from "../../../testing/servers/redis.ts";
import { connectTestRedis, type TestRedisConnection } from "../../../testing/servers/test-redis-connection.ts";
import { createRateLimit, quotas, type RateLimit } from "./rate-limit.ts";

const nowMs = () => 0;
const quota = 100;
let server: TestRedis;
let connections: TestRedisConnection[];
/** One for each of two processes. */
let counts: [WindowCounts, WindowCounts];
let account: Account;
let accounts = 0;

beforeAll(async () => {
  server = await startRedis();
  connections = [await connectTestRedis(server), await connectTestRedis(server)];
  counts = [createWindowCounts(connections[0]), createWindowCounts(connections[1])];
});

beforeEach(() => {
  accounts += 1;
  account = { accountId: `account-${accounts}`, limits: { rateLimitPerHour: quota } } as Account;
});

afterAll(async () => {
  for (const redis of connections) await redis.stop();
  await server.stop();
});

/** Requests that were not refused, of `times` at once. */
async function allowed(limit: RateLimit, times: number): Promise<number> {
  const results = await Promise.all(Array.from({ length: times }, () => limit({ account, live: true })));
  return results.filter(({ refused }) => refused === undefined).length;
}

const remaining = async (limit: RateLimit) =>
  Number(/;r=(\d+);/.exec((await limit({ account, live: true })).headers.RateLimit!)?.[1]);

const limitsOfBoth = () => counts.map((each) => createRateLimit({ counts: each, nowMs })) as [RateLimit, RateLimit];

it("two processes share exactly the quota", async () => {
  const [first, second] = limitsOfBoth();
  const rounds = await Promise.all([allowed(first, 80), allowed(second, 80), allowed(first, 20)]);
  expect(rounds.reduce((sum, count) => sum + count)).toBe(quota);
  expect([await allowed(first, 1), await allowed(second, 1)]).toEqual([0, 0]);
});

it("counts by key what protects an account, so that no key uses it up for another", async () => {
  const protection = createRateLimit({ counts: counts[0], nowMs }, quotas.protection);
  const [leaked, owners] = ["leaked", "owners"].map((keyId) => ({ account, live: true, keyId }));
  expect((await protection(leaked!, 1_001)).allowed).toBe(1_000);
  expect((await protection(leaked!)).refused?.code).toBe("rate_limit_exceeded");
  expect((await protection(owners!)).refused).toBeUndefined();
});

it("counts what costs no credits in quotas of their own, which show no header but when to come back", async () => {
  const limits = Object.values(quotas).map((each) => createRateLimit({ counts: counts[0], nowMs }, each));
  const [requests, testEdits, keys] = limits as [RateLimit, RateLimit, RateLimit];
  const by = { account: { ...account, limits: { ...account.limits, rateLimitPerHour: 20_000 } }, live: true };
  expect((await testEdits(by, 2_001)).allowed).toBe(2_000);
  expect((await keys(by, 48_001)).allowed).toBe(48_000);
  expect(await allowed(requests, 1)).toBe(1);
  const { headers, refused } = await testEdits(by);
  expect(headers).toEqual({ "Retry-After": "3600" });
  expect(refused?.message).toContain("2000 edits with test keys an hour");
  expect((await keys(by)).headers).toEqual({ "Retry-After": "86400" });
});

it("leaves small plans room for test edits", async () => {
  const testEdits = createRateLimit({ counts: counts[0], nowMs }, quotas.testEdits);
  expect((await testEdits({ account, live: false }, 1_001)).allowed).toBe(1_000);
});

it("says what is left, over all processes", async () => {
  const [first, second] = limitsOfBoth();
  expect(await remaining(first)).toBe(99);
  expect(await remaining(second)).toBe(98);
  expect((await first({ account, live: true })).headers).toEqual({
    "RateLimit-Policy": '"requests";q=100;w=3600',
    RateLimit: '"requests";r=97;t=3600',
  });
});

it("counts from zero in the next hour", async () => {
  let now = 3_599_000;
  const limit = createRateLimit({ counts: counts[0], nowMs: () => now });
  expect(await allowed(limit, 101)).toBe(quota);
  expect((await limit({ account, live: true })).headers["Retry-After"]).toBe("1");
  now += 1_000;
  expect(await remaining(limit)).toBe(99);
});

it("counts test keys apart from live ones", async () => {
  const limit = createRateLimit({ counts: counts[0], nowMs });
  expect(await allowed(limit, quota + 1)).toBe(quota);
  expect((await limit({ account, live: false })).headers.RateLimit).toBe('"requests";r=99;t=3600');
});

it.each(["Redis", "memory"])("counts a request that causes the work of several as so many (%s)", async (where) => {
  const limit = createRateLimit({ counts: where === "Redis" ? counts[0] : createWindowCounts(undefined), nowMs });
  expect(await limit({ account, live: true }, 70)).toMatchObject({ allowed: 70, refused: undefined });
  const cut = await limit({ account, live: true }, 50);
  expect(cut).toMatchObject({ allowed: 30, refused: undefined, headers: { "Retry-After": "3600" } });
  expect(await limit({ account, live: true }, 50)).toMatchObject({
    allowed: 0,
    refused: { code: "rate_limit_exceeded" },
  });
});

it("counts alone without Redis", async () => {
  const [first, second] = [0, 1].map(() => createRateLimit({ counts: createWindowCounts(undefined), nowMs }));
  expect([await allowed(first!, 150), await allowed(second!, 150)]).toEqual([quota, quota]);
});

it("continues from what it knows when Redis dies, and when Redis comes back empty", async () => {
  const [first, second] = limitsOfBoth();
  expect(await allowed(first, 30)).toBe(30);
  expect(await remaining(second)).toBe(69);
  await server.kill();
  await expect.poll(() => Promise.all(connections.map((redis) => redis.isAway()))).toEqual([true, true]);
  expect(await remaining(second)).toBe(68);
  expect(await allowed(second, 100)).toBe(68);
  expect(await allowed(first, 100)).toBe(70);
  await server.restart();
  await expect.poll(() => Promise.all(connections.map((redis) => redis.isAway()))).toEqual([false, false]);
  expect([await allowed(first, 1), await allowed(second, 1)]).toEqual([0, 0]);
});
