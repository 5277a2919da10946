import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { shards } from "@packshot/domain/shard.ts";
import { newApiKeySecret, shardsOfApiKeySecret } from "./api-key-secret.ts";

/** As versions before the checksum made them. */
const secretWithoutChecksum = () => `ps_live_${randomBytes(32).toString("base64url")}`;

it("tells the shard of a new key; an older one may lie in any", () => {
  for (let i = 0; i < 200; i++) {
    const shard = shards[i % shards.length]!;
    expect(shardsOfApiKeySecret(newApiKeySecret({ live: i % 2 === 0, shard }))).toEqual([shard]);
    // The version before made keys with a checksum and without a shard.
    expect(shardsOfApiKeySecret(newApiKeySecret({ live: i % 2 === 0, shard: "" }))).toEqual(shards);
    expect(shardsOfApiKeySecret(secretWithoutChecksum())).toEqual(shards);
  }
});

it("refuses a new key when any one of its characters is another", () => {
  const secret = newApiKeySecret({ live: true, shard: "07" });
  for (let i = "ps_live_".length; i < secret.length; i++) {
    const other = secret[i] === "a" ? "b" : "a";
    expect(shardsOfApiKeySecret(secret.slice(0, i) + other + secret.slice(i + 1))).toEqual([]);
  }
  expect(shardsOfApiKeySecret(secret.replace("ps_live_", "ps_test_"))).toEqual([]);
  expect(shardsOfApiKeySecret(newApiKeySecret({ live: true, shard: "16" }))).toEqual([]);
});

it.each([
  "",
  "ps_live_",
  "nope",
  `ps_prod_${"x".repeat(43)}`,
  `ps_live_${"x".repeat(42)}`,
  `ps_live_${"x".repeat(51)}`,
])("refuses %j", (text) => expect(shardsOfApiKeySecret(text)).toEqual([]));
