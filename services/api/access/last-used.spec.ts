import { Keyv } from "keyv";
import { expect, it } from "vitest";
import { createLastUsed, readLastUsed } from "./last-used.ts";

it("reads when a key was last used, and does not wait for a store that hangs", async () => {
  const keyv = new Keyv();
  expect(await readLastUsed(keyv, "key")).toBeNull();
  createLastUsed({ keyv, nowMs: () => 0 }).note("other");
  createLastUsed({ keyv, nowMs: () => 100_000 }).note("key");
  await expect.poll(() => readLastUsed(keyv, "key")).toBe("1970-01-01T00:01:40.000Z");
  const hanging = new Keyv({ store: Object.assign(new Map(), { get: () => new Promise(() => {}) }) });
  expect(await readLastUsed(hanging, "key")).toBeNull();
});
