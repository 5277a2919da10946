import { shards } from "@packshot/domain/subjects.ts";
import { expect, it } from "vitest";
import { newApiKeySecret, shardOfApiKeySecret } from "./api-key-secret.ts";

it("tells the shard of a key", () => {
  for (let i = 0; i < 200; i++) {
    const shard = shards[i % shards.length]!;
    expect(shardOfApiKeySecret(newApiKeySecret({ live: i % 2 === 0, shard }))).toBe(shard);
  }
});

it("refuses a key when any one of its characters is another", () => {
  const secret = newApiKeySecret({ live: true, shard: "07" });
  for (let i = "ps_live_".length; i < secret.length; i++) {
    const other = secret[i] === "a" ? "b" : "a";
    expect(shardOfApiKeySecret(secret.slice(0, i) + other + secret.slice(i + 1))).toBeUndefined();
  }
  expect(shardOfApiKeySecret(secret.replace("ps_live_", "ps_test_"))).toBeUndefined();
  expect(shardOfApiKeySecret(newApiKeySecret({ live: true, shard: "16" }))).toBeUndefined();
});

it.each([
  "",
  "ps_live_",
  "nope",
  `ps_prod_${"x".repeat(43)}`,
  `ps_live_${"x".repeat(42)}`,
  `ps_live_${"x".repeat(43)}`,
  `ps_live_${"x".repeat(51)}`,
  newApiKeySecret({ live: true, shard: "" }),
])("refuses %j", (text) => expect(shardOfApiKeySecret(text)).toBeUndefined());
