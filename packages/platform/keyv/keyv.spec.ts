import { expect, it } from "vitest";
import { createKeyv } from "./keyv.ts";

it("keeps what lives, and not what has ended and is never read again", async () => {
  const keyv = createKeyv({ redisUrl: undefined, namespace: "test" });
  await keyv.set("lives", 1);
  for (let hour = 0; hour < 20; hour++) {
    await Promise.all(Array.from({ length: 1_000 }, (_, account) => keyv.set(`${hour}:${account}`, 1, 1)));
    await expect.poll(() => keyv.get(`${hour}:999`)).toBeUndefined();
  }
  expect((keyv.store as Map<string, unknown>).size).toBeLessThan(5_000);
  expect(await keyv.get("lives")).toBe(1);
});
