import { type KeyScope, keyScopes } from "@packshot/domain/accounts/api-key.ts";
import { beforeAll, expect, test } from "vitest";
import { openAccount, operator } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { loadContract } from "../../http/contract.ts";

const apis = suiteFixture(startApis);
const contract = loadContract(new URL("../../openapi.yaml", import.meta.url));
let accountId: string;
let client: ContractClient;

beforeAll(async () => {
  const account = await openAccount(apis.all[0]!, { limits: { maxApiKeys: 100 } });
  accountId = account.accountId;
  client = apiClient(apis.all[0]!.url, account.key);
});

const makeKey = async (json: object, key?: string) =>
  await client.call("POST", "/v1/account/keys", { json: { name: "k", ...json }, ...(key && { key }) });
const keyWith = async (...scopes: KeyScope[]) => (await makeKey({ scopes })).body.key as string;

test.each(keyScopes)("a key with the scope %s may do what names it, and nothing else", async (scope) => {
  const key = await keyWith(scope);
  const keyed = contract.operations.filter(({ needsKey }) => needsKey);
  const allowed: string[] = [];
  for (const { id, method, path } of keyed) {
    // Nothing has such an id, so that what is allowed changes nothing.
    const address = path.replaceAll(/\{\w+\}/g, "none");
    const response = await fetch(apis.all[0]!.url + address, {
      method: method.toUpperCase(),
      headers: { Authorization: `Bearer ${key}` },
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const body = (isJson ? JSON.parse(text) : {}) as { code?: string; details?: object };
    if (body.code !== "scope_missing") allowed.push(id);
    else expect([response.status, body.details]).toMatchObject([403, { scopes: [scope] }]);
  }
  expect(allowed).toEqual(keyed.filter(({ scopes }) => scopes.includes(scope)).map(({ id }) => id));
});

test("the refusal names the scope that is missing", async () => {
  const refused = await client.call("GET", "/v1/webhooks", { key: await keyWith("read", "edits") });
  expect([refused.status, refused.body]).toEqual([
    403,
    expect.objectContaining({
      code: "scope_missing",
      message: 'The API key lacks the scope "webhooks"; it has edits, read.',
      details: { missing: ["webhooks"], scopes: ["edits", "read"] },
    }),
  ]);
});

test("a key makes no key with more than its own scopes, and one without a word about them has its maker's", async () => {
  expect((await makeKey({})).body.scopes).toEqual(keyScopes);
  const manager = await keyWith("keys", "read");
  expect((await makeKey({}, manager)).body.scopes).toEqual(["read", "keys"]);
  expect((await makeKey({ scopes: ["read"] }, manager)).body.scopes).toEqual(["read"]);
  const refused = await makeKey({ scopes: ["read", "edits"] }, manager);
  expect([refused.status, refused.body.code, refused.body.details]).toEqual([
    403,
    "scope_missing",
    { missing: ["edits"], scopes: ["read", "keys"] },
  ]);
  const listed = (await client.call("GET", "/v1/account/keys")).body.data as { scopes: string[] }[];
  expect(listed.every(({ scopes }) => scopes.length > 0)).toBe(true);
});

test.each([
  ["an unknown scope", ["admin"]],
  ["no scope", []],
  ["a scope twice", ["read", "read"]],
])("%s is refused", async (_name, scopes) => {
  const { status, body } = await makeKey({ scopes });
  expect([status, body.code]).toEqual([400, "invalid_request"]);
});

test("the operator makes keys with all scopes, or with those that the request names", async () => {
  const make = (body: object) => operator(apis.all[0]!, "POST", `/accounts/${accountId}/keys`, { name: "o", ...body });
  expect((await make({})).body.scopes).toEqual(keyScopes);
  const { body } = await make({ scopes: ["edits"] });
  expect(body.scopes).toEqual(["edits"]);
  const edit = { json: { imageUrl: "https://shop.example/a.jpg" }, key: body.key as string };
  const created = await client.call("POST", "/v1/tools/mask/edit", edit);
  expect(created.status).toBe(202);
  expect((await client.call("GET", `/v1/jobs/${created.body.id}`, { key: edit.key })).status).toBe(200);
  expect((await client.call("GET", "/v1/account/usage", { key: edit.key })).status).toBe(403);
});
