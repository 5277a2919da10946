/** What all rows of a batch have: a preset, a destination; and what a dry run says of both. */
import { uuidv7 } from "@packshot/domain/ids.ts";
import { expect, test } from "vitest";
import { openAccount } from "../../../testing/api/accounts.ts";
import { startApis } from "../../../testing/api/api-processes.ts";
import { apiClient } from "../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);
const items = [{ ref: "K-1", imageUrl: "https://shop.example/1.jpg" }];

/** With a connection and a preset. No worker runs. */
async function newAccount() {
  const { key } = await openAccount(apis.all[0]!, { plan: "starter" });
  const client = apiClient(apis.all[0]!.url, key);
  const address = { endpoint: "https://s3.shop.example", region: "us-east-1", bucket: "photos" };
  const credentials = { accessKeyId: "AKIAEXAMPLE1", secretAccessKey: uuidv7() };
  const connected = await client.call("POST", "/v1/connections", {
    json: { name: "shop", ...address, ...credentials },
  });
  expect(connected.status).toBe(201);
  const preset = {
    tool: "mask",
    parameters: { output: { format: "jpeg", width: 900 } },
    destination: { connection: "shop", key: "preset/{ref}.{ext}" },
  };
  expect((await client.call("PUT", "/v1/presets/square", { json: preset })).status).toBe(201);
  return client;
}

test("a preset and a destination are the batch's defaults, as they were when it was made", async () => {
  const client = await newAccount();
  const create = async (json: object) =>
    (await client.call("POST", "/v1/batches", { json: { items, onExisting: "redo", ...json } })).body;
  const all = await Promise.all([
    create({ tool: "mask" }),
    create({ preset: "square" }),
    create({
      preset: "square",
      tool: "mask",
      parameters: { output: { width: 700 } },
      destination: { connection: "shop", key: "{ref}/{tool}.{ext}" },
    }),
    create({ preset: "ebay" }),
  ]);
  expect(all.map(({ tool, parameters, destination }) => [tool, parameters, destination])).toEqual([
    ["mask", {}, null],
    ["mask", { output: { format: "jpeg", width: 900 } }, { connection: "shop", key: "preset/{ref}.{ext}" }],
    ["mask", { output: { format: "jpeg", width: 700 } }, { connection: "shop", key: "{ref}/{tool}.{ext}" }],
    ["mask", { preset: "ebay" }, null],
  ]);
  await client.call("DELETE", "/v1/presets/square");
  const { parameters, destination } = all[1];
  expect((await client.call("GET", `/v1/batches/${all[1].id}`)).body).toMatchObject({ parameters, destination });
});

test.each([
  [{ preset: "round" }, 'There is no preset "round" in this account.'],
  [{ preset: "square", tool: "ai-bg" }, 'The preset "square" is one of mask, not of ai-bg.'],
  [
    { tool: "mask", preset: "ebay", parameters: { preset: "etsy" } },
    '"preset" is ebay and "parameters.preset" is etsy',
  ],
  [{ tool: "mask", destination: { connection: "none", key: "{ref}.png" } }, 'There is no connection "none"'],
  [{ destination: { connection: "shop", key: "{sku}.png" } }, '"destination.key" has {sku}'],
  [{ tool: "mask", destination: { connection: "shop" } }, "is missing"],
])("a batch with %j is refused, and so is a dry run of it", async (json, message) => {
  const client = await newAccount();
  for (const dryRun of [false, true]) {
    const { status, body } = await client.call("POST", "/v1/batches", { json: { items, dryRun, ...json } });
    expect([status, body.code, body.message]).toEqual([400, "invalid_request", expect.stringContaining(message)]);
  }
});

test("a dry run names rows whose place is wrong or another row's, of items and of a file", async () => {
  const client = await newAccount();
  const rows = [
    { ref: "A", preset: "square" },
    { ref: "B", preset: "round" },
    { ref: "C", destination: { connection: "shop", key: "preset/A.{ext}" } },
    { ref: "D", destination: { connection: "other", key: "D.png" } },
    { ref: "../E", destination: { connection: "shop", key: "{ref}.{ext}" } },
  ].map((row) => ({ imageUrl: "https://shop.example/1.jpg", ...row }));
  const faults = [
    'There is no preset "round" in this account.',
    'The result of line 1 has the same place, "shop/preset/A.{ext}": give each row a key of its own.',
    'There is no connection "other" in this account.',
    'The key of "destination.key" has a part that is "." or "..".',
  ].map((message, i) => ({ line: i + 2, message }));
  const inline = await client.call("POST", "/v1/batches", { json: { dryRun: true, tool: "mask", items: rows } });
  expect(inline.body).toMatchObject({ rows: 5, faulty: 4, credits: 1, faults });
  const bytes = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const session = { contentType: "application/x-ndjson", filename: "rows.ndjson", sizeBytes: bytes.length };
  const { body: upload } = await client.call("POST", "/v1/uploads", { json: session });
  await fetch(upload.uploadUrl, { method: "PUT", headers: upload.headers, body: bytes });
  const json = { dryRun: true, tool: "mask", uploadSessionId: upload.uploadSessionId };
  expect((await client.call("POST", "/v1/batches", { json })).body).toMatchObject({ rows: 5, faulty: 4, faults });
});
