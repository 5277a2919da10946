import { expect, it } from "vitest";
import { startRedis } from "../../../testing/servers/redis.ts";
import { createKeyv } from "./keyv.ts";
import { connectRedis } from "./redis-client.ts";

it("keeps live entries, and removes expired ones that are never read again", async () => {
  const keyv = createKeyv({ redis: undefined, namespace: "test" });
  await keyv.set("lives", 1);
  for (let hour = 0; hour < 20; hour++) {
    await Promise.all(Array.from({ length: 1_000 }, (_, account) => keyv.set(`${hour}:${account}`, 1, 1)));
    await expect.poll(() => keyv.get(`${hour}:999`)).toBeUndefined();
  }
  expect((keyv.store as Map<string, unknown>).size).toBeLessThan(5_000);
  expect(await keyv.get("lives")).toBe(1);
});

it("does not wait for an unreachable Redis, and uses it again once it is reachable", async () => {
  const redis = await startRedis();
  const keyv = createKeyv({ redis: await connectRedis(redis.url), namespace: "test" });
  await expect.poll(() => keyv.set("before", 1)).toBe(true);
  expect(await keyv.get("before")).toBe(1);
  await redis.kill();
  expect([await keyv.set("away", 1), await keyv.get("before")]).toEqual([false, undefined]);
  await redis.restart();
  await expect.poll(() => keyv.set("after", 1)).toBe(true);
  expect(await keyv.get("after")).toBe(1);
  await keyv.disconnect();
  await redis.stop();
});
