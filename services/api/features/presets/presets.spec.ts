import { randomUUID } from "node:crypto";
import { outputPresets } from "@packshot/domain/edits/tools.ts";
import type { AccountPreset } from "@packshot/domain/presets/account-preset.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { beforeAll, expect, test } from "vitest";
import { type OpenedAccount, openAccount } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);
let account: OpenedAccount;
let client: ContractClient;

beforeAll(async () => {
  account = await openAccount(apis.all[0]!, { limits: { maxPresets: 6, concurrentJobs: 1_000 } });
  client = apiClient(apis.all[0]!.url, account.key);
});

const output = { width: 800, height: 600, format: "webp" };
const shop = { tool: "mask", parameters: { seed: 7, output } };
const put = (name: string, json: unknown) => client.call("PUT", `/v1/presets/${name}`, { json });
const imageUrl = "https://shop.example/a.jpg";
const edit = (json: object, headers = {}) =>
  client.call("POST", "/v1/tools/mask/edit", { json: { imageUrl, ...json }, headers });
const parametersOf = async ({ body }: { body: { id: string } }) =>
  (await client.call("GET", `/v1/jobs/${body.id}`)).body.parameters;

test("a preset is created, read, replaced, listed by its name, and deleted", async () => {
  const created = await put("shop", shop);
  expect([created.status, created.body]).toEqual([201, expect.objectContaining({ name: "shop", ...shop, live: true })]);
  const destination = { connection: "c-1", key: "{ref}.webp" };
  const replaced = await put("shop", { tool: "ai-bg", parameters: { theme: "oak table" }, destination });
  expect([replaced.status, replaced.body]).toEqual([
    200,
    expect.objectContaining({ tool: "ai-bg", destination, createdAt: created.body.createdAt }),
  ]);
  await put("another", { tool: "mask" });
  expect((await client.call("GET", "/v1/presets")).body.data).toEqual([
    expect.objectContaining({ name: "another", parameters: {}, destination: null }),
    replaced.body,
  ]);
  expect((await client.call("GET", "/v1/presets/shop")).body).toEqual(replaced.body);
  for (const name of ["shop", "another"]) {
    expect((await client.call("DELETE", `/v1/presets/${name}`)).status).toBe(204);
    for (const method of ["GET", "DELETE"]) expect((await client.call(method, `/v1/presets/${name}`)).status).toBe(404);
  }
  expect((await client.call("GET", "/v1/presets")).body.data).toEqual([]);
});

test("a file of an edit, and of a batch's row, may name a preset of the account's own", async () => {
  const parameters = { output: { width: 800, format: "webp" } };
  expect((await put("shop", { tool: "mask", parameters })).status).toBe(201);
  const outputs = [
    { name: "main", preset: "ebay" },
    { name: "web", preset: "shop", output: { width: 400 } },
  ];
  const filled = [outputs[0], { name: "web", output: { width: 400, format: "webp" } }];
  expect((await parametersOf(await edit({ parameters: { outputs } }))).outputs).toEqual(filled);
  const unknown = await edit({ parameters: { outputs: [{ name: "web", preset: "shp" }] } });
  expect([unknown.status, unknown.body.details.field]).toEqual([400, "parameters.outputs.0.preset"]);
  const both = [{ name: "web", preset: "shop", shadow: {} }];
  expect((await parametersOf(await edit({ parameters: { outputs: both } }))).outputs).toEqual([
    { name: "web", shadow: {}, ...parameters },
  ]);
  const items = [{ ref: "a", imageUrl, parameters: { outputs: [{ name: "web", preset: "shp" }] } }];
  const checked = await client.call("POST", "/v1/batches", { json: { tool: "mask", dryRun: true, items } });
  expect(checked.body.faults[0].message).toMatch(/is not there: "shp" is none of yours/);
  const known = [{ ref: "a", imageUrl, parameters: { outputs } }];
  const sound = await client.call("POST", "/v1/batches", { json: { tool: "mask", dryRun: true, items: known } });
  expect([sound.body.faulty, sound.body.credits]).toEqual([0, 2]);
  expect((await client.call("DELETE", "/v1/presets/shop")).status).toBe(204);
});

test.each([
  ["a marketplace's name", outputPresets[0], shop, "name"],
  ["a name with a dot", "a.b", shop, "name"],
  ["a name with capitals", "Shop", shop, "name"],
  ["a name of 64 letters", "a".repeat(64), shop, "name"],
  ["an unknown tool", "bad", { tool: "crop" }, "tool"],
  ["no tool", "bad", {}, undefined],
  ["a parameter of another tool", "bad", { tool: "mask", parameters: { theme: "oak" } }, "parameters.theme"],
  ["a value out of range", "bad", { tool: "mask", parameters: { output: { width: 0 } } }, "parameters.output.width"],
  ["a model that is not there", "bad", { tool: "mask", parameters: { model: "none" } }, "parameters.model"],
  ["half a destination", "bad", { tool: "mask", destination: { key: "a" } }, undefined],
])("a preset with %s is refused", async (_name, name, body, field) => {
  const refused = await put(name, body);
  expect([refused.status, refused.body.code]).toEqual([400, "invalid_request"]);
  if (field !== undefined) expect(refused.body.details).toEqual({ field });
});

test("an edit that names a preset gets its parameters, and what it gives itself replaces them one by one", async () => {
  await put("web", shop);
  const plain = await edit({ preset: "web" });
  expect(plain.status).toBe(202);
  expect(await parametersOf(plain)).toEqual(shop.parameters);
  const changed = await edit({ preset: "web", parameters: { seed: 9, output: { height: null, format: "avif" } } });
  expect(await parametersOf(changed)).toEqual({ seed: 9, output: { ...output, format: "avif" } });

  const form = new FormData();
  form.append("imageUrl", imageUrl);
  form.append("preset", "web");
  form.append("output.width", "900");
  const fromForm = await client.call("POST", "/v1/tools/mask/edit", { form });
  expect(await parametersOf(fromForm)).toEqual({ seed: 7, output: { ...output, width: 900 } });
});

test("a preset that is older than a rule is refused alike in an edit and in a batch's row", async () => {
  await put("old", { tool: "mask", parameters: { region: { right: "100%" } } });
  const subject = subjects.preset(account.accountId, "live-old");
  const { value, sequence } = await apis.log.read<AccountPreset>(subject);
  const parameters = { region: { right: "150%" } };
  await apis.log.commit("preset", [{ subject, value: { ...value!, parameters }, expected: sequence }]);
  const refused = await edit({ preset: "old" });
  expect([refused.status, refused.body.details]).toEqual([400, { field: "parameters.region.right" }]);
  const items = [{ ref: "a", imageUrl, preset: "old" }];
  const checked = await client.call("POST", "/v1/batches", { json: { tool: "mask", dryRun: true, items } });
  expect(checked.body.faults[0].message).toBe(refused.body.message);
  expect((await edit({ preset: "old", parameters: { region: { right: "90%" } } })).status).toBe(202);
  expect((await client.call("DELETE", "/v1/presets/old")).status).toBe(204);
});

test("an edit names a marketplace's preset in the same field", async () => {
  expect(await parametersOf(await edit({ preset: "ebay", parameters: { seed: 1 } }))).toEqual({
    seed: 1,
    preset: "ebay",
  });
  const form = new FormData();
  form.append("imageUrl", imageUrl);
  form.append("preset", "zalando");
  const fromForm = await client.call("POST", "/v1/tools/mask/edit", { form });
  expect(await parametersOf(fromForm)).toMatchObject({ preset: "zalando" });
  const both = await edit({ preset: "ebay", parameters: { preset: "etsy" } });
  expect([both.status, both.body.details]).toEqual([400, { field: "preset" }]);
});

test("an edit is refused that names no preset of the account, or one of another tool", async () => {
  await put("scene", { tool: "ai-bg", parameters: { theme: "oak table" } });
  for (const preset of ["none", "scene", "../x", "Scene"]) {
    const { status, body } = await edit({ preset });
    expect([status, body.code, body.details]).toEqual([400, "invalid_request", { field: "preset" }]);
  }
  const ofOther = await client.call("POST", "/v1/tools/ai-bg/edit", { json: { imageUrl, preset: "ebay" } });
  expect([ofOther.status, ofOther.body.details]).toEqual([400, { field: "preset" }]);
});

test("a repeated edit is the first one's, whatever became of its preset meanwhile", async () => {
  await put("brief", { tool: "mask", parameters: { seed: 3 } });
  const headers = { "Idempotency-Key": randomUUID() };
  const first = await edit({ preset: "brief" }, headers);
  await put("brief", { tool: "mask", parameters: { seed: 4 } });
  const second = await edit({ preset: "brief" }, headers);
  await client.call("DELETE", "/v1/presets/brief");
  const third = await edit({ preset: "brief" }, headers);
  for (const again of [second, third]) {
    expect([again.status, again.body, again.headers.get("idempotency-replayed")]).toEqual([202, first.body, "true"]);
  }
  expect((await parametersOf(first)).seed).toBe(3);
  const other = await edit({ preset: "web" }, headers);
  expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
});

test("presets of test keys are apart from those of live keys", async () => {
  const { body } = await client.call("POST", "/v1/account/keys", { json: { name: "test", live: false } });
  const key = body.key as string;
  const created = await client.call("PUT", "/v1/presets/web", { json: { tool: "ai-bg" }, key });
  expect([created.status, created.body.live]).toEqual([201, false]);
  expect((await client.call("GET", "/v1/presets/web")).body.tool).toBe("mask");
  expect((await client.call("GET", "/v1/presets", { key })).body.data).toEqual([created.body]);
  await client.call("DELETE", "/v1/presets/web", { key });
  expect((await client.call("GET", "/v1/presets/web")).status).toBe(200);
});

test("the plan limits how many an account has, also when they are made at once; a replaced one needs no room", async () => {
  const { body } = await client.call("GET", "/v1/presets");
  const free = 6 - body.data.length;
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async (_, i) => (await put(`many-${i}`, { tool: "mask" })).status),
  );
  expect(statuses.filter((status) => status === 201)).toHaveLength(free);
  expect(statuses.filter((status) => status === 409)).toHaveLength(10 - free);
  expect((await put("web", { tool: "mask" })).status).toBe(200);
  expect((await client.call("GET", "/v1/account")).body.limits.maxPresets).toBe(6);
});
