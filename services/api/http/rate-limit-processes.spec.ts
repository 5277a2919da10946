/** @module-tag redis-server */
import { describe, expect, test } from "vitest";
import { openAccount, operator } from "../../../testing/api/accounts.ts";
import { type ApiProcess, startApis } from "../../../testing/api/api-processes.ts";
import { apiClient } from "../../../testing/api/contract-client.ts";
import { startRedis } from "../../../testing/servers/redis.ts";
import { connectTestRedis, patientMs } from "../../../testing/servers/test-redis-connection.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";

const quota = 20;
const edit = { json: { imageUrl: "https://shop.example/a.jpg" } };

/** Two API processes with one Redis. */
function processesWithRedis(environment: Readonly<Record<string, string>> = {}) {
  return suiteFixture(async () => {
    const redis = await startRedis();
    const apis = await startApis({ count: 2, environment: { PACKSHOT_REDIS_URL: redis.url, ...environment } });
    return {
      redis,
      apis,
      async stop() {
        await apis.stop();
        await redis.stop();
      },
    };
  });
}

async function isAway({ metrics }: ApiProcess): Promise<boolean> {
  return (await (await fetch(`http://${metrics}/metrics`)).text()).includes('packshot_redis_away{service="api"} 1');
}

const awayOf = (apis: readonly ApiProcess[]) => Promise.all(apis.map(isAway));

describe("with a Redis that is waited for", () => {
  const processes = processesWithRedis({
    PACKSHOT_REDIS_TIMEOUT_MS: String(patientMs),
    PACKSHOT_AUTH_FAILURES_PER_MINUTE: "10",
  });

  // Tried again when the hour ends in between: counts start again with the hour.
  test("two processes share exactly the quota, and respond as before while Redis is stopped", {
    retry: 1,
  }, async () => {
    const { apis, redis } = processes;
    const { key } = await openAccount(apis.all[0]!, { limits: { rateLimitPerHour: quota } });
    const neighbor = await openAccount(apis.all[0]!);
    const clients = apis.all.map((api) => apiClient(api.url, key));
    const create = async (count: number) => {
      const requests = Array.from({ length: count }, (_, i) =>
        clients[i % 2]!.call("POST", "/v1/tools/mask/edit", edit),
      );
      return (await Promise.all(requests)).map(({ status }) => status);
    };
    const statuses = await create(40);
    expect(statuses.filter((status) => status === 202)).toHaveLength(quota);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40 - quota);
    await redis.kill();
    expect(await create(4)).toEqual([429, 429, 429, 429]);
    for (const client of clients) {
      expect((await client.call("GET", "/v1/account")).status).toBe(429);
      expect((await client.call("GET", "/v1/account", { key: neighbor.key })).status).toBe(200);
    }
    await redis.restart();
    await expect.poll(() => awayOf(apis.all)).toEqual([false, false]);
  });

  test("test keys have edits of an hour of their own, which hold up no live edit", { retry: 1 }, async () => {
    const api = processes.apis.all[0]!;
    const account = await openAccount(api);
    const made = await operator(api, "POST", `/accounts/${account.accountId}/keys`, { name: "test", live: false });
    const submit = (key: string) => apiClient(api.url, key).call("POST", "/v1/tools/mask/edit", edit);
    const testKey = made.body.key as string;
    expect((await submit(testKey)).status).toBe(202);
    const redis = await connectTestRedis(processes.redis);
    const [counter] = await redis.client.keys(`counts:test-edits:${account.accountId}:*`);
    await redis.client.hIncrBy(counter!, "added", 1_000_000);
    await redis.stop();
    const refused = await submit(testKey);
    expect(refused.status).toBe(429);
    expect(refused.body.message).toContain("edits with test keys an hour");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await submit(account.key)).status).toBe(202);
    expect((await apiClient(api.url, testKey).call("GET", "/v1/jobs")).status).toBe(200);
  });

  // Tried again when the minute ends in between.
  test("failed authentications of an address count over all processes", { retry: 1 }, async () => {
    const { all } = processes.apis;
    const guess = (api: ApiProcess) => apiClient(api.url, "ps_live_guess").call("GET", "/v1/account");
    const statuses: number[] = [];
    for (let n = 0; n < 10; n++) statuses.push((await guess(all[n % 2]!)).status);
    expect(statuses).toEqual(Array(10).fill(401));
    for (const api of all) expect((await guess(api)).status).toBe(429);
  });
});

describe("with the usual patience", () => {
  const processes = processesWithRedis();

  test("a Redis that hangs fails no request, is said to be away, and is used again once it answers", async () => {
    const { apis, redis } = processes;
    const { key } = await openAccount(apis.all[0]!, { limits: { rateLimitPerHour: 10_000 } });
    const clients = apis.all.map((api) => apiClient(api.url, key));
    const ask = async (times: number) => {
      const asked = Array.from({ length: times }, (_, i) => clients[i % 2]!.call("GET", "/v1/account"));
      return new Set((await Promise.all(asked)).map(({ status }) => status));
    };
    expect(await ask(10)).toEqual(new Set([200]));
    await redis.pause();
    try {
      expect(await ask(50)).toEqual(new Set([200]));
      await expect.poll(() => awayOf(apis.all)).toEqual([true, true]);
      expect(await ask(50)).toEqual(new Set([200]));
      expect(apis.all[0]!.logLines.join("\n")).toContain("Redis is away: this process counts rates alone");
    } finally {
      redis.resume();
    }
    await expect.poll(() => awayOf(apis.all)).toEqual([false, false]);
    const used = async () => {
      const { headers } = await clients[1]!.call("GET", "/v1/account");
      return 10_000 - Number(/;r=(\d+);/.exec(headers.get("ratelimit")!)![1]);
    };
    // Both count what the other one counted alone.
    await expect.poll(used).toBeGreaterThan(110);
  });

  test("an API process starts without Redis, and uses it when it is there", async () => {
    const { apis, redis } = processes;
    await redis.kill();
    const late = await apis.start();
    const { key } = await openAccount(late);
    expect((await apiClient(late.url, key).call("GET", "/v1/account")).status).toBe(200);
    expect(await isAway(late)).toBe(true);
    await redis.restart();
    await expect.poll(() => isAway(late), { timeout: 30_000 }).toBe(false);
  });
});
