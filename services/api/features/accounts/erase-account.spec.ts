/** Whatever a client makes while its account is erased is refused, or removed with it. */

import { subjects } from "@packshot/domain/subjects.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { createSeal } from "@packshot/platform/crypto/seal.ts";
import { createKeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { expect, test } from "vitest";
import { openTestAccount, readAccount } from "../../../../testing/log/accepted-jobs.ts";
import { startLog } from "../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { createConnection } from "../connections/connection-actions.ts";
import { putPreset } from "../presets/preset-actions.ts";
import { createUpload } from "../uploads/upload-actions.ts";
import { createWebhook } from "../webhooks/webhook-actions.ts";
import { createApiKey } from "./api-key-actions.ts";
import { type EraseDeps, eraseAccount, requestErasure } from "./erase-account.ts";

const log = suiteFixture(startLog);
/** Nothing of it is read: only records are looked at. */
const storage = { deletePrefix: async () => {}, assertRoom: async () => {}, signPut: async () => ({}) };

function depsOf(ofLog: Log) {
  return {
    log: ofLog,
    nowMs: Date.now,
    runExclusive: createKeyedMutex().runExclusive,
    cacheAccount() {},
    retentionMs: 1_000,
    onCommit() {},
    onRefund() {},
    assertAccepting() {},
    storage: storage as unknown as Storage,
    seal: createSeal({ keys: [Buffer.alloc(32, 1)] }),
    allow: parseAllowList(""),
  };
}

type Deps = ReturnType<typeof depsOf>;

const creators: Record<string, (deps: Deps, accountId: string) => Promise<unknown>> = {
  "an API key": (deps, accountId) => createApiKey(deps, { accountId, newKey: { name: "late" }, maker: null }),
  "a webhook": (deps, accountId) =>
    createWebhook(deps, {
      realm: { accountId, live: true },
      newWebhook: { url: "https://shop.example/hook" },
      idempotencyKey: undefined,
      responseBody: () => ({}),
    }),
  "a connection": (deps, accountId) =>
    createConnection(deps, {
      realm: { accountId, live: true },
      newConnection: {
        name: "shop",
        endpoint: "https://s3.shop.example",
        region: "eu",
        bucket: "photos",
        accessKeyId: "AKIA0000",
        secretAccessKey: "secret",
      },
    }),
  "a preset": (deps, accountId) =>
    putPreset(deps, { realm: { accountId, live: true }, name: "late", fields: { tool: "mask", parameters: {} } }),
  "an upload session": async (deps, accountId) =>
    createUpload(deps, {
      realm: { accountId, live: true },
      limits: (await readAccount(log, accountId))?.limits ?? limits,
      newUpload: { contentType: "image/png", filename: "a.png", sizeBytes: 10 },
      idempotencyKey: undefined,
      responseBody: () => ({}),
    }),
};
let limits: Awaited<ReturnType<typeof readAccount>>["limits"];

test.each(Object.keys(creators))("%s is refused as soon as the erasure is recorded", async (what) => {
  const accountId = await openTestAccount(log);
  await requestErasure(depsOf(log), accountId);
  await expect(creators[what]!(depsOf(log), accountId)).rejects.toMatchObject({ code: "not_found" });
});

test.each(Object.keys(creators))("%s that was decided before the erasure is refused, or goes with it", async (what) => {
  const accountId = await openTestAccount(log);
  ({ limits } = await readAccount(log, accountId));
  let erased = false;
  const late: Log = {
    ...log,
    transact: (transition, decide, policy) =>
      log.transact(
        transition,
        async (attempt) => {
          const decision = await decide(attempt);
          // All of the account is read and the write is decided: now the whole erasure comes first.
          if (!erased) {
            erased = true;
            const erasure = await requestErasure(depsOf(log), accountId);
            expect(await eraseAccount(depsOf(log) as EraseDeps, erasure)).toBe(true);
          }
          return decision;
        },
        policy,
      ),
  };
  await expect(creators[what]!(depsOf(late), accountId)).rejects.toMatchObject({ code: "not_found" });
  const outbox = [".ledger.", ".event."];
  const left: string[] = [];
  for await (const subject of listRecordSubjects(log, subjects.ofAccount(accountId))) {
    const { value } = await log.read(subject);
    if (value !== undefined && !outbox.some((kind) => subject.includes(kind))) left.push(subject);
  }
  expect(left).toEqual([]);
});
