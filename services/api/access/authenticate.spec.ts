import type { PackshotError } from "@packshot/domain/errors.ts";
import type { Log } from "@packshot/log/log.ts";
import { createWindowCounts } from "@packshot/platform/redis/window-counts.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, test } from "vitest";
import { openAccount, operator } from "../../../testing/api/accounts.ts";
import { startApis } from "../../../testing/api/api-processes.ts";
import { apiClient, type Reply } from "../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { createRecordCache } from "../records/record-cache.ts";
import { newApiKeySecret } from "./api-key-secret.ts";
import { createAuthenticate } from "./authenticate.ts";
import { createFailedAttempts } from "./failed-attempts.ts";

const perMinuteMax = 5;
// All tests share one source address, and each process counts alone: each test has a process of its own.
const apis = suiteFixture(() => startApis());
const startApi = () =>
  apis.start({ PACKSHOT_AUTH_FAILURES_PER_MINUTE: String(perMinuteMax), PACKSHOT_TRUSTED_PROXIES: "1" });

const madeUpKeys = [
  newApiKeySecret({ live: true, shard: "00" }).replace(/.{8}$/, "00000000"),
  newApiKeySecret({ live: true, shard: "00" }),
  "nope",
];

const statusOf = ({ status, body }: Reply) => [status, body.code];

test("a made-up key with a wrong checksum is refused without a read, one with a right checksum by one read", async () => {
  const reads: string[] = [];
  const { log } = apis;
  const read: Log["read"] = async (subject) => {
    reads.push(subject);
    return await log.read(subject);
  };
  const logger = createLogger({ name: "authenticate.spec", level: "error" });
  const authenticate = createAuthenticate({
    records: createRecordCache({ log: { ...log, read }, logger, nowMs: Date.now }),
    failedAttempts: createFailedAttempts({ counts: createWindowCounts(undefined), name: "test", perMinuteMax }),
    nowMs: Date.now,
  });
  const readsOf: number[] = [];
  for (const key of madeUpKeys) {
    const attempt = authenticate({ authorization: `Bearer ${key}`, address: "192.0.2.1" });
    await expect(attempt).rejects.toMatchObject({ code: "unauthenticated" } satisfies Partial<PackshotError>);
    readsOf.push(reads.splice(0).length);
  }
  expect(readsOf).toEqual([0, 1, 0]);
});

test("an address that fails too often gets 429 with Retry-After; other addresses and known keys do not", async () => {
  const api = await startApi();
  const { accountId, key } = await openAccount(api);
  const from = (address: string) => ({ headers: { "X-Forwarded-For": `198.51.100.99, ${address}` } });
  const client = apiClient(api.url, key);
  const readAccount = async (otherKey: string, address: string) =>
    await client.call("GET", "/v1/account", { key: otherKey, ...from(address) });
  expect((await readAccount(key, "192.0.2.1")).status).toBe(200);
  for (let failures = 0; failures < perMinuteMax; failures++) {
    const madeUp = madeUpKeys[failures % madeUpKeys.length]!;
    expect(statusOf(await readAccount(madeUp, "192.0.2.1"))).toEqual([401, "unauthenticated"]);
  }
  for (const madeUp of madeUpKeys) {
    const refused = await readAccount(madeUp, "192.0.2.1");
    expect(statusOf(refused)).toEqual([429, "rate_limit_exceeded"]);
    const retryAfter = Number(refused.headers.get("retry-after"));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
  }
  expect((await readAccount(key, "192.0.2.1")).status).toBe(200);
  expect(statusOf(await readAccount(madeUpKeys[0]!, "192.0.2.2"))).toEqual([401, "unauthenticated"]);
  const { body } = await operator(api, "POST", `/accounts/${accountId}/keys`, { name: "new" });
  expect((await readAccount(body.key as string, "192.0.2.2")).status).toBe(200);
});

test.each([
  ["2001:db8:0:1::1", "2001:db8:0:1:2:3:4:5"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
])("%s and %s are one address", async (first, second) => {
  const failedAttempts = createFailedAttempts({ counts: createWindowCounts(undefined), name: "test", perMinuteMax: 1 });
  await failedAttempts.record(first);
  await expect(failedAttempts.assertAllowed(second)).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  await failedAttempts.assertAllowed("2001:db8:0:2::1");
});
