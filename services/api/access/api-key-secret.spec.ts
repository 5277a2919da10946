import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { isApiKeySecret, newApiKeySecret } from "./api-key-secret.ts";

/** As versions before the checksum made them. */
const secretWithoutChecksum = () => `ps_live_${randomBytes(32).toString("base64url")}`;

it("accepts new keys, and those from before the checksum", () => {
  for (let i = 0; i < 200; i++) {
    expect(isApiKeySecret(newApiKeySecret({ live: i % 2 === 0 }))).toBe(true);
    expect(isApiKeySecret(secretWithoutChecksum())).toBe(true);
  }
});

it("refuses a new key when any one of its characters is another", () => {
  const secret = newApiKeySecret({ live: true });
  for (let i = "ps_live_".length; i < secret.length; i++) {
    const other = secret[i] === "a" ? "b" : "a";
    expect(isApiKeySecret(secret.slice(0, i) + other + secret.slice(i + 1))).toBe(false);
  }
  expect(isApiKeySecret(secret.replace("ps_live_", "ps_test_"))).toBe(false);
});

it.each([
  "",
  "ps_live_",
  "nope",
  `ps_prod_${"x".repeat(43)}`,
  `ps_live_${"x".repeat(42)}`,
  `ps_live_${"x".repeat(51)}`,
])("refuses %j", (text) => expect(isApiKeySecret(text)).toBe(false));
