/**
 * What all rows of a batch have: a preset, a destination; and what a dry run says of both.
 * @module-tag long
 */
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { expect, test } from "vitest";
import { openAccount } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);
const items = [{ ref: "K-1", imageUrl: "https://shop.example/1.jpg" }];

/** With a connection and a preset. No worker runs. */
async function newAccount() {
  const { accountId, key } = await openAccount(apis.all[0]!, { plan: "starter" });
  const client = { accountId, ...apiClient(apis.all[0]!.url, key) };
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
  [{ preset: "round" }, 'Preset "round" not found: it is none of yours, and marketplaces\' are amazon-main, '],
  [{ preset: "square", tool: "ai-bg" }, 'The preset "square" is one of mask, not of ai-bg.'],
  [
    { tool: "mask", preset: "ebay", parameters: { preset: "etsy" } },
    '"preset" is ebay and "parameters.preset" is etsy',
  ],
  [{ tool: "mask", destination: { connection: "none", key: "{ref}.png" } }, 'Connection "none" not found'],
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
    'Preset "round" not found.',
    'The result of line 1 has the same place, "shop/preset/A.{ext}": give each row a key of its own.',
    'Connection "other" not found.',
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

type Client = Awaited<ReturnType<typeof newAccount>>;

async function upload(client: Client, contentType: string, filename: string, bytes: Uint8Array): Promise<string> {
  const json = { contentType, filename, sizeBytes: bytes.length };
  const { body } = await client.call("POST", "/v1/uploads", { json });
  await fetch(body.uploadUrl, { method: "PUT", headers: body.headers, body: new Uint8Array(bytes) });
  return body.uploadSessionId;
}

/** The jobs of a batch's rows as the log has them, by the rows' refs, when so many have been handed out. */
async function jobsOf(client: Client, json: object, count: number): Promise<Record<string, Job>> {
  const { body: batch } = await client.call("POST", "/v1/batches", { json: { onExisting: "redo", ...json } });
  const list = async () => (await client.call("GET", `/v1/jobs?batch=${batch.id}`)).body.data as { id: string }[];
  await expect.poll(async () => (await list()).length, { timeout: 30_000 }).toBe(count);
  const jobs = await Promise.all(
    (await list()).map(({ id }) => apis.log.read<Job>(subjects.job(client.accountId, id))),
  );
  return Object.fromEntries(jobs.map(({ value }) => [value!.batch!.ref, value!]));
}

test("a file's columns name presets and places, and the jobs have both", async () => {
  const client = await newAccount();
  const csv = [
    "ref,imageUrl,preset,destination.connection,destination.key,output.width",
    "A,https://shop.example/a.jpg,square,,,700",
    "B,https://shop.example/b.jpg,,shop,{name}-{batchId}.{ext},",
    "C,https://shop.example/c.jpg,ebay,,,",
  ].join("\n");
  const uploadSessionId = await upload(client, "text/csv", "rows.csv", Buffer.from(csv));
  const { A, B, C } = await jobsOf(client, { tool: "mask", uploadSessionId }, 3);
  expect([A!.parameters.output, A!.destination]).toEqual([
    { format: "jpeg", width: 700 },
    { connection: "shop", key: "preset/A.{ext}" },
  ]);
  expect(B!.destination).toEqual({ connection: "shop", key: `b-${B!.batch!.id}.{ext}` });
  expect([C!.parameters.preset, C!.destination]).toEqual(["ebay", undefined]);
});

test("photos, background pictures and masks of upload sessions are the jobs' own, and a name of one is in the key", async () => {
  const client = await newAccount();
  const bytes = Buffer.from("any bytes");
  const [photo, odd, wall] = await Promise.all([
    upload(client, "image/png", "kettle.png", bytes),
    upload(client, "image/png", "{kettle}.png", bytes),
    upload(client, "image/png", "wall.png", bytes),
  ]);
  const json = {
    tool: "mask",
    destination: { connection: "shop", key: "{ref}/{name}.{ext}" },
    items: [
      {
        ref: "A",
        uploadSessionId: photo,
        parameters: { backgroundImage: { uploadSessionId: wall }, maskImage: { uploadSessionId: wall } },
      },
      { ref: "B", uploadSessionId: odd },
      { ref: "C", uploadSessionId: photo, parameters: { backgroundImage: { uploadSessionId: uuidv7() } } },
    ],
  };
  const { A } = await jobsOf(client, json, 1);
  expect(A!.destination).toEqual({ connection: "shop", key: "A/kettle.{ext}" });
  const { accountId, id } = A!;
  expect(A!.background).toMatchObject({
    kind: "file",
    file: { key: storageKeys.picture(accountId, id, "background") },
  });
  expect(A!.mask).toMatchObject({ kind: "file", file: { key: storageKeys.picture(accountId, id, "mask") } });
  const storage = createDiskStorage({ dir: apis.storageDir });
  expect(await storage.read(storageKeys.picture(accountId, id, "background"), { bytesMax: 100 })).toEqual(bytes);
  expect(await storage.read(storageKeys.picture(accountId, id, "mask"), { bytesMax: 100 })).toEqual(bytes);
  const batchId = A!.batch!.id;
  const failed = async () => (await client.call("GET", `/v1/batches/${batchId}`)).body.counts.failed;
  await expect.poll(failed, { timeout: 30_000 }).toBe(2);
  const { body: report } = await client.call("GET", `/v1/batches/${batchId}/report`);
  const lines = (report as string)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ code }) => code)).toEqual([null, "invalid_request", "not_found"]);
  // Files of rows that have no job are removed.
  const kept = await Array.fromAsync(storage.list(storageKeys.account(accountId)), ({ key }) => key);
  expect(kept.filter((key) => !key.includes("/uploads/")).every((key) => key.includes(id))).toBe(true);
});
