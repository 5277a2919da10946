import { expect, it } from "vitest";
import { startRedis } from "../../../testing/servers/redis.ts";
import { connectTestRedis } from "../../../testing/servers/test-redis-connection.ts";
import { createKeyv } from "./keyv.ts";

it("keeps live entries, and removes expired ones that are never read again", async () => {
  const keyv = await createKeyv({ redis: undefined, namespace: "test" });
  await keyv.set("lives", 1);
  for (let hour = 0; hour < 20; hour++) {
    await Promise.all(Array.from({ length: 1_000 }, (_, account) => keyv.set(`${hour}:${account}`, 1, 1)));
    await expect.poll(() => keyv.get(`${hour}:999`)).toBeUndefined();
  }
  expect((keyv.store as Map<string, unknown>).size).toBeLessThan(5_000);
  expect(await keyv.get("lives")).toBe(1);
});

it("shares what it has with other processes, keeps what is set while Redis is away, and then shares again", {
  tags: ["redis-server"],
}, async () => {
  const server = await startRedis();
  const connections = [await connectTestRedis(server), await connectTestRedis(server)];
  const [keyv, other] = await Promise.all(connections.map((redis) => createKeyv({ redis, namespace: "test" })));
  expect(await keyv!.set("before", 1, 60_000)).toBe(true);
  expect(await other!.get("before")).toBe(1);
  await server.kill();
  expect([await keyv!.set("away", 2), await keyv!.get("away"), await keyv!.get("before")]).toEqual([
    true,
    2,
    undefined,
  ]);
  expect(await other!.get("away")).toBeUndefined();
  await server.restart();
  await expect.poll(() => Promise.all(connections.map((redis) => redis.isAway()))).toEqual([false, false]);
  await keyv!.set("after", 3);
  expect(await other!.get("after")).toBe(3);
  for (const redis of connections) await redis.stop();
  await server.stop();
});
