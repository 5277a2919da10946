import { expect, test } from "vitest";
import { openAccount } from "../../../testing/api/accounts.ts";
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
