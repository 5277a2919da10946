/** @module-tag redis-server */

import { once } from "node:events";
import { createConnection } from "node:net";
import { expect, test } from "vitest";
import { startRedis } from "./redis.ts";

async function ping(url: string): Promise<string> {
  const socket = createConnection(Number(new URL(url).port), "127.0.0.1");
  socket.write("PING\r\n");
  const [answer] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return answer.toString().trim();
}

test("a redis-server answers, and answers again on the same port after its kill", async () => {
  const redis = await startRedis();
  try {
    expect(await ping(redis.url)).toBe("+PONG");
    await redis.kill();
    await redis.restart();
    expect(await ping(redis.url)).toBe("+PONG");
  } finally {
    await redis.stop();
  }
});
