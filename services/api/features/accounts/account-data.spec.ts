/** @module-tag long */
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { shardOf, subjects, subjectTokens } from "@packshot/domain/subjects.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { type OpenedAccount, openAccount, operator } from "../../../../testing/api/accounts.ts";
import { type ApiProcess, startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);
type Line = { readonly type: string } & Record<string, unknown>;

const secretAccessKey = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

/** An account that has something of every kind. */
async function openFullAccount(api: ApiProcess): Promise<OpenedAccount & { readonly otherKey: string }> {
  const account = await openAccount(api, { limits: { concurrentJobs: 2 } });
  const client = apiClient(api.url, account.key);
  const { body: other } = await client.call("POST", "/v1/account/keys", { json: { name: "test", live: false } });
  const otherKey = other.key as string;
  const png = await sharp({ create: { width: 64, height: 48, channels: 3, background: "#c33" } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append("image", new Blob([Uint8Array.from(png)], { type: "image/png" }), "photo.png");
  form.append("metadata.sku", "K-17");
  await client.call("POST", "/v1/tools/mask/edit", { form, headers: { "Idempotency-Key": "one" } });
  for (const key of [account.key, account.key, account.key, otherKey])
    await client.call("POST", "/v1/tools/mask/edit", { json: { imageUrl: "https://shop.example/a.jpg" }, key });
  await client.call("POST", "/v1/webhooks", { json: { url: "https://shop.example/hook" } });
  await client.call("PUT", "/v1/presets/shop", { json: { tool: "mask" } });
  const bucket = { endpoint: "https://s3.shop.example", region: "eu-central-1", bucket: "photos" };
  const connection = { name: "shop", ...bucket, accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey };
  expect((await client.call("POST", "/v1/connections", { json: connection })).status).toBe(201);
  const session = { contentType: "image/png", filename: "a.png", sizeBytes: png.length };
  const { body: upload } = await client.call("POST", "/v1/uploads", { json: session });
  await fetch(upload.uploadUrl, { method: "PUT", headers: upload.headers, body: Uint8Array.from(png) });
  return { ...account, otherKey };
}

/** What the log still has under the account's name, but for the outbox, which expires within the hour. */
async function remainingRecords(accountId: string): Promise<string[]> {
  const names = [subjects.account(accountId), subjects.erasure(accountId)];
  for await (const name of listRecordSubjects(apis.log, subjects.ofAccount(accountId))) {
    if (!["event", "ledger"].includes(subjectTokens(name).kind)) names.push(name);
  }
  const records = await Promise.all(names.map((name) => apis.log.read(name)));
  return records.flatMap(({ subject, value }) => (value === undefined ? [] : [subject]));
}

const hashRecord = (accountId: string, key: string) =>
  subjects.keyByHash(shardOf(accountId), createHash("sha256").update(key).digest("hex"));
const files = (accountId: string) => {
  const folder = join(apis.storageDir, "api", accountId);
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : [];
};

async function ledgerBalance(accountId: string): Promise<number> {
  let balance = 0;
  for await (const name of listRecordSubjects(apis.log, subjects.ledger(accountId, "*", "*", "*"))) {
    balance += (await apis.log.read<LedgerEntry>(name)).value?.amount ?? 0;
  }
  return balance;
}

async function expectGone({ accountId, key, otherKey }: Awaited<ReturnType<typeof openFullAccount>>, api: ApiProcess) {
  await expect.poll(() => remainingRecords(accountId), { interval: 250 }).toEqual([]);
  for (const secret of [key, otherKey]) {
    expect((await apis.log.read(hashRecord(accountId, secret))).value).toBeUndefined();
    const status = async () => (await apiClient(api.url, secret).call("GET", "/v1/account")).status;
    await expect.poll(status).toBe(401);
  }
  await expect.poll(() => files(accountId)).toEqual([]);
  expect((await operator(api, "GET", `/accounts/${accountId}`)).status).toBe(404);
  expect(await ledgerBalance(accountId)).toBe(0);
}

describe("the export of an account", () => {
  test("has a line for each record of every kind, links to files, and no secret", async () => {
    const [api] = apis.all;
    const account = await openFullAccount(api!);
    const client = apiClient(api!.url, account.key);
    const { status, headers, body } = await client.call("GET", "/v1/account/export");
    expect([status, headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    const lines = (body as string)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
    expect(lines.at(-1)).toEqual({ type: "end", lines: lines.length - 1 });
    const count = (type: string) => lines.filter((line) => line.type === type).length;
    const counts = Object.fromEntries(
      ["account", "key", "job", "webhook", "preset", "connection", "upload", "usage"].map((type) => [
        type,
        count(type),
      ]),
    );
    expect(counts).toEqual({ account: 1, key: 2, job: 5, webhook: 1, preset: 1, connection: 1, upload: 1, usage: 1 });
    expect(lines.filter(({ type }) => type === "audit").map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(["createKey", "createWebhook", "putPreset", "exportAccount"]),
    );
    const job = lines.find((line) => (line.metadata as { sku?: string } | undefined)?.sku === "K-17");
    expect(job).toMatchObject({ type: "job", tool: "mask", status: "queued", resultUrl: null });
    const { value: record } = await apis.log.read<Account>(subjects.account(account.accountId));
    expect(lines[0]).toMatchObject({ type: "account", name: record!.name, plan: "dev" });
    for (const secret of [account.key, account.otherKey, secretAccessKey, "sealed", "sha256"])
      expect(body).not.toContain(secret);
  });

  test("takes a live key", async () => {
    const { key } = await openAccount(apis.all[0]!);
    const client = apiClient(apis.all[0]!.url, key);
    const { body } = await client.call("POST", "/v1/account/keys", { json: { name: "t", live: false } });
    for (const [method, path] of [
      ["GET", "/v1/account/export"],
      ["DELETE", "/v1/account"],
    ] as const)
      expect((await client.call(method, path, { key: body.key })).status).toBe(400);
  });
});

describe("an account that is deleted", () => {
  test("needs its id as a confirmation, and then loses everything, also what waits", async () => {
    const [api] = apis.all;
    const account = await openFullAccount(api!);
    const client = apiClient(api!.url, account.key);
    for (const query of ["", "?confirm=yes"])
      expect((await client.call("DELETE", `/v1/account${query}`)).status).toBe(400);
    expect(files(account.accountId).length).toBeGreaterThan(0);
    const answer = await client.call("DELETE", `/v1/account?confirm=${account.accountId}`);
    expect([answer.status, answer.body]).toEqual([202, expect.objectContaining({ status: "deleting" })]);
    await expectGone(account, api!);
  });

  test("by the operator, is refused everything at once, and its deletion is in the operator's audit log", async () => {
    const [api] = apis.all;
    const account = await openFullAccount(api!);
    const path = `/accounts/${account.accountId}`;
    expect((await operator(api!, "DELETE", path)).status).toBe(400);
    const { status } = await operator(api!, "DELETE", `${path}?confirm=${account.accountId}`);
    expect(status).toBe(202);
    expect([401, 403]).toContain((await apiClient(api!.url, account.key).call("GET", "/v1/account")).status);
    expect((await operator(api!, "PATCH", path, { apiEnabled: true })).status).toBe(404);
    expect((await operator(api!, "POST", `${path}/keys`, { name: "late" })).status).toBe(404);
    await expectGone(account, api!);
    const { body } = await operator(api!, "GET", "/audit?limit=100");
    expect(body.data).toContainEqual(
      expect.objectContaining({ operation: "deleteAccount", accountId: account.accountId, status: 202 }),
    );
  });

  test("is deleted by another process when the one that took the request dies, whatever it had done", async () => {
    const [api] = apis.all;
    // Each is a moment in which something is gone and something is not.
    const failpoints = [
      "request-erasure:after-commit",
      "delete:after-commit@2",
      "erase:before-commit",
      "erase-account:before-commit",
    ];
    const died = new Set<string>();
    const deletions = failpoints.map(async (failpoint) => {
      const mortal = await apis.start({ PACKSHOT_FAILPOINT: failpoint });
      void mortal.ended.then(() => died.add(failpoint));
      const account = await openFullAccount(api!);
      const path = `/accounts/${account.accountId}?confirm=${account.accountId}`;
      await operator(mortal, "DELETE", path).catch(() => {});
      await expectGone(account, api!);
    });
    await Promise.all(deletions);
    // At the others another process may have been faster than the one that was to die.
    await expect.poll(() => [...died]).toContain(failpoints[0]);
  });
});
