import { isoTime } from "@packshot/domain/ids.ts";
import { expect, test } from "vitest";
import { openAccount, operator } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(() => startApis({ count: 2 }));

interface OpenKey {
  readonly id: string;
  readonly key: string;
  readonly client: ContractClient;
}

/** An account whose operator has made one key. */
async function openOwner(limits: object = {}): Promise<{ accountId: string; owner: OpenKey }> {
  const [api] = apis.all;
  const { accountId, key } = await openAccount(api!, { limits });
  const client = apiClient(api!.url, key);
  const [{ id }] = (await client.call("GET", "/v1/account/keys")).body.data;
  return { accountId, owner: { id, key, client } };
}

async function makeKey({ client }: OpenKey, name: string, fields: object = {}): Promise<OpenKey> {
  const { status, body } = await client.call("POST", "/v1/account/keys", { json: { name, ...fields } });
  expect(status).toBe(201);
  return { id: body.id, key: body.key, client: apiClient(apis.all[0]!.url, body.key) };
}

const listKeys = async ({ client }: OpenKey) => (await client.call("GET", "/v1/account/keys")).body.data;
const namesOf = async (owner: OpenKey) => (await listKeys(owner)).map(({ name }: { name: string }) => name);
const statusOf = async ({ client }: OpenKey) => (await client.call("GET", "/v1/account")).status;

async function makeKeyByOperator(accountId: string, name: string): Promise<OpenKey> {
  const { body } = await operator(apis.all[0]!, "POST", `/accounts/${accountId}/keys`, { name });
  const { id, key } = body as { id: string; key: string };
  return { id, key, client: apiClient(apis.all[0]!.url, key) };
}

test("keys are listed with their maker: a key, or null for the operator", async () => {
  const { accountId, owner } = await openOwner();
  const second = await makeKeyByOperator(accountId, "second");
  const ofOwner = await makeKey(owner, "of owner");
  await makeKey(ofOwner, "of that");
  await makeKey(second, "of second");
  const expected = [
    ["first", null],
    ["second", null],
    ["of owner", owner.id],
    ["of that", ofOwner.id],
    ["of second", second.id],
  ];
  const makersOf = (keys: { name: string; createdBy: string | null }[]) =>
    keys.map(({ name, createdBy }) => [name, createdBy]);
  expect(makersOf(await listKeys(owner))).toEqual(expected);
  const { body } = await operator(apis.all[0]!, "GET", `/accounts/${accountId}/keys`);
  expect(makersOf(body.data as { name: string; createdBy: string | null }[])).toEqual(expected);
});

test("a key is revoked alone, or with all that it made, also through keys that no longer exist", async () => {
  const { accountId, owner } = await openOwner();
  const stolen = await makeKey(owner, "stolen");
  const second = await makeKey(stolen, "second");
  const third = await makeKey(second, "third");
  const fourth = await makeKey(third, "fourth", { live: false });
  await makeKey(owner, "other");
  await owner.client.call("DELETE", `/v1/account/keys/${third.id}`);
  const fifth = await makeKey(fourth, "fifth");
  expect(await namesOf(owner)).toEqual(["first", "stolen", "second", "fourth", "other", "fifth"]);
  const reply = await owner.client.call("DELETE", `/v1/account/keys/${stolen.id}?withDescendants=true`);
  expect(reply.status).toBe(204);
  expect(await namesOf(owner)).toEqual(["first", "other"]);
  for (const key of [stolen, second, third, fourth, fifth]) await expect.poll(() => statusOf(key)).toBe(401);
  const { body } = await operator(apis.all[0]!, "GET", `/accounts/${accountId}`);
  expect(body.apiKeys).toBe(2);
});

test("the operator revokes a key with the keys that it made", async () => {
  const { accountId, owner } = await openOwner();
  const second = await makeKeyByOperator(accountId, "second");
  await makeKey(await makeKey(second, "third"), "fourth");
  const path = `/accounts/${accountId}/keys/${second.id}?withDescendants=true`;
  expect((await operator(apis.all[0]!, "DELETE", path)).status).toBe(204);
  expect(await namesOf(owner)).toEqual(["first"]);
});

test("a test key cannot revoke a live key's descendants, not even test keys", async () => {
  const { owner } = await openOwner();
  const live = await makeKey(owner, "live");
  const trial = await makeKey(live, "trial", { live: false });
  const reply = await trial.client.call("DELETE", `/v1/account/keys/${live.id}?withDescendants=true`);
  expect(reply.status).toBe(404);
  expect(await namesOf(owner)).toEqual(["first", "live", "trial"]);
});

test("more keys than one batch holds are revoked together", { timeout: 120_000 }, async () => {
  const { accountId, owner } = await openOwner({ maxApiKeys: 1_000 });
  const stolen = await makeKey(owner, "stolen");
  const second = await makeKey(stolen, "second");
  // In groups: an account's audit log takes fifty changes of a kind at once.
  for (let made = 0; made < 210; made += 30) {
    await Promise.all(Array.from({ length: 30 }, (_, i) => makeKey(i % 2 === 0 ? stolen : second, `k${made + i}`)));
  }
  const path = `/v1/account/keys/${stolen.id}?withDescendants=true`;
  expect((await owner.client.call("DELETE", path)).status).toBe(204);
  expect(await namesOf(owner)).toEqual(["first"]);
  expect((await operator(apis.all[0]!, "GET", `/accounts/${accountId}`)).body.apiKeys).toBe(1);
});

test("keys that are being made while their maker is revoked do not outlive it, on any process", async () => {
  const { owner } = await openOwner({ maxApiKeys: 100 });
  for (let round = 0; round < 3; round++) {
    const stolen = await makeKey(owner, "stolen");
    const second = await makeKey(stolen, "second");
    const makers = [stolen, second].flatMap(({ key }) => apis.all.map((api) => apiClient(api.url, key)));
    const make = async (i: number) =>
      (await makers[i % 4]!.call("POST", "/v1/account/keys", { json: { name: `k${i}` } })).status;
    const path = `/v1/account/keys/${stolen.id}?withDescendants=true`;
    const early = Array.from({ length: 12 }, (_, i) => make(i));
    await Promise.race(early);
    const revocation = owner.client.call("DELETE", path);
    const late = Array.from({ length: 12 }, (_, i) => make(i));
    const statuses = await Promise.all([...early, ...late]);
    expect((await revocation).status).toBe(204);
    // All of the above may have been made before: under load the revocation is the last to get through.
    expect(await Promise.all(makers.map((_, i) => make(i)))).toEqual([401, 401, 401, 401]);
    expect(await namesOf(owner)).toEqual(["first"]);
    expect(statuses.filter((status) => status !== 201 && status !== 401)).toEqual([]);
  }
});

test.concurrent("expired keys do not count against the limit: a new key takes the place of the one that expired first", async () => {
  const { accountId, owner } = await openOwner({ maxApiKeys: 3 });
  // Until then three requests must have been answered.
  const firstMs = Date.now() + 20_000;
  const later = await makeKey(owner, "later", { expiresAt: isoTime(firstMs + 100) });
  await makeKey(owner, "sooner", { expiresAt: isoTime(firstMs) });
  const create = async () => (await owner.client.call("POST", "/v1/account/keys", { json: { name: "new" } })).status;
  expect(await create()).toBe(409);
  await expect.poll(() => statusOf(later)).toBe(401);
  expect(await create()).toBe(201);
  expect(await namesOf(owner)).toEqual(["first", "later", "new"]);
  expect(await create()).toBe(201);
  expect(await create()).toBe(409);
  expect(await namesOf(owner)).toEqual(["first", "new", "new"]);
  expect((await operator(apis.all[0]!, "GET", `/accounts/${accountId}`)).body.apiKeys).toBe(3);
});

test.concurrent("with a lowered limit, keys that have expired still make room", async () => {
  const { accountId, owner } = await openOwner();
  const soon = { expiresAt: isoTime(Date.now() + 20_000) };
  const keys = await Promise.all(["a", "b", "c"].map((name) => makeKey(owner, name, soon)));
  await operator(apis.all[0]!, "PATCH", `/accounts/${accountId}`, { limits: { maxApiKeys: 2 } });
  for (const key of keys) await expect.poll(() => statusOf(key)).toBe(401);
  await makeKey(owner, "new");
  expect(await namesOf(owner)).toEqual(["first", "new"]);
});

test("a key that expires makes none that outlives it, also through a chain", async () => {
  const { accountId, owner } = await openOwner();
  const [soon, later] = [60_000, 120_000].map((ms) => isoTime(Date.now() + ms));
  const maker = await makeKey(owner, "maker", { expiresAt: soon });
  const child = await makeKey(maker, "child");
  await makeKey(child, "grandchild", { expiresAt: null, live: false });
  await makeKey(child, "sooner", { expiresAt: isoTime(Date.now() + 30_000) });
  const refused = await child.client.call("POST", "/v1/account/keys", { json: { name: "later", expiresAt: later } });
  expect([refused.status, refused.body.code, refused.body.details]).toEqual([
    400,
    "invalid_request",
    { field: "expiresAt" },
  ]);
  const expiries = (await listKeys(owner)).map((key: Record<string, string>) => [key.name, key.expiresAt]);
  expect(expiries).toMatchObject([
    ["first", null],
    ["maker", soon],
    ["child", soon],
    ["grandchild", soon],
    ["sooner", expect.not.stringMatching(soon!)],
  ]);
  const { status, body } = await operator(apis.all[0]!, "POST", `/accounts/${accountId}/keys`, {
    name: "operator's",
    expiresAt: later,
  });
  expect([status, body.expiresAt]).toEqual([201, later]);
});

// Tried again when the hour ends in between: counts start again with the hour.
test("a leaked key that has used up the hour does not keep the owner from finding and revoking it", {
  retry: 1,
}, async () => {
  const { owner } = await openOwner({ rateLimitPerHour: 12 });
  const call: ContractClient["call"] = (...request) => owner.client.call(...request);
  const { body: hook } = await call("POST", "/v1/webhooks", { json: { url: "https://shop.example/hook" } });
  const leaked = await makeKey(owner, "leaked", { scopes: ["read", "keys"] });
  for (let request = 0; request < 12; request++) await statusOf(leaked);
  expect([await statusOf(leaked), await statusOf(owner)]).toEqual([429, 429]);
  const names = (await listKeys(owner)).map(({ name }: { name: string }) => name);
  expect(names).toEqual(["first", "leaked"]);
  const changes = [
    await call("POST", "/v1/account/keys", { json: { name: "more" } }),
    await call("PATCH", `/v1/webhooks/${hook.id}`, { json: { enabled: true } }),
    await call("PATCH", `/v1/webhooks/${hook.id}`, { json: { enabled: false } }),
    await call("DELETE", `/v1/account/keys/${leaked.id}`),
  ];
  expect(changes.map(({ status }) => status)).toEqual([429, 429, 200, 204]);
  expect(changes.map(({ headers }) => headers.has("retry-after"))).toEqual([true, true, false, false]);
  expect(await statusOf(leaked)).toBe(401);
});

test("an Idempotency-Key makes one key, also in two processes at once, and later names it without its secret", async () => {
  const { owner } = await openOwner();
  const clients = apis.all.map(({ url }) => apiClient(url, owner.key));
  const headers = { "Idempotency-Key": "shop-1" };
  const create = (client: ContractClient, name = "shop") =>
    client.call("POST", "/v1/account/keys", { json: { name }, headers });
  const replies = await Promise.all([...clients, ...clients].map((client) => create(client)));
  const [made] = replies.filter(({ status }) => status === 201);
  const refused = replies.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(3);
  for (const { body } of [...refused, await create(owner.client)]) {
    expect(body).toMatchObject({ code: "already_created", details: { id: made!.body.id } });
    expect(body.message).toContain("revoke that key");
    expect(JSON.stringify(body)).not.toContain(made!.body.key);
  }
  expect(await namesOf(owner)).toEqual(["first", "shop"]);
  expect((await create(owner.client, "other")).body.code).toBe("idempotency_key_reused");
  expect((await owner.client.call("POST", "/v1/account/keys", { json: { name: "other" } })).status).toBe(201);
  expect((await owner.client.call("DELETE", `/v1/account/keys/${made!.body.id}`)).status).toBe(204);
  const { body } = await create(owner.client);
  expect(body).toMatchObject({ code: "already_created", details: { id: made!.body.id } });
  expect(body.message).toMatch(/, which is gone: send a new Idempotency-Key\.$/);
});
