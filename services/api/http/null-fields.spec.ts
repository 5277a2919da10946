import { beforeAll, expect, test } from "vitest";
import { openAccount, operator } from "../../../testing/api/accounts.ts";
import { startApis } from "../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);
const imageUrl = "https://shop.example/a.jpg";
let accountId: string;
let client: ContractClient;

beforeAll(async () => {
  const account = await openAccount(apis.all[0]!);
  accountId = account.accountId;
  client = apiClient(apis.all[0]!.url, account.key);
});

const post = (path: string, json: object, headers = {}) => client.call("POST", path, { json, headers });

test("an edit with null fields is the same edit as one without them, at every depth", async () => {
  const headers = { "Idempotency-Key": "nulls" };
  const parameters = { seed: 7, model: null, preset: null, output: { width: 10, format: null, background: null } };
  const edit = { imageUrl, uploadSessionId: null, metadata: null, parameters };
  const { status, body } = await post("/v1/tools/mask/edit", edit, headers);
  expect(status).toBe(202);
  const { body: job } = await client.call("GET", `/v1/jobs/${body.id}`);
  expect([job.parameters, job.metadata]).toEqual([{ seed: 7, output: { width: 10 } }, {}]);
  const bare = { imageUrl, parameters: { seed: 7, output: { width: 10 } } };
  const again = await post("/v1/tools/mask/edit", bare, headers);
  expect([again.status, again.body.id]).toEqual([202, body.id]);
});

test.each([
  ["ai-shadows", { shadow: null, output: null }],
  ["ai-shadows", { shadow: { direction: null, softness: 0.5, opacity: null } }],
  ["ai-bg", { theme: null, seed: null }],
  ["ai-bg", null],
])("%s takes the parameters %j", async (tool, parameters) => {
  expect((await post(`/v1/tools/${tool}/edit`, { imageUrl, parameters })).status).toBe(202);
});

test("sources that are null are no source", async () => {
  const { status, body } = await post("/v1/tools/mask/edit", { imageUrl: null, uploadSessionId: null });
  expect([status, body.code, body.message]).toEqual([
    400,
    "invalid_request",
    expect.stringContaining("imageUrl or uploadSessionId is required"),
  ]);
});

test("a webhook's null fields take their defaults, and leave a change's fields as they were", async () => {
  const created = await post("/v1/webhooks", { url: imageUrl, events: null, description: null, metadata: null });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ description: "", metadata: {}, events: expect.arrayContaining(["job.failed"]) });
  const path = `/v1/webhooks/${created.body.id}`;
  const json = { url: null, events: null, description: "d", metadata: null, enabled: null };
  const changed = await client.call("PATCH", path, { json });
  expect(changed.body).toMatchObject({ url: imageUrl, description: "d", status: "enabled" });
  const empty = await client.call("PATCH", path, { json: { url: null } });
  expect([empty.status, empty.body.message]).toEqual([400, "The body is empty: give at least one field."]);
});

test("a key's null fields take their defaults", async () => {
  const { status, body } = await post("/v1/account/keys", { name: "n", live: null, expiresAt: null });
  expect([status, body.live, body.expiresAt]).toEqual([201, true, null]);
});

test("null equals absent in each object of a list, too", async () => {
  const outputs = [{ name: "a", preset: null, output: { width: 9, format: null }, shadow: null }];
  const { status, body } = await post("/v1/tools/mask/edit", { imageUrl, parameters: { outputs } });
  expect(status).toBe(202);
  const { body: job } = await client.call("GET", `/v1/jobs/${body.id}`);
  expect(job.parameters.outputs).toEqual([{ name: "a", output: { width: 9 } }]);
  const nameless = await post("/v1/tools/mask/edit", { imageUrl, parameters: { outputs: [{ name: null }] } });
  expect([nameless.status, nameless.body.details]).toEqual([400, { field: "parameters.outputs.0.name" }]);
});

test("the operator API reads null as absent, too", async () => {
  const limits = { maxApiKeys: null, maxWebhooks: 3 };
  const changed = await operator(apis.all[0]!, "PATCH", `/accounts/${accountId}`, { plan: null, limits, tools: null });
  expect(changed).toMatchObject({ status: 200, body: { plan: "dev", limits: { maxApiKeys: 20, maxWebhooks: 3 } } });
  const opened = await operator(apis.all[0]!, "POST", "/accounts", { name: "n", plan: null, limits: null });
  expect(opened).toMatchObject({ status: 201, body: { plan: "starter" } });
});

test.each([
  ["/v1/account/keys", { name: null }, "name"],
  ["/v1/account/keys", { name: "n", color: null }, "color"],
  ["/v1/uploads", { contentType: "image/png", filename: null, sizeBytes: 3 }, "filename"],
  ["/v1/webhooks", { url: null }, "url"],
  ["/v1/tools/mask/edit", { imageUrl, parameters: { shadow: null } }, "parameters.shadow"],
  ["/v1/tools/mask/edit", { imageUrl, metadata: { sku: null } }, "metadata.sku"],
])("null stays refused where nothing is optional: %s %j", async (path, json, field) => {
  const { status, body } = await post(path, json);
  expect([status, body.code, body.details]).toEqual([400, "invalid_request", { field }]);
});
