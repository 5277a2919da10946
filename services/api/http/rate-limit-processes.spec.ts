import { connectRedis } from "@packshot/platform/keyv/redis-client.ts";
import { expect, test } from "vitest";
import { openAccount, operator } from "../../../testing/api/accounts.ts";
import { startApis } from "../../../testing/api/api-processes.ts";
import { apiClient } from "../../../testing/api/contract-client.ts";
import { startRedis } from "../../../testing/servers/redis.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";

const quota = 20;

const processes = suiteFixture(async () => {
  const redis = await startRedis();
  const apis = await startApis({ count: 2, environment: { PACKSHOT_REDIS_URL: redis.url } });
  return {
    redis,
    apis,
    async stop() {
      await apis.stop();
      await redis.stop();
    },
  };
});

// Tried again when the hour ends in between: counts start again with the hour.
test("two processes share exactly the quota, and respond as before while Redis is stopped", { retry: 1 }, async () => {
  const { apis, redis } = processes;
  const { key } = await openAccount(apis.all[0]!, { limits: { rateLimitPerHour: quota } });
  const neighbor = await openAccount(apis.all[0]!);
  const clients = apis.all.map((api) => apiClient(api.url, key));
  const create = async (count: number) => {
    const requests = Array.from({ length: count }, (_, i) =>
      clients[i % 2]!.call("POST", "/v1/tools/mask/edit", { json: { imageUrl: "https://shop.example/a.jpg" } }),
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
});

test("test keys have edits of an hour of their own, which hold up no live edit", { retry: 1 }, async () => {
  const api = processes.apis.all[0]!;
  const account = await openAccount(api);
  const made = await operator(api, "POST", `/accounts/${account.accountId}/keys`, { name: "test", live: false });
  const edit = (key: string) =>
    apiClient(api.url, key).call("POST", "/v1/tools/mask/edit", { json: { imageUrl: "https://shop.example/a.jpg" } });
  const testKey = made.body.key as string;
  expect((await edit(testKey)).status).toBe(202);
  const redis = await connectRedis(processes.redis.url);
  const [counter] = await redis.keys(`rates:test-edits:${account.accountId}:*`);
  await redis.incrBy(counter!, 1_000_000);
  redis.destroy();
  const refused = await edit(testKey);
  expect(refused.status).toBe(429);
  expect(refused.body.message).toContain("edits with test keys an hour");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await edit(account.key)).status).toBe(202);
  expect((await apiClient(api.url, testKey).call("GET", "/v1/jobs")).status).toBe(200);
});
