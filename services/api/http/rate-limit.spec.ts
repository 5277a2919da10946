import type { Account } from "@packshot/domain/account.ts";
import { Keyv } from "keyv";
import { expect, it } from "vitest";
import { createRateLimit } from "./rate-limit.ts";

const nowMs = () => 0;
const account = { accountId: "a", limits: { rateLimitPerHour: 10 } } as Account;
const stored = "rate:a:creating:0";

it("tells the store what was counted while it was away", async () => {
  const keyv = new Keyv();
  const refused = Promise.withResolvers<void>();
  const { set } = keyv;
  keyv.set = async () => {
    refused.resolve();
    return false;
  };
  const limit = createRateLimit({ keyv, nowMs });
  for (let n = 0; n < 3; n++) await limit(account, "creating");
  await refused.promise;
  keyv.set = set;
  // Asked until a next turn of telling has come: each time counts.
  let asked = 3;
  await expect
    .poll(async () => {
      asked += 1;
      await limit(account, "creating");
      return await keyv.get<number>(stored);
    })
    .toBeGreaterThan(3);
  expect(await keyv.get<number>(stored)).toBeLessThanOrEqual(asked);
});
