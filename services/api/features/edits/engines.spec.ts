/**
 * Edits by an image model: refused while no worker has one, and priced apart.
 * @module-tag long
 */
import { createProcessHeartbeat } from "@packshot/service/process-heartbeat.ts";
import { expect, test, vi } from "vitest";
import { openAccount } from "../../../../testing/api/accounts.ts";
import { type ApiProcess, startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);
const imageUrl = "https://shop.example/1.jpg";
const heard = { timeout: 15_000 };

async function open(api: ApiProcess, limits: Readonly<Record<string, number>> = {}) {
  const { key } = await openAccount(api, { plan: "starter", limits });
  const client = apiClient(api.url, key);
  const edit = (parameters: object, tool = "ai-bg") =>
    client.call("POST", `/v1/tools/${tool}/edit`, { json: { imageUrl, parameters } });
  const engines = async () => (await client.call("GET", "/v1/tools/ai-bg")).body.engines;
  return { client, edit, engines };
}

/** A worker whose model servers have an image model, as far as the API can tell. */
async function startPainter() {
  const { connection } = apis.log;
  const heartbeat = createProcessHeartbeat({
    connection,
    service: "worker",
    readiness: { reasons: () => ({}) },
    imageModel: () => "klein@1",
  });
  await heartbeat.start();
  return heartbeat;
}

test("generative is refused while no worker has an image model, in edits and in rows; a test key needs none", async () => {
  const [api] = apis.all;
  const { client, edit, engines } = await open(api!);
  expect(await engines()).toEqual(["renderer"]);
  const { status, body } = await edit({ engine: "generative", prompt: "a cabin" });
  expect([status, body.code, body.details]).toEqual([422, "engine_not_available", { field: "parameters.engine" }]);
  expect(body.message).toMatch(/give "renderer", which needs none/);
  const items = [{ ref: "K-1", imageUrl, tool: "ai-bg", parameters: { engine: "generative" } }];
  const dryRun = await client.call("POST", "/v1/batches", { json: { items, dryRun: true } });
  expect(dryRun.body.faults).toMatchObject([{ ref: "K-1", code: "engine_not_available" }]);
  const created = await client.call("POST", "/v1/account/keys", { json: { name: "test", live: false } });
  const test = apiClient(api!.url, created.body.key);
  expect((await test.call("GET", "/v1/tools/ai-bg")).body.engines).toEqual(["renderer", "generative"]);
  const accepted = await test.call("POST", "/v1/tools/ai-bg/edit", {
    json: { imageUrl, parameters: { engine: "generative" } },
  });
  expect([accepted.status, accepted.body.creditsCharged]).toEqual([202, 0]);
});

test("an image model's scenes cost what the account pays for them, and auto is the operator's choice", async () => {
  const [renderer] = apis.all;
  const generative = await apis.start({ PACKSHOT_SCENE_ENGINE: "generative" });
  const worker = await startPainter();
  const [usual, own, chosen] = await Promise.all([
    open(renderer!),
    open(renderer!, { creditsPerGeneratedScene: 7 }),
    open(generative),
  ]);
  await vi.waitFor(async () => {
    for (const { engines } of [usual, chosen]) expect(await engines()).toEqual(["renderer", "generative"]);
  }, heard);
  const autoOf = async ({ client }: typeof usual) => (await client.call("GET", "/v1/tools/ai-bg")).body.autoEngine;
  expect([await autoOf(usual), await autoOf(chosen)]).toEqual(["renderer", "generative"]);
  const charged = async ({ edit }: typeof usual, parameters: object) => (await edit(parameters)).body.creditsCharged;
  expect(await charged(usual, { engine: "generative" })).toBe(4);
  expect(await charged(usual, { engine: "generative", variations: 3 })).toBe(12);
  expect(await charged(usual, { prompt: "a cabin" })).toBe(1);
  expect(await charged(own, { engine: "generative" })).toBe(7);
  expect(await charged(chosen, {})).toBe(4);
  expect(await charged(chosen, { engine: "renderer" })).toBe(1);
  expect((await usual.client.call("GET", "/v1/account")).body.limits.creditsPerGeneratedScene).toBe(4);

  const { body } = await chosen.edit({ theme: "oak" });
  const { body: job } = await chosen.client.call("GET", `/v1/jobs/${body.id}`);
  expect(job.parameters).toMatchObject({ theme: "oak", engine: "generative" });

  const rows = [{ engine: "generative" }, {}, { engine: "renderer" }];
  const items = rows.map((parameters, row) => ({ ref: `K-${row}`, imageUrl, tool: "ai-bg", parameters }));
  const credits = async ({ client }: typeof usual) =>
    (await client.call("POST", "/v1/batches", { json: { items, dryRun: true } })).body.credits;
  expect([await credits(usual), await credits(own), await credits(chosen)]).toEqual([6, 9, 9]);

  await worker.stop();
  await vi.waitFor(async () => expect(await usual.engines()).toEqual(["renderer"]), heard);
  expect((await usual.edit({ engine: "generative" })).status).toBe(422);
  // What is there paints: an edit that names no engine is never refused.
  await vi.waitFor(async () => expect(await chosen.engines()).toEqual(["renderer"]), heard);
  expect(await charged(chosen, {})).toBe(1);
  // Rows are handed out later, when it may be back: what a dry run says is the most.
  expect([await autoOf(chosen), await credits(usual), await credits(chosen)]).toEqual(["renderer", 2, 5]);
});

test.each([
  { parameters: { prompt: "x".repeat(2_001) }, field: "prompt" },
  { parameters: { strength: 0 }, field: "strength" },
  { parameters: { engine: "photoshop" }, field: "engine" },
])("a wrong $field is refused", async ({ parameters, field }) => {
  const { edit } = await open(apis.all[0]!);
  const { status, body } = await edit(parameters);
  expect([status, body.code]).toEqual([400, "invalid_request"]);
  expect(body.message).toContain(field);
  expect((await edit(parameters, "mask")).status).toBe(400);
});
