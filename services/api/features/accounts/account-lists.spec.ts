/** Everything of one account is listed by literal reads: a search of the log holds up every commit. */
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { ApiKey } from "@packshot/domain/accounts/api-key.ts";
import { keyScopes } from "@packshot/domain/accounts/api-key.ts";
import type { RecordIndex } from "@packshot/domain/accounts/record-index.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { shardOf, subjects } from "@packshot/domain/subjects.ts";
import { beforeAll, expect, test } from "vitest";
import { openAccount, operator } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { type SearchWatch, watchSearches } from "../../../../testing/log/watch-searches.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { apiKeyHint, hashApiKeySecret, newApiKeySecret } from "../../access/api-key-secret.ts";

const apis = suiteFixture(startApis);
let watch: SearchWatch;

beforeAll(async () => {
  watch = await watchSearches(apis.log.connection);
});

async function openClient(): Promise<{ accountId: string; client: ContractClient }> {
  const { accountId, key } = await openAccount(apis.all[0]!, { limits: { maxApiKeys: 20, maxWebhooks: 20 } });
  return { accountId, client: apiClient(apis.all[0]!.url, key) };
}

const searchesOf = async (accountId: string) =>
  (await watch.searches()).filter((search) => search.includes(accountId) || search.includes(".account."));
const namesOf = async (client: ContractClient) =>
  (await client.call("GET", "/v1/account/keys")).body.data.map(({ name }: { name: string }) => name);
const makeKey = async (client: ContractClient, name: string) =>
  (await client.call("POST", "/v1/account/keys", { json: { name } })).body as { id: string };
const readIds = async (accountId: string, kind: "keys" | "webhooks") =>
  (await apis.log.read<RecordIndex>(subjects.index(accountId, kind))).value?.ids;

test("keys are listed, replaced and revoked with their makers without a search", async () => {
  const { accountId, client } = await openClient();
  const second = await makeKey(client, "second");
  await makeKey(client, "third");
  expect(await namesOf(client)).toEqual(["first", "second", "third"]);
  const path = `/v1/account/keys/${second.id}?withDescendants=true`;
  expect((await client.call("DELETE", path)).status).toBe(204);
  expect(await namesOf(client)).toEqual(["first", "third"]);
  expect(await readIds(accountId, "keys")).toHaveLength(2);
  expect(await searchesOf(accountId)).toEqual([]);
});

test("the keys of an account whose id is a wildcard are not looked for", async () => {
  expect((await operator(apis.all[0]!, "GET", "/accounts/*/keys")).status).toBe(404);
  expect((await watch.searches()).filter((search) => search.includes(".index."))).toEqual([]);
});

test("webhooks are listed without a search", async () => {
  const { accountId, client } = await openClient();
  const create = async (path: string) =>
    (await client.call("POST", "/v1/webhooks", { json: { url: `https://shop.example/${path}` } })).body.id as string;
  const ids = [await create("a"), await create("b"), await create("c")];
  expect((await client.call("DELETE", `/v1/webhooks/${ids[1]}`)).status).toBe(204);
  const { body } = await client.call("GET", "/v1/webhooks");
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([ids[0], ids[2]]);
  expect(await readIds(accountId, "webhooks")).toEqual([ids[0], ids[2]]);
  expect(await searchesOf(accountId)).toEqual([]);
});

/** As a bug might write a key: no index lists it. */
async function writeKeyUnindexed(accountId: string, name: string): Promise<void> {
  const secret = newApiKeySecret({ live: true, shard: shardOf(accountId) });
  const hashes = { sha256: hashApiKeySecret(secret), hint: apiKeyHint(secret) };
  const dates = { createdAt: isoTime(Date.now()), expiresAt: null };
  const key: ApiKey = {
    v: 1,
    id: uuidv7(),
    accountId,
    name,
    live: true,
    scopes: keyScopes,
    makers: [],
    ...hashes,
    ...dates,
  };
  const { value: account } = await apis.log.read<Account>(subjects.account(accountId));
  await apis.log.commit("test", [
    { subject: subjects.account(accountId), value: { ...account!, apiKeys: account!.apiKeys + 1 } },
    { subject: subjects.keyByHash(shardOf(accountId), key.sha256), value: key },
    { subject: subjects.apiKey(accountId, key.id), value: key },
  ]);
}

test("keys that the index lacks are found without an index, once, and beside one", async () => {
  const { accountId, client } = await openClient();
  await apis.log.commit("test", [{ subject: subjects.index(accountId, "keys"), value: null, ttlSeconds: 1 }]);
  await writeKeyUnindexed(accountId, "unlisted");
  expect(await namesOf(client)).toEqual(["first", "unlisted"]);
  expect(await readIds(accountId, "keys")).toHaveLength(2);
  await writeKeyUnindexed(accountId, "unlisted too");
  await makeKey(client, "new");
  expect(await namesOf(client)).toEqual(["first", "unlisted", "unlisted too", "new"]);
  expect(await readIds(accountId, "keys")).toHaveLength(4);
  expect(await searchesOf(accountId)).toEqual([]);
});

const dayBefore = (days: number) => isoTime(Date.now() - days * 86_400_000).slice(0, 10);

test("usage is listed without a search, and finished days are read once", async () => {
  const { accountId, client } = await openClient();
  const subject = subjects.account(accountId);
  const writeDay = async (days: number, creditsDebited: number) => {
    const { value } = await apis.log.read<Account>(subject);
    const usage = { day: dayBefore(days), edits: { mask: creditsDebited }, creditsDebited, creditsRefunded: 0 };
    await apis.log.commit("test", [
      { subject, value: { ...value!, usage } },
      { subject: subjects.usage(accountId, usage.day), value: { v: 1, ...usage } },
    ]);
  };
  const listed = async () =>
    (await client.call("GET", "/v1/account/usage")).body.data.map(
      ({ day, creditsDebited }: { day: string; creditsDebited: number }) => [day, creditsDebited],
    );
  await writeDay(9, 1);
  await writeDay(7, 2);
  expect(await listed()).toEqual([
    [dayBefore(9), 1],
    [dayBefore(7), 2],
  ]);
  await writeDay(7, 3);
  await writeDay(5, 4);
  await writeDay(0, 5);
  const all = [
    [dayBefore(9), 1],
    [dayBefore(7), 3],
    [dayBefore(5), 4],
    [dayBefore(0), 5],
  ];
  expect(await listed()).toEqual(all);
  // The finished days' own records are no longer needed.
  for (const days of [9, 7, 5]) {
    await apis.log.commit("test", [{ subject: subjects.usage(accountId, dayBefore(days)), value: null }]);
  }
  expect(await listed()).toEqual(all);
  expect(await searchesOf(accountId)).toEqual([]);
});

test("the operator lists accounts page by page, the oldest first, without a search", async () => {
  const opened: string[] = [];
  for (let i = 0; i < 5; i++) opened.push((await openClient()).accountId);
  const listed: string[] = [];
  let path = "/accounts?limit=2";
  for (let page = 0; page < 20 && path !== ""; page++) {
    const { status, body } = await operator(apis.all[0]!, "GET", path);
    expect(status).toBe(200);
    listed.push(...(body.data as Account[]).map(({ accountId }) => accountId));
    path = body.nextCursor === undefined ? "" : `/accounts?limit=2&cursor=${body.nextCursor as string}`;
  }
  expect(listed).toEqual([...listed].sort());
  expect(listed).toEqual(expect.arrayContaining(opened));
  expect(new Set(listed).size).toBe(listed.length);
  expect(await searchesOf(".account.")).toEqual([]);
  expect((await operator(apis.all[0]!, "GET", "/accounts?cursor=7")).status).toBe(400);
});

test("the operator finds who floods the queue and who computes most, without a search", async () => {
  const submit = async (jobs: number) => {
    const { accountId, client } = await openClient();
    await operator(apis.all[0]!, "PATCH", `/accounts/${accountId}`, { limits: { concurrentJobs: 1 } });
    for (let job = 0; job < jobs; job++) {
      const json = { imageUrl: "https://shop.example/photo.jpg" };
      expect((await client.call("POST", "/v1/tools/mask/edit", { json })).status).toBe(202);
    }
    return accountId;
  };
  const quiet = await submit(1);
  const noisy = await submit(4);
  const idle = await submit(0);
  const listed = async (sort: string, limit = 100) =>
    ((await operator(apis.all[0]!, "GET", `/accounts?sort=${sort}&limit=${limit}`)).body.data as Account[]) ?? [];
  await expect.poll(async () => (await listed("waiting")).map(({ accountId }) => accountId)).toEqual([noisy, quiet]);
  expect((await listed("waiting", 1)).map(({ waiting, running }) => [waiting, running])).toEqual([[3, 1]]);

  const compute = async (accountId: string, dayMs: number) => {
    const subject = subjects.account(accountId);
    const { value } = await apis.log.read<Account>(subject);
    const inference = { day: isoTime(Date.now()).slice(0, 10), dayMs, totalMs: dayMs };
    await apis.log.commit("test", [{ subject, value: { ...value!, inference } }]);
  };
  await compute(quiet, 9_000);
  await compute(noisy, 2_000);
  const busiest = await listed("inferenceSeconds");
  expect(busiest.map(({ accountId }) => accountId)).toEqual([quiet, noisy]);
  expect(busiest[0]!.inference).toMatchObject({ dayMs: 9_000 });
  expect(busiest.map(({ accountId }) => accountId)).not.toContain(idle);
  expect(await searchesOf(".account.")).toEqual([]);
  for (const query of ["sort=waiting&cursor=7", "sort=name"])
    expect((await operator(apis.all[0]!, "GET", `/accounts?${query}`)).status).toBe(400);
});
