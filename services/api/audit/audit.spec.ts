import { type AuditSegment, auditLimits, segmentName } from "@packshot/domain/accounts/audit.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { beforeAll, expect, test } from "vitest";
import { type OpenedAccount, openAccount, operator } from "../../../testing/api/accounts.ts";
import { startApis } from "../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { loadContract } from "../http/contract.ts";

const apis = suiteFixture(startApis);
let account: OpenedAccount;
let client: ContractClient;

beforeAll(async () => {
  account = await openAccount(apis.all[0]!, { limits: { maxApiKeys: 4 } });
  client = apiClient(apis.all[0]!.url, account.key);
});

const audit = async (query = "?limit=100", key = account.key) =>
  (await client.call("GET", `/v1/audit${query}`, { key })).body as { data: Entry[]; nextCursor?: string };
type Entry = Record<"operation" | "actor" | "id", string> & Record<string, unknown>;
const newest = async () => (await audit("?limit=1")).data[0]!;

/** Too many for the audit log, and shown by jobs and usage. */
const unauditedTags = ["Edits", "Uploads", "Jobs", "Batches", "Service"];

test.each(["openapi.yaml", "admin-openapi.yaml"])("%s has every change audited but those of photos", (file) => {
  const { operations, document } = loadContract(new URL(`../${file}`, import.meta.url));
  const tagOf = ({ path, method }: (typeof operations)[number]) =>
    (document.paths[path]![method] as { tags: string[] }).tags[0]!;
  const changes = operations.filter(
    (operation) => operation.method !== "get" && !unauditedTags.includes(tagOf(operation)),
  );
  expect(changes.filter(({ isAudited }) => !isAudited).map(({ id }) => id)).toEqual([]);
});

test("an entry says who changed what, when, from where and how it ended, and nothing secret", async () => {
  const keys = (await client.call("GET", "/v1/account/keys")).body.data as { id: string }[];
  const startedMs = Date.now();
  const made = await client.call("POST", "/v1/account/keys", { json: { name: "topsecret", scopes: ["read"] } });
  const entry = await newest();
  expect(entry).toMatchObject({
    actor: "key",
    keyId: keys[0]!.id,
    operation: "createKey",
    accountId: account.accountId,
    target: null,
    fields: ["name", "scopes"],
    status: 201,
    code: null,
    created: made.body.id,
    requestId: made.headers.get("request-id"),
    address: expect.stringMatching(/127\.0\.0\.1$/),
  });
  expect(Date.parse(entry.at as string)).toBeGreaterThanOrEqual(startedMs);
  expect(Date.parse(entry.at as string)).toBeLessThanOrEqual(Date.now());
  await client.call("DELETE", `/v1/account/keys/${made.body.id}`);
  expect(await newest()).toMatchObject({ operation: "revokeKey", target: made.body.id, fields: [], status: 204 });
  const hook = { url: "https://shop.example/hook", metadata: { token: "topsecret" } };
  const { body: webhook } = await client.call("POST", "/v1/webhooks", { json: hook });
  await client.call("PATCH", `/v1/webhooks/${webhook.id}`, { json: { enabled: false } });
  expect(await newest()).toMatchObject({
    operation: "updateWebhook",
    target: webhook.id,
    fields: ["enabled"],
    status: 200,
  });
  const stored = JSON.stringify(await audit());
  for (const secret of ["topsecret", webhook.secret, made.body.key, "shop.example"])
    expect(stored).not.toContain(secret);
});

test("what was refused is in it, and what only reads or edits photos is not", async () => {
  const before = (await audit()).data.length;
  await client.call("GET", "/v1/account/keys");
  await client.call("POST", "/v1/tools/mask/edit", { json: { imageUrl: "https://shop.example/a.jpg" } });
  expect((await audit()).data.length).toBe(before);
  const refused = await client.call("POST", "/v1/webhooks", { json: { url: "https://127.0.0.2/hook" } });
  expect(refused.status).toBe(400);
  expect(await newest()).toMatchObject({
    operation: "createWebhook",
    status: 400,
    code: "invalid_request",
    created: null,
  });
});

test("the customer sees what the operator did, without an address; the operator sees both, and its own log", async () => {
  await operator(apis.all[0]!, "POST", `/accounts/${account.accountId}/grants`, { amount: 5, note: "sorry" });
  const seen = await newest();
  expect(seen).toMatchObject({
    actor: "operator",
    keyId: null,
    operation: "grantCredits",
    fields: ["amount", "note"],
    address: null,
  });
  const ofAccount = await operator(apis.all[0]!, "GET", `/accounts/${account.accountId}/audit?limit=100`);
  const [own] = ofAccount.body.data as Entry[];
  expect(own).toMatchObject({ id: seen.id, address: expect.stringMatching(/127\.0\.0\.1$/) });
  expect((ofAccount.body.data as Entry[]).some(({ actor }) => actor === "key")).toBe(true);
  const { body } = await operator(apis.all[0]!, "GET", "/audit?limit=100");
  const operations = (body.data as Entry[]).map(({ operation, actor }) => `${actor} ${operation}`);
  expect(operations).toEqual(
    expect.arrayContaining(["operator createAccount", "operator createKey", "operator grantCredits"]),
  );
  expect(operations.some((operation) => operation.startsWith("key "))).toBe(false);
  expect((body.data as Entry[]).find(({ operation }) => operation === "createAccount")).toMatchObject({
    created: expect.any(String),
  });
});

test("a test key sees what test keys did, and a key without the scope sees nothing", async () => {
  const { body: key } = await client.call("POST", "/v1/account/keys", { json: { name: "test", live: false } });
  await client.call("PUT", "/v1/presets/p", { json: { tool: "mask" }, key: key.key });
  const entries = (await audit("?limit=100", key.key)).data;
  expect(entries.map(({ operation, target }) => [operation, target])).toEqual([["putPreset", "p"]]);
  const { body: reader } = await client.call("POST", "/v1/account/keys", { json: { name: "r", scopes: ["read"] } });
  expect((await client.call("GET", "/v1/audit", { key: reader.key })).status).toBe(403);
});

const today = () => new Date().toISOString().slice(0, 10);

/** A full segment of the day's changes by live keys. */
function fullSegment(index: number): AuditSegment {
  const { segmentEntriesMax } = auditLimits;
  const actor = { kind: "key", keyId: uuidv7(), live: true } as const;
  const names = { address: "192.0.2.1", requestId: uuidv7(), operation: "putPreset", target: "p", fields: [] };
  const entries = Array.from({ length: segmentEntriesMax }, (_, i) => {
    const number = String(index * segmentEntriesMax + i).padStart(12, "0");
    const id = `00000000-0000-7000-8000-${number}`;
    return { id, at: `${today()}T00:00:00.000Z`, actor, accountId: null, ...names, outcome: null };
  });
  return { v: 1, entries };
}

async function fillDay({ accountId }: OpenedAccount): Promise<void> {
  for (let index = 0; index < auditLimits.segmentsPerDayMax.changes; index++) {
    const subject = subjects.audit(accountId, segmentName(today(), "changes", index));
    await apis.log.commit("test", [{ subject, value: fullSegment(index) }]);
  }
}

test("its pages follow each other over segments, and a full day refuses further changes, which it counts", async () => {
  const other = await openAccount(apis.all[0]!);
  const { key } = other;
  await fillDay(other);
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await audit(`?limit=70${cursor === undefined ? "" : `&cursor=${cursor}`}`, key);
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
    if (cursor === undefined || ids.length > 1_000) break;
  }
  // The first has the operator's making of the key.
  expect(ids.slice(1, 201)).toEqual(
    [fullSegment(19), fullSegment(18)].flatMap(({ entries }) => entries.map(({ id }) => id).reverse()),
  );
  expect(new Set(ids).size).toBe(ids.length);
  for (let attempt = 0; attempt < 2; attempt++) {
    const refused = await client.call("PUT", "/v1/presets/p", { json: { tool: "mask" }, key });
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limit_exceeded"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect((await client.call("GET", "/v1/presets", { key })).body.data).toEqual([]);
  expect((await audit("?limit=1", key)).data).toMatchObject([
    { operation: "putPreset", status: 429, code: "rate_limit_exceeded", count: 2 },
  ]);
});

test("on a full day the owner makes keys, disables and deletes, and the operator does all that it does", async () => {
  const other = await openAccount(apis.all[0]!);
  const call: ContractClient["call"] = (method, path, options) =>
    client.call(method, path, { ...options, key: other.key });
  const { body: hook } = await call("POST", "/v1/webhooks", { json: { url: "https://shop.example/hook" } });
  const { body: leaked } = await call("POST", "/v1/account/keys", { json: { name: "leaked", scopes: ["edits"] } });
  await call("PUT", "/v1/presets/p", { json: { tool: "mask" } });
  await fillDay(other);
  const presets = await call("PUT", "/v1/presets/q", { json: { tool: "mask" } });
  const made = await call("POST", "/v1/account/keys", { json: { name: "next" } });
  expect([presets.status, made.status]).toEqual([429, 201]);
  const bad = { enabled: false, url: "https://elsewhere.example/hook" };
  const statuses = [
    await call("PATCH", `/v1/webhooks/${hook.id}`, { json: bad }),
    await call("PATCH", `/v1/webhooks/${hook.id}`, { json: { enabled: false } }),
    await call("POST", `/v1/webhooks/${hook.id}/rotate-secret`),
    await call("DELETE", `/v1/webhooks/${hook.id}`),
    await call("DELETE", "/v1/presets/p"),
    await call("DELETE", `/v1/account/keys/${leaked.id}`),
  ].map(({ status }) => status);
  expect(statuses).toEqual([429, 200, 200, 204, 204, 204]);
  const account = `/accounts/${other.accountId}`;
  const byOperator = [
    await operator(apis.all[0]!, "POST", `${account}/grants`, { amount: 5, note: "sorry" }),
    await operator(apis.all[0]!, "POST", `${account}/keys`, { name: "more" }),
    await operator(apis.all[0]!, "DELETE", `${account}/keys/${made.body.id}`),
    await operator(apis.all[0]!, "PATCH", account, { apiEnabled: false }),
  ].map(({ status }) => status);
  expect(byOperator).toEqual([201, 201, 204, 200]);
  const { body } = await operator(apis.all[0]!, "GET", `${account}/audit?limit=20`);
  expect((body.data as Entry[]).map(({ operation, status }) => `${operation} ${status}`).slice(0, 4)).toEqual([
    "updateAccount 200",
    "revokeKey 204",
    "createKey 201",
    "grantCredits 201",
  ]);
  const erased = await operator(apis.all[0]!, "DELETE", `${account}?confirm=${other.accountId}`);
  expect(erased.status).toBe(202);
});

test("what a key is refused is counted, and no name that it made up is stored", async () => {
  const other = await openAccount(apis.all[0]!);
  const { body: leaked } = await client.call("POST", "/v1/account/keys", {
    json: { name: "leaked", live: false, scopes: ["edits"] },
    key: other.key,
  });
  const flood = Array.from({ length: 30 }, () => client.call("DELETE", "/v1/presets/x", { key: leaked.key }));
  for (const { status } of await Promise.all(flood)) expect(status).toBe(404);
  const json = { tool: "mask", ["x".repeat(60_000)]: 1 };
  for (let request = 0; request < 3; request++) {
    expect((await client.call("PUT", "/v1/presets/x", { json, key: leaked.key })).status).toBe(400);
  }
  const { data } = await audit("?limit=100", other.key);
  expect(data.map(({ operation, status, count, fields }) => [operation, status, count, fields]).slice(0, 3)).toEqual([
    ["putPreset", 400, 3, ["tool"]],
    ["deletePreset", 404, 30, []],
    ["createKey", 201, 1, ["name", "live", "scopes"]],
  ]);
  const [, counted] = data;
  expect(Date.parse(counted!.lastAt as string)).toBeGreaterThan(Date.parse(counted!.at as string));
  expect((await client.call("DELETE", `/v1/account/keys/${leaked.id}`, { key: other.key })).status).toBe(204);
});

test("changes that several processes make at once are all in it", async () => {
  await apis.start();
  const other = await openAccount(apis.all[0]!);
  const urls = apis.all.map(({ url }) => url);
  const changes = Array.from({ length: 12 }, async (_, i) => {
    const of = apiClient(urls[i % urls.length]!, other.key);
    return (await of.call("PUT", `/v1/presets/p${i}`, { json: { tool: "mask" } })).status;
  });
  expect(await Promise.all(changes)).toEqual(changes.map(() => 201));
  const { data } = await audit("?limit=100", other.key);
  expect(data.filter(({ operation, status }) => operation === "putPreset" && status === 201)).toHaveLength(12);
});
